// The vendor behind each voice provider; the built-in voices are listed once.
import { Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Settings } from '../../../../client/paths.ts'
import { Section } from '../../components/section.tsx'
import { providers, providerTitle } from '../../components/voice-providers.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { settingsTexts } from './settings-texts.ts'

const letterOf = (provider: string) => provider.slice(-1).toUpperCase()

export function VoiceSlots({ voice }: { voice: Settings['voice'] }) {
  const t = useTexts(settingsTexts)
  const { locale } = useLanguage()
  const either = new Intl.ListFormat(locale, { type: 'disjunction' })
  const byEngine = Map.groupBy(providers, (one) => voice.providers[one])
  return (
    <Section
      title={t.slots}
      about={t.slotsAbout}
      actions={
        <Button component={Link} href="/voices" variant="default" size="xs">
          {t.hearVoices}
        </Button>
      }
    >
      <Stack gap="sm" component="ul" p={0} m={0}>
        {[...byEngine].map(([engine, slots]) => (
          <li key={engine} style={{ listStyle: 'none' }}>
            <Group gap="xs">
              <Text fw={600} size="sm">
                {engine === 'embedded' ? t.builtIn : providerTitle(slots[0] ?? 'provider_a', engine, '').slice(4)}
              </Text>
              <Text size="sm" c="dimmed">
                {t.slotOf(slots.map(letterOf).join(', '))}
              </Text>
            </Group>
            <Text size="sm" c="dimmed">
              {t.slotChange(either.format(slots.map((one) => `TTS_${one.toUpperCase()}`)))}
            </Text>
          </li>
        ))}
      </Stack>
      <Text size="sm">{t.hears(voice.recognition === 'embedded' ? t.itself : voice.recognition)}</Text>
    </Section>
  )
}
