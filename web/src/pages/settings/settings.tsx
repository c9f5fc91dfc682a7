// The settings page: server settings (without secrets), sign-in and version.
import { Alert, Anchor, Group, Stack, Table } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Settings as Found } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useIsAdmin } from '../../session.tsx'
import { Security } from './security.tsx'
import { SettingGroups } from './setting-groups.tsx'
import { settingsTexts } from './settings-texts.ts'
import { StatusCards } from './status-cards.tsx'

/** Members see only their sign-in settings. */
export function Settings() {
  const t = useTexts(settingsTexts)
  if (useIsAdmin()) return <ServerSettings />
  return (
    <Page title={t.title} about={t.aboutOwn}>
      <Stack gap="md">
        <Security />
        <Alert icon={<IconLock size={18} aria-hidden />} color="gray">
          {t.onlyAdmins}
        </Alert>
      </Stack>
    </Page>
  )
}

function ServerSettings() {
  const t = useTexts(settingsTexts)
  const settings = queries.useQuery(
    'get',
    '/api/settings',
    {},
    {
      // Polls faster while the natural voice is being prepared.
      refetchInterval: ({ state }) => (state.data?.voice.preparingPercent == null ? 30_000 : 2000),
    },
  )
  return (
    <Page title={t.title} about={t.about}>
      <QueryResult query={settings}>
        {(found) => (
          <Stack gap="md">
            <StatusCards settings={found} />
            <Security />
            <SettingGroups groups={found.groups} />
            <About settings={found} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  )
}

function About({ settings: { version, server } }: { settings: Found }) {
  const t = useTexts(settingsTexts)
  const rows = [
    [t.version, version],
    [t.database, `${t.databases[server.database]}${server.hasRedis ? `, ${t.redis}` : ''}`],
    [t.address, server.publicUrl ?? t.noAddress],
  ] as const
  return (
    <Section title={t.aboutTitle}>
      <Table variant="vertical" layout="fixed" maw={640}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={180}>{name}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group>
        <Anchor href="/docs" size="sm">
          {t.reference}
        </Anchor>
        <Anchor href="/openapi.json" size="sm">
          {t.openapi}
        </Anchor>
        <Anchor component={Link} href="/keys" size="sm">
          {t.keys}
        </Anchor>
      </Group>
    </Section>
  )
}
