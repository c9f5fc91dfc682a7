// All settings by group, each with value, source and description.
import { Accordion, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { Settings } from '../../../../client/paths.ts'
import { Section } from '../../components/section.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { settingDescription } from './setting-descriptions.ts'
import { filterSettings, type SettingSource, settingSource } from './settings-status.ts'
import { settingsTexts } from './settings-texts.ts'

type Setting = Settings['groups'][number]['settings'][number]
const tones: Readonly<Record<SettingSource, Tone>> = { value: 'good', default: 'off', hidden: 'good', unset: 'off' }

/** For element ids, which cannot contain spaces. */
const keyOf = (name: string) => name.replaceAll(' ', '-')

export function SettingGroups({ groups, isAll }: { groups: Settings['groups']; isAll: boolean }) {
  const t = useTexts(settingsTexts)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<string[]>([])
  const { language } = useLanguage()
  const headingOf = (name: string) => (t.groups as Readonly<Record<string, string>>)[name] ?? name
  const worded = groups.map(({ name, settings }) => ({
    name,
    settings: settings.map((setting) => ({
      ...setting,
      description: settingDescription(setting.name, setting.description, language),
    })),
  }))
  const found = filterSettings(worded, typed, headingOf)
  const isSearching = typed.trim() !== ''
  return (
    <Section title={isAll ? t.all : t.ofThis} about={t.how}>
      {isAll && (
        <TextInput
          aria-label={t.search}
          placeholder={t.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          maw={360}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {found.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t.nothing}
        </Text>
      )}
      <Accordion
        multiple
        variant="contained"
        order={3}
        value={isSearching ? found.map(({ name }) => keyOf(name)) : open}
        onChange={setOpen}
      >
        {found.map(({ name, settings }) => (
          <Accordion.Item key={name} value={keyOf(name)}>
            <Accordion.Control>
              <Group justify="space-between" pr="sm" gap="xs">
                <Text fw={600} size="sm">
                  {headingOf(name)}
                </Text>
                <Text size="sm" c="dimmed">
                  {t.counted(settings.filter(({ isSet }) => isSet).length, settings.length)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="md" component="ul" p={0} m={0}>
                {settings.map((setting) => (
                  <OneSetting key={setting.name} setting={setting} />
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  )
}

function OneSetting({ setting }: { setting: Setting }) {
  const t = useTexts(settingsTexts)
  const shown = settingSource(setting)
  return (
    <li style={{ listStyle: 'none' }}>
      <Group gap="xs">
        <Code fz="sm">{setting.name}</Code>
        {(shown === 'value' || shown === 'default') && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {setting.value}
          </Text>
        )}
        {shown === 'hidden' && (
          <Text size="sm" aria-hidden>
            ••••••••
          </Text>
        )}
        <StatusBadge tone={tones[shown]} word={t.shown[shown]} />
      </Group>
      {setting.description && (
        <Text size="sm" c="dimmed" mt={2}>
          {setting.description}
        </Text>
      )}
    </li>
  )
}
