// HTTP client for one upstream server: keep-alive connections, exact timeouts, streamed responses. The caller supplies
// the errors; the server's text never gets into an error message.
import type { Readable } from 'node:stream'
import type { Agent, Dispatcher, FormData } from 'undici'
import { type ErrorCode, errorCodes, errorText, type ParamsOf } from '../errors/error-codes.ts'
import { AppError } from '../errors/errors.ts'
import { loadUndici } from '../process/lazy-packages.ts'

export type UpstreamTimeouts = {
  connectMs: number
  /** From the request to the first byte of the response. */
  firstByteMs: number
  /** Between two chunks of the response. */
  idleMs: number
}

/** A failure of the upstream server. */
export class UpstreamError<C extends ErrorCode = ErrorCode> extends AppError {
  /** True if the same request may succeed shortly after. */
  readonly isTransient: boolean
  /** How long the server asks us to wait. */
  readonly retryAfterMs: number | null

  constructor(
    code: C,
    params: ParamsOf<C>,
    more: { cause?: unknown; isPassing?: boolean; retryAfterMs?: number | null } = {},
  ) {
    const seconds = more.retryAfterMs == null ? null : Math.max(1, Math.ceil(more.retryAfterMs / 1000))
    super(errorCodes[code][0], errorText(code, params), {
      code,
      params,
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
  body?: string | FormData | Uint8Array
}
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>
export type UpstreamResponse = { type: string; pieces: AsyncIterable<Uint8Array> }

/** The error for each kind of failure. */
export type UpstreamErrors = {
  /** A status other than 200; only the first kilobytes of its body matter. */
  refused(status: number, headers: UpstreamHeaders, body: AsyncIterable<Uint8Array>): Promise<AppError>
  late(): AppError
  /** The connection could not be opened, or it broke. */
  broken(error: unknown): AppError
}

const KEEP_ALIVE_MS = 60_000
const END_MS = 500 // from the last chunk the reader needs to the end of the response

export const keepAliveAgent = (connectMs: number): Agent =>
  new (loadUndici().Agent)({
    connect: { timeout: connectMs },
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // undici's timer ticks every half second; ours below is exact
    bodyTimeout: 0,
    allowH2: false, // an abort must end the connection, not only one stream
  })

/** `shared`: connections owned and closed by the caller; without it, the client has its own. */
export function upstreamHttp(
  { connectMs, firstByteMs, idleMs }: UpstreamTimeouts,
  trouble: UpstreamErrors,
  shared?: Dispatcher,
) {
  const agent = shared ?? keepAliveAgent(connectMs)
  return {
    /**
     * Passes the response to `read` while it arrives. The socket closes at once if the signal aborts or the consumer
     * stops early.
     */
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
        // Not destroyed when the reader has all it needs: the end of the response is still to come, and the connection
        // is worth keeping.
        for await (const piece of body.iterator({ destroyOnReturn: false })) {
          clearTimeout(timer) // the reader's own time does not count
          if (piece.length > 0) yield piece
          expectWithin(idleMs)
        }
        isWhole = true
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      try {
        expectWithin(firstByteMs)
        const answer = await loadUndici().request(url, { ...asked, dispatcher: agent, signal: stop.signal })
        if (answer.statusCode !== 200) throw await trouble.refused(answer.statusCode, answer.headers, answer.body)
        answer.body.on('error', () => {}) // the iterator reports it; later errors do not matter
        yield* read({ type: String(answer.headers['content-type'] ?? ''), pieces: timed(answer.body) })
        if (!isWhole) letEnd(answer.body, stop)
        isWhole = true
      } catch (error) {
        throw isLate ? trouble.late() : asAppError(error, trouble)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        if (!isWhole) stop.abort() // after a complete response, this would close a reusable connection
      }
    },

    close: async () => {
      if (!shared) await agent.destroy()
    },
  }
}

/** The reader is done: the rest is drained in the background, so that the connection can be reused. */
function letEnd(body: Readable, stop: AbortController): void {
  const timer = setTimeout(() => stop.abort(), END_MS).unref()
  body.once('close', () => clearTimeout(timer))
  body.resume()
}

/** Returns an AppError unchanged, and maps any other error to one. */
export function asAppError(error: unknown, trouble: Pick<UpstreamErrors, 'late' | 'broken'>): AppError {
  if (error instanceof AppError) return error
  const code = (error as { code?: string } | null)?.code
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return trouble.late()
  return trouble.broken(error)
}
