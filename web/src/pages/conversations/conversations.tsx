// The conversation list.
import { Button, Center, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconMessages } from '@tabler/icons-react'
import type { Conversation } from '../../../../client/paths.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { formatDuration, RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useInfiniteList } from '../calls/use-infinite-list.ts'
import { ConversationStatus } from './conversation-status.tsx'
import { conversationTexts } from './conversation-texts.ts'
import { NewConversation } from './new-conversation.tsx'

export function Conversations() {
  const t = useTexts(conversationTexts)
  const shared = useTexts(commonTexts)
  const { data: agents = [] } = useAgents()
  const list = useInfiniteList<Conversation>('/api/conversations', {}, 50)
  const agentOf = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id
  const columns: Column<Conversation>[] = [
    { name: t.subject, cell: ({ title, agentId }) => title ?? t.untitled(agentOf(agentId)) },
    { name: t.started, cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
    { name: shared.status, cell: ({ status }) => <ConversationStatus status={status} /> },
    {
      name: t.summary,
      cell: ({ analysis }) => (
        <Text size="sm" c="dimmed" lineClamp={2} maw={420}>
          {analysis?.summary ?? '–'}
        </Text>
      ),
    },
    { name: t.outcome, cell: ({ analysis }) => <Outcome success={analysis?.success ?? null} /> },
    {
      name: t.length,
      isEnd: true,
      cell: ({ startedAt, endedAt }) => (
        <span className="numbers">
          {endedAt ? formatDuration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000) : '–'}
        </span>
      ),
    },
  ]
  return (
    <Page title={t.title} about={t.about} actions={<NewConversation />}>
      <QueryResult query={{ data: list.rows, error: list.error, refetch: list.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconMessages size={28} aria-hidden />}
              title={t.none}
              text={t.noneText}
              action={<NewConversation />}
            />
          ) : (
            <>
              <RecordTable
                label={t.title}
                rows={rows}
                columns={columns}
                keyOf={({ id }) => id}
                openAt={({ id }) => `/conversations/${id}`}
              />
              {list.hasMore && (
                <Center>
                  <Button variant="default" loading={list.isReading} onClick={list.more}>
                    {shared.more}
                  </Button>
                </Center>
              )}
            </>
          )
        }
      </QueryResult>
    </Page>
  )
}

function Outcome({ success }: { success: boolean | null }) {
  const t = useTexts(conversationTexts)
  if (success === null) return '–'
  const Icon = success ? IconCircleCheck : IconCircleX
  return (
    <Text
      size="sm"
      component="span"
      display="inline-flex"
      style={{ gap: 6, alignItems: 'center', whiteSpace: 'nowrap' }}
    >
      <Icon size={17} aria-hidden color={`var(--mantine-color-${success ? 'teal' : 'red'}-6)`} />
      {success ? t.reached : t.notReached}
    </Text>
  )
}
