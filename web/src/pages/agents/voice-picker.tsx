// Picks a voice from one list of all services, with a filter by service; selecting a voice plays the agent's greeting.
import {
  Alert,
  Button,
  Center,
  Group,
  Paper,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { hiddenLabel } from '../../components/hidden-label.ts'
import { languageName } from '../../components/language-select.tsx'
import { ErrorMessage, Loading } from '../../components/query-states.tsx'
import { useVoices } from '../../components/use-voices.ts'
import { PreviewButton, useVoicePreview } from '../../components/voice-preview.tsx'
import {
  baseLanguage,
  type Provider,
  previewRequest,
  type Vendor,
  type Voice,
} from '../../components/voice-providers.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { texts } from '../../i18n/texts.ts'

const AT_ONCE = 24

const pickerTexts = texts(
  {
    voices: 'Vozes',
    vendor: 'Fornecedor',
    allVendors: 'Todos os fornecedores',
    allLanguages: 'Mostrar todos os idiomas',
    find: 'Buscar voz',
    female: 'Feminina',
    male: 'Masculina',
    none: 'Nenhuma voz encontrada.',
    sampleOnly: 'Este provedor só permite ouvir a amostra de cada voz, não a saudação do agente.',
  },
  {
    voices: 'Voices',
    vendor: 'Vendor',
    allVendors: 'All vendors',
    allLanguages: 'Show all languages',
    find: 'Find a voice',
    female: 'Female',
    male: 'Male',
    none: 'No voices found.',
    sampleOnly: "This provider only plays each voice's own sample, not the agent's greeting.",
  },
  {
    voices: 'Voces',
    vendor: 'Proveedor',
    allVendors: 'Todos los proveedores',
    allLanguages: 'Mostrar todos los idiomas',
    find: 'Buscar voz',
    female: 'Femenina',
    male: 'Masculina',
    none: 'No se encontró ninguna voz.',
    sampleOnly: 'Este proveedor solo permite escuchar la muestra de cada voz, no el saludo del agente.',
  },
)

export type ChosenVoice = { provider: Provider; voiceId: string }

type VoicePickerProps = {
  /** The services to offer voices from. */
  vendors: readonly Vendor[]
  chosen: ChosenVoice
  language: string
  /** The text to preview. */
  text: string
  speed?: number
  onChoose: (voice: ChosenVoice) => void
}

type Offered = { voice: Voice; vendor: Vendor; key: string }

export function VoicePicker({ vendors, chosen, language, text, speed, onChoose }: VoicePickerProps) {
  const t = { ...useTexts(commonTexts), ...useTexts(pickerTexts) }
  const { locale } = useLanguage()
  const all = useVoices()
  const { play } = useVoicePreview()
  const [vendor, setVendor] = useState<string>('')
  const [isAllLanguages, setAllLanguages] = useState(false)
  const [wanted, setWanted] = useState('')
  const [shown, setShown] = useState(AT_ONCE)
  const queried = vendors.filter(({ provider }) => vendor === '' || provider === vendor)
  if (queried.every(({ provider }) => all[provider].isPending)) return <Loading />

  const offered: Offered[] = queried.flatMap((one) =>
    (all[one.provider].data ?? []).map((voice) => ({ voice, vendor: one, key: `${one.provider}/${voice.id}` })),
  )
  const say = ({ voice, vendor: { provider } }: Offered) =>
    previewRequest({ provider, voiceId: voice.id, text, language, ...(speed ? { speed } : {}) }, all.provider_b.data)
  const ofLanguage = offered.filter(({ voice }) => baseLanguage(voice.language) === baseLanguage(language))
  const pool = isAllLanguages || ofLanguage.length === 0 ? offered : ofLanguage
  const find = wanted.trim().toLowerCase()
  const found = pool.filter(({ voice }) => `${voice.name} ${voice.id}`.toLowerCase().includes(find))
  const chosenKey = `${chosen.provider}/${chosen.voiceId}`
  const current = offered.find(({ key }) => key === chosenKey)
  // The selected voice is always listed, even beyond the cutoff.
  const first = found.slice(0, shown)
  const listed = current && !first.includes(current) ? [current, ...first] : first
  const sample = current ?? offered[0]
  const isSample = sample !== undefined && !('text' in say(sample)) && text.trim() !== ''

  const choose = (key: string) => {
    const one = offered.find((other) => other.key === key)
    if (!one) return
    onChoose({ provider: one.vendor.provider, voiceId: one.voice.id })
    void play(key, say(one))
  }

  return (
    <Stack gap="sm">
      {queried.map(({ provider }) =>
        all[provider].error ? (
          <ErrorMessage key={provider} error={all[provider].error} retry={all[provider].refetch} />
        ) : null,
      )}
      <Group gap="md">
        {vendors.length > 1 && (
          <Select
            aria-label={t.vendor}
            allowDeselect={false}
            value={vendor}
            onChange={(value) => setVendor(value ?? '')}
            data={[
              { value: '', label: t.allVendors },
              ...vendors.map(({ provider, name }) => ({ value: provider, label: name })),
            ]}
          />
        )}
        {pool.length > 8 && (
          <TextInput
            aria-label={t.find}
            placeholder={t.find}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        )}
        {ofLanguage.length > 0 && offered.length > ofLanguage.length && (
          <Switch
            label={t.allLanguages}
            checked={isAllLanguages}
            onChange={(event) => setAllLanguages(event.currentTarget.checked)}
          />
        )}
      </Group>
      {isSample && (
        <Alert variant="light" color="gray" p="xs">
          {t.sampleOnly}
        </Alert>
      )}
      <Radio.Group label={t.voices} styles={hiddenLabel} value={chosenKey} onChange={choose}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs">
          {listed.map((one) => (
            <VoiceCard
              key={one.key}
              isChosen={one.key === chosenKey}
              label={one.voice.name}
              about={aboutVoice(one, vendors.length > 1, { locale, female: t.female, male: t.male })}
              value={one.key}
              hear={<PreviewButton id={one.key} name={one.voice.name} saying={say(one)} />}
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

function aboutVoice(
  { voice, vendor }: Offered,
  isVendorShown: boolean,
  { locale, ...genders }: { locale: string } & Record<string, string>,
): string {
  const parts = [genders[voice.gender ?? ''], languageName(voice.language, locale), isVendorShown && vendor.name]
  return parts.filter(Boolean).join(' · ')
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
