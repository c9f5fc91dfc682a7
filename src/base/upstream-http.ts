// One far server over HTTP: a warm connection, exact timeouts of our own, an answer that is read while it arrives.
// How its failures are called is the affair of whoever asks; nothing here makes a sentence out of what a server said.
import type { Readable } from 'node:stream'
import { Agent, type FormData, request } from 'undici'
import { AppError, type ErrorKind } from './errors.ts'

export type UpstreamTimeouts = {
  connectMs: number
  /** From the request to the first byte of its answer. */
  firstByteMs: number
  /** Between two pieces of an answer. */
  idleMs: number
}

/** A failure on the other side. */
export class UpstreamError extends AppError {
  /** True where the same request may go well a moment later. */
  readonly isTransient: boolean
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
    this.isTransient = more.isPassing ?? false
    this.retryAfterMs = more.retryAfterMs ?? null
  }
}

export type UpstreamRequest = {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | FormData
}
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>
export type UpstreamResponse = { type: string; pieces: AsyncIterable<Uint8Array> }

/** What each failure is called. */
export type UpstreamErrors = {
  /** An answer other than 200; its body is worth some kilobytes. */
  refused(status: number, headers: UpstreamHeaders, body: AsyncIterable<Uint8Array>): Promise<AppError>
  late(): AppError
  /** The connection could not be had, or broke. */
  broken(error: unknown): AppError
}

const KEEP_ALIVE_MS = 60_000
const END_MS = 500 // from the last that the reader wanted to the end of the answer

export const keepAliveAgent = (connectMs: number): Agent =>
  new Agent({
    connect: { timeout: connectMs },
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // undici's own clock ticks every half second: ours below is exact
    bodyTimeout: 0,
    allowH2: false, // an abort must end the connection, not only a stream of it
  })

export function upstreamHttp({ connectMs, firstByteMs, idleMs }: UpstreamTimeouts, trouble: UpstreamErrors) {
  const agent = keepAliveAgent(connectMs)
  return {
    /** Hands the answer to `read` while it arrives; the socket is closed at once when the signal fires or the reader leaves early. */
    async *send<T>(
      { url, ...asked }: UpstreamRequest,
      read: (answer: UpstreamResponse) => AsyncIterable<T>,
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
        // Left open when the reader has all it wants: the end of the answer is still to come, on a connection worth keeping.
        for await (const piece of body.iterator({ destroyOnReturn: false })) {
          clearTimeout(timer) // what the reader does with it is not the server's time
          if (piece.length > 0) yield piece
          expectWithin(idleMs)
        }
        isWhole = true
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        expectWithin(firstByteMs)
        const answer = await request(url, { ...asked, dispatcher: agent, signal: stop.signal })
        if (answer.statusCode !== 200) throw await trouble.refused(answer.statusCode, answer.headers, answer.body)
        answer.body.on('error', () => {}) // told by the iterator; later it concerns nobody
        yield* read({ type: String(answer.headers['content-type'] ?? ''), pieces: timed(answer.body) })
        if (!isWhole) letEnd(answer.body, stop)
        isWhole = true
      } catch (error) {
        throw isLate ? trouble.late() : asAppError(error, trouble)
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

/** An error of ours stays what it is; any other becomes one. */
export function asAppError(error: unknown, trouble: Pick<UpstreamErrors, 'late' | 'broken'>): AppError {
  if (error instanceof AppError) return error
  const code = (error as { code?: string } | null)?.code
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return trouble.late()
  return trouble.broken(error)
}

/** The text of an answer as far as the limit. */
export async function textOf(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    kept.push(piece)
    size += piece.length
    if (size > limit) break
  }
  return Buffer.concat(kept).toString('utf8')
}
