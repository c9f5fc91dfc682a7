// HTTP client for LLM servers. Errors contain no key and no conversation text.
import type { Dispatcher } from 'undici'
import type { ErrorCode } from '../base/errors/error-codes.ts'
import type { AppError } from '../base/errors/errors.ts'
import { textOf } from '../base/outside/body.ts'
import { fieldsOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import {
  asAppError,
  UpstreamError,
  type UpstreamHeaders,
  type UpstreamResponse,
  type UpstreamTimeouts,
  upstreamHttp,
} from '../base/outside/upstream-http.ts'
import { nowMs } from '../base/time/clock.ts'

export type ModelTimeouts = UpstreamTimeouts
export type ModelAnswer = UpstreamResponse

export type ModelServer = {
  /** The server's name in messages. */
  title: string
  apiKey: string | null
  timeouts?: Partial<ModelTimeouts>
  /** Shared connections, closed by their owner; absent: its own. */
  dispatcher?: Dispatcher
  /** Gets the body of an error response, which may repeat the conversation: only for requests without one. */
  onRefusal?: (status: number, body: string) => void
}

/** A failure of the model's server. */
export class ModelError<C extends ErrorCode = ErrorCode> extends UpstreamError<C> {}

export const modelTimeouts: ModelTimeouts = { connectMs: 3_000, firstByteMs: 15_000, idleMs: 10_000 }

type Refused = (status: number, headers: UpstreamHeaders, text: string) => AppError

/** HTTP with the model server's errors; `refused` maps an error response with its body. */
export const modelUpstream = (server: ModelServer, refused: Refused) =>
  upstreamHttp(
    { ...modelTimeouts, ...server.timeouts },
    {
      refused: async (status, headers, body) =>
        refused(status, headers, await textOf(body, limits.errorBody.bytes).catch(() => '')),
      late: () => late(server),
      broken: (error) => broken(server, error),
    },
    server.dispatcher,
  )

/** `baseUrl` with its version and without a trailing slash: https://api.openai.com/v1 */
export function modelHttp(server: ModelServer & { baseUrl: string }) {
  const http = modelUpstream(server, (status, headers, text) => {
    server.onRefusal?.(status, text)
    return refusal(server, status, headers['retry-after'], codeOf(text))
  })
  return {
    post: <T>(path: string, body: unknown, read: (answer: ModelAnswer) => AsyncIterable<T>, signal: AbortSignal) =>
      http.send(
        {
          url: server.baseUrl + path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            ...(server.apiKey ? { authorization: `Bearer ${server.apiKey}` } : {}),
          },
          body: JSON.stringify(body),
        },
        read,
        signal,
      ),
    close: () => http.close(),
  }
}

/** Keeps only an error's code: its message may repeat the caller's words or our key. */
const codeOf = (text: string): string => errorCode(fieldsOutside(text, limits.errorBody).error)

export function errorCode(error: unknown): string {
  const { code, type } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const told = [code, type].find((value) => typeof value === 'string' || typeof value === 'number')
  return /^[a-z0-9_.]{1,48}$/i.test(String(told ?? '')) ? String(told) : ''
}

export function refusal(server: ModelServer, status: number, retryAfter: unknown, code: string): ModelError {
  const { title, apiKey } = server
  const told = apiKey ? code.replaceAll(apiKey, '[key]') : code
  const cause = new Error(`${status} ${told}`.trim())
  const service = title
  if (status === 401 || status === 403) return new ModelError('service_key_refused', { service }, { cause })
  if (status === 404) return new ModelError('service_no_model', { service }, { cause })
  const later = { cause, retryAfterMs: retryAfterMs(retryAfter) }
  if (status === 429) return new ModelError('service_rate_limited', { service }, later)
  if (status >= 500) return new ModelError('service_status', { service, status }, { ...later, isPassing: true })
  return new ModelError('service_refused_status', { service, status }, { cause })
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfterMs(header: unknown): number | null {
  if (typeof header !== 'string') return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs()
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, 3_600_000) : null
}

export const late = ({ title }: ModelServer) => new ModelError('service_timeout', { service: title })

function broken(server: ModelServer, error: unknown): AppError {
  const code = (error as { code?: string } | null)?.code
  const cause = new Error(typeof code === 'string' ? code : 'the connection broke') // its own message may contain the address with a password in it
  return new ModelError('service_connection_broke', { service: server.title }, { cause, isPassing: true })
}

/** Maps anything thrown to an error for the model's caller. */
export const modelTrouble = (server: ModelServer, error: unknown): AppError =>
  asAppError(error, { late: () => late(server), broken: (cause) => broken(server, cause) })
