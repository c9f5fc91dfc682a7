// The home page: today, the past days, calls in progress and the setup steps; for a new installation, how to start.
import { Anchor, Button, Grid, Group, Paper, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconMicrophone, IconPhone, IconPlus, IconTemplate } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Call, Overview } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { AgentName, useAgents } from '../../components/agent-name.tsx'
import { formatDuration, RelativeTime } from '../../components/date-time.tsx'
import { IncidentWatch } from '../../components/incident-watch.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMay } from '../../organization.ts'
import { useIsAdmin, useSession } from '../../session.tsx'
import { CallStatus, RemoteParty } from '../calls/call-status.tsx'
import { FoundServers } from '../providers/found-servers.tsx'
import { CallsChart } from './calls-chart.tsx'
import { homeTexts } from './home-texts.ts'
import { LiveNow } from './live-now.tsx'
import { ServiceNodes } from './service-nodes.tsx'
import { isSetupDismissed, keepSetupDismissed, setupView } from './setup-state.ts'
import { FoldedSteps, SetupSteps } from './setup-steps.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Tiles } from './tiles.tsx'
import { WaitingCallbacks } from './waiting-callbacks.tsx'

/** Polling interval, for changes without an event, such as the voice becoming ready. */
const AGAIN_MS = 15_000

const useRecentCalls = () => queries.useQuery('get', '/api/calls', { params: { query: { limit: 5 } } })

export function Home() {
  const t = useTexts(homeTexts)
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const overview = queries.useQuery(
    'get',
    '/api/overview',
    { params: { query: { timeZone } } },
    { refetchInterval: AGAIN_MS },
  )
  // Prefetch for components further down: in parallel rather than in sequence.
  useRecentCalls()
  useAgents()
  const hasAgent = overview.data?.setup.find(({ step }) => step === 'agent')?.isDone ?? false
  const hasNoModel = overview.data?.setup.find(({ step }) => step === 'model')?.isDone === false
  const isAdmin = useIsAdmin()
  const mayCreate = useMay('agents:write')
  const isNew = overview.data !== undefined && !hasAgent && mayCreate
  return (
    <Page
      title={isNew ? t.welcome : t.title}
      about={isNew ? undefined : t.about}
      isForAll
      actions={
        hasAgent && mayCreate ? (
          <Button
            component={Link}
            href="/agents/new"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t.newAgent}
          </Button>
        ) : undefined
      }
    >
      <IncidentWatch />
      {/* Until a model is configured, offer model servers found on this machine. */}
      {isAdmin && hasNoModel && <FoundServers />}
      <QueryResult query={overview}>
        {(data) => (isNew ? <Welcome steps={data.setup} /> : <Dashboard overview={data} />)}
      </QueryResult>
    </Page>
  )
}

function Dashboard({ overview }: { overview: Overview }) {
  const t = useTexts(homeTexts)
  const userId = useSession().data?.user?.id ?? ''
  const [isDismissed, setDismissed] = useState(() => isSetupDismissed(userId))
  const keep = (next: boolean) => {
    keepSetupDismissed(userId, next)
    setDismissed(next)
  }
  const view = useMay('agents:write') ? setupView(overview.setup, isDismissed) : 'none'
  const steps = { steps: overview.setup, hasAgent: true, dismiss: () => keep(true) }
  return (
    <Stack gap="lg">
      {view === 'folded' && <FoldedSteps {...steps} />}
      <WaitingCallbacks />
      <Tiles overview={overview} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <CallsChart days={overview.days} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="lg">
            <LiveNow overview={overview} />
            {view === 'open' ? <SetupSteps {...steps} /> : <Shortcuts />}
          </Stack>
        </Grid.Col>
      </Grid>
      <ServiceNodes nodes={overview.nodes} />
      <RecentCalls />
      {view === 'dismissed' && (
        <Group justify="center">
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => keep(false)}>
            {t.showSetup}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function RecentCalls() {
  const t = useTexts(homeTexts)
  const c = useTexts(commonTexts)
  const calls = useRecentCalls()
  const columns: Column<Call>[] = [
    { name: t.who, cell: (call) => <RemoteParty call={call} isWhole /> },
    { name: c.agent, cell: ({ agentId }) => <AgentName id={agentId} fallback="–" /> },
    { name: c.status, cell: ({ status }) => <CallStatus status={status} /> },
    {
      name: t.duration,
      cell: ({ durationSeconds }) => <span className="numbers">{formatDuration(durationSeconds)}</span>,
    },
    { name: t.when, isEnd: true, cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
  ]
  return (
    <Section
      title={t.recent}
      isPlain
      actions={
        <Anchor component={Link} href="/calls" size="sm">
          {t.allCalls}
        </Anchor>
      }
    >
      <QueryResult query={calls}>
        {(rows) =>
          rows.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t.noCalls}
            </Text>
          ) : (
            <RecordTable
              label={t.recent}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              openAt={({ id }) => `/calls/${id}`}
            />
          )
        }
      </QueryResult>
    </Section>
  )
}

const beginnings = [
  { Icon: IconTemplate, title: 'step1', text: 'step1Text' },
  { Icon: IconMicrophone, title: 'step2', text: 'step2Text' },
  { Icon: IconPhone, title: 'step3', text: 'step3Text' },
] as const

function Welcome({ steps }: { steps: Overview['setup'] }) {
  const t = useTexts(homeTexts)
  return (
    <Stack gap="lg">
      <Paper withBorder p={{ base: 'lg', sm: 'xl' }}>
        <Stack gap="xl">
          <Text size="lg" maw={680}>
            {t.welcomeText}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
            {beginnings.map(({ Icon, title, text }, i) => (
              <Group key={title} wrap="nowrap" align="flex-start">
                <ThemeIcon size={44} radius="md" variant="light">
                  <Icon size={24} aria-hidden />
                </ThemeIcon>
                <div>
                  <Title order={2} size="h5">
                    {i + 1}. {t[title]}
                  </Title>
                  <Text size="sm" c="dimmed" mt={2}>
                    {t[text]}
                  </Text>
                </div>
              </Group>
            ))}
          </SimpleGrid>
          <div>
            <Button component={Link} href="/agents/new" size="lg" leftSection={<IconPlus size={20} aria-hidden />}>
              {t.first}
            </Button>
          </div>
        </Stack>
      </Paper>
      <SetupSteps steps={steps} hasAgent={false} />
    </Stack>
  )
}
