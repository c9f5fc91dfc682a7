// The AI SDK's provider packages and how they are loaded. Two come with Ramal; the operator installs the others.
import type { Dispatcher } from 'undici'
import { boundedFetch } from '../base/outside/fetch.ts'
import { limits } from '../base/outside/limits.ts'
import { keepAliveAgent } from '../base/outside/upstream-http.ts'
import type { AiSdkProvider } from '../config/config.ts'
import type { LanguageModel } from './ai-sdk-model.ts'

export type LanguageProvider = {
  languageModel(model: string): LanguageModel
  close(): Promise<void>
}

type ProviderSettings = {
  apiKey: string | null
  /** Replaces the vendor's own address. */
  baseUrl: string | null
  connectMs: number
  /** Shared connections, closed by their owner; absent: its own. */
  dispatcher?: Dispatcher
}

type Package = {
  load(): Promise<object>
  /** The factory that creates a provider from its settings. */
  create: string
  /** Always set: otherwise the package would read a key from the environment. */
  baseUrl?: string
}

/** Literal names, so that all packages that may be loaded are visible here. */
const packages: Readonly<Record<AiSdkProvider, Package>> = {
  anthropic: {
    load: () => import('@ai-sdk/anthropic'),
    create: 'createAnthropic',
    baseUrl: 'https://api.anthropic.com/v1',
  },
  google: {
    load: () => import('@ai-sdk/google'),
    create: 'createGoogle',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  openai: { load: () => import('@ai-sdk/openai'), create: 'createOpenAI', baseUrl: 'https://api.openai.com/v1' },
  azure: { load: () => import('@ai-sdk/azure'), create: 'createAzure' },
  cohere: { load: () => import('@ai-sdk/cohere'), create: 'createCohere' },
  deepseek: { load: () => import('@ai-sdk/deepseek'), create: 'createDeepSeek' },
  groq: { load: () => import('@ai-sdk/groq'), create: 'createGroq' },
  mistral: { load: () => import('@ai-sdk/mistral'), create: 'createMistral' },
  xai: { load: () => import('@ai-sdk/xai'), create: 'createXai' },
}

/** The packages buffer each event, and the body of an error. */
const replyBounds = { maxBytes: limits.modelReply.bytes, json: limits.modelEvent, isEvents: true }

type Create = (settings: { apiKey?: string; baseURL?: string; fetch: typeof fetch }) => {
  languageModel(model: string): LanguageModel
}

/** Fails at once, with a clear message, if the package is not installed. */
export async function openProvider(name: AiSdkProvider, settings: ProviderSettings): Promise<LanguageProvider> {
  const { load, create, baseUrl } = packages[name]
  const loaded = (await load().catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ERR_MODULE_NOT_FOUND' ? notInstalled(name) : cause
  })) as Record<string, Create>
  const made = loaded[create]
  if (typeof made !== 'function') throw new Error(`@ai-sdk/${name} has a version that Ramal does not support`)
  const agent = settings.dispatcher ?? keepAliveAgent(settings.connectMs)
  const address = settings.baseUrl ?? baseUrl
  const provider = made({
    ...(settings.apiKey === null ? {} : { apiKey: settings.apiKey }),
    ...(address === undefined ? {} : { baseURL: address }),
    fetch: boundedFetch(agent, replyBounds),
  })
  return {
    languageModel: (model) => provider.languageModel(model),
    async close() {
      if (!settings.dispatcher) await agent.destroy()
    },
  }
}

export const notInstalled = (name: AiSdkProvider) =>
  new Error(`The language model provider ${name} needs a package that is not installed: npm install @ai-sdk/${name}`)
