// One run of a rehearsal: live while it runs, then its result.
import { Alert, Anchor, Button, Grid, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { Link, useLocation, useParams } from 'wouter'
import type { Rehearsal } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { AgentName, useAgents } from '../../components/agent-name.tsx'
import { formatDuration, RelativeTime } from '../../components/date-time.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { Transcript } from '../../components/transcript.tsx'
import { useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { endReasonTexts } from '../calls/end-reason-texts.ts'
import { ChecksList } from './checks-list.tsx'
import { ComparisonList } from './comparison-list.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'
import { runLines } from './run-lines.ts'
import { RunStatus } from './run-status.tsx'

const POLL_MS = 700
const STOPPED = 'The rehearsal was stopped'

export function Run() {
  const t = useTexts(rehearsalsTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery(
    'get',
    '/api/rehearsals/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false) },
  )
  if (reading.data) return <RunPage key={id} run={reading.data} />
  return (
    <Page title={t.title} back={{ to: '/rehearsals', name: t.title }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function RunPage({ run }: { run: Rehearsal }) {
  const t = useTexts(rehearsalsTexts)
  const isRunning = run.status === 'running'
  const params = { path: { id: run.id } }
  const ran = queries.useQuery('get', '/api/rehearsals/{id}/script', { params })
  const { data: agents } = useAgents()
  const scriptId = ran.data?.scriptId ?? null
  const script = ran.data?.script ?? null
  return (
    <Page
      title={run.name}
      back={scriptId ? { to: `/rehearsals/${scriptId}`, name: run.name } : { to: '/rehearsals', name: t.title }}
      about={
        <Group gap="xs">
          <RunStatus run={run} />
          <AgentName id={run.agentId} />
          <RelativeTime at={run.startedAt} />
        </Group>
      }
      actions={<RunActions run={run} scriptId={scriptId} />}
    >
      <RunProblem run={run} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title={t.transcript} {...(isRunning ? { about: t.liveHint } : {})}>
            <Transcript
              entries={runLines(run)}
              isLive={isRunning}
              agentName={agents?.find(({ id }) => id === run.agentId)?.name}
            />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <Section title={t.result}>
              <ChecksList run={run} script={script} />
            </Section>
            <RunFacts run={run} />
          </Stack>
        </Grid.Col>
      </Grid>
      {run.comparison && (
        <Section title={t.withCall}>
          <ComparisonList turns={run.comparison} names={[t.before, t.after]} />
        </Section>
      )}
    </Page>
  )
}

function RunProblem({ run }: { run: Rehearsal }) {
  const t = useTexts(rehearsalsTexts)
  if (run.error === null) return null
  return (
    <Alert color="yellow" role="status">
      {run.error === STOPPED ? t.stopped : t.failedRun}
    </Alert>
  )
}

function RunFacts({ run }: { run: Rehearsal }) {
  const t = useTexts(rehearsalsTexts)
  const reasons = useTexts(endReasonTexts) as Readonly<Record<string, { short: string }>>
  const facts: [string, string][] = [
    [t.ended, run.endReason ? (reasons[run.endReason]?.short ?? run.endReason) : '–'],
    [t.took, formatDuration(run.durationMs === null ? null : run.durationMs / 1000)],
    [t.model, run.llm ? (run.llm.isModel ? run.llm.name : t.rules) : '–'],
  ]
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" component="dl" m={0}>
        {facts.map(([name, value]) => (
          <Group key={name} justify="space-between" gap="sm" wrap="nowrap">
            <Text size="sm" c="dimmed" component="dt">
              {name}
            </Text>
            <Text size="sm" component="dd" m={0} ta="right" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
      {run.replayOf && (
        <Anchor component={Link} href={`/calls/${run.replayOf}`} size="sm" mt="xs" display="inline-block">
          {t.openCall}
        </Anchor>
      )}
    </Paper>
  )
}

function RunActions({ run, scriptId }: { run: Rehearsal; scriptId: string | null }) {
  const t = useTexts(rehearsalsTexts)
  const c = useTexts(commonTexts)
  const [, go] = useLocation()
  const { isPending, run: act } = useAction()
  const leave = useLeavePage()
  const params = { path: { id: run.id } }
  const stop = () =>
    act(() => unwrap(api.POST('/api/rehearsals/{id}/stop', { params })), { stale: ['/api/rehearsals'] })
  const again = () =>
    act(
      async () => {
        const path = { path: { id: scriptId ?? '' } }
        const body = { agentId: run.agentId }
        go(
          `/rehearsals/runs/${(await unwrap(api.POST('/api/rehearsal-scripts/{id}/runs', { params: path, body }))).id}`,
        )
      },
      { stale: ['/api/rehearsal'] },
    )
  const remove = async () => {
    const isRemoved = await act(() => unwrap(api.DELETE('/api/rehearsals/{id}', { params })), { success: t.removed })
    if (isRemoved)
      leave(scriptId ? `/rehearsals/${scriptId}` : '/rehearsals', ['/api/rehearsals', '/api/rehearsal-scripts'])
  }
  if (run.status === 'running')
    return (
      <Button
        color="red"
        variant="light"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        loading={isPending}
        onClick={() => void stop()}
      >
        {t.stop}
      </Button>
    )
  return (
    <>
      {scriptId && (
        <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={isPending} onClick={() => void again()}>
          {t.again}
        </Button>
      )}
      <MoreMenu
        id={run.id}
        entries={[]}
        removal={{ name: c.remove, question: t.removeRunQuestion, warning: c.cannotUndo, onConfirm: remove }}
      />
    </>
  )
}
