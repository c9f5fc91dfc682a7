// Lists open sessions and ends them.
import { Badge, Box, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '../../components/date-time.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type AccountSession, endOtherSessions, endSession, SESSIONS, sessionsQuery } from './account-api.ts'
import { deviceName } from './device-name.ts'
import { securityTexts } from './security-texts.ts'

const LOOK_MS = 30_000

export function SessionList() {
  const t = useTexts(securityTexts)
  const { run } = useAction()
  const sessions = useQuery({ ...sessionsQuery, refetchInterval: LOOK_MS })
  return (
    <QueryResult query={sessions}>
      {(all) => (
        <Stack gap="sm" align="flex-start">
          <Stack gap="xs" component="ul" p={0} m={0} w="100%" aria-label={t.sessions}>
            {all.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </Stack>
          {all.length > 1 && (
            <ConfirmButton
              question={t.othersQuestion}
              warning={t.othersWarning}
              confirm={t.endOthers}
              onConfirm={() => run(endOtherSessions, { success: t.othersEnded, stale: [SESSIONS] })}
            >
              {t.endOthers}
            </ConfirmButton>
          )}
        </Stack>
      )}
    </QueryResult>
  )
}

function SessionRow({ session }: { session: AccountSession }) {
  const t = useTexts(securityTexts)
  const { run } = useAction()
  const { name: known, isMobile } = deviceName(session.device)
  const name = known ?? t.unknown
  const Icon = isMobile ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Paper withBorder p="sm" component="li" style={{ listStyle: 'none' }} data-session={session.id}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" flex="1 1 240px">
          <ThemeIcon variant="light" color={session.isCurrent ? undefined : 'gray'} size="lg">
            <Icon size={20} aria-hidden />
          </ThemeIcon>
          <Box style={{ minWidth: 0 }}>
            <Group gap="xs">
              <Text fw={600} size="sm" title={session.device ?? undefined}>
                {name}
              </Text>
              {session.isCurrent && (
                <Badge variant="light" tt="none">
                  {t.current}
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {t.usedAt} <RelativeTime at={session.lastUsedAt} />
              {session.address && ` · ${session.address}`}
              {session.method === 'apiKey' && ` · ${t.byKey}`}
            </Text>
          </Box>
        </Group>
        {!session.isCurrent && (
          <ConfirmButton
            size="xs"
            variant="default"
            color="gray"
            aria-label={t.endThis(name)}
            question={t.endQuestion(name)}
            warning={t.endWarning}
            confirm={t.endOne}
            onConfirm={() => run(() => endSession(session.id), { success: t.ended, stale: [SESSIONS] })}
          >
            {t.endOne}
          </ConfirmButton>
        )}
      </Group>
    </Paper>
  )
}
