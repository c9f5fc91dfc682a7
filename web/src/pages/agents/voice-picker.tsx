// Picks a voice of one provider; choosing one plays the agent's greeting with it.
import { Alert, Button, Center, Group, Paper, Radio, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { hiddenLabel } from '../../components/hidden-label.ts'
import { languageName } from '../../components/language-select.tsx'
import { ErrorMessage, Loading } from '../../components/query-states.tsx'
import { useVoices } from '../../components/use-voices.ts'
import { PreviewButton, useVoicePreview } from '../../components/voice-preview.tsx'
import { baseLanguage, type Provider, previewRequest, type Voice } from '../../components/voice-providers.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { texts } from '../../i18n/texts.ts'

const AT_ONCE = 24

const pickerTexts = texts(
  {
    voices: 'Vozes',
    allLanguages: 'Mostrar todos os idiomas',
    find: 'Buscar voz',
    female: 'Feminina',
    male: 'Masculina',
    none: 'Nenhuma voz encontrada.',
    sampleOnly: 'Este provedor só permite ouvir a amostra de cada voz, não a saudação do agente.',
  },
  {
    voices: 'Voices',
    allLanguages: 'Show all languages',
    find: 'Find a voice',
    female: 'Female',
    male: 'Male',
    none: 'No voices found.',
    sampleOnly: "This provider only plays each voice's own sample, not the agent's greeting.",
  },
  {
    voices: 'Voces',
    allLanguages: 'Mostrar todos los idiomas',
    find: 'Buscar voz',
    female: 'Femenina',
    male: 'Masculina',
    none: 'No se encontró ninguna voz.',
    sampleOnly: 'Este proveedor solo permite escuchar la muestra de cada voz, no el saludo del agente.',
  },
)

type VoicePickerProps = {
  provider: Provider
  voiceId: string
  language: string
  /** The preview text. */
  text: string
  speed?: number
  onChoose: (voiceId: string) => void
}

export function VoicePicker({ provider, voiceId, language, text, speed, onChoose }: VoicePickerProps) {
  const t = { ...useTexts(commonTexts), ...useTexts(pickerTexts) }
  const { locale } = useLanguage()
  const all = useVoices()
  const { play } = useVoicePreview()
  const [isAllLanguages, setAllLanguages] = useState(false)
  const [wanted, setWanted] = useState('')
  const [shown, setShown] = useState(AT_ONCE)
  const { data: voices, error, refetch } = all[provider]
  if (error) return <ErrorMessage error={error} retry={refetch} />
  if (!voices) return <Loading />

  const say = (voice: Voice) =>
    previewRequest({ provider, voiceId: voice.id, text, language, ...(speed ? { speed } : {}) }, all.provider_b.data)
  const ofLanguage = voices.filter((voice) => baseLanguage(voice.language) === baseLanguage(language))
  const pool = isAllLanguages || ofLanguage.length === 0 ? voices : ofLanguage
  const find = wanted.trim().toLowerCase()
  const found = pool.filter((voice) => `${voice.name} ${voice.id}`.toLowerCase().includes(find))
  const chosen = voices.find(({ id }) => id === voiceId)
  // The selected voice is always listed.
  const listed =
    chosen && !found.slice(0, shown).includes(chosen) ? [chosen, ...found.slice(0, shown)] : found.slice(0, shown)
  const isSample = voices[0] !== undefined && !('text' in say(chosen ?? voices[0])) && text.trim() !== ''
  const genders: Readonly<Record<string, string>> = { female: t.female, male: t.male }

  const choose = (id: string) => {
    onChoose(id)
    const voice = voices.find((one) => one.id === id)
    if (voice) void play(`${provider}/${id}`, say(voice))
  }

  return (
    <Stack gap="sm">
      {(voices.length > ofLanguage.length || pool.length > 8) && (
        <Group gap="md">
          {pool.length > 8 && (
            <TextInput
              aria-label={t.find}
              placeholder={t.find}
              leftSection={<IconSearch size={16} aria-hidden />}
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
          )}
          {ofLanguage.length > 0 && voices.length > ofLanguage.length && (
            <Switch
              label={t.allLanguages}
              checked={isAllLanguages}
              onChange={(event) => setAllLanguages(event.currentTarget.checked)}
            />
          )}
        </Group>
      )}
      {isSample && (
        <Alert variant="light" color="gray" p="xs">
          {t.sampleOnly}
        </Alert>
      )}
      <Radio.Group label={t.voices} styles={hiddenLabel} value={voiceId} onChange={choose}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs">
          {listed.map((voice) => (
            <VoiceCard
              key={voice.id}
              isChosen={voice.id === voiceId}
              label={voice.name}
              about={[genders[voice.gender ?? ''], languageName(voice.language, locale)].filter(Boolean).join(' · ')}
              value={voice.id}
              hear={<PreviewButton id={`${provider}/${voice.id}`} name={voice.name} saying={say(voice)} />}
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
      {found.length === 0 && <Text c="dimmed">{t.none}</Text>}
      {found.length > shown && (
        <Center>
          <Button variant="default" size="xs" onClick={() => setShown(shown + AT_ONCE)}>
            {t.more}
          </Button>
        </Center>
      )}
    </Stack>
  )
}

function VoiceCard({
  isChosen,
  label,
  about,
  value,
  hear,
}: {
  isChosen: boolean
  label: string
  about: string
  value: string
  hear: React.ReactNode
}) {
  return (
    <Paper
      withBorder
      px="sm"
      py="xs"
      bg={isChosen ? 'var(--mantine-primary-color-light)' : undefined}
      style={isChosen ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Group justify="space-between" wrap="nowrap">
        <Radio
          value={value}
          label={
            <>
              <Text span fw={600} size="sm" display="block">
                {label}
              </Text>
              <Text span size="xs" display="block" opacity={0.85}>
                {about}
              </Text>
            </>
          }
          style={{ flex: 1, minWidth: 0 }}
        />
        {hear}
      </Group>
    </Paper>
  )
}
