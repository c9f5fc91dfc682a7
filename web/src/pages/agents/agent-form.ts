// Props of the agent form tabs, and helpers that bind text fields to the draft.
import type { Agent } from '../../../../client/paths.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { Draft, Problems } from './agent-draft.ts'
import { agentTexts } from './agent-texts.ts'

export type AgentFormProps = {
  agent: Agent
  draft: Draft
  problems: Problems
  change: (patch: Partial<Draft>) => void
}

/** Use as `{...field('name')}`: a text field of the draft with its error. */
export function useField({ draft, problems, change }: AgentFormProps) {
  const t = useTexts(agentTexts)
  return (name: { [K in keyof Draft]: Draft[K] extends string ? K : never }[keyof Draft]) => ({
    value: draft[name] as string,
    error: problems[name] ? t.problem[problems[name]] : undefined,
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
}

/** Use as `<PromptEditor {...editor('systemPrompt')} …/>`: a text of the draft that may contain variables. */
export function useEditorField({ draft, problems, change }: AgentFormProps) {
  const t = useTexts(agentTexts)
  return (name: 'systemPrompt' | 'initialSpeech' | 'voicemailMessage') => ({
    value: draft[name],
    error: problems[name] ? t.problem[problems[name]] : undefined,
    onChange: (text: string) => change({ [name]: text }),
    variables: draft.variables,
    onAddVariable: (variable: string) => change({ variables: { ...draft.variables, [variable]: '' } }),
    language: draft.language,
  })
}
