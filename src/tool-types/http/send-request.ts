// Sends one tool request with retries: authorized on every attempt, repeated only where that is safe.
import { setTimeout as sleep } from 'node:timers/promises'
import { raceAbort, withTimeout } from '../../base/concurrency/abort.ts'
import { backoffMs } from '../../base/concurrency/backoff.ts'
import { HttpError } from '../../base/outside/http-error.ts'
import type { GuardedHttp, HttpRequest, HttpResponse } from '../../base/outside/http-port.ts'
import { monotonicMs, nowMs } from '../../base/time/clock.ts'
import type { Outcome, ToolRecord } from '../ports.ts'
import { secretMask } from '../results.ts'
import { authorized } from './authorization.ts'
import type { TokenSource } from './oauth.ts'
import { excerptOf } from './response.ts'

export type SendRules = {
  timeoutMs: number
  maxRetries: number
  baseDelayMs: number
  isExponential: boolean
  /** It may be sent again if its outcome is unknown. */
  isRepeatable: boolean
  hasEffect: boolean
}

export type Failure = Extract<Outcome, { ok: false }>
/** `mask` also hides secrets that are not in the tool's record, such as a token obtained for it. */
export type SendResult = { mask: (text: string) => string } & (
  | { answer: HttpResponse; failure?: undefined }
  | { answer?: undefined; failure: Failure }
)

const MAX_DELAY_MS = 30_000

/** The first response that is not worth a retry, or why there is none. */
export async function send(
  { http, tokens }: { http: GuardedHttp; tokens: TokenSource },
  tool: ToolRecord,
  request: HttpRequest,
  rules: SendRules,
  signal: AbortSignal,
): Promise<SendResult> {
  const endMs = monotonicMs() + rules.timeoutMs
  const secrets: string[] = []
  const mask = () => secretMask({ headers: tool.headers, authorization: { ...tool.authorization, type: '', secrets } })
  let wasEverSent = false
  const failed = (trouble: HttpError): SendResult => {
    // A server that responds has accepted the request: only the response is unusable.
    const isAnswered = trouble.kind === 'too-large'
    const isDoubtful = wasEverSent && rules.hasEffect && !isAnswered
    const words = isAnswered
      ? `The server has answered, but ${trouble.message}, more than is read${rules.hasEffect ? '. Do not send it again' : ''}`
      : trouble.message
    const error = mask()(isDoubtful ? `${words}; nobody knows whether it was done` : words)
    return { mask: mask(), failure: { ok: false, error, ...(isDoubtful ? { isDoubtful } : {}) } }
  }
  let isRenewed = false
  for (let tries = 0; ; tries++) {
    let got: HttpResponse | HttpError
    try {
      const proof = await tokenWithin(endMs - monotonicMs(), authorized(request, tool.authorization, tokens), signal)
      secrets.push(...proof.secrets)
      got = await http.request({ ...proof.request, timeoutMs: Math.max(1, endMs - monotonicMs()) }, signal)
      if (got.status === 401 && !isRenewed && (await proof.renew())) {
        isRenewed = true
        tries--
        continue
      }
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      got = error
      wasEverSent ||= error.wasSent
    }
    const delayMs = tries < rules.maxRetries && !signal.aborted ? delayBeforeNext(got, tries, rules) : null
    if (delayMs === null || monotonicMs() + delayMs >= endMs)
      return got instanceof HttpError ? failed(got) : { mask: mask(), answer: got }
    await sleep(delayMs, undefined, { signal }).catch(() => {})
  }
}

/** Other requests may wait for the same token: an aborted request stops waiting, but does not cancel it. */
function tokenWithin<T>(ms: number, promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const timedOut = () => new HttpError('timeout', 'the token server did not answer in time', false)
  return withTimeout(
    ms,
    raceAbort(signal, promise, () => {
      throw timedOut()
    }),
    timedOut,
  )
}

/** Null if a retry is unsafe or useless. */
function delayBeforeNext(got: HttpResponse | HttpError, tries: number, rules: SendRules): number | null {
  const usual = backoffMs(rules.isExponential ? tries + 1 : 1, { firstMs: rules.baseDelayMs, maxMs: MAX_DELAY_MS })
  if (got instanceof HttpError) {
    const mayPass = got.kind === 'unreachable' || got.kind === 'timeout'
    return mayPass && (rules.isRepeatable || !got.wasSent) ? usual : null
  }
  if (got.status === 429 || got.status === 503) {
    const asked = retryAfterMs(got.headers['retry-after'])
    // A server that asks for a later retry has not executed the request.
    if (asked !== null) return Math.max(asked, usual)
    return rules.isRepeatable ? usual : null
  }
  return rules.isRepeatable && [408, 500, 502, 504].includes(got.status) ? usual : null
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfterMs(header: string | undefined): number | null {
  if (header === undefined) return null
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

/** The failure for a status other than 2xx. 408, 502 and 504 leave it open whether the request was executed. */
export function statusFailure(
  answer: HttpResponse,
  mask: (text: string) => string,
  hasEffect: boolean,
): Failure | null {
  const { status } = answer
  if (status >= 200 && status < 300) return null
  const isDoubtful = hasEffect && [408, 502, 504].includes(status)
  const why = status < 400 ? 'redirects elsewhere, which is not followed' : excerptOf(answer)
  const error = mask(`The server answered with status ${status}${why === '' ? '' : `: ${why}`}`)
  return { ok: false, error, ...(isDoubtful ? { isDoubtful } : {}) }
}
