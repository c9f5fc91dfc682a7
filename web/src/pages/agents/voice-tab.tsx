// Voice, speed, pronunciation and recognition hints.
import { ActionIcon, Button, Group, Slider, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Section } from '../../components/section.tsx'
import { useEngines, useVoices } from '../../components/use-voices.ts'
import { defaultVoice, vendorsOf } from '../../components/voice-providers.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { lazyComponent } from '../../lazy-component.ts'
import { type AgentFormProps, useField } from './agent-form.ts'
import { ObjectInput } from './agent-inputs.tsx'
import { agentSettingsTexts } from './agent-settings-texts.ts'
import { fillVariables } from './prompt-variables.ts'
import { VoicePicker } from './voice-picker.tsx'

/** Needed only for agents whose voice comes from an account. */
const VoiceOfAccount = lazyComponent(() => import('./providers/voice-of-account.tsx'), 'VoiceOfAccount')

export function VoiceTab(part: AgentFormProps) {
  const t = useTexts(agentSettingsTexts)
  const { locale } = useLanguage()
  const field = useField(part)
  const { draft, change } = part
  const all = useVoices()
  const engines = useEngines()
  const voices = all[draft.ttsProvider].data ?? []
  const vendors = vendorsOf(engines, draft.ttsProvider, t.builtIn)
  const isOfAccount = draft.voiceProvider !== ''
  // The built-in voices have no such settings, but stored values stay visible.
  const hasVendorSettings =
    draft.ttsProvider === 'provider_a' && (engines.provider_a !== 'embedded' || draft.providerA.trim() !== '')
  return (
    <Stack gap="lg">
      <Section title={t.voice} about={t.voiceAbout}>
        {isOfAccount && (
          <Suspense>
            <VoiceOfAccount id={draft.voiceProvider} />
          </Suspense>
        )}
        <VoicePicker
          vendors={vendors}
          chosen={{
            provider: draft.ttsProvider,
            voiceId: isOfAccount ? '' : draft.voiceId || (defaultVoice(voices, draft.language)?.id ?? ''),
          }}
          language={draft.language}
          text={fillVariables(draft.initialSpeech, draft.variables)}
          speed={draft.speed}
          onChoose={({ provider, voiceId }) => change({ ttsProvider: provider, voiceId, voiceProvider: '' })}
        />
        <TextInput maw={420} label={t.ownVoice} description={t.ownVoiceHint} maxLength={255} {...field('voiceId')} />
      </Section>

      <Section title={t.speed} about={t.speedHint}>
        <Group gap="lg" wrap="nowrap" maw={560}>
          <Slider
            flex={1}
            mb="lg"
            min={0.5}
            max={2}
            step={0.05}
            value={draft.speed}
            onChange={(speed) => change({ speed: Math.round(speed * 100) / 100 })}
            thumbLabel={t.speed}
            label={null}
            marks={[
              { value: 0.5, label: t.slower },
              { value: 1, label: '1' },
              { value: 2, label: t.faster },
            ]}
            mx="xl"
          />
          <Text fw={600} className="numbers" miw={52} ta="right">
            {draft.speed.toLocaleString(locale, { maximumFractionDigits: 2 })}×
          </Text>
        </Group>
      </Section>

      <Pronunciation {...part} />

      <Section title={t.hearing}>
        <TagsInput
          label={t.hints}
          description={t.hintsHint}
          maxTags={500}
          value={[...draft.hints]}
          onChange={(hints) => change({ hints })}
        />
      </Section>

      {hasVendorSettings && (
        <Section title={t.vendor} about={t.vendorHint}>
          <ObjectInput
            of={part}
            name="providerA"
            aria-label={t.vendor}
            placeholder={'{ "model_id": "eleven_flash_v2_5", "voice_settings": { "stability": 0.5 } }'}
          />
        </Section>
      )}
    </Stack>
  )
}

function Pronunciation({ draft: { pronunciation }, change }: AgentFormProps) {
  const t = { ...useTexts(commonTexts), ...useTexts(agentSettingsTexts) }
  const put = (at: number, patch: { from?: string; to?: string }) =>
    change({ pronunciation: pronunciation.map((pair, i) => (i === at ? { ...pair, ...patch } : pair)) })
  return (
    <Section title={t.pronunciation} about={t.pronunciationAbout}>
      {pronunciation.map(({ from, to }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other name than its place
        <Group key={i} wrap="nowrap" gap="xs" align="flex-end" maw={640}>
          <TextInput
            flex={1}
            label={t.written}
            placeholder="Ltda."
            maxLength={200}
            value={from}
            onChange={(event) => put(i, { from: event.currentTarget.value })}
          />
          <TextInput
            flex={1}
            label={t.spoken}
            placeholder="limitada"
            maxLength={200}
            value={to}
            onChange={(event) => put(i, { to: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={`${t.remove}: ${from}`}
            onClick={() => change({ pronunciation: pronunciation.filter((_, other) => other !== i) })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change({ pronunciation: [...pronunciation, { from: '', to: '' }] })}
        >
          {t.addWord}
        </Button>
      </div>
    </Section>
  )
}
