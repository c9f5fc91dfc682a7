// The call page.
import { Badge, Grid, Paper, Stack, Tabs, Text } from '@mantine/core'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'wouter'
import type { Call as CallRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { AnalysisCard } from '../../components/analysis-card.tsx'
import { Page } from '../../components/page.tsx'
import { Loading, QueryResult } from '../../components/query-states.tsx'
import { SipLadder } from '../../components/sip-ladder.tsx'
import { sipLadderTexts } from '../../components/sip-ladder-texts.ts'
import { ToolCalls } from '../../components/tool-calls.tsx'
import { Transcript } from '../../components/transcript.tsx'
import { type Line, lineAt, linesOf, withTools } from '../../components/transcript-lines.ts'
import { ConfirmButton, useAction, useLeavePage } from '../../components/use-action.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { CallFacts, CallValues, EndReasonAlert } from './call-facts.tsx'
import { useRemoteParty } from './call-status.tsx'
import { callTexts } from './call-texts.ts'
import type { Player } from './recording.tsx'
import { recordingNote, recordingTexts } from './recording-state.ts'
import { useResetInfiniteLists } from './use-infinite-list.ts'

const Recording = lazy(async () => ({ default: (await import('./recording.tsx')).Recording }))

export function Call() {
  const t = useTexts(callTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/calls/{id}', { params: { path: { id } } })
  if (reading.data) return <CallPage key={id} call={reading.data} />
  return (
    <Page title={t.call} back={{ to: '/calls', name: t.calls }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function CallPage({ call }: { call: CallRecord }) {
  const t = useTexts(callTexts)
  const other = useRemoteParty()
  const { run } = useAction()
  const leave = useLeavePage()
  const forgetLists = useResetInfiniteLists()
  const { data: agents } = useAgents()
  const agentName = agents?.find(({ id }) => id === call.agentId)?.name
  const path = { path: { id: call.conversationId ?? '' } }
  const conversation = queries.useQuery(
    'get',
    '/api/conversations/{id}',
    { params: path },
    { enabled: call.conversationId !== null },
  )
  const remove = async () => {
    const removed = await run(() => unwrap(api.DELETE('/api/calls/{id}', { params: { path: { id: call.id } } })), {
      success: t.deleted,
    })
    if (!removed) return
    forgetLists()
    leave('/calls', ['/api/calls', '/api/overview'])
  }
  return (
    <Page
      title={other(call)}
      back={{ to: '/calls', name: t.calls }}
      about={[t.direction[call.direction], agentName && t.with(agentName)].filter(Boolean).join(' ')}
      actions={
        call.endedAt !== null && (
          <ConfirmButton question={t.deleteQuestion} warning={t.deleteWarning} confirm={t.delete} onConfirm={remove}>
            {t.delete}
          </ConfirmButton>
        )
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <EndReasonAlert call={call} />
            <CallDetails call={call} agentName={agentName} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            {conversation.data && <AnalysisCard conversation={conversation.data} />}
            <CallFacts call={call} />
            <CallValues call={call} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

const tabs = ['transcript', 'latency', 'tools', 'sip'] as const

/** Recording, transcript, response times, tool calls and SIP messages. */
function CallDetails({ call, agentName }: { call: CallRecord; agentName: string | undefined }) {
  const t = useTexts(callTexts)
  const sip = useTexts(sipLadderTexts)
  const [params, setParams] = useSearchParams()
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'transcript'
  const player = useRef<Player>(null)
  const note = recordingNote(call, useTexts(recordingTexts))
  const [playingId, setPlayingId] = useState<string | null>(null)
  const ofCall = { params: { path: { id: call.id } } }
  const turns = queries.useQuery('get', '/api/calls/{id}/turns', ofCall)
  const tools = queries.useQuery('get', '/api/calls/{id}/tool-calls', ofCall)
  const ladder = queries.useQuery('get', '/api/calls/{id}/sip', ofCall, { enabled: tab === 'sip' })
  const messages = queries.useQuery(
    'get',
    '/api/conversations/messages/{conversationId}',
    { params: { path: { conversationId: call.conversationId ?? '' } } },
    { enabled: call.conversationId !== null },
  )
  const entries = useMemo(
    () => withTools(linesOf(messages.data ?? [], turns.data ?? []), tools.data ?? []),
    [messages.data, turns.data, tools.data],
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
      {call.hasRecording && (
        <Suspense fallback={<Loading />}>
          <Recording url={`/api/gateway/calls/recordings/${call.sessionId}`} onPlace={onPlace} player={player} />
        </Suspense>
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
          <Paper withBorder p="md">
            {call.conversationId === null ? (
              <Text size="sm" c="dimmed">
                {t.noTranscript}
              </Text>
            ) : (
              <QueryResult query={messages}>
                {() => (
                  <>
                    {call.hasRecording && entries.length > 0 && (
                      <Text size="xs" c="dimmed" mb="sm" px={4}>
                        {t.hearHint}
                      </Text>
                    )}
                    <Transcript
                      entries={entries}
                      agentName={agentName}
                      playingId={playingId}
                      height={entries.length > 8 ? 560 : undefined}
                      {...(call.hasRecording ? { onPlay: hear } : {})}
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
