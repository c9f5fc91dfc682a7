// The list of rehearsals: saved ones with their latest result, and all runs.
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { IconChecklist, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { ListedRehearsal, ListedRehearsalScript } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { AgentName } from '../../components/agent-name.tsx'
import { AgentSelect } from '../../components/agent-select.tsx'
import { formatDuration, RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'
import { RunStatus } from './run-status.tsx'
import { suite, useSuite } from './suite.ts'
import { SuitePanel } from './suite-panel.tsx'

const callSeconds = (run: ListedRehearsal | null) => (run?.durationMs ? run.durationMs / 1000 : null)

export function Rehearsals() {
  const t = useTexts(rehearsalsTexts)
  const [params, setParams] = useSearchParams()
  const agentId = params.get('agent')
  const view = params.get('view') === 'runs' ? 'runs' : 'saved'
  const set = (part: Record<string, string | null>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(part)) value ? next.set(name, value) : next.delete(name)
        return next
      },
      { replace: true },
    )
  const make = (
    <Button
      component={Link}
      href={`/rehearsals/new${agentId ? `?agent=${agentId}` : ''}`}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={make}>
      <Group justify="space-between" align="flex-end" gap="sm">
        <SegmentedControl
          aria-label={t.views}
          value={view}
          onChange={(next) => set({ view: next === 'runs' ? 'runs' : null })}
          data={[
            { value: 'saved', label: t.saved },
            { value: 'runs', label: t.runs },
          ]}
        />
        {view === 'saved' && (
          <AgentSelect placeholder={t.anyAgent} value={agentId} onChange={(agent) => set({ agent })} w={240} />
        )}
      </Group>
      <SuitePanel />
      {view === 'saved' ? <SavedList agentId={agentId} make={make} /> : <RunList />}
    </Page>
  )
}

function SavedList({ agentId, make }: { agentId: string | null; make: React.ReactNode }) {
  const t = useTexts(rehearsalsTexts)
  const c = useTexts(commonTexts)
  const pages = usePages<ListedRehearsalScript>('/api/rehearsal-scripts', agentId ? { agentId } : {}, 200)
  const begin = useBegin()
  const columns: Column<ListedRehearsalScript>[] = [
    { name: t.name, cell: ({ name }) => name },
    { name: c.agent, cell: ({ agentId: id }) => <AgentName id={id} /> },
    {
      name: t.lastRun,
      cell: ({ lastRun }) =>
        lastRun ? (
          <RunStatus run={lastRun} />
        ) : (
          <Text size="sm" c="dimmed">
            {t.never}
          </Text>
        ),
    },
    { name: t.when, cell: ({ lastRun }) => <RelativeTime at={lastRun?.startedAt} /> },
    {
      name: t.duration,
      cell: ({ lastRun }) => <span className="numbers">{formatDuration(callSeconds(lastRun))}</span>,
    },
    {
      name: c.actions,
      isEnd: true,
      cell: ({ id, name }) => (
        <Button
          size="xs"
          variant="default"
          aria-label={t.runNamed(name)}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={begin.isPending}
          onClick={(event) => {
            event.stopPropagation()
            void begin.start(id)
          }}
        >
          {t.run}
        </Button>
      ),
    },
  ]
  return (
    <>
      <QueryResult query={pages}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconChecklist aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={make} />
          ) : (
            <>
              {agentId && <RunAll agentId={agentId} scripts={rows} />}
              <RecordTable
                label={t.title}
                rows={rows}
                columns={columns}
                keyOf={({ id }) => id}
                openAt={({ id }) => `/rehearsals/${id}`}
              />
            </>
          )
        }
      </QueryResult>
      <LoadMore pages={pages} />
    </>
  )
}

/** Starts a saved rehearsal and opens the run. */
function useBegin() {
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const start = (id: string) =>
    run(
      async () => {
        const params = { path: { id } }
        const begun = await unwrap(api.POST('/api/rehearsal-scripts/{id}/runs', { params, body: {} }))
        go(`/rehearsals/runs/${begun.id}`)
      },
      { stale: ['/api/rehearsal'] },
    )
  return { isPending, start }
}

function RunAll({ agentId, scripts }: { agentId: string; scripts: readonly ListedRehearsalScript[] }) {
  const t = useTexts(rehearsalsTexts)
  const current = useSuite()
  const { run } = useAction()
  const start = () =>
    run(
      () =>
        suite.start(agentId, scripts, {
          begin: (id) => unwrap(api.POST('/api/rehearsal-scripts/{id}/runs', { params: { path: { id } }, body: {} })),
          statusOf: async (id) => (await unwrap(api.GET('/api/rehearsals/{id}', { params: { path: { id } } }))).status,
          stop: (id) => unwrap(api.POST('/api/rehearsals/{id}/stop', { params: { path: { id } } })),
          wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        }),
      { stale: ['/api/rehearsal'] },
    )
  return (
    <Group justify="flex-end">
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        disabled={current?.isRunning}
        onClick={() => void start()}
      >
        {t.runAllOf(scripts.length)}
      </Button>
    </Group>
  )
}

function RunList() {
  const t = useTexts(rehearsalsTexts)
  const c = useTexts(commonTexts)
  const pages = usePages<ListedRehearsal>('/api/rehearsals')
  const columns: Column<ListedRehearsal>[] = [
    { name: t.name, cell: ({ name }) => name },
    { name: c.agent, cell: ({ agentId }) => <AgentName id={agentId} /> },
    { name: t.result, cell: (run) => <RunStatus run={run} /> },
    { name: t.when, cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
    { name: t.duration, cell: (run) => <span className="numbers">{formatDuration(callSeconds(run))}</span> },
  ]
  return (
    <>
      <QueryResult query={pages}>
        {(rows) =>
          rows.length === 0 ? (
            <Text c="dimmed">{t.noHistory}</Text>
          ) : (
            <RecordTable
              label={t.runs}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              openAt={({ id }) => `/rehearsals/runs/${id}`}
            />
          )
        }
      </QueryResult>
      <LoadMore pages={pages} />
    </>
  )
}
