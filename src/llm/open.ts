// Opens language models: the environment's, an account's, or the rule agent; configured by an agent's `llmConfig`.
import type { Dispatcher } from 'undici'
import type { Log } from '../base/process/log.ts'
import type { LlmConfig, LlmEndpoint } from '../config/config.ts'
import type { ChainLink } from '../failover/ports.ts'
import type { Llm } from '../voice/ports.ts'
import { aiSdkChat } from './ai-sdk-chat.ts'
import { openProvider } from './ai-sdk-providers.ts'
import type { ChatClient } from './model-answer.ts'
import { type ModelFile, modelFile } from './model-file.ts'
import { type ModelServer, type ModelTimeouts, modelTimeouts } from './model-http.ts'
import { openAiChat } from './openai-chat.ts'
import { ruleAgent } from './rule-agent.ts'

type LlmConfigOf = Readonly<Record<string, unknown>> | null

/** The models of one user. A call keeps its set: a change of accounts takes effect with the next call. */
export type LlmSet = {
  /** The LLM of an agent with this `llmConfig`. */
  llmFor(llmConfig: LlmConfigOf): Llm
  /** The same model with long time-outs, for background work. */
  backgroundLlm(llmConfig: LlmConfigOf): Llm
}

/** The environment's, each as a link of a chain. */
export type LlmService = {
  main: LlmSet | null
  fallback: LlmSet | null
  /** Of the file that LLM_MODEL_FILE names. */
  file: { set: LlmSet; model: ModelFile } | null
  close(): Promise<void>
}

/** What an agent says about its models. */
export type LlmAgent = { llmConfig: LlmConfigOf; settings: object | null }

/** Changes the links of a chain, for example its last one. */
type ArrangeLinks = (links: readonly ChainLink<Llm>[]) => ChainLink<Llm>[]

/** The chain of models that serves a user's agent now. */
export type FindLlms = (userId: string, agent?: LlmAgent, arrange?: ArrangeLinks) => Promise<LlmSet>

const MAX_WARNINGS = 100 // one warning per disallowed model name
const backgroundTimeouts = { ...modelTimeouts, firstByteMs: 90_000, idleMs: 60_000 }

/** The rule agent, which is not a language model. */
export function ruleLlms(): LlmSet {
  const rules = ruleAgent()
  return { llmFor: () => rules, backgroundLlm: () => rules }
}

/** The environment's models. Throws when a provider's package is not installed. */
export async function openLlm(config: LlmConfig, log: Log): Promise<LlmService> {
  const { main, fallback, models } = config
  const first = main && (await openTwice(main, models))
  const second = main && fallback && (await openTwice(fallback, []))
  const file = openFile(config, log)
  if (main)
    log.info({ provider: main.provider, model: main.model, fallback: fallback?.model }, 'language model configured')
  else if (!file) log.info('no language model configured in the environment; accounts or the built-in rule agent reply')
  return {
    main: first && boundTo(models, first, log),
    fallback: second && boundTo([], second, log),
    file,
    async close() {
      await first?.close()
      await second?.close()
      await file?.model.close()
    },
  }
}

/** Loaded in the background: until then a reply waits for it, or the next link answers. */
function openFile({ modelFile: path }: LlmConfig, log: Log): LlmService['file'] {
  if (path === null) return null
  const model = modelFile({ path, log })
  model.start()
  return { model, set: boundTo([], { ...model, model: model.name }, log) }
}

/** An account's model, on connections that the caller closes. */
export async function openAccountLlm(
  endpoint: LlmEndpoint,
  { models, dispatcher }: { models: readonly string[] | null; dispatcher: Dispatcher },
  log: Log,
): Promise<LlmSet> {
  return boundTo(models, await openTwice(endpoint, models, { dispatcher }), log)
}

type Opened = { model: string; interactive: Llm; background: Llm }

/** `models`: what an agent may name besides the default; null: any. */
function boundTo(models: readonly string[] | null, { model, interactive, background }: Opened, log: Log): LlmSet {
  const warned = new Set<string>()
  const isAllowed = (name: string) => models === null || name === model || models.includes(name)
  const bound = (llm: Llm, llmConfig: LlmConfigOf): Llm => {
    const requested = typeof llmConfig?.model === 'string' && llmConfig.model !== '' ? llmConfig.model : model
    if (!isAllowed(requested) && !warned.has(requested) && warned.size < MAX_WARNINGS) {
      warned.add(requested)
      log.warn({ requested, model }, 'agent requests a model that is not allowed; using the default')
    }
    return {
      name: isAllowed(requested) ? requested : model,
      isModel: true,
      reply: (history, tools, options, signal) =>
        llm.reply(history, tools, { ...options, settings: { ...llmConfig, ...options.settings } }, signal),
    }
  }
  return {
    llmFor: (llmConfig) => bound(interactive, llmConfig),
    backgroundLlm: (llmConfig) => bound(background, llmConfig),
  }
}

export type ModelOptions = {
  timeouts?: ModelTimeouts
  /** The models that an agent may name; any if absent. */
  models?: readonly string[]
} & Pick<ModelServer, 'dispatcher' | 'onRefusal'>

export async function openModel(endpoint: LlmEndpoint, options: ModelOptions = {}): Promise<ChatClient> {
  const { timeouts = modelTimeouts } = options
  const settings = { ...endpoint, ...options, timeouts }
  if (settings.provider === 'openai-compatible') return openAiChat(settings)
  const provider = await openProvider(settings.provider, { ...settings, connectMs: timeouts.connectMs })
  return aiSdkChat(provider, settings)
}

/** A server's model with short and with long time-outs. `models`: what an agent may name besides; null: any. */
async function openTwice(endpoint: LlmEndpoint, models: readonly string[] | null, shared: ModelOptions = {}) {
  const options = { ...shared, ...(models && { models: [endpoint.model, ...models] }) }
  const interactive = await openModel(endpoint, options)
  const background = await openModel(endpoint, { ...options, timeouts: backgroundTimeouts })
  return {
    model: endpoint.model,
    interactive,
    background,
    async close() {
      await interactive.close()
      await background.close()
    },
  }
}
