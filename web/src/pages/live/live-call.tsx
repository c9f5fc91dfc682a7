// A call in progress: transcript and actions.
import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPhoneOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { AgentName, useAgents } from '../../components/agent-name.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Transcript } from '../../components/transcript.tsx'
import { linesOf, withTools } from '../../components/transcript-lines.ts'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMay } from '../../organization.ts'
import { CallStatus, RemoteParty } from '../calls/call-status.tsx'
import { CallTimer } from './call-timer.tsx'
import { ListenIn } from './listen-in.tsx'
import { liveTexts } from './live-texts.ts'
import { OperatorSay } from './operator-say.tsx'
import { TransferCall } from './transfer-call.tsx'

/** Fallback polling interval, in case an event is lost. */
const REFRESH_MS = 5000

export function LiveCall({ id }: { id: string }) {
  const t = useTexts(liveTexts)
  const { run } = useAction()
  const { data: agents } = useAgents()
  const maySpeak = useMay('live:write')
  const reading = queries.useQuery(
    'get',
    '/api/calls/{id}',
    { params: { path: { id } } },
    { refetchInterval: REFRESH_MS },
  )
  const hangUp = () =>
    run(() => unwrap(api.POST('/api/calls/{id}/hangup', { params: { path: { id } } })), {
      success: t.hungUp,
      stale: ['/api/calls', '/api/overview'],
    })
  return (
    <QueryResult query={reading}>
      {(call) => {
        const isOver = call.endedAt !== null
        const isTalking = call.answeredAt !== null && !isOver
        return (
          <Paper withBorder p="lg" component="section" aria-label={t.transcript}>
            <Stack gap="lg">
              <Group justify="space-between" align="flex-start">
                <div>
                  <Title order={2} size="h4">
                    <RemoteParty call={call} isWhole />
                  </Title>
                  <Text size="sm" c="dimmed" component="div">
                    <AgentName id={call.agentId} isInText /> · <CallTimer call={call} isAnnounced />
                  </Text>
                </div>
                <CallStatus status={call.status} size="lg" />
              </Group>
              {isOver ? (
                <Alert variant="default" role="status">
                  <Group justify="space-between">
                    <Text size="sm">{t.over}</Text>
                    <Button component={Link} href={`/calls/${id}`} size="xs">
                      {t.openCall}
                    </Button>
                  </Group>
                </Alert>
              ) : (
                <CallActions call={call} hangUp={hangUp} />
              )}
              <LiveTranscript
                conversationId={call.conversationId}
                agentName={agents?.find((one) => one.id === call.agentId)?.name}
              />
              {isTalking && maySpeak && <OperatorSay callId={id} />}
              <Anchor component={Link} href={`/calls/${id}`} size="sm">
                {t.openCall}
              </Anchor>
            </Stack>
          </Paper>
        )
      }}
    </QueryResult>
  )
}

/** A ringing call can only be hung up. */
function CallActions({ call, hangUp }: { call: Call; hangUp: () => Promise<boolean> }) {
  const t = useTexts(liveTexts)
  const end = (
    <ConfirmButton
      question={t.hangUpQuestion}
      warning={t.hangUpWarning}
      confirm={t.hangUp}
      leftSection={<IconPhoneOff size={18} aria-hidden />}
      onConfirm={hangUp}
    >
      {t.hangUp}
    </ConfirmButton>
  )
  const mayListen = useMay('live:read')
  const maySpeak = useMay('live:write')
  if (call.answeredAt === null || !mayListen) return <Group>{end}</Group>
  return (
    <ListenIn callId={call.id}>
      {maySpeak && <TransferCall call={call} />}
      {end}
    </ListenIn>
  )
}

/** Refetched on events as people speak. */
function LiveTranscript({
  conversationId,
  agentName,
}: {
  conversationId: string | null
  agentName: string | undefined
}) {
  const t = useTexts(liveTexts)
  const enabled = { enabled: conversationId !== null, refetchInterval: REFRESH_MS }
  const id = conversationId ?? ''
  const messages = queries.useQuery(
    'get',
    '/api/conversations/messages/{conversationId}',
    { params: { path: { conversationId: id } } },
    enabled,
  )
  const tools = queries.useQuery('get', '/api/conversations/{id}/tool-calls', { params: { path: { id } } }, enabled)
  const entries = useMemo(
    () => withTools(linesOf(messages.data ?? [], []), tools.data ?? []),
    [messages.data, tools.data],
  )
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        {t.transcript}
      </Title>
      {conversationId === null ? (
        <Text size="sm" c="dimmed">
          {t.notYet}
        </Text>
      ) : (
        <Transcript isLive entries={entries} agentName={agentName} height={320} />
      )}
    </div>
  )
}
