// Calls in progress, and the selected one.
import { Box, Button, Grid, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconHeadset, IconPhoneCall, IconPhonePlus, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { useIsConnectionLost } from '../../connection.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMayOpen } from '../../organization.ts'
import { CallStatus, RemoteParty } from '../calls/call-status.tsx'
import { CallTimer } from './call-timer.tsx'
import styles from './live.module.css'
import { LiveCall } from './live-call.tsx'
import { liveTexts } from './live-texts.ts'
import { PlaceCall } from './place-call.tsx'

const REFRESH_MS = 4000

export function Live() {
  const t = useTexts(liveTexts)
  const [params, setParams] = useSearchParams()
  const chosen = params.get('call')
  const isPlacing = params.has('place')
  const isLost = useIsConnectionLost()
  const reading = queries.useQuery(
    'get',
    '/api/calls',
    { params: { query: { live: true, limit: 200 } } },
    { refetchInterval: REFRESH_MS },
  )
  const only = reading.data?.length === 1 ? reading.data[0]?.id : undefined
  // A single call is selected automatically.
  useEffect(() => {
    if (only && !chosen && !isPlacing) setParams({ call: only }, { replace: true })
  }, [only, chosen, isPlacing, setParams])
  const place = () => setParams({ ...(chosen ? { call: chosen } : {}), place: '' })
  const mayPlace = useMayOpen()('/live?place')
  const button = mayPlace && (
    <Button leftSection={<IconPhonePlus size={18} aria-hidden />} onClick={place}>
      {t.callNumber}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={button} isForAll>
      <PlaceCall
        isOpen={isPlacing && mayPlace}
        number={params.get('place') ?? ''}
        close={() => setParams(chosen ? { call: chosen } : {}, { replace: true })}
        placed={(id) => setParams({ call: id })}
      />
      <QueryResult query={reading}>
        {(calls) =>
          calls.length === 0 && !chosen && isLost ? (
            <EmptyState icon={<IconPlugConnectedX size={28} aria-hidden />} title={t.unknown} text={t.unknownText} />
          ) : calls.length === 0 && !chosen ? (
            <EmptyState
              icon={<IconPhoneCall size={28} aria-hidden />}
              title={t.none}
              text={t.noneText}
              action={button && <Box mt="sm">{button}</Box>}
            />
          ) : (
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 4 }}>
                <CallCards calls={calls} chosen={chosen} choose={(id) => setParams({ call: id })} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 8 }}>
                {chosen ? (
                  <LiveCall key={chosen} id={chosen} />
                ) : (
                  <Paper withBorder p="xl">
                    <Stack align="center" c="dimmed" py="xl">
                      <IconHeadset size={40} stroke={1.3} aria-hidden />
                      <Text size="sm">{t.choose}</Text>
                    </Stack>
                  </Paper>
                )}
              </Grid.Col>
            </Grid>
          )
        }
      </QueryResult>
    </Page>
  )
}

type Cards = { calls: readonly Call[]; chosen: string | null; choose: (id: string) => void }

function CallCards({ calls, chosen, choose }: Cards) {
  const t = useTexts(liveTexts)
  const { data: agents = [] } = useAgents()
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {t.now(calls.length)}
      </Text>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {calls.map((call) => (
          <li key={call.id}>
            <UnstyledButton
              className={`${styles.card} ${call.id === chosen ? styles.chosen : ''}`}
              aria-pressed={call.id === chosen}
              onClick={() => choose(call.id)}
            >
              <Group justify="space-between" gap="xs">
                <Group gap={10} wrap="nowrap" miw={0}>
                  {call.answeredAt && <span className={styles.pulse} aria-hidden />}
                  <RemoteParty call={call} isWhole />
                </Group>
                <CallStatus status={call.status} />
              </Group>
              <Text size="sm" c="dimmed" mt={4} truncate>
                {agents.find(({ id }) => id === call.agentId)?.name ?? '–'} · <CallTimer call={call} />
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
