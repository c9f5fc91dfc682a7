// The chain of models for texts, rehearsals, analyses and knowledge; a call builds its own, with events.
import { EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import { backgroundPatience, llmChain } from '../../failover/llm-chain.ts'
import type { Breakers, ChainLink } from '../../failover/ports.ts'
import type { FindLlms, LlmAgent, LlmSet } from '../../llm/open.ts'
import type { Llm } from '../../voice/ports.ts'
import type { PlannedAgent } from './chain-plan.ts'
import { llmLink, type OpenedLlm } from './links.ts'

export type LlmChainsParts = {
  llmsFor: (userId: string, agent: PlannedAgent) => Promise<OpenedLlm[]>
  breakers: Breakers
}

/** Used for work without an agent. */
const nobody: PlannedAgent = {
  language: 'en',
  ttsProvider: 'provider_a',
  voiceId: null,
  llmConfig: null,
  provider_aConfig: null,
  settings: null,
}
const plannedAs = (agent: LlmAgent | undefined): PlannedAgent => ({ ...nobody, ...agent }) as PlannedAgent

export const llmChains =
  ({ llmsFor, breakers }: LlmChainsParts): FindLlms =>
  async (userId, agent, arrange = (links) => [...links]) => {
    const opened = await llmsFor(userId, plannedAs(agent))
    const linksWith = (which: keyof LlmSet, llmConfig: PlannedAgent['llmConfig']) =>
      opened.map((each, at) => {
        const named = at === 0 && typeof llmConfig?.model === 'string' ? llmConfig.model : null
        return llmLink({ ...each, model: each.model ?? named }, llmConfig, which)
      })
    const chainOf = (links: ChainLink<Llm>[]) => ({ links, breakers, onEvent: () => {} })
    return {
      llmFor: (llmConfig) => llmChain(chainOf(arrange(linksWith('llmFor', llmConfig)))),
      backgroundLlm(llmConfig) {
        const links = linksWith('backgroundLlm', llmConfig)
        // An analysis by the rule agent would preempt a better one from a later retry.
        const models = links.filter(({ id }) => id !== EMBEDDED_ID)
        return llmChain({ ...chainOf(models.length > 0 ? models : links), patience: backgroundPatience })
      },
    }
  }
