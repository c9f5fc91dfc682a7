// The runs of a saved rehearsal; the user can compare two of them.
import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ListedRehearsal } from '../../../../client/paths.ts'
import { AgentName } from '../../components/agent-name.tsx'
import { formatDuration, RelativeTime, timeAgo } from '../../components/date-time.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { Section } from '../../components/section.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'
import { RunStatus } from './run-status.tsx'

export function RunsHistory({ scriptId }: { scriptId: string }) {
  const t = useTexts(rehearsalsTexts)
  const c = useTexts(commonTexts)
  const { locale } = useLanguage()
  const [, go] = useLocation()
  const pages = usePages<ListedRehearsal>(`/api/rehearsal-scripts/${scriptId}/runs`, {}, 20)
  const [chosen, setChosen] = useState<readonly string[]>([])
  /** Selecting a third run deselects the first. */
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, id].slice(-2) : before.filter((other) => other !== id)))
  const columns: Column<ListedRehearsal>[] = [
    { name: t.when, cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
    { name: t.result, cell: (run) => <RunStatus run={run} /> },
    { name: c.agent, cell: ({ agentId }) => <AgentName id={agentId} /> },
    {
      name: t.duration,
      cell: ({ durationMs }) => (
        <span className="numbers">{formatDuration(durationMs === null ? null : durationMs / 1000)}</span>
      ),
    },
    {
      name: t.compare,
      isEnd: true,
      cell: ({ id, startedAt }) => (
        <Group justify="flex-end">
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: it only keeps a click on the box from opening the row */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the box inside is the control */}
          <div onClick={(event) => event.stopPropagation()}>
            <Checkbox
              aria-label={t.select(timeAgo(startedAt, locale))}
              checked={chosen.includes(id)}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
          </div>
        </Group>
      ),
    },
  ]
  const [newer, older] = [...chosen].sort().reverse()
  return (
    <Section
      title={t.history}
      isForAll
      actions={
        <Button
          size="xs"
          variant="default"
          disabled={chosen.length !== 2}
          title={t.compareHint}
          onClick={() => go(`/rehearsals/compare?a=${older}&b=${newer}`)}
        >
          {t.compare}
        </Button>
      }
    >
      <QueryResult query={pages}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noHistory}
            </Text>
          ) : (
            <RecordTable
              label={t.history}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              openAt={({ id }) => `/rehearsals/runs/${id}`}
            />
          )
        }
      </QueryResult>
      <LoadMore pages={pages} />
    </Section>
  )
}
