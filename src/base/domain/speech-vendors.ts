// The speech and embeddings vendors that an account may name: address, key and default model. Language models are in
// llm-vendors.ts.
import { llmVendors } from './llm-vendors.ts'
import type { ProviderKind } from './provider-kinds.ts'

export type ProviderVendor = {
  title: string
  /** Null if the account must name one. */
  baseUrl: string | null
  needsKey: boolean
  /** Null if the account must name one; empty if the vendor has no models. */
  model: string | null
}

const openAiUrl = 'https://api.openai.com/v1'

export const sttVendorNames = ['deepgram', 'openai', 'openai-realtime', 'azure', 'openai-compatible'] as const
export type SttVendorName = (typeof sttVendorNames)[number]

const sttVendors: Readonly<Record<SttVendorName, ProviderVendor>> = {
  deepgram: { title: 'Deepgram', baseUrl: 'https://api.deepgram.com', needsKey: true, model: 'nova-3' },
  openai: { title: 'OpenAI', baseUrl: openAiUrl, needsKey: true, model: 'gpt-4o-mini-transcribe' },
  'openai-realtime': { title: 'OpenAI realtime', baseUrl: openAiUrl, needsKey: true, model: 'gpt-realtime-whisper' },
  azure: { title: 'Azure Speech', baseUrl: null, needsKey: true, model: '' }, // each region has its own address
  'openai-compatible': { title: 'OpenAI-compatible', baseUrl: null, needsKey: false, model: null },
}

export const ttsVendorNames = ['elevenlabs', 'azure', 'cartesia', 'openai', 'openai-compatible'] as const
export type TtsVendorName = (typeof ttsVendorNames)[number]

const ttsVendors: Readonly<Record<TtsVendorName, ProviderVendor>> = {
  elevenlabs: {
    title: 'ElevenLabs',
    baseUrl: 'https://api.elevenlabs.io',
    needsKey: true,
    model: 'eleven_flash_v2_5',
  },
  azure: { title: 'Azure Speech', baseUrl: null, needsKey: true, model: '' },
  cartesia: { title: 'Cartesia', baseUrl: 'https://api.cartesia.ai', needsKey: true, model: 'sonic-3' },
  openai: { title: 'OpenAI', baseUrl: openAiUrl, needsKey: true, model: 'gpt-4o-mini-tts' },
  'openai-compatible': { title: 'OpenAI-compatible', baseUrl: null, needsKey: false, model: null },
}

export const embeddingsVendorNames = ['openai', 'openai-compatible', 'ollama'] as const
export type EmbeddingsVendorName = (typeof embeddingsVendorNames)[number]

const embeddingsVendors: Readonly<Record<EmbeddingsVendorName, ProviderVendor>> = {
  openai: { title: 'OpenAI', baseUrl: openAiUrl, needsKey: true, model: 'text-embedding-3-small' },
  'openai-compatible': { title: 'OpenAI-compatible', baseUrl: null, needsKey: false, model: null },
  ollama: { title: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false, model: null },
}

const languageModels = Object.fromEntries(
  Object.entries(llmVendors).map(([name, { title, baseUrl, needsKey }]) => [
    name,
    { title, baseUrl, needsKey, model: null },
  ]),
)

const vendorsByKind: Readonly<Record<ProviderKind, Readonly<Record<string, ProviderVendor>>>> = {
  llm: languageModels,
  stt: sttVendors,
  tts: ttsVendors,
  embeddings: embeddingsVendors,
}

/** Undefined if there is no such vendor for this kind. */
export const vendorFor = (kind: ProviderKind, name: string): ProviderVendor | undefined =>
  Object.hasOwn(vendorsByKind[kind], name) ? vendorsByKind[kind][name] : undefined

export const vendorNamesFor = (kind: ProviderKind): string[] => Object.keys(vendorsByKind[kind])
