// The voices of every provider, with previews.
import {
  Alert,
  Badge,
  Button,
  Card,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconInfoCircle, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { CopyableText } from '../../components/copyable-text.tsx'
import { languageName } from '../../components/language-select.tsx'
import { Page } from '../../components/page.tsx'
import { ErrorMessage, Loading } from '../../components/query-states.tsx'
import { useEngines, useVoices } from '../../components/use-voices.ts'
import { PreviewButton, useStopPreviewOnLeave } from '../../components/voice-preview.tsx'
import {
  type Provider,
  previewRequest,
  providerName,
  providers,
  shownProviders,
  type Voice,
} from '../../components/voice-providers.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { filterVoices, languagesOf, type VoiceFilter } from './voice-filter.ts'
import { voicesTexts } from './voices-texts.ts'

const AT_ONCE = 36
const nothing: VoiceFilter = { language: null, gender: null, text: '' }

export function Voices() {
  const t = useTexts(voicesTexts)
  useStopPreviewOnLeave()
  const engines = useEngines()
  const [search, setSearch] = useSearchParams()
  const [sentence, setSentence] = useState('')
  const chosen = providers.find((one) => one === search.get('provider'))
  const shown = shownProviders(engines, chosen)
  const provider = chosen ?? shownProviders(engines)[0] ?? 'provider_a'
  return (
    <Page title={t.title} about={t.about}>
      <Textarea
        label={t.trySentence}
        description={t.trySentenceHint}
        placeholder={t.tryExample}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={5000}
        maw={720}
        value={sentence}
        onChange={(event) => setSentence(event.currentTarget.value)}
      />
      <Tabs
        value={provider}
        onChange={(tab) => setSearch(tab ? { provider: tab } : {}, { replace: true })}
        keepMounted={false}
      >
        {shown.length > 1 && (
          <Tabs.List aria-label={t.provider}>
            {shown.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {providerName(one, engines, 'Ramal')}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        {shown.map((one) => (
          <Tabs.Panel key={one} value={one} pt="lg">
            {one === provider && <ProviderVoices provider={one} engine={engines[one]} sentence={sentence} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}

function ProviderVoices({
  provider,
  engine,
  sentence,
}: {
  provider: Provider
  engine: string | undefined
  sentence: string
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(voicesTexts) }
  const { locale } = useLanguage()
  const all = useVoices()
  const { data: voices, error, refetch } = all[provider]
  const [filter, setFilter] = useState(nothing)
  const [shown, setShown] = useState(AT_ONCE)
  const setting = `TTS_${provider.toUpperCase()}`
  const change = (patch: Partial<VoiceFilter>) => {
    setFilter({ ...filter, ...patch })
    setShown(AT_ONCE)
  }
  if (error)
    return (
      <Stack gap="xs">
        <ErrorMessage error={error} retry={refetch} />
        <Text size="sm" c="dimmed">
          {t.silentText(setting)}
        </Text>
        <div>
          <Button component={Link} href="/settings?tab=voice" variant="default" size="xs">
            {t.settings}
          </Button>
        </div>
      </Stack>
    )
  if (!voices) return <Loading />

  const found = filterVoices(voices, filter)
  const genders: Readonly<Record<string, string>> = { female: t.female, male: t.male, neutral: t.neutral }
  const isLocal = engine === 'embedded' || (!engine && voices[0]?.category === 'local')
  const bound = isLocal ? `${t.embedded}. ${t.embeddedText}` : engine ? t.vendorText(engine) : t.unknownText
  const say = (voice: Voice) =>
    previewRequest({ provider, voiceId: voice.id, text: sentence, language: voice.language }, all.provider_b.data)
  const isSample = sentence.trim() !== '' && voices[0] !== undefined && !('text' in say(voices[0]))
  return (
    <Stack>
      <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />}>
        {bound} {t.howTo(setting)}
      </Alert>
      {isSample && (
        <Text size="sm" c="dimmed">
          {t.sampleOnly}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }} maw={760}>
        <TextInput
          label={t.search}
          placeholder={t.find}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        <Select
          label={t.language}
          placeholder={t.all}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': `${t.clear}: ${t.language}` }}
          data={languagesOf(voices).map((value) => ({ value, label: languageName(value, locale) }))}
          value={filter.language}
          onChange={(language) => change({ language })}
        />
        <Select
          label={t.gender}
          placeholder={t.all}
          clearable
          clearButtonProps={{ 'aria-label': `${t.clear}: ${t.gender}` }}
          data={['female', 'male', 'neutral']
            .filter((gender) => voices.some((voice) => voice.gender === gender))
            .map((value) => ({ value, label: genders[value] ?? value }))}
          value={filter.gender}
          onChange={(gender) => change({ gender })}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed" role="status">
        {found.length === 0 ? t.none : t.count(found.length)}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="ul" p={0} m={0}>
        {found.slice(0, shown).map((voice) => (
          <Card key={voice.id} withBorder padding="md" component="li" style={{ listStyle: 'none' }}>
            <Group wrap="nowrap" align="flex-start">
              <PreviewButton id={`${provider}/${voice.id}`} name={voice.name} saying={say(voice)} isBig />
              <Stack gap={2} style={{ minWidth: 0, flex: 1 }}>
                <Group gap="xs">
                  <Text fw={600}>{voice.name}</Text>
                  {voice.isDefault === true && (
                    <Badge variant="light" size="sm">
                      {t.usual}
                    </Badge>
                  )}
                </Group>
                <Text size="sm" c="dimmed">
                  {[genders[voice.gender ?? ''], voice.language && languageName(voice.language, locale)]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
                <CopyableText text={voice.id} />
              </Stack>
            </Group>
          </Card>
        ))}
      </SimpleGrid>
      {found.length > shown && (
        <Group justify="center">
          <Button variant="default" onClick={() => setShown(shown + AT_ONCE)}>
            {t.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
