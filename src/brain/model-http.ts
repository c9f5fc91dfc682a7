// One language model's server over HTTP: a warm connection, timeouts of our own, errors that hold no key and nothing that was said.
import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { nowMs } from '../base/clock.ts'
import { AppError, type ErrorKind } from '../base/errors.ts'

export type ModelTimeouts = {
  connectMs: number
  /** From the request to the first byte of its answer. */
  firstByteMs: number
  /** Between two pieces of an answer. */
  idleMs: number
}

export type ModelServer = {
  /** As it stands in messages. */
  title: string
  /** With its version and without a slash at its end: https://api.openai.com/v1 */
  baseUrl: string
  apiKey: string | null
  timeouts?: Partial<ModelTimeouts>
}

/** A failure on the model's side. */
export class ModelError extends AppError {
  /** True where the same request may go well a moment later. */
  readonly isPassing: boolean
  /** How long the server asks us to wait. */
  readonly retryAfterMs: number | null

  constructor(
    kind: ErrorKind,
    message: string,
    more: { cause?: unknown; isPassing?: boolean; retryAfterMs?: number | null } = {},
  ) {
    const seconds = more.retryAfterMs == null ? null : Math.max(1, Math.ceil(more.retryAfterMs / 1000))
    super(kind, message, {
      cause: more.cause,
      ...(seconds === null ? {} : { headers: { 'retry-after': `${seconds}` } }),
    })
    this.isPassing = more.isPassing ?? false
    this.retryAfterMs = more.retryAfterMs ?? null
  }
}

const defaults: ModelTimeouts = { connectMs: 3_000, firstByteMs: 15_000, idleMs: 10_000 }
const KEEP_ALIVE_MS = 60_000
const END_MS = 500 // from a model's last word to the end of its answer

export type ModelAnswer = { type: string; pieces: AsyncIterable<Uint8Array> }

export function modelHttp(server: ModelServer) {
  const { connectMs, firstByteMs, idleMs } = { ...defaults, ...server.timeouts }
  const agent = new Agent({
    connect: { timeout: connectMs },
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // undici's own clock ticks every half second: ours below is exact
    bodyTimeout: 0,
    allowH2: false, // an abort must end the connection, not only a stream of it
  })

  return {
    /** Hands the answer to `read` while it arrives; the socket is closed at once when the signal fires or the reader leaves early. */
    async *post<T>(
      path: string,
      body: unknown,
      read: (answer: ModelAnswer) => AsyncIterable<T>,
      signal: AbortSignal,
    ): AsyncGenerator<T> {
      const stop = new AbortController()
      const leave = () => stop.abort()
      let isLate = false
      let isWhole = false
      let timer: NodeJS.Timeout | undefined
      const expectWithin = (ms: number) => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          isLate = true
          stop.abort()
        }, ms)
      }
      async function* timed(body: Readable): AsyncGenerator<Uint8Array> {
        // Left open when the reader has seen the last event: the end of the answer is still to come, on a connection worth keeping.
        for await (const piece of body.iterator({ destroyOnReturn: false })) {
          clearTimeout(timer) // what the reader does with it is not the server's time
          yield piece
          expectWithin(idleMs)
        }
        isWhole = true
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        expectWithin(firstByteMs)
        const answer = await request(server.baseUrl + path, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            ...(server.apiKey ? { authorization: `Bearer ${server.apiKey}` } : {}),
          },
          body: JSON.stringify(body),
          signal: stop.signal,
        })
        if (answer.statusCode !== 200)
          throw refusal(server, answer.statusCode, answer.headers['retry-after'], await codeOf(answer.body))
        answer.body.on('error', () => {}) // told by the iterator; later it concerns nobody
        yield* read({ type: String(answer.headers['content-type'] ?? ''), pieces: timed(answer.body) })
        if (!isWhole) letEnd(answer.body, stop)
        isWhole = true
      } catch (error) {
        throw isLate ? late(server) : broken(server, error)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        if (!isWhole) stop.abort() // after a whole answer it would end a connection that is still warm
      }
    },

    close: () => agent.destroy(),
  }
}

/** All was heard: what follows is read away without anybody waiting for it, so that the connection can be used again. */
function letEnd(body: Readable, stop: AbortController): void {
  const timer = setTimeout(() => stop.abort(), END_MS).unref()
  body.once('close', () => clearTimeout(timer))
  body.resume()
}

/** Only the code of an error is kept: its message may repeat what the caller said, or our key. */
async function codeOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of body) {
      kept.push(piece)
      size += piece.length
      if (size > 16_384) break
    }
    const { error } = JSON.parse(Buffer.concat(kept).toString('utf8')) as { error?: unknown }
    return errorCode(error)
  } catch {
    return ''
  }
}

export function errorCode(error: unknown): string {
  const { code, type } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const told = [code, type].find((value) => typeof value === 'string' || typeof value === 'number')
  return /^[a-z0-9_.]{1,48}$/i.test(String(told ?? '')) ? String(told) : ''
}

function refusal(server: ModelServer, status: number, retryAfter: unknown, code: string): ModelError {
  const { title, apiKey } = server
  const told = apiKey ? code.replaceAll(apiKey, '[key]') : code
  const cause = new Error(`${status} ${told}`.trim())
  const fail = (message: string, more: { isPassing?: boolean; retryAfterMs?: number | null } = {}) =>
    new ModelError('upstream', `${title} ${message}`, { cause, ...more })
  if (status === 401 || status === 403) return fail('did not accept our key')
  if (status === 404) return fail('has no such model or path')
  if (status === 429) return fail('limits our requests', { retryAfterMs: retryAfterMs(retryAfter) })
  if (status >= 500)
    return fail(`answered with status ${status}`, { isPassing: true, retryAfterMs: retryAfterMs(retryAfter) })
  return fail(`refused our request with status ${status}`)
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfterMs(header: unknown): number | null {
  if (typeof header !== 'string') return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs()
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, 3_600_000) : null
}

export const late = ({ title }: ModelServer) => new ModelError('upstream_timeout', `${title} did not answer in time`)

function broken(server: ModelServer, error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = (error as { code?: string } | null)?.code
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return late(server)
  const cause = new Error(typeof code === 'string' ? code : 'the connection broke') // its own message may hold the address with a password in it
  return new ModelError('upstream', `The connection to ${server.title} broke`, { cause, isPassing: true })
}
