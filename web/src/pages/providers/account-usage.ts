// The agents whose chains use a provider account. Pure.
import type { Agent } from '../../../../client/paths.ts'

type Named = { providerId?: string | null; fallbacks?: readonly { providerId: string }[] | null }
type Chains = Partial<Record<'llm' | 'recognition' | 'voice', Named | null>>

export const agentsNaming = (id: string, agents: readonly Agent[]): Agent[] =>
  agents.filter(({ settings }) => {
    const { llm, recognition, voice } = (settings ?? {}) as Chains
    return [llm, recognition, voice].some(
      (chain) => chain?.providerId === id || chain?.fallbacks?.some(({ providerId }) => providerId === id),
    )
  })
