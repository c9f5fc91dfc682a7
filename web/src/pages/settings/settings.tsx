// The settings page: status, addresses, voice, telephony, sign-in and version, in tabs.
import { Alert, Anchor, Group, ScrollArea, Stack, Table, Tabs } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, Redirect, useSearchParams } from 'wouter'
import type { Settings as Found } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { PROVIDERS } from '../../components/no-model-notice.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useIsAdmin } from '../../session.tsx'
import { Addresses } from './addresses.tsx'
import { Security } from './security.tsx'
import { SettingGroups } from './setting-groups.tsx'
import { groupsOfTab } from './settings-status.ts'
import { type SettingsTab, settingsTabs } from './settings-tabs.ts'
import { settingsTexts } from './settings-texts.ts'
import { PhoneCard, StatusCards } from './status-cards.tsx'
import { VoiceSlots } from './voice-slots.tsx'

/** Keeps the open tab in the URL. */
function useTab(): [SettingsTab, (tab: string | null) => void] {
  const [search, setSearch] = useSearchParams()
  const tab = settingsTabs.find((one) => one === search.get('tab')) ?? 'status'
  return [tab, (chosen) => setSearch(chosen ? { tab: chosen } : {}, { replace: true })]
}

/** Members see only their own sign-in settings. Old links to the language model tab redirect to the providers page. */
export function Settings() {
  const t = useTexts(settingsTexts)
  const [search] = useSearchParams()
  const isAdmin = useIsAdmin()
  if (search.get('tab') === 'intelligence') return <Redirect to={PROVIDERS} replace />
  if (isAdmin) return <ServerSettings />
  return (
    <Page title={t.title} about={t.aboutOwn}>
      <Security />
      <Alert icon={<IconLock size={18} aria-hidden />} color="gray">
        {t.onlyAdmins}
      </Alert>
    </Page>
  )
}

function SettingTabs(part: { tab: SettingsTab; onChange: (tab: string | null) => void; children: ReactNode }) {
  const t = useTexts(settingsTexts)
  return (
    <Tabs value={part.tab} onChange={part.onChange} keepMounted={false}>
      <ScrollArea type="never" offsetScrollbars={false}>
        <Tabs.List aria-label={t.tabList} style={{ flexWrap: 'nowrap' }}>
          {settingsTabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </ScrollArea>
      <Tabs.Panel value={part.tab} pt="md">
        <Stack gap="md">{part.children}</Stack>
      </Tabs.Panel>
    </Tabs>
  )
}

function ServerSettings() {
  const t = useTexts(settingsTexts)
  const [tab, setTab] = useTab()
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
      <SettingTabs tab={tab} onChange={setTab}>
        {tab === 'security' && <Security />}
        <QueryResult query={settings}>{(found) => <TabSettings tab={tab} settings={found} />}</QueryResult>
      </SettingTabs>
    </Page>
  )
}

/** The server settings that belong to a tab. */
function TabSettings({ tab, settings }: { tab: SettingsTab; settings: Found }) {
  const groups = groupsOfTab(settings.groups, tab)
  return (
    <Stack gap="md">
      {tab === 'status' && <StatusCards settings={settings} />}
      {tab === 'addresses' && <Addresses isOfNodes={settings.server.database === 'postgres'} />}
      {tab === 'voice' && <VoiceSlots voice={settings.voice} />}
      {tab === 'telephony' && <PhoneCard settings={settings} />}
      {tab === 'about' && <About settings={settings} />}
      {groups.length > 0 && <SettingGroups groups={groups} isAll={tab === 'status'} />}
    </Stack>
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
