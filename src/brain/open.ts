// Thinking as a whole: the operator's model, its second, or the rule agent; bound to what an agent's `llmConfig` chooses of it.
import type { Log } from '../base/log.ts'
import type { LlmConfig } from '../config.ts'
import type { Llm } from '../voice/ports.ts'
import { withFallback } from './fallback.ts'
import { openAiChat } from './openai-chat.ts'
import { ruleAgent } from './rule-agent.ts'

export type Brain = {
  /** Who thinks for an agent with this `llmConfig`. */
  llmFor(llmConfig: Readonly<Record<string, unknown>> | null): Llm
  close(): Promise<void>
}

const MAX_TOLD = 100 // names of models that an agent may not choose; each is told once

export function openBrain(config: LlmConfig, log: Log): Brain {
  const { main, fallback, models } = config
  if (main === null) {
    log.info(
      'no language model is configured (LLM_BASE_URL): the built-in rule agent answers, which is no language model',
    )
    const rules = ruleAgent()
    return { llmFor: () => rules, close: async () => {} }
  }

  const first = openAiChat({ ...main, ...(models ? { models: [main.model, ...models] } : {}) })
  const second = fallback && openAiChat(fallback)
  // The second has models of its own: what the agent chose of the first means nothing there.
  const secondOwn: Llm | null = second && {
    ...second,
    reply: (history, tools, { settings = {}, ...options }, signal) =>
      second.reply(history, tools, { ...options, settings: { ...settings, model: undefined } }, signal),
  }
  const onFallback = (err: unknown) =>
    log.warn({ err, model: second?.name }, 'the language model failed; the second one answers')
  const llm = secondOwn ? withFallback(first, secondOwn, { onFallback }) : first
  log.info({ model: main.model, fallback: fallback?.model }, 'a language model is configured')

  const told = new Set<string>()
  const isAllowed = (model: string) => models === null || model === main.model || models.includes(model)
  return {
    llmFor(llmConfig) {
      const asked = typeof llmConfig?.model === 'string' && llmConfig.model !== '' ? llmConfig.model : main.model
      if (!isAllowed(asked) && !told.has(asked) && told.size < MAX_TOLD) {
        told.add(asked)
        log.warn(
          { asked, model: main.model },
          'an agent asks for a model that LLM_MODELS does not allow; the default answers',
        )
      }
      return {
        name: isAllowed(asked) ? asked : main.model,
        isModel: true,
        reply: (history, tools, options, signal) =>
          llm.reply(history, tools, { ...options, settings: { ...llmConfig, ...options.settings } }, signal),
      }
    },
    async close() {
      await first.close()
      await second?.close()
    },
  }
}
