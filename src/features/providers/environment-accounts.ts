// Providers configured through the environment, as read-only platform accounts.
import { basename } from 'node:path'
import { llmVendors } from '../../base/domain/llm-vendors.ts'
import { EMBEDDED_ID, type ProviderKind } from '../../base/domain/provider-kinds.ts'
import { vendorFor } from '../../base/domain/speech-vendors.ts'
import type { Config, LlmConfig, LlmEndpoint, SpeechConfig, TtsProvider, VendorConfig } from '../../config/config.ts'

export type EnvironmentAccount = {
  id: string
  kind: ProviderKind
  vendor: string
  title: string
  /** The request URL; it may contain a password. */
  address: string | null
  /** The displayed URL, without credentials. */
  baseUrl: string | null
  model: string
  models: readonly string[] | null
  apiKey: string | null
  /** For a language model: the endpoint to open. */
  endpoint?: LlmEndpoint
}

export const MAIN_ID = 'environment'
export const FALLBACK_ID = 'environment-fallback'
export const MODEL_FILE_ID = 'environment-model-file'

type EnvironmentConfig = Pick<Config, 'llm' | 'speech' | 'embeddings'>

export const environmentAccounts = ({ llm, speech, embeddings }: EnvironmentConfig): EnvironmentAccount[] => [
  ...languageModels(llm),
  ...recognition(speech),
  ...voices(speech),
  ...(embeddings ? [account('embeddings', 'openai-compatible', embeddings)] : []),
]

/**
 * The account of each kind that serves agents whose owner has none; voices have no such account, since the agent names
 * them.
 */
export const environmentInUse = ({
  llm,
  speech,
  embeddings,
}: EnvironmentConfig): Partial<Record<ProviderKind, string>> => ({
  ...(llm.main ? { llm: MAIN_ID } : llm.modelFile ? { llm: MODEL_FILE_ID } : {}),
  ...(speech.stt === 'embedded' ? {} : { stt: environmentId('stt', speech.stt) }),
  ...(embeddings ? { embeddings: environmentId('embeddings', 'openai-compatible') } : {}),
})

const languageModels = ({ main, fallback, models, modelFile }: LlmConfig): EnvironmentAccount[] => [
  ...(main ? [languageModel(MAIN_ID, main, models)] : []),
  ...(fallback ? [languageModel(FALLBACK_ID, fallback, [])] : []),
  ...(modelFile ? [inProcess(basename(modelFile))] : []),
]

/** Shown by file name only, because its folder is private. */
const inProcess = (model: string): EnvironmentAccount => ({
  id: MODEL_FILE_ID,
  kind: 'llm',
  vendor: 'model-file',
  title: model,
  model,
  address: null,
  baseUrl: null,
  models: [],
  apiKey: null,
})

function languageModel(id: string, endpoint: LlmEndpoint, models: readonly string[] | null): EnvironmentAccount {
  const { vendor, title } = llmVendorOf(endpoint)
  const { apiKey, model } = endpoint
  const address = endpoint.baseUrl
  const baseUrl = llmAddressOf(endpoint)
  return { id, kind: 'llm', vendor, title, address, baseUrl, model, models, apiKey, endpoint }
}

/** Only STT_PROVIDER counts: a key that the operator set for voices is not meant for recognition. */
const recognition = (speech: SpeechConfig): EnvironmentAccount[] =>
  speech.stt === 'embedded' ? [] : [account('stt', speech.stt, vendorConfigs(speech)[speech.stt])]

/** Vendors that have a key, or to which a slot is bound. */
function voices(speech: SpeechConfig): EnvironmentAccount[] {
  const bound: readonly TtsProvider[] = Object.values(speech.slots)
  const configs = vendorConfigs(speech)
  return (['elevenlabs', 'azure', 'cartesia', 'openai'] as const)
    .filter((name) => configs[name].apiKey !== null || bound.includes(name))
    .map((name) => account('tts', name, configs[name]))
}

type SpeechVendor = Exclude<TtsProvider | SpeechConfig['stt'], 'embedded'>

const vendorConfigs = (speech: SpeechConfig): Record<SpeechVendor, VendorConfig & { region?: string | null }> => ({
  elevenlabs: speech.elevenLabs,
  azure: speech.azure,
  cartesia: speech.cartesia,
  openai: speech.openAi,
  'openai-realtime': speech.openAi,
  deepgram: speech.deepgram,
})

const environmentId = (kind: ProviderKind, vendor: string): string => `environment-${vendor}-${kind}`

/** The id of the provider to which a slot or STT_PROVIDER is bound. */
export const boundId = (kind: 'stt' | 'tts', name: string): string =>
  name === 'embedded' ? EMBEDDED_ID : environmentId(kind, name)

type Given = VendorConfig & { model?: string; region?: string | null }

function account(kind: ProviderKind, vendor: string, config: Given): EnvironmentAccount {
  const known = vendorFor(kind, vendor)
  const regional = config.region ? `https://${config.region}.${kind}.speech.microsoft.com` : null
  const address = config.baseUrl ?? regional ?? known?.baseUrl ?? null
  const baseUrl = address && withoutUser(address)
  const isOwnServer = vendor === 'openai-compatible' && baseUrl !== null
  return {
    id: environmentId(kind, vendor),
    kind,
    vendor,
    address,
    baseUrl,
    models: null,
    apiKey: config.apiKey,
    title: isOwnServer ? new URL(baseUrl).host : (known?.title ?? vendor),
    model: config.model ?? known?.model ?? '',
  }
}

/** An OpenAI-compatible server is named by its address if that belongs to a vendor. */
function llmVendorOf({ provider, baseUrl }: LlmEndpoint): { vendor: string; title: string } {
  const named = Object.entries(llmVendors).find(([name, known]) =>
    provider === 'openai-compatible' ? known.baseUrl !== null && known.baseUrl === baseUrl : name === provider,
  )
  if (named) return { vendor: named[0], title: named[1].title }
  return { vendor: provider, title: baseUrl === null ? provider : new URL(baseUrl).host }
}

function llmAddressOf({ provider, baseUrl }: LlmEndpoint): string | null {
  if (baseUrl === null) return Object.entries(llmVendors).find(([name]) => name === provider)?.[1].baseUrl ?? null
  return withoutUser(baseUrl)
}

function withoutUser(address: string): string {
  const url = new URL(address)
  return `${url.origin}${url.pathname === '/' ? '' : url.pathname}`
}
