// All conversations, newest first.
import { Button, Center, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconMessages } from '@tabler/icons-react'
import type { Conversation } from '../../../../client/paths.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { useAgents } from '../../parts/agent-name.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RecordTable } from '../../parts/record-table.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { clockTime, When } from '../../parts/when.tsx'
import { useLongList } from '../calls/use-long-list.ts'
import { ConversationStatus } from './conversation-status.tsx'
import { conversationWords } from './conversation-words.ts'
import { NewConversation } from './new-conversation.tsx'

export function Conversations() {
  const t = useWords(conversationWords)
  const shared = useWords(common)
  const { data: agents = [] } = useAgents()
  const list = useLongList<Conversation>('/api/conversations', {}, 50)
  const agentOf = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id
  const columns: Column<Conversation>[] = [
    { name: t.subject, cell: ({ title, agentId }) => title ?? t.untitled(agentOf(agentId)) },
    { name: t.started, cell: ({ startedAt }) => <When at={startedAt} /> },
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
          {endedAt ? clockTime((Date.parse(endedAt) - Date.parse(startedAt)) / 1000) : '–'}
        </span>
      ),
    },
  ]
  return (
    <Page title={t.title} about={t.about} actions={<NewConversation />}>
      <Reading of={{ data: list.rows, error: list.error, refetch: list.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
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
      </Reading>
    </Page>
  )
}

function Outcome({ success }: { success: boolean | null }) {
  const t = useWords(conversationWords)
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
