// One conversation: what was said, what the tools did, what came of it; and writing to the agent while it goes on.
import { Alert, Anchor, Button, Grid, Group, Paper, Stack, Text } from '@mantine/core'
import { IconBroadcast } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { Link, useParams } from 'wouter'
import type { Conversation as ConversationRecord } from '../../../../client/paths.ts'
import { api, done, queries } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { AgentName, useAgents } from '../../parts/agent-name.tsx'
import { Copying } from '../../parts/copying.tsx'
import { ConfirmButton, useAction, useLeaving } from '../../parts/doing.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Reading } from '../../parts/states.tsx'
import { Answering, Transcript } from '../../parts/transcript.tsx'
import { AnalysisCard } from '../../parts/transcript-analysis.tsx'
import { withUnderWay } from '../../parts/transcript-lines.ts'
import { ToolCalls } from '../../parts/transcript-tools.tsx'
import { useWriting, WritingBox } from '../../parts/transcript-writing.tsx'
import { When } from '../../parts/when.tsx'
import { useForgetLists } from '../calls/use-long-list.ts'
import { ConversationStatus } from './conversation-status.tsx'
import { conversationWords } from './conversation-words.ts'
import { useCallOf } from './use-call-of.ts'

export function Conversation() {
  const t = useWords(conversationWords)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/conversations/{id}', { params: { path: { id } } })
  if (reading.data) return <ConversationPage key={id} conversation={reading.data} />
  return (
    <Page title={t.conversation} back={{ to: '/conversations', name: t.title }}>
      <Reading of={reading}>{() => null}</Reading>
    </Page>
  )
}

function ConversationPage({ conversation }: { conversation: ConversationRecord }) {
  const t = useWords(conversationWords)
  const { id, agentId, title, status } = conversation
  const { data: agents } = useAgents()
  const agentName = agents?.find((agent) => agent.id === agentId)?.name
  const call = useCallOf(conversation)
  const { run } = useAction()
  const leave = useLeaving()
  const forgetLists = useForgetLists()
  const end = () =>
    run(() => done(api.POST('/api/conversations/end', { body: { conversationId: id } })), {
      success: t.endedNow,
      stale: ['/api/conversations'],
    })
  const remove = async () => {
    const removed = await run(() => done(api.DELETE('/api/conversations/{id}', { params: { path: { id } } })), {
      success: t.deleted,
    })
    if (!removed) return
    forgetLists()
    leave('/conversations', ['/api/calls', '/api/overview'])
  }
  return (
    <Page
      title={title ?? t.untitled(agentName ?? '…')}
      back={{ to: '/conversations', name: t.title }}
      actions={
        <>
          {status === 'active' && call === null && (
            <ConfirmButton question={t.endQuestion} warning={t.endWarning} confirm={t.end} onConfirm={end}>
              {t.end}
            </ConfirmButton>
          )}
          {(call === null ? status !== 'active' : call?.endedAt) && (
            <ConfirmButton
              question={t.deleteQuestion}
              warning={call ? t.deleteWarning : t.deleteWrittenWarning}
              confirm={t.delete}
              onConfirm={remove}
            >
              {t.delete}
            </ConfirmButton>
          )}
        </>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Talk conversation={conversation} agentName={agentName} call={call} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <AnalysisCard conversation={conversation} />
            <Facts conversation={conversation} callId={call?.id ?? null} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Talk({
  conversation: { id, status },
  agentName,
  call,
}: {
  conversation: ConversationRecord
  agentName: string | undefined
  call: ReturnType<typeof useCallOf>
}) {
  const t = useWords(conversationWords)
  const messages = queries.useQuery('get', '/api/conversations/messages/{conversationId}', {
    params: { path: { conversationId: id } },
  })
  const tools = queries.useQuery('get', '/api/conversations/{id}/tool-calls', { params: { path: { id } } })
  const writing = useWriting(useCallback(async () => id, [id]))
  const { underWay } = writing
  const { entries, answering } = useMemo(
    () => withUnderWay(messages.data ?? [], tools.data ?? [], underWay),
    [messages.data, tools.data, underWay],
  )
  return (
    <Stack gap="lg">
      {status === 'active' && call && (
        <Alert color="teal" icon={<IconBroadcast aria-hidden />}>
          <Group justify="space-between">
            <Text size="sm">{t.callGoesOn}</Text>
            <Button component={Link} href={`/live?call=${call.id}`} size="xs">
              {t.watch}
            </Button>
          </Group>
        </Alert>
      )}
      <Paper withBorder p="md">
        <Reading of={messages}>
          {() => (
            <Stack>
              <Transcript
                isLive={status === 'active'}
                entries={entries}
                agentName={agentName}
                height={status === 'active' || entries.length > 10 ? 'max(320px, calc(100dvh - 340px))' : undefined}
                tail={answering !== null && <Answering text={answering} name={agentName} />}
                empty={
                  status === 'active' && call === null ? (
                    <Text c="dimmed" size="sm" ta="center" py="xl">
                      {t.writeFirst}
                    </Text>
                  ) : undefined
                }
              />
              {status === 'active' ? (
                call === null && <WritingBox writing={writing} />
              ) : (
                <Text size="xs" c="dimmed" ta="center">
                  {t.over}
                </Text>
              )}
            </Stack>
          )}
        </Reading>
      </Paper>
      {tools.data && tools.data.length > 0 && (
        <Section title={t.tools}>
          <ToolCalls calls={tools.data} />
        </Section>
      )}
    </Stack>
  )
}

function Facts({ conversation, callId }: { conversation: ConversationRecord; callId: string | null }) {
  const t = useWords(conversationWords)
  const shared = useWords(common)
  const { id, agentId, status, startedAt, endedAt } = conversation
  const facts = [
    [shared.status, <ConversationStatus key="status" status={status} />],
    [shared.agent, <AgentName key="agent" id={agentId} />],
    [t.started, <When key="started" at={startedAt} />],
    [t.ended, endedAt && <When key="ended" at={endedAt} />],
    [
      t.call,
      callId && (
        <Anchor key="call" component={Link} href={`/calls/${callId}`} size="sm">
          {t.openCall}
        </Anchor>
      ),
    ],
  ] as const
  return (
    <Section title={t.facts}>
      <Stack gap={8} component="dl" m={0}>
        {facts.map(
          ([name, value]) =>
            value && (
              <Group key={name} justify="space-between" wrap="nowrap">
                <Text component="dt" size="sm" c="dimmed">
                  {name}
                </Text>
                <Text component="dd" size="sm" m={0} ta="right">
                  {value}
                </Text>
              </Group>
            ),
        )}
      </Stack>
      <Copying text={id} />
    </Section>
  )
}
