// The agent list.
import { Button, Stack, Text } from '@mantine/core'
import { IconMicrophone, IconPlus, IconRobot } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Agent } from '../../../../client/paths.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { languageName } from '../../components/language-select.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { useVoices } from '../../components/use-voices.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { agentsTexts } from './agents-texts.ts'

export function Agents() {
  const t = { ...useTexts(commonTexts), ...useTexts(agentsTexts) }
  const agents = usePages<Agent>('/api/agents')
  const create = (
    <Button component={Link} href="/agents/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t.newAgent}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={agents.data?.length ? create : undefined}>
      <QueryResult query={agents}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconRobot size={28} aria-hidden />}
              title={t.emptyTitle}
              text={t.emptyText}
              action={create}
            />
          ) : (
            <AgentTable rows={rows} />
          )
        }
      </QueryResult>
      <LoadMore pages={agents} />
    </Page>
  )
}

function AgentTable({ rows }: { rows: Agent[] }) {
  const t = { ...useTexts(agentsTexts), ...useTexts(commonTexts) }
  const { locale } = useLanguage()
  const voices = useVoices()
  const voiceName = ({ ttsProvider, voiceId }: Agent) =>
    voiceId ? (voices[ttsProvider].data?.find(({ id }) => id === voiceId)?.name ?? voiceId) : t.usualVoice
  const columns: Column<Agent>[] = [
    { name: t.name, cell: (agent) => <span style={{ fontSize: 'var(--mantine-font-size-sm)' }}>{agent.name}</span> },
    { name: t.language, cell: (agent) => languageName(agent.language, locale) },
    {
      name: t.voice,
      cell: (agent) => (
        <Text size="sm" truncate maw={180} {...(agent.voiceId ? {} : { c: 'dimmed' })}>
          {voiceName(agent)}
        </Text>
      ),
    },
    { name: t.direction, cell: (agent) => t[agent.direction] },
    {
      name: t.status,
      cell: ({ isActive }) => <StatusBadge tone={isActive ? 'good' : 'off'} word={isActive ? t.active : t.inactive} />,
    },
    { name: t.changed, cell: (agent) => <RelativeTime at={agent.updatedAt} /> },
    {
      name: t.actions,
      isEnd: true,
      cell: (agent) => (
        <Button
          component={Link}
          href={`/agents/${agent.id}/talk`}
          size="xs"
          variant="light"
          leftSection={<IconMicrophone size={14} aria-hidden />}
          aria-label={t.talkTo(agent.name)}
          onClick={(event: { stopPropagation(): void }) => event.stopPropagation()}
        >
          {t.talk}
        </Button>
      ),
    },
  ]
  return (
    <Stack>
      <RecordTable
        label={t.title}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        openAt={({ id }) => `/agents/${id}`}
      />
    </Stack>
  )
}
