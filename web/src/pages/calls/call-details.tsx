// The details of a call: recording, transcript, response times, tool calls and SIP messages.
import { Badge, Paper, Tabs, Text } from '@mantine/core'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { Loading, QueryResult } from '../../components/query-states.tsx'
import { SipLadder } from '../../components/sip-ladder.tsx'
import { sipLadderTexts } from '../../components/sip-ladder-texts.ts'
import { ToolCalls } from '../../components/tool-calls.tsx'
import { Transcript } from '../../components/transcript.tsx'
import { type Line, lineAt } from '../../components/transcript-lines.ts'
import { Waterfall } from '../../components/waterfall.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMay, withOrganization } from '../../organization.ts'
import styles from './call-details.module.css'
import { callTexts } from './call-texts.ts'
import type { Player } from './recording.tsx'
import { recordingNote, recordingTexts } from './recording-state.ts'
import { useCallTranscript } from './use-call-transcript.ts'

const Recording = lazy(async () => ({ default: (await import('./recording.tsx')).Recording }))

const tabs = ['transcript', 'latency', 'tools', 'sip'] as const

export function CallDetails({ call, agentName }: { call: Call; agentName: string | undefined }) {
  const t = useTexts(callTexts)
  const sip = useTexts(sipLadderTexts)
  const [params, setParams] = useSearchParams()
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'transcript'
  const player = useRef<Player>(null)
  const hasRecording = useMay('recordings:read') && call.hasRecording
  const note = recordingNote(call, useTexts(recordingTexts))
  const [playingId, setPlayingId] = useState<string | null>(null)
  const { messages, turns, tools, entries } = useCallTranscript(call)
  const ladder = queries.useQuery(
    'get',
    '/api/calls/{id}/sip',
    { params: { path: { id: call.id } } },
    { enabled: tab === 'sip' },
  )
  const onPlace = useCallback((ms: number) => setPlayingId(lineAt(entries, ms)), [entries])
  const hear = (line: Line) => line.fromMs !== null && player.current?.playFrom(line.fromMs)
  const count = (n: number | undefined) =>
    n ? (
      <Badge size="sm" variant="default" circle={n < 10}>
        {n}
      </Badge>
    ) : null
  return (
    <>
      {hasRecording && (
        <Suspense fallback={<Loading />}>
          <div className={styles.player}>
            <Recording
              url={withOrganization(`/api/gateway/calls/recordings/${call.sessionId}`)}
              onPlace={onPlace}
              player={player}
            />
          </div>
        </Suspense>
      )}
      {call.hasRecording && !hasRecording && (
        <Text size="sm" c="dimmed">
          {t.recordingForOthers}
        </Text>
      )}
      {note && (
        <Text size="sm" c={call.recordingError ? 'red' : 'dimmed'} role={call.recordingError ? 'alert' : undefined}>
          {note}
        </Text>
      )}
      <Tabs
        value={tab}
        onChange={(next) => setParams(next ? { tab: next } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="transcript">{t.transcriptTab}</Tabs.Tab>
          <Tabs.Tab value="latency">{t.latencyTab}</Tabs.Tab>
          <Tabs.Tab value="tools" rightSection={count(tools.data?.length)}>
            {t.toolsTab}
          </Tabs.Tab>
          {call.channel !== 'web' && <Tabs.Tab value="sip">{t.sipTab}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="transcript" pt="md">
          <Paper withBorder p="md" className={hasRecording ? styles.withPlayer : undefined}>
            {call.conversationId === null ? (
              <Text size="sm" c="dimmed">
                {t.noTranscript}
              </Text>
            ) : (
              <QueryResult query={messages}>
                {() => (
                  <>
                    {hasRecording && entries.length > 0 && (
                      <Text size="xs" c="dimmed" mb="sm" px={4}>
                        {t.hearHint}
                      </Text>
                    )}
                    <Transcript
                      entries={entries}
                      agentName={agentName}
                      playingId={playingId}
                      {...(hasRecording ? { onPlay: hear } : {})}
                    />
                  </>
                )}
              </QueryResult>
            )}
          </Paper>
        </Tabs.Panel>
        <Tabs.Panel value="latency" pt="md">
          <QueryResult query={turns}>{(all) => <Waterfall turns={all} />}</QueryResult>
        </Tabs.Panel>
        <Tabs.Panel value="tools" pt="md">
          <QueryResult query={tools}>{(all) => <ToolCalls calls={all} />}</QueryResult>
        </Tabs.Panel>
        <Tabs.Panel value="sip" pt="md">
          <Paper withBorder p="lg">
            <Text size="sm" c="dimmed" mb="md">
              {sip.about}
            </Text>
            <QueryResult query={ladder}>
              {({ entries: all, ladder: text }) => <SipLadder entries={all} text={text} />}
            </QueryResult>
          </Paper>
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
