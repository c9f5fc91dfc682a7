// Greeting, instructions and variables.
import { ActionIcon, Alert, Box, Code, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Section } from '../../components/section.tsx'
import { loadVoices, useEngines } from '../../components/use-voices.ts'
import { PreviewButton } from '../../components/voice-preview.tsx'
import { defaultVoice, previewRequest } from '../../components/voice-providers.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { Draft } from './agent-draft.ts'
import { type AgentFormProps, useEditorField } from './agent-form.ts'
import { agentTexts } from './agent-texts.ts'
import { PromptEditor } from './editor/prompt-editor.tsx'
import { builtInVariables, fillVariables, listVariables, TIME_ZONE } from './prompt-variables.ts'

const firsts = ['agent_first', 'agent_first_generated', 'caller_first'] as const

export function PromptTab(part: AgentFormProps) {
  const t = useTexts(agentTexts)
  const editor = useEditorField(part)
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
        <Group align="flex-start" wrap="nowrap" gap="sm">
          <Box flex={1} style={{ minWidth: 0 }}>
            <PromptEditor
              {...editor('initialSpeech')}
              label={t.openingPhrase}
              description={draft.firstMessage === 'caller_first' ? t.openingUnused : t.openingHint}
              maxLength={5000}
            />
          </Box>
          <Box pt={48}>
            <PreviewGreeting {...part} />
          </Box>
        </Group>
      </Section>

      <Section title={t.prompt} about={t.promptAbout}>
        <PromptEditor {...editor('systemPrompt')} label={t.prompt} isLabelHidden isLarge maxLength={100_000} />
      </Section>

      <Variables {...part} />
    </Stack>
  )
}

function PreviewGreeting({ draft }: AgentFormProps) {
  const t = useTexts(agentTexts)
  const { ttsProvider: provider, language, speed } = draft
  const engines = useEngines()
  const client = useQueryClient()
  const text = fillVariables(draft.initialSpeech, draft.variables)
  if (!text.trim()) return null
  const isBSame = engines.provider_a === engines.provider_b
  const saying = async () => {
    const voiceId = draft.voiceId || defaultVoice(await loadVoices(client, provider), language)?.id
    if (!voiceId) return undefined
    return previewRequest({ provider, voiceId, text, language, speed }, isBSame ? [{ id: voiceId }] : [])
  }
  return <PreviewButton id="opening" name={t.hearOpening} saying={saying} />
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
