// Lists the models that a vendor's server offers to a key: OpenAI's protocol, Anthropic's and Google's.
import type { Dispatcher } from 'undici'
import type { ProviderKind } from '../base/domain/provider-kinds.ts'
import { vendorWords } from '../base/domain/vendor-words.ts'
import { appError } from '../base/errors/errors.ts'
import { textOf } from '../base/outside/body.ts'
import { parseOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import type { UpstreamResponse } from '../base/outside/upstream-http.ts'
import type { LlmEndpoint } from '../config/config.ts'
import { type ModelServer, modelUpstream, refusal } from './model-http.ts'

type ListedModel = { id: string; title: string | null }

type ModelListOptions = {
  /** The server's name in messages. */
  title: string
  dispatcher: Dispatcher
  timeoutMs?: number
  /** What the models are for; default: language models. */
  kind?: ProviderKind
}

const TIMEOUT_MS = 10_000
const MAX_MODELS = 1000
/** Entries examined, including those that are not models. */
const MAX_ENTRIES = 5000
const MAX_NAME_LETTERS = 200
/** Models in OpenAI-style lists that do not chat. */
const otherUse =
  /embed|whisper|tts|dall-e|moderation|transcribe|realtime|gpt-image|-image|sora|babbage|davinci|guard|ocr|audio/i
export const isChatModel = (id: string): boolean => !otherUse.test(id)

/** Name patterns of models for speech and embeddings. */
const useOf: Readonly<Record<Exclude<ProviderKind, 'llm'>, RegExp>> = {
  stt: /whisper|transcribe|asr|parakeet|canary|stt|voxtral|speech-to-text/i,
  tts: /tts|kokoro|piper|orpheus|speech|voice|xtts|bark|chatterbox/i,
  embeddings: /embed|bge|minilm|gte|e5/i,
}

/** All models if none has such a name. */
function fitFor(kind: ProviderKind, models: ListedModel[]): ListedModel[] {
  if (kind === 'llm') return models.filter(({ id }) => isChatModel(id))
  const fit = models.filter(({ id }) => useOf[kind].test(id))
  return fit.length > 0 ? fit : models
}

export async function listModels(
  endpoint: Omit<LlmEndpoint, 'model'>,
  { title, dispatcher, timeoutMs = TIMEOUT_MS, kind = 'llm' }: ModelListOptions,
): Promise<ListedModel[]> {
  const timeouts = { firstByteMs: timeoutMs, idleMs: timeoutMs }
  const server: ModelServer = { title, apiKey: endpoint.apiKey, timeouts, dispatcher }
  const http = modelUpstream(server, (status, headers, text) => {
    const refused = refusal(server, status, headers['retry-after'], '')
    const words = vendorWords(text, endpoint.apiKey)
    return words === null ? refused : appError('provider_models_refused', { reason: refused.message, words })
  })
  const { url, headers, read } = requestFor(endpoint)
  const whole = async function* (answer: UpstreamResponse) {
    const text = await textOf(answer.pieces, limits.modelList.bytes)
    if (Buffer.byteLength(text) > limits.modelList.bytes) throw appError('provider_models_long', { service: title })
    yield text
  }
  const limit = AbortSignal.timeout(timeoutMs)
  for await (const text of http.send({ url, method: 'GET', headers }, whole, limit)) {
    const found = fitFor(kind, read(jsonOf(text, title)))
    return found.slice(0, MAX_MODELS).sort((a, b) => a.id.localeCompare(b.id))
  }
  return []
}

type ModelRequest = { url: string; headers: Record<string, string>; read: (json: unknown) => ListedModel[] }

function requestFor({ provider, baseUrl, apiKey }: Omit<LlmEndpoint, 'model'>): ModelRequest {
  const accept = 'application/json'
  if (provider === 'anthropic')
    return {
      url: `${baseUrl}/models?limit=1000`,
      headers: { accept, 'x-api-key': apiKey ?? '', 'anthropic-version': '2023-06-01' },
      read: (json) => modelsIn(json, 'data', (each) => [each.id, each.display_name]),
    }
  if (provider === 'google')
    return {
      url: `${baseUrl}/models?pageSize=1000`,
      headers: { accept, 'x-goog-api-key': apiKey ?? '' },
      read: (json) =>
        modelsIn(json, 'models', ({ name, displayName, supportedGenerationMethods: methods }) =>
          Array.isArray(methods) && !methods.includes('generateContent')
            ? []
            : [String(name).replace(/^models\//, ''), displayName],
        ),
    }
  return {
    url: `${baseUrl}/models`,
    headers: { accept, ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
    read: (json) => modelsIn(json, 'data', (each) => [each.id, each.name]),
  }
}

type NameOf = (model: Record<string, unknown>) => unknown[]

function modelsIn(json: unknown, field: string, namesOf: NameOf): ListedModel[] {
  const list = (json as Record<string, unknown> | null)?.[field]
  if (!Array.isArray(list)) return []
  return list.slice(0, MAX_ENTRIES).flatMap((each: unknown): ListedModel[] => {
    const [id, title] = typeof each === 'object' && each !== null ? namesOf(each as Record<string, unknown>) : []
    if (typeof id !== 'string' || id === '' || id.length > MAX_NAME_LETTERS) return []
    const isTitle = typeof title === 'string' && title !== '' && title !== id
    return [{ id, title: isTitle ? title.slice(0, MAX_NAME_LETTERS) : null }]
  })
}

function jsonOf(text: string, title: string): unknown {
  try {
    return parseOutside(text, limits.modelList)
  } catch {
    throw appError('provider_models_nonsense', { service: title })
  }
}
