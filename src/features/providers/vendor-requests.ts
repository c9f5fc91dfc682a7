// Requests to an account's server, whether stored or a draft: its test, models and voices.

import { llmVendors } from '../../base/domain/llm-vendors.ts'
import type { ProviderKind } from '../../base/domain/provider-kinds.ts'
import { appError } from '../../base/errors/errors.ts'
import type { LlmEndpoint } from '../../config/config.ts'
import { listModels } from '../../llm/model-list.ts'
import { testLlm, testModel } from '../../llm/model-test.ts'
import { testEmbeddings } from '../../retrieval/embeddings-test.ts'
import { accountTts, type SpeechAccount } from '../../speech/registry.ts'
import { type VendorConnections, VendorError } from '../../speech/vendor-http.ts'
import type { Llm } from '../../voice/ports.ts'
import { endpointOf } from './llm-accounts.ts'
import type { ProviderModel, ProviderTest, ProviderVoice } from './schema.ts'

/** A server and the connections to reach it. */
export type Target = {
  kind: ProviderKind
  vendor: string
  title: string
  baseUrl: string
  apiKey: string | null
  model: string
  connections: VendorConnections
  /** For a language model configured in the environment. */
  endpoint?: LlmEndpoint
  /** For a model in this process, which has no server. */
  llm?: Llm
}

const VOICES_MS = 15_000
const MAX_VOICES = 1000
/** Speech vendors whose servers list models the way OpenAI does. */
const listsModels: ReadonlySet<string> = new Set(['openai', 'openai-realtime', 'openai-compatible', 'ollama'])
/** Vendors without a model list: the models known at the time of writing; an account may name others. */
const knownModels: Readonly<Record<string, readonly string[]>> = {
  elevenlabs: ['eleven_flash_v2_5', 'eleven_multilingual_v2', 'eleven_turbo_v2_5', 'eleven_v3'],
  cartesia: ['sonic-2', 'sonic-3', 'sonic-turbo'],
  deepgram: ['nova-2', 'nova-2-phonecall', 'nova-3'],
  'openai-realtime': ['gpt-4o-mini-transcribe', 'gpt-4o-transcribe', 'gpt-realtime-whisper', 'gpt-transcribe'],
}

const speechOf = ({ vendor, baseUrl, apiKey, model, connections }: Target): SpeechAccount => ({
  vendor,
  baseUrl,
  apiKey,
  model,
  connections,
})

const modelServerOf = ({ endpoint, kind, vendor, baseUrl, apiKey, model }: Target): LlmEndpoint =>
  endpoint ??
  (kind === 'llm' && Object.hasOwn(llmVendors, vendor)
    ? endpointOf({ vendor, baseUrl, model }, apiKey)
    : { provider: 'openai-compatible', baseUrl, apiKey, model })

export async function testTarget(target: Target, voiceId?: string | null): Promise<ProviderTest> {
  const { kind, title, connections, baseUrl, apiKey, model, llm } = target
  const { dispatcher } = connections
  if (kind === 'stt' || kind === 'tts') {
    const { testStt, testTts } = await import('../../speech/speech-test.ts') // contains the words of all languages
    return kind === 'stt' ? testStt(speechOf(target), { title }) : testTts(speechOf(target), { title, voiceId })
  }
  if (kind === 'embeddings') return testEmbeddings({ baseUrl, apiKey, model }, { title, dispatcher })
  if (llm) return testLlm({ title, model, apiKey }, async () => llm)
  return testModel(modelServerOf(target), { title, dispatcher })
}

export async function modelsOfTarget(target: Target): Promise<ProviderModel[]> {
  const { kind, vendor, title, connections } = target
  if (kind !== 'llm' && !listsModels.has(vendor)) return (knownModels[vendor] ?? []).map((id) => ({ id, title: null }))
  return listModels(modelServerOf(target), { title, dispatcher: connections.dispatcher, kind })
}

export async function voicesOfTarget(target: Target): Promise<ProviderVoice[]> {
  const tts = target.kind === 'tts' ? accountTts(speechOf(target)) : undefined
  if (!tts) throw appError('provider_no_voices')
  const limit = AbortSignal.timeout(VOICES_MS)
  try {
    return (await tts.voices(limit)).slice(0, MAX_VOICES)
  } catch (error) {
    throw limit.aborted ? new VendorError('service_timeout', { service: target.title }) : error
  }
}
