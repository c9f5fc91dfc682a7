// All agents, each a click away from being talked to.
import { Button, Stack, Text } from '@mantine/core'
import { IconMicrophone, IconPlus, IconRobot } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Agent } from '../../../../client/paths.ts'
import { common } from '../../i18n/common.ts'
import { useLanguage, useWords } from '../../i18n/words.tsx'
import { languageName } from '../../parts/language-select.tsx'
import { Page } from '../../parts/page.tsx'
import { More, usePaged } from '../../parts/paged.tsx'
import { type Column, RecordTable } from '../../parts/record-table.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { useVoices } from '../../parts/voices.ts'
import { When } from '../../parts/when.tsx'
import { agentsWords } from './agents-words.ts'

export function Agents() {
  const t = { ...useWords(common), ...useWords(agentsWords) }
  const agents = usePaged<Agent>('/api/agents')
  const create = (
    <Button component={Link} href="/agents/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t.newAgent}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={agents.data?.length ? create : undefined}>
      <Reading of={agents}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<IconRobot size={28} aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={create} />
          ) : (
            <AgentTable rows={rows} />
          )
        }
      </Reading>
      <More of={agents} />
    </Page>
  )
}

function AgentTable({ rows }: { rows: Agent[] }) {
  const t = { ...useWords(agentsWords), ...useWords(common) }
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
    { name: t.changed, cell: (agent) => <When at={agent.updatedAt} /> },
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
