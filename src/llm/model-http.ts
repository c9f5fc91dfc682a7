// HTTP client for LLM servers. Errors contain no key and no conversation text.
import { nowMs } from '../base/clock.ts'
import type { AppError } from '../base/errors.ts'
import {
  asAppError,
  textOf,
  UpstreamError,
  type UpstreamResponse,
  type UpstreamTimeouts,
  upstreamHttp,
} from '../base/upstream-http.ts'

export type ModelTimeouts = UpstreamTimeouts
export type ModelAnswer = UpstreamResponse

export type ModelServer = {
  /** The server's name in messages. */
  title: string
  apiKey: string | null
  timeouts?: Partial<ModelTimeouts>
}

/** A failure of the model's server. */
export class ModelError extends UpstreamError {}

export const modelTimeouts: ModelTimeouts = { connectMs: 3_000, firstByteMs: 15_000, idleMs: 10_000 }

/** `baseUrl` with its version and without a trailing slash: https://api.openai.com/v1 */
export function modelHttp(server: ModelServer & { baseUrl: string }) {
  const http = upstreamHttp(
    { ...modelTimeouts, ...server.timeouts },
    {
      refused: async (status, headers, body) => refusal(server, status, headers['retry-after'], await codeOf(body)),
      late: () => late(server),
      broken: (error) => broken(server, error),
    },
  )
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

/** Only the code of an error is kept: its message may repeat the caller's words or our key. */
async function codeOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    return errorCode((JSON.parse(await textOf(body, 16_384)) as { error?: unknown }).error)
  } catch {
    return ''
  }
}

export function errorCode(error: unknown): string {
  const { code, type } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const told = [code, type].find((value) => typeof value === 'string' || typeof value === 'number')
  return /^[a-z0-9_.]{1,48}$/i.test(String(told ?? '')) ? String(told) : ''
}

export function refusal(server: ModelServer, status: number, retryAfter: unknown, code: string): ModelError {
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

export function broken(server: ModelServer, error: unknown): AppError {
  const code = (error as { code?: string } | null)?.code
  const cause = new Error(typeof code === 'string' ? code : 'the connection broke') // its own message may contain the address with a password in it
  return new ModelError('upstream', `The connection to ${server.title} broke`, { cause, isPassing: true })
}

/** Maps anything thrown to an error for the model's caller. */
export const modelTrouble = (server: ModelServer, error: unknown): AppError =>
  asAppError(error, { late: () => late(server), broken: (cause) => broken(server, cause) })
