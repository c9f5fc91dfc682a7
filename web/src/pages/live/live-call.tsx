// One call as it happens: what is said, and what can be done about it.
import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPhoneOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { api, done, queries } from '../../api.ts'
import { useWords } from '../../i18n/words.tsx'
import { AgentName, useAgents } from '../../parts/agent-name.tsx'
import { ConfirmButton, useAction } from '../../parts/doing.tsx'
import { Reading } from '../../parts/states.tsx'
import { Transcript } from '../../parts/transcript.tsx'
import { linesOf, withTools } from '../../parts/transcript-lines.ts'
import { CallStatus, OtherSide } from '../calls/call-status.tsx'
import { ListenIn } from './listen-in.tsx'
import { liveWords } from './live-words.ts'
import { SayWords } from './say-words.tsx'
import { Since } from './since.tsx'
import { TransferCall } from './transfer-call.tsx'

/** Should an event be lost, this is how old things may get. */
const REFRESH_MS = 5000

export function LiveCall({ id }: { id: string }) {
  const t = useWords(liveWords)
  const { run } = useAction()
  const { data: agents } = useAgents()
  const reading = queries.useQuery(
    'get',
    '/api/calls/{id}',
    { params: { path: { id } } },
    { refetchInterval: REFRESH_MS },
  )
  const hangUp = () =>
    run(() => done(api.POST('/api/calls/{id}/hangup', { params: { path: { id } } })), {
      success: t.hungUp,
      stale: ['/api/calls', '/api/overview'],
    })
  return (
    <Reading of={reading}>
      {(call) => {
        const isOver = call.endedAt !== null
        const isTalking = call.answeredAt !== null && !isOver
        return (
          <Paper withBorder p="lg" component="section" aria-label={t.transcript}>
            <Stack gap="lg">
              <Group justify="space-between" align="flex-start">
                <div>
                  <Title order={2} size="h4">
                    <OtherSide call={call} />
                  </Title>
                  <Text size="sm" c="dimmed" component="div">
                    <AgentName id={call.agentId} isInText /> · <Since call={call} />
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
                <Orders call={call} hangUp={hangUp} />
              )}
              <LiveTranscript
                conversationId={call.conversationId}
                agentName={agents?.find((one) => one.id === call.agentId)?.name}
              />
              {isTalking && <SayWords callId={id} />}
              <Anchor component={Link} href={`/calls/${id}`} size="sm">
                {t.openCall}
              </Anchor>
            </Stack>
          </Paper>
        )
      }}
    </Reading>
  )
}

/** What can be done about a call that goes on; one that only rings can be hung up. */
function Orders({ call, hangUp }: { call: Call; hangUp: () => Promise<boolean> }) {
  const t = useWords(liveWords)
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
  if (call.answeredAt === null) return <Group>{end}</Group>
  return (
    <ListenIn callId={call.id}>
      <TransferCall call={call} />
      {end}
    </ListenIn>
  )
}

/** Events make it be read anew as things are said. */
function LiveTranscript({
  conversationId,
  agentName,
}: {
  conversationId: string | null
  agentName: string | undefined
}) {
  const t = useWords(liveWords)
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
