// One request to a remote gateway service: JSON both ways, with limits on time and size. Every failure has a kind,
// whether it is transient, and whether the service may have executed the request. The service's own messages are never
// passed on.
import { setTimeout as sleep } from 'node:timers/promises'
import { parsedOutside } from '../../../base/outside/json.ts'
import { limits } from '../../../base/outside/limits.ts'
import { requestOutside } from '../../../base/outside/request.ts'
import { keepAliveAgent } from '../../../base/outside/upstream-http.ts'
import { nowMs } from '../../../base/time/clock.ts'
import { DriverTrouble } from '../driver-port.ts'
import { readErrorCode } from './responses.ts'

export type FarAsk = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  token?: string
  /** Idempotency-Key: the service executes the request only once, however often it is sent. */
  key?: string
  body?: object
  /** Extra time, for a long poll. */
  extraMs?: number
}
export type FarReply = { status: number; json: unknown /** The service's clock (Date header). */; atMs: number }

export type RemoteHttp = ReturnType<typeof remoteHttp>
export type RemoteTimes = { connectMs: number; answerMs: number }

export class RemoteFault extends DriverTrouble {
  /** 0 if there was no response. */
  readonly status: number
  /** The service's error code, if it sent one. */
  readonly code: string | null
  readonly isTransient: boolean
  readonly mayBeTaken: boolean
  readonly retryAfterMs: number | null

  constructor(
    kind: DriverTrouble['kind'],
    message: string,
    more: {
      status?: number
      code?: string | null
      isTransient?: boolean
      mayBeTaken?: boolean
      retryAfterMs?: number | null
    },
    cause?: unknown,
  ) {
    super(kind, message, cause)
    this.status = more.status ?? 0
    this.code = more.code ?? null
    this.isTransient = more.isTransient ?? false
    this.mayBeTaken = more.mayBeTaken ?? false
    this.retryAfterMs = more.retryAfterMs ?? null
  }
}

const { bytes: MAX_BYTES } = limits.gatewayAnswer
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function remoteHttp(baseUrl: string, { connectMs, answerMs }: RemoteTimes) {
  const agent = keepAliveAgent(connectMs)

  async function ask(asked: FarAsk, signal: AbortSignal): Promise<FarReply> {
    const { method, path, token, key, body, extraMs = 0 } = asked
    // One limit for the whole request, so that a slowly dripping response also ends.
    const late = AbortSignal.timeout(answerMs + extraMs)
    let isAnswered = false
    try {
      const answer = await requestOutside(`${baseUrl}${path}`, {
        method,
        dispatcher: agent,
        signal: AbortSignal.any([signal, late]),
        maxBytes: MAX_BYTES,
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { status, headers, text: words } = answer
      isAnswered = true
      const isOk = status >= 200 && status < 300
      if (Buffer.byteLength(words) > MAX_BYTES) throw unreadable(status, 'is too large')
      const isJson = /^application\/json\b/i.test(one(headers['content-type']) ?? '')
      const json =
        words === '' ? undefined : isJson ? (parsedOutside(words, limits.gatewayAnswer) ?? NOT_JSON) : NOT_JSON
      if (!isOk) throw refusal(status, readErrorCode(json), one(headers['retry-after']))
      if (json === NOT_JSON) throw unreadable(status, 'is not JSON')
      const atMs = Date.parse(one(headers.date) ?? '')
      return { status, json, atMs: Number.isNaN(atMs) ? nowMs() : atMs }
    } catch (error) {
      if (error instanceof RemoteFault) throw error
      if (late.aborted || signal.aborted || isConnectTimeout(error))
        throw new RemoteFault(
          'timeout',
          'The gateway service did not answer in time',
          { isTransient: !signal.aborted, mayBeTaken: !isConnectTimeout(error) },
          error,
        )
      const isSent = isAnswered || !NEVER_SENT.has(codeOf(error))
      const message = isSent ? 'The connection to the gateway service broke' : 'The gateway service cannot be reached'
      throw new RemoteFault('unavailable', message, { isTransient: true, mayBeTaken: isSent }, error)
    }
  }

  return { ask, close: () => agent.destroy() }
}

const NOT_JSON = Symbol('not JSON')

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')
const isConnectTimeout = (error: unknown) =>
  codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT' || codeOf(error) === 'ETIMEDOUT'

/**
 * The request may have been executed, but the response is unreadable. A retry may help, for example after a proxy's
 * error page.
 */
export const unreadable = (status: number, how: string) =>
  new RemoteFault('protocol', `The gateway service gave an answer that ${how}`, {
    status,
    isTransient: true,
    mayBeTaken: true,
  })

function refusal(status: number, code: string | null, retryAfter: string | undefined): RemoteFault {
  const more = { status, code }
  if (status === 401) return new RemoteFault('unauthorized', 'The gateway service refuses the session', more)
  if (status === 403) return new RemoteFault('refused', 'The gateway service forbids it to this account', more)
  if (status === 404) return new RemoteFault('refused', 'The gateway service does not know the device', more)
  if (status === 409 && code === 'in_progress')
    return new RemoteFault('unavailable', 'The gateway service is still busy with the same request', {
      ...more,
      isTransient: true,
      mayBeTaken: true,
    })
  if (status === 409 && code === 'not_connected') return new RemoteFault('refused', 'The device is not connected', more)
  if (status === 429) {
    const retryAfterMs = waitOf(retryAfter)
    const wait = retryAfterMs === null ? '' : `: it asks us to wait ${Math.ceil(retryAfterMs / 1000)} s`
    const words = `The gateway service takes no more requests just now${wait}`
    return new RemoteFault('unavailable', words, { ...more, isTransient: true, retryAfterMs })
  }
  if (status >= 500)
    return new RemoteFault('unavailable', `The gateway service is out of order (${status})`, {
      ...more,
      isTransient: true,
      mayBeTaken: true,
      retryAfterMs: waitOf(retryAfter),
    })
  if (status >= 400) return new RemoteFault('refused', `The gateway service refuses the request (${status})`, more)
  return new RemoteFault('protocol', `The gateway service answers with a status that is not expected (${status})`, more)
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function waitOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null
  const ms = /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** Resolves early when the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})
