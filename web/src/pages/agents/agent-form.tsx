// Props of the agent form tabs, and fields bound to the draft.
import { JsonInput, type JsonInputProps, NumberInput, type NumberInputProps } from '@mantine/core'
import type { Agent } from '../../../../client/paths.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { Draft, OptionalNumber, Problems } from './agent-draft.ts'
import { agentTexts } from './agent-texts.ts'

export type AgentFormProps = {
  agent: Agent
  draft: Draft
  problems: Problems
  change: (patch: Partial<Draft>) => void
}

/** For `{...field('name')}`: a text field of the draft with its error. */
export function useField({ draft, problems, change }: AgentFormProps) {
  const t = useTexts(agentTexts)
  return (name: { [K in keyof Draft]: Draft[K] extends string ? K : never }[keyof Draft]) => ({
    value: draft[name] as string,
    error: problems[name] ? t.problem[problems[name]] : undefined,
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
}

/** Empty means the default, which is shown as the placeholder. */
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
