// The voices of all providers in one list, with previews and the agents that use them.
import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAgents } from '../../components/agent-name.tsx'
import { languageName } from '../../components/language-select.tsx'
import { FilterBar } from '../../components/list/filter-bar.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { Page } from '../../components/page.tsx'
import { ErrorMessage, Loading } from '../../components/query-states.tsx'
import { useEngines, useVoices } from '../../components/use-voices.ts'
import { useStopPreviewOnLeave } from '../../components/voice-preview.tsx'
import { previewRequest, providers, type Vendor, vendorsOf } from '../../components/voice-providers.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useIsAdmin } from '../../session.tsx'
import { VoiceCard } from './voice-card.tsx'
import { agentsByVoice, filterVoices, type ListedVoice, languagesOf, voiceKey } from './voice-filter.ts'
import { voicesTexts } from './voices-texts.ts'

const AT_ONCE = 36
const genders = ['female', 'male', 'neutral'] as const
const fields = [{ key: 'provider', values: providers }, { key: 'language' }, { key: 'gender', values: genders }]

export function Voices() {
  const t = useTexts(voicesTexts)
  const [sentence, setSentence] = useState('')
  useStopPreviewOnLeave()
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
      <VoiceList sentence={sentence} />
    </Page>
  )
}

function VoiceList({ sentence }: { sentence: string }) {
  const t = { ...useTexts(commonTexts), ...useTexts(voicesTexts) }
  const { locale } = useLanguage()
  const used = useListAddress(fields)
  const engines = useEngines()
  const lists = useVoices()
  const { data: agents = [] } = useAgents()
  const [shown, setShown] = useState(AT_ONCE)
  const vendors = vendorsOf(engines, 'provider_b', t.embeddedName)
  const { provider, language = null, gender = null } = used.address.values
  const asked = vendors.filter((vendor) => !provider || vendor.engine === engines[provider as Vendor['provider']])
  const voices = vendors.flatMap((vendor) =>
    (lists[vendor.provider].data ?? []).map(
      (voice): ListedVoice => ({ key: voiceKey(vendor.engine, voice.id), voice, vendor }),
    ),
  )
  const speakers = agentsByVoice(agents, voices, engines)
  const ofVendors = voices.filter(({ vendor }) => asked.includes(vendor))
  const found = filterVoices(ofVendors, { language, gender, text: used.address.q })
  const say = ({ voice, vendor }: ListedVoice) =>
    previewRequest(
      { provider: vendor.provider, voiceId: voice.id, text: sentence, language: voice.language },
      lists.provider_b.data,
    )
  const isLoading = asked.some((vendor) => lists[vendor.provider].isPending)
  const sampleOnly = asked.filter((vendor) => {
    const first = voices.find((one) => one.vendor === vendor)
    return sentence.trim() !== '' && first !== undefined && !('text' in say(first))
  })
  return (
    <Stack>
      <FilterBar
        used={used}
        label={t.title}
        searchLabel={t.find}
        inputs={[
          {
            kind: 'choice',
            key: 'language',
            label: t.language,
            placeholder: t.anyVoice,
            options: languagesOf(ofVendors).map((value) => ({ value, label: languageName(value, locale) })),
          },
          {
            kind: 'choice',
            key: 'gender',
            label: t.gender,
            placeholder: t.anyVoice,
            options: genders
              .filter((one) => voices.some(({ voice }) => voice.gender === one))
              .map((value) => ({ value, label: t[value] })),
          },
          {
            kind: 'choice',
            key: 'provider',
            label: t.provider,
            placeholder: t.anyVoice,
            options: vendors
              .filter(({ name }) => name)
              .map((vendor) => ({ value: vendor.provider, label: vendor.name })),
          },
        ]}
      />
      {asked.map((vendor) =>
        lists[vendor.provider].error ? (
          <SilentVendor key={vendor.provider} vendor={vendor} list={lists[vendor.provider]} />
        ) : null,
      )}
      {asked.length === 1 && asked[0] && !lists[asked[0].provider].error && <AboutVendor vendor={asked[0]} />}
      {sampleOnly.map(({ engine, name }) => (
        <Text key={engine} size="sm" c="dimmed">
          {t.sampleOnly(name)}
        </Text>
      ))}
      {isLoading && <Loading />}
      {!isLoading && (
        <Text size="sm" c="dimmed" role="status">
          {found.length === 0 ? t.none : t.count(found.length)}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="ul" p={0} m={0}>
        {found.slice(0, shown).map((one) => (
          <VoiceCard
            key={one.key}
            listed={one}
            isVendorShown={vendors.length > 1}
            saying={say(one)}
            agents={speakers.get(one.key) ?? []}
          />
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

const settingOf = ({ provider }: Vendor) => `TTS_${provider.toUpperCase()}`

/** Explains the service; administrators also see which setting configures it. */
function AboutVendor({ vendor }: { vendor: Vendor }) {
  const t = useTexts(voicesTexts)
  const isAdmin = useIsAdmin()
  const { engine, name } = vendor
  const about = engine === 'embedded' ? `${t.embedded}. ${t.embeddedText}` : engine ? t.vendorText(name) : t.unknownText
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />}>
      {about} {isAdmin && t.howTo(settingOf(vendor))}
    </Alert>
  )
}

function SilentVendor({ vendor, list }: { vendor: Vendor; list: { error: unknown; refetch: () => unknown } }) {
  const t = useTexts(voicesTexts)
  const isAdmin = useIsAdmin()
  return (
    <Stack gap={0}>
      <Text fw={600}>{vendor.name}</Text>
      <ErrorMessage error={list.error} retry={list.refetch} />
      <Text size="sm" c="dimmed">
        {isAdmin ? t.silentText(settingOf(vendor)) : t.askAdmin}{' '}
        {isAdmin && (
          <Anchor component={Link} href="/settings?tab=voice" size="sm">
            {t.settings}
          </Anchor>
        )}
      </Text>
    </Stack>
  )
}
