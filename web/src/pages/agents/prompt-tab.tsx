// Greeting, instructions and variables.
import { ActionIcon, Alert, Code, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Section } from '../../components/section.tsx'
import { useVoices } from '../../components/use-voices.ts'
import { PreviewButton } from '../../components/voice-preview.tsx'
import { defaultVoice, previewRequest } from '../../components/voice-providers.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import type { Draft } from './agent-draft.ts'
import { type AgentFormProps, useField } from './agent-form.tsx'
import { agentTexts } from './agent-texts.ts'
import { builtInVariables, fillVariables, listVariables, TIME_ZONE } from './prompt-variables.ts'

const firsts = ['agent_first', 'agent_first_generated', 'caller_first'] as const

export function PromptTab(part: AgentFormProps) {
  const t = useTexts(agentTexts)
  const { locale } = useLanguage()
  const field = useField(part)
  const { draft, change } = part
  return (
    <Stack gap="lg">
      <Section title={t.opening}>
        <Select
          label={t.whoFirst}
          maw={460}
          allowDeselect={false}
          value={draft.firstMessage}
          data={firsts.map((value) => ({ value, label: t[value] }))}
          onChange={(chosen) => change({ firstMessage: chosen as Draft['firstMessage'] })}
        />
        <Group align="flex-end" wrap="nowrap" gap="sm">
          <Textarea
            flex={1}
            label={t.openingPhrase}
            description={draft.firstMessage === 'caller_first' ? t.openingUnused : t.openingHint}
            autosize
            minRows={1}
            maxRows={6}
            maxLength={5000}
            {...field('initialSpeech')}
          />
          <PreviewGreeting {...part} />
        </Group>
      </Section>

      <Section title={t.prompt} about={t.promptAbout}>
        <Textarea
          aria-label={t.prompt}
          autosize
          minRows={14}
          maxRows={36}
          maxLength={100_000}
          {...field('systemPrompt')}
        />
        <Text size="xs" c="dimmed" ta="right">
          {t.letters(draft.systemPrompt.length.toLocaleString(locale))}
        </Text>
      </Section>

      <Variables {...part} />
    </Stack>
  )
}

function PreviewGreeting({ draft }: AgentFormProps) {
  const t = useTexts(agentTexts)
  const all = useVoices()
  const voices = all[draft.ttsProvider].data ?? []
  const voice = voices.find(({ id }) => id === draft.voiceId) ?? defaultVoice(voices, draft.language)
  const text = fillVariables(draft.initialSpeech, draft.variables)
  if (!voice || !text.trim()) return null
  const saying = { provider: draft.ttsProvider, voiceId: voice.id, text, language: draft.language, speed: draft.speed }
  return <PreviewButton id="opening" name={t.hearOpening} saying={previewRequest(saying, all.provider_b.data)} />
}

function Variables({ draft, change }: AgentFormProps) {
  const t = { ...useTexts(commonTexts), ...useTexts(agentTexts) }
  const variables = listVariables([draft.initialSpeech, draft.systemPrompt, draft.voicemailMessage], draft.variables)
  const give = (name: string, value: string | null) => {
    const { [name]: _, ...others } = draft.variables
    change({
      variables: value === null || (value === '' && name === TIME_ZONE) ? others : { ...others, [name]: value },
    })
  }
  return (
    <Section title={t.variables} about={t.variablesAbout}>
      {variables.length === 0 && (
        <Alert variant="light" color="gray">
          {t.noVariables}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {variables.map(({ name, value, isUsed }) => (
          <Group key={name} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              label={<Code>{`{{${name}}}`}</Code>}
              aria-label={`${t.standard}: ${name}`}
              placeholder={t.standard}
              {...(isUsed ? {} : { description: t.unused })}
              maxLength={5000}
              value={value}
              onChange={(event) => give(name, event.currentTarget.value)}
            />
            {!isUsed && (
              <ActionIcon
                variant="subtle"
                color="red"
                size="lg"
                aria-label={`${t.remove}: ${name}`}
                onClick={() => give(name, null)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
      </SimpleGrid>
      <Text size="sm">{t.known}</Text>
      <Group gap="xs">
        {builtInVariables.map((name) => (
          <Text key={name} size="sm" c="dimmed">
            <Code>{`{{${name}}}`}</Code> {t.knownText[name]}
          </Text>
        ))}
      </Group>
      <TextInput
        maw={320}
        label={t.timeZone}
        description={t.timeZoneHint}
        placeholder="America/Sao_Paulo"
        list="time-zones"
        value={draft.variables[TIME_ZONE] ?? ''}
        onChange={(event) => give(TIME_ZONE, event.currentTarget.value)}
      />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Section>
  )
}
