// Compares two runs: their checks, and their answers turn by turn.
import { Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useSearchParams } from 'wouter'
import type { Rehearsal } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { AgentName } from '../../components/agent-name.tsx'
import { formatDuration, RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { CheckIcon, useCheckTexts } from './checks-list.tsx'
import { ComparisonList } from './comparison-list.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'
import { RunStatus } from './run-status.tsx'
import type { Script } from './script-form.ts'
import { scriptTexts } from './script-texts.ts'

const POLL_MS = 700

const useRun = (id: string) =>
  queries.useQuery(
    'get',
    '/api/rehearsals/{id}',
    { params: { path: { id } } },
    { enabled: id !== '', refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false) },
  )

const useScript = (id: string): Script | null =>
  queries.useQuery('get', '/api/rehearsals/{id}/script', { params: { path: { id } } }, { enabled: id !== '' }).data
    ?.script ?? null

export function CompareRuns() {
  const t = useTexts(rehearsalsTexts)
  const [params] = useSearchParams()
  const [a, b] = [params.get('a') ?? '', params.get('b') ?? '']
  const [one, other] = [useRun(a), useRun(b)]
  const back = { to: '/rehearsals', name: t.title }
  if (a === '' || b === '')
    return (
      <Page title={t.compareTitle} back={back}>
        <Text>{t.invalidRun}</Text>
      </Page>
    )
  return (
    <Page title={t.compareTitle} back={back}>
      <QueryResult query={one}>
        {(first) => <QueryResult query={other}>{(second) => <Compared one={first} other={second} />}</QueryResult>}
      </QueryResult>
    </Page>
  )
}

function Compared({ one, other }: { one: Rehearsal; other: Rehearsal }) {
  const t = useTexts(rehearsalsTexts)
  const areOver = one.status !== 'running' && other.status !== 'running'
  const comparison = queries.useQuery(
    'get',
    '/api/rehearsals/{id}/comparison',
    { params: { path: { id: one.id }, query: { with: other.id } } },
    { enabled: areOver },
  )
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <RunHead name={t.first} run={one} />
        <RunHead name={t.second} run={other} />
      </SimpleGrid>
      <CheckTable one={one} other={other} />
      <Section title={t.transcript}>
        <QueryResult query={comparison}>
          {({ comparison: turns }) => <ComparisonList turns={turns} names={[t.first, t.second]} />}
        </QueryResult>
      </Section>
    </Stack>
  )
}

function RunHead({ name, run }: { name: string; run: Rehearsal }) {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Text fw={600}>
          {name}: {run.name}
        </Text>
        <RunStatus run={run} />
        <Text size="sm" c="dimmed" component="div">
          <AgentName id={run.agentId} isInText /> · <RelativeTime at={run.startedAt} /> ·{' '}
          {formatDuration(run.durationMs === null ? null : run.durationMs / 1000)}
        </Text>
      </Stack>
    </Paper>
  )
}

/** Checks with the same text share a row. */
function CheckTable({ one, other }: { one: Rehearsal; other: Rehearsal }) {
  const t = useTexts(rehearsalsTexts)
  const s = useTexts(scriptTexts)
  const texts = useCheckTexts()
  const checks = [texts(one, useScript(one.id)), texts(other, useScript(other.id))] as const
  const names = [...new Set(checks.flatMap((all) => all.map(({ text }) => text)))]
  if (names.length === 0) return null
  const iconOf = (side: 0 | 1, name: string) => {
    const check = checks[side].find(({ text }) => text === name)
    return check ? <CheckIcon state={check.state} /> : '–'
  }
  return (
    <Section title={s.expect}>
      <Table aria-label={s.expect} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.checkName}</Table.Th>
            <Table.Th w={90}>{t.first}</Table.Th>
            <Table.Th w={90}>{t.second}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
              <Table.Td>{iconOf(0, name)}</Table.Td>
              <Table.Td>{iconOf(1, name)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}
