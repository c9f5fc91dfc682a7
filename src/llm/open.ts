// The LLM service: the operator's model with its fallback, or the rule agent; configured by an agent's `llmConfig`.
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

export type LlmService = {
  /** The LLM of an agent with this `llmConfig`. */
  llmFor(llmConfig: LlmConfigOf): Llm
  /** The same model with long time-outs, for background work. */
  backgroundLlm(llmConfig: LlmConfigOf): Llm
  close(): Promise<void>
}

const MAX_WARNINGS = 100 // one warning per disallowed model name
const backgroundTimeouts = { ...modelTimeouts, firstByteMs: 90_000, idleMs: 60_000 }

/** Throws when a provider's package is not installed. */
export async function openLlm(config: LlmConfig, log: Log): Promise<LlmService> {
  const { main, fallback, models } = config
  if (main === null) {
    log.info('no language model configured (LLM_BASE_URL or LLM_PROVIDER); the built-in rule agent replies')
    const rules = ruleAgent()
    return { llmFor: () => rules, backgroundLlm: () => rules, close: async () => {} }
  }

  const onFallback = (err: unknown) =>
    log.warn({ err, model: fallback?.model }, 'language model failed; the fallback replies')
  const interactive = await openBoth(config, main, modelTimeouts, { onFallback })
  const background = await openBoth(config, main, backgroundTimeouts, {
    onFallback,
    firstWordMs: backgroundTimeouts.firstByteMs,
  })
  log.info({ provider: main.provider, model: main.model, fallback: fallback?.model }, 'language model configured')

  const warned = new Set<string>()
  const isAllowed = (model: string) => models === null || model === main.model || models.includes(model)
  const bound = (llm: Llm, llmConfig: LlmConfigOf): Llm => {
    const requested = typeof llmConfig?.model === 'string' && llmConfig.model !== '' ? llmConfig.model : main.model
    if (!isAllowed(requested) && !warned.has(requested) && warned.size < MAX_WARNINGS) {
      warned.add(requested)
      log.warn(
        { requested, model: main.model },
        'agent requests a model that LLM_MODELS does not allow; using the default',
      )
    }
    return {
      name: isAllowed(requested) ? requested : main.model,
      isModel: true,
      reply: (history, tools, options, signal) =>
        llm.reply(history, tools, { ...options, settings: { ...llmConfig, ...options.settings } }, signal),
    }
  }
  return {
    llmFor: (llmConfig) => bound(interactive.llm, llmConfig),
    backgroundLlm: (llmConfig) => bound(background.llm, llmConfig),
    async close() {
      await interactive.close()
      await background.close()
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

/** The main model, with its fallback where one is configured. */
async function openBoth(
  { fallback, models }: LlmConfig,
  main: LlmEndpoint,
  timeouts: ModelTimeouts,
  options: { onFallback(error: unknown): void; firstWordMs?: number },
): Promise<{ llm: Llm; close(): Promise<void> }> {
  const first = await openOne(main, timeouts, models ? [main.model, ...models] : undefined)
  if (!fallback) return { llm: first, close: () => first.close() }
  const second = await openOne(fallback, timeouts)
  // The fallback has its own models: the agent's choice applies only to the main one.
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
