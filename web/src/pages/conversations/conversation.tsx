// The conversation page: transcript, tool calls, analysis, and the message box while it is active.
import { Alert, Anchor, Button, Grid, Group, Paper, Stack, Text } from '@mantine/core'
import { IconBroadcast, IconFileText, IconPhone } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { Link, useParams } from 'wouter'
import type { Conversation as ConversationRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { AgentName, useAgents } from '../../components/agent-name.tsx'
import { AnalysisCard } from '../../components/analysis-card.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { RelativeTime } from '../../components/date-time.tsx'
import { useResetLists } from '../../components/list/use-server-rows.ts'
import { MessageComposer, useMessageComposer } from '../../components/message-composer.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { ToolCalls } from '../../components/tool-calls.tsx'
import { PendingReply, Transcript } from '../../components/transcript.tsx'
import { linesOf, withPending, withTools } from '../../components/transcript-lines.ts'
import { downloadText, fileName, transcriptText } from '../../components/transcript-text.ts'
import { transcriptTexts } from '../../components/transcript-texts.ts'
import { ConfirmButton, useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange } from '../../organization.ts'
import { callHeading } from '../calls/call-heading.ts'
import { useRemoteParty } from '../calls/call-status.tsx'
import { EndChip } from '../calls/end-chip.tsx'
import { ConversationStatus } from './conversation-status.tsx'
import { conversationTexts } from './conversation-texts.ts'
import { useConversationCall } from './use-conversation-call.ts'

export function Conversation() {
  const t = useTexts(conversationTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/conversations/{id}', { params: { path: { id } } })
  if (reading.data) return <ConversationPage key={id} conversation={reading.data} />
  return (
    <Page title={t.conversation} back={{ to: '/conversations', name: t.title }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function ConversationPage({ conversation }: { conversation: ConversationRecord }) {
  const t = useTexts(conversationTexts)
  const { locale } = useLanguage()
  const { id, agentId, title, status, startedAt, endedAt } = conversation
  const { data: agents } = useAgents()
  const agentName = agents?.find((agent) => agent.id === agentId)?.name
  const call = useConversationCall(conversation)
  const other = useRemoteParty()
  const { run } = useAction()
  const end = () =>
    run(() => unwrap(api.POST('/api/conversations/end', { body: { conversationId: id } })), {
      success: t.endedNow,
      stale: ['/api/conversations'],
    })
  const durationSeconds = endedAt ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 : null
  const who = title ?? (call ? other(call) : t.untitled(agentName ?? '–'))
  const heading = callHeading({ startedAt, durationSeconds }, who, locale)
  return (
    <Page
      title={heading.title}
      titleView={
        <>
          {heading.who}{' '}
          <Text span inherit fw={450} c="dimmed" className="numbers">
            · {heading.rest}
          </Text>
        </>
      }
      back={{ to: '/conversations', name: t.title }}
      about={
        <Group gap="xs" mt={6}>
          {call ? <EndChip call={call} /> : <ConversationStatus status={status} />}
          {agentName && (call || title) && <Text size="sm">{t.untitled(agentName)}</Text>}
        </Group>
      }
      isForAll
      actions={
        <>
          {status === 'active' && call === null && (
            <ConfirmButton question={t.endQuestion} warning={t.endWarning} confirm={t.end} onConfirm={end}>
              {t.end}
            </ConfirmButton>
          )}
          <ConversationMenu conversation={conversation} title={heading.title} agentName={agentName} call={call} />
        </>
      }
    >
      <AnalysisCard conversation={conversation} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Messages conversation={conversation} agentName={agentName} call={call} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Facts conversation={conversation} callId={call?.id ?? null} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function ConversationMenu({
  conversation: { id, status },
  title,
  agentName,
  call,
}: {
  conversation: ConversationRecord
  title: string
  agentName: string | undefined
  call: ReturnType<typeof useConversationCall>
}) {
  const t = useTexts(conversationTexts)
  const words = useTexts(transcriptTexts)
  const { run } = useAction()
  const leave = useLeavePage()
  const forgetLists = useResetLists()
  const { messages, tools } = useMessages(id)
  const download = () => {
    const entries = withTools(linesOf(messages.data ?? [], []), tools.data ?? [])
    const text = transcriptText([title], entries, { ...words, agent: agentName ?? words.agent })
    downloadText(fileName(title), text)
  }
  const remove = async () => {
    const removed = await run(() => unwrap(api.DELETE('/api/conversations/{id}', { params: { path: { id } } })), {
      success: t.deleted,
    })
    if (!removed) return
    forgetLists()
    leave('/conversations', ['/api/calls', '/api/overview'])
  }
  const isOver = call === null ? status !== 'active' : Boolean(call?.endedAt)
  return (
    <MoreMenu
      id={id}
      entries={[
        ...(messages.data?.length
          ? [{ label: t.downloadTranscript, icon: <IconFileText size={16} aria-hidden />, onClick: download }]
          : []),
        ...(call ? [{ label: t.openCall, icon: <IconPhone size={16} aria-hidden />, href: `/calls/${call.id}` }] : []),
      ]}
      removal={
        isOver
          ? {
              name: t.delete,
              question: t.deleteQuestion,
              warning: call ? t.deleteWarning : t.deleteWrittenWarning,
              onConfirm: remove,
            }
          : null
      }
    />
  )
}

function useMessages(id: string) {
  const messages = queries.useQuery('get', '/api/conversations/messages/{conversationId}', {
    params: { path: { conversationId: id } },
  })
  const tools = queries.useQuery('get', '/api/conversations/{id}/tool-calls', { params: { path: { id } } })
  return { messages, tools }
}

function Messages({
  conversation: { id, status },
  agentName,
  call,
}: {
  conversation: ConversationRecord
  agentName: string | undefined
  call: ReturnType<typeof useConversationCall>
}) {
  const t = useTexts(conversationTexts)
  const { messages, tools } = useMessages(id)
  const mayChange = useMayChange()
  const writing = useMessageComposer(useCallback(async () => id, [id]))
  const { pending } = writing
  const { entries, answering } = useMemo(
    () => withPending(messages.data ?? [], tools.data ?? [], pending),
    [messages.data, tools.data, pending],
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
        <QueryResult query={messages}>
          {() => (
            <Stack>
              <Transcript
                isLive={status === 'active'}
                entries={entries}
                agentName={agentName}
                height={status === 'active' ? 'max(320px, calc(100dvh - 340px))' : undefined}
                tail={answering !== null && <PendingReply text={answering} name={agentName} />}
                empty={
                  status === 'active' && call === null ? (
                    <Text c="dimmed" size="sm" ta="center" py="xl">
                      {t.writeFirst}
                    </Text>
                  ) : undefined
                }
              />
              {status === 'active' ? (
                call === null && mayChange && <MessageComposer composer={writing} />
              ) : (
                <Text size="xs" c="dimmed" ta="center">
                  {t.over}
                </Text>
              )}
            </Stack>
          )}
        </QueryResult>
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
  const t = useTexts(conversationTexts)
  const shared = useTexts(commonTexts)
  const { id, agentId, status, startedAt, endedAt } = conversation
  const facts = [
    [shared.status, <ConversationStatus key="status" status={status} />],
    [shared.agent, <AgentName key="agent" id={agentId} />],
    [t.started, <RelativeTime key="started" at={startedAt} />],
    [t.ended, endedAt && <RelativeTime key="ended" at={endedAt} />],
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
      <CopyableText text={id} />
    </Section>
  )
}
