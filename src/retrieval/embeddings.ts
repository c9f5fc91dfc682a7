// Embeddings client for OpenAI's protocol. The embedded text reaches no error and no log.
import type { Dispatcher } from 'undici'
import { type AppError, appError } from '../base/errors/errors.ts'
import { LruCache } from '../base/lru-cache.ts'
import { textOf } from '../base/outside/body.ts'
import { fieldsOutside } from '../base/outside/json.ts'
import { embeddingsAnswer, limits, MAX_DIMENSIONS } from '../base/outside/limits.ts'
import { UpstreamError, type UpstreamResponse, upstreamHttp } from '../base/outside/upstream-http.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { quantize } from './vectors.ts'

export type EmbeddingsEndpoint = {
  /** Base URL with its version: https://api.openai.com/v1 */
  baseUrl: string
  apiKey: string | null
  model: string
}

export type Embeddings = {
  readonly model: string
  /** For documents, where nobody waits: one vector per text, in the same order. */
  many(texts: readonly string[], signal: AbortSignal): Promise<Int8Array[]>
  /** For a query, while a caller waits; null if the server fails or is too slow. */
  one(text: string, signal: AbortSignal): Promise<Int8Array | null>
  close(): Promise<void>
}

/** Looks up the embeddings of a user's knowledge; null: keyword search only. */
export type FindEmbeddings = (userId: string) => Promise<Embeddings | null>

export const BATCH = 64
const QUESTION_MS = 2000
const PAUSE_MS = 15_000 // after a failure, during which no query asks the server
const MAX_REMEMBERED = 500
const TITLE = 'The server for embeddings'

const patient = { connectMs: 5000, firstByteMs: 60_000, idleMs: 30_000 }
const hasty = { connectMs: 1000, firstByteMs: QUESTION_MS, idleMs: QUESTION_MS }

export type EmbeddingsOptions = {
  questionMs?: number
  restMs?: number
  onTrouble?: (error: unknown) => void
  /** Connections shared with others, and closed by them; absent: its own. */
  dispatcher?: Dispatcher
  /** Gets the body of an error response. Only for tests: the body may repeat the text. */
  onRefusal?: (status: number, body: string) => void
}

export function openEmbeddings(endpoint: EmbeddingsEndpoint, options: EmbeddingsOptions = {}): Embeddings {
  const { questionMs = QUESTION_MS, restMs = PAUSE_MS, onTrouble = () => {}, dispatcher, onRefusal } = options
  const trouble = {
    async refused(status: number, _headers: unknown, body: AsyncIterable<Uint8Array>) {
      if (onRefusal) onRefusal(status, await textOf(body, limits.errorBody.bytes).catch(() => ''))
      return refusal(status)
    },
    late: () => new UpstreamError('service_timeout', { service: TITLE }, { isPassing: true }),
    // The error's own message may contain the address, with a password in it.
    broken: () => new UpstreamError('service_connection_broke', { service: TITLE.toLowerCase() }, { isPassing: true }),
  }
  const forMany = upstreamHttp(patient, trouble, dispatcher)
  const forOne = upstreamHttp({ ...hasty, firstByteMs: questionMs, idleMs: questionMs }, trouble, dispatcher)
  const known = new LruCache<string, Int8Array>(MAX_REMEMBERED)
  let restUntil = Number.NEGATIVE_INFINITY

  async function ask(http: typeof forMany, texts: readonly string[], signal: AbortSignal): Promise<Int8Array[]> {
    const request = {
      url: `${endpoint.baseUrl}/embeddings`,
      method: 'POST' as const,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(endpoint.apiKey ? { authorization: `Bearer ${endpoint.apiKey}` } : {}),
      },
      body: JSON.stringify({ model: endpoint.model, input: texts, encoding_format: 'float' }),
    }
    for await (const vectors of http.send(request, (answer) => read(answer, texts.length), signal)) return vectors
    throw wrong()
  }

  return {
    model: endpoint.model,
    many: (texts, signal) => ask(forMany, texts, signal),

    async one(text, signal) {
      const before = known.get(text)
      if (before) return before
      if (monotonicMs() < restUntil) return null
      try {
        const [vector] = await ask(forOne, [text], AbortSignal.any([signal, AbortSignal.timeout(questionMs)]))
        if (vector) known.set(text, vector)
        return vector ?? null
      } catch (error) {
        if (signal.aborted) return null
        restUntil = monotonicMs() + restMs
        onTrouble(error)
        return null
      }
    },

    async close() {
      await forMany.close()
      await forOne.close()
    },
  }
}

async function* read({ pieces }: UpstreamResponse, count: number): AsyncGenerator<Int8Array[]> {
  const bounds = embeddingsAnswer(count)
  const { data } = fieldsOutside(await textOf(pieces, bounds.bytes), bounds)
  if (!Array.isArray(data) || data.length !== count) throw wrong()
  const vectors: Int8Array[] = []
  for (const [i, entry] of (data as { index?: unknown; embedding?: unknown }[]).entries()) {
    const vector = vectorOf(entry?.embedding)
    if (!vector) throw wrong()
    vectors[typeof entry.index === 'number' ? entry.index : i] = vector
  }
  const [first] = vectors
  for (let i = 0; i < count; i++) if (vectors[i]?.length !== first?.length) throw wrong()
  yield vectors
}

function vectorOf(embedding: unknown): Int8Array | null {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS) return null
  return embedding.every((value) => typeof value === 'number') ? quantize(embedding) : null
}

const wrong = () => appError('service_protocol', { service: TITLE })

function refusal(status: number): AppError {
  const service = TITLE
  if (status === 401 || status === 403) return new UpstreamError('service_key_refused', { service })
  if (status === 404) return new UpstreamError('service_no_model', { service })
  if (status === 429) return new UpstreamError('service_rate_limited', { service }, { isPassing: true })
  return new UpstreamError('service_status', { service, status }, { isPassing: status >= 500 })
}
