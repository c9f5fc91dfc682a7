// Thinking as a whole: the operator's model, its second, or the rule agent; bound to what an agent's `llmConfig` chooses of it.
import type { Log } from '../base/log.ts'
import type { LlmConfig, LlmEndpoint } from '../config/config.ts'
import type { Llm } from '../voice/ports.ts'
import { aiSdkChat } from './ai-sdk-chat.ts'
import { openProvider } from './ai-sdk-providers.ts'
import { withFallback } from './fallback.ts'
import { type ModelTimeouts, modelTimeouts } from './model-http.ts'
import { openAiChat } from './openai-chat.ts'
import { ruleAgent } from './rule-agent.ts'

type LlmConfigOf = Readonly<Record<string, unknown>> | null

export type Brain = {
  /** Who thinks for an agent with this `llmConfig`. */
  llmFor(llmConfig: LlmConfigOf): Llm
  /** The same model for what nobody waits for: it may take minutes. */
  backgroundLlm(llmConfig: LlmConfigOf): Llm
  close(): Promise<void>
}

const MAX_TOLD = 100 // names of models that an agent may not choose; each is told once
const patience = { ...modelTimeouts, firstByteMs: 90_000, idleMs: 60_000 }

/** Fails where a provider's package is not installed. */
export async function openBrain(config: LlmConfig, log: Log): Promise<Brain> {
  const { main, fallback, models } = config
  if (main === null) {
    log.info(
      'no language model is configured (LLM_BASE_URL or LLM_PROVIDER): the built-in rule agent answers, which is no language model',
    )
    const rules = ruleAgent()
    return { llmFor: () => rules, backgroundLlm: () => rules, close: async () => {} }
  }

  const onFallback = (err: unknown) =>
    log.warn({ err, model: fallback?.model }, 'the language model failed; the second one answers')
  const quick = await openBoth(config, main, modelTimeouts, { onFallback })
  const patient = await openBoth(config, main, patience, { onFallback, firstWordMs: patience.firstByteMs })
  log.info({ provider: main.provider, model: main.model, fallback: fallback?.model }, 'a language model is configured')

  const told = new Set<string>()
  const isAllowed = (model: string) => models === null || model === main.model || models.includes(model)
  const bound = (llm: Llm, llmConfig: LlmConfigOf): Llm => {
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
  }
  return {
    llmFor: (llmConfig) => bound(quick.llm, llmConfig),
    backgroundLlm: (llmConfig) => bound(patient.llm, llmConfig),
    async close() {
      await quick.close()
      await patient.close()
    },
  }
}

type Closable = Llm & { close(): Promise<void> }

async function openOne(endpoint: LlmEndpoint, timeouts: ModelTimeouts, models?: readonly string[]): Promise<Closable> {
  const settings = { ...endpoint, timeouts, ...(models ? { models } : {}) }
  if (settings.provider === 'openai-compatible') return openAiChat(settings)
  const provider = await openProvider(settings.provider, { ...settings, connectMs: timeouts.connectMs })
  return aiSdkChat(provider, settings)
}

/** The first, with the second behind it where there is one. */
async function openBoth(
  { fallback, models }: LlmConfig,
  main: LlmEndpoint,
  timeouts: ModelTimeouts,
  options: { onFallback(error: unknown): void; firstWordMs?: number },
): Promise<{ llm: Llm; close(): Promise<void> }> {
  const first = await openOne(main, timeouts, models ? [main.model, ...models] : undefined)
  if (!fallback) return { llm: first, close: () => first.close() }
  const second = await openOne(fallback, timeouts)
  // The second has models of its own: what the agent chose of the first means nothing there.
  const secondOwn: Llm = {
    ...second,
    reply: (history, tools, { settings = {}, ...asked }, signal) =>
      second.reply(history, tools, { ...asked, settings: { ...settings, model: undefined } }, signal),
  }
  return {
    llm: withFallback(first, secondOwn, options),
    async close() {
      await first.close()
      await second.close()
    },
  }
}
