// Number and JSON inputs of the agent form.
import { JsonInput, type JsonInputProps, NumberInput, type NumberInputProps } from '@mantine/core'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { OptionalNumber } from './agent-draft.ts'
import type { AgentFormProps } from './agent-form.ts'
import { agentTexts } from './agent-texts.ts'

/** Empty means the default, shown as the placeholder. */
export function OptionalNumberInput({
  value,
  onValue,
  usual,
  scale = 1,
  ...input
}: Omit<NumberInputProps, 'value' | 'onChange'> & {
  value: OptionalNumber
  onValue: (value: OptionalNumber) => void
  usual?: number
  /** Stored units per displayed unit. */
  scale?: number
}) {
  return (
    <NumberInput
      {...(usual === undefined ? {} : { placeholder: `${usual / scale}${input.suffix ?? ''}` })}
      {...input}
      value={value === '' ? '' : value / scale}
      onChange={(shown) => onValue(typeof shown === 'number' ? shown * scale : '')}
    />
  )
}

export function ObjectInput({
  of: part,
  name,
  ...input
}: Omit<JsonInputProps, 'value' | 'onChange' | 'name'> & {
  of: AgentFormProps
  name: 'providerA' | 'moreModel' | 'fields'
}) {
  const t = useTexts(agentTexts)
  return (
    <JsonInput
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      styles={{
        input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-sm)' },
      }}
      {...input}
      value={part.draft[name]}
      error={part.problems[name] ? t.problem.json : undefined}
      onChange={(text) => part.change({ [name]: text })}
    />
  )
}
