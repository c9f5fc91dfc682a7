// Finds language-model servers on this machine: Ollama by its own API, others by their list of models.
import type { Agent } from 'undici'
import { fieldsOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import { requestOutside } from '../base/outside/request.ts'
import { keepAliveAgent } from '../base/outside/upstream-http.ts'
import { isChatModel } from './model-list.ts'

type LocalLlmServer = {
  vendor: 'ollama' | 'openai-compatible'
  /** Shown in the dashboard. */
  name: string
  baseUrl: string
  version: string | null
  models: string[]
}

/** `name`: what usually listens there, for a server that does not identify itself. */
export type LocalPlace = { url: string; vendor: LocalLlmServer['vendor']; name: string }

/** The products' default ports on this machine, and the host's Ollama as seen from a container. */
export const localPlaces: readonly LocalPlace[] = [
  { url: 'http://127.0.0.1:11434', vendor: 'ollama', name: 'Ollama' },
  { url: 'http://host.docker.internal:11434', vendor: 'ollama', name: 'Ollama' },
  { url: 'http://127.0.0.1:1234', vendor: 'openai-compatible', name: 'LM Studio' },
  { url: 'http://127.0.0.1:8080', vendor: 'openai-compatible', name: 'llama.cpp' },
  { url: 'http://127.0.0.1:8000', vendor: 'openai-compatible', name: 'vLLM' },
]

/** Products by `owned_by` of their models. LocalAI, which shares a port with llama.cpp, leaves it empty. */
const productOf: ReadonlyMap<string, string> = new Map([
  ['llamacpp', 'llama.cpp'],
  ['vllm', 'vLLM'],
  ['organization_owner', 'LM Studio'],
  ['', 'LocalAI'],
])

const TIMEOUT_MS = 1500
const MAX_MODELS = 200

type Json = Record<string, unknown>
type Get = (path: string) => Promise<Json>

export async function findLocalServers(places: readonly LocalPlace[] = localPlaces): Promise<LocalLlmServer[]> {
  const agent = keepAliveAgent(TIMEOUT_MS)
  try {
    const found = await Promise.all(places.map((place) => serverAt(place, agent)))
    return found.filter((server) => server !== null)
  } finally {
    await agent.destroy()
  }
}

async function serverAt(place: LocalPlace, dispatcher: Agent): Promise<LocalLlmServer | null> {
  const signal = AbortSignal.timeout(2 * TIMEOUT_MS)
  const get: Get = async (path) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const { bytes: maxBytes } = limits.modelList
    const asked = { method: 'GET', dispatcher, signal: limit, maxBytes }
    const { status, text } = await requestOutside(place.url + path, asked)
    if (status !== 200) throw new Error(`status ${status}`)
    return fieldsOutside(text, limits.modelList)
  }
  try {
    return await (place.vendor === 'ollama' ? ollamaAt(place, get) : compatibleAt(place, get))
  } catch {
    return null // no server there, or another product
  }
}

async function ollamaAt({ url, vendor, name }: LocalPlace, get: Get): Promise<LocalLlmServer | null> {
  const { models } = await get('/api/tags')
  if (!Array.isArray(models)) return null
  const { version } = await get('/api/version').catch(() => ({ version: null }))
  return {
    vendor,
    name,
    baseUrl: `${url}/v1`,
    version: typeof version === 'string' ? version.slice(0, 40) : null,
    models: namesOf(models, 'name'),
  }
}

/** A list of models in OpenAI's format. Ports such as 8080 are common: other servers there are ignored. */
async function compatibleAt({ url, vendor, name }: LocalPlace, get: Get): Promise<LocalLlmServer | null> {
  const { object, data } = await get('/v1/models')
  if (object !== 'list' || !Array.isArray(data)) return null
  const models = namesOf(data, 'id')
  if (models.length === 0) return null
  const owner = (data[0] as Json | null)?.owned_by ?? ''
  return {
    vendor,
    baseUrl: `${url}/v1`,
    version: null,
    models,
    name: (typeof owner === 'string' ? productOf.get(owner.toLowerCase()) : null) ?? name,
  }
}

const namesOf = (models: readonly unknown[], field: string): string[] =>
  models.slice(0, MAX_MODELS).flatMap((model) => {
    const name = ((model ?? {}) as Json)[field]
    return typeof name === 'string' && name !== '' && name.length <= 200 && isChatModel(name) ? [name] : []
  })
