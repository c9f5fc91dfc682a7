// The agent's language model.
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { queries } from '../../api.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type AgentFormProps, useField } from './agent-form.ts'
import { ObjectInput, OptionalNumberInput } from './agent-inputs.tsx'
import { agentSettingsTexts } from './agent-settings-texts.ts'

export function ModelTab(part: AgentFormProps) {
  const t = useTexts(agentSettingsTexts)
  const field = useField(part)
  const { draft, change } = part
  const { data: platform } = queries.useQuery('get', '/api/platform', {}, { staleTime: 60_000 })
  const models = platform?.models ?? []
  return (
    <Stack gap="lg">
      <Section title={t.model} about={t.modelAbout}>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={t.modelName}
            description={t.modelHint}
            placeholder={platform?.model ?? t.serverDefault}
            maxLength={255}
            list="models"
            {...field('model')}
          />
          <OptionalNumberInput
            label={t.temperature}
            description={t.temperatureHint}
            placeholder={t.serverDefault}
            min={0}
            max={2}
            step={0.1}
            decimalScale={2}
            value={draft.temperature}
            onValue={(temperature) => change({ temperature })}
          />
          <OptionalNumberInput
            label={t.maxTokens}
            description={t.maxTokensHint}
            placeholder={t.serverDefault}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={draft.maxTokens}
            onValue={(maxTokens) => change({ maxTokens })}
          />
        </SimpleGrid>
        <datalist id="models">
          {models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
      </Section>
      <Section title={t.more} about={t.moreHint}>
        <ObjectInput of={part} name="moreModel" aria-label={t.more} placeholder={'{ "topP": 0.9 }'} />
      </Section>
    </Stack>
  )
}
