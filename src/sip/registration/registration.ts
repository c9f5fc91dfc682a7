// Registers with a carrier: refreshes in time, backs off on failure, unregisters at the end.
import { waitAtMost } from '../../base/concurrency/abort.ts'
import { backoffMs, jittered } from '../../base/concurrency/backoff.ts'
import { coalesced } from '../../base/concurrency/coalesced.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { Credentials, OutOfDialogRequest, RequestOutcome, UserAgent } from '../dialog/call.ts'
import { cseqOf } from '../dialog/dialog.ts'
import { newCallId } from '../message/build.ts'
import type { SipResponse } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import { listOf, parseNameAddr } from '../message/values.ts'
import type { Refusal } from '../transport/resolver.ts'

export type RegistrationState = {
  status: 'registering' | 'registered' | 'auth_failed' | 'unreachable' | 'refused'
  detail: string
  sipCode?: number
  /** Until when the carrier sends us calls, in ms since 1970; also reported when a refresh failed before that. */
  expiresAt?: number
  /** Address of the registrar, if it accepted our password. */
  address?: string
}

export type RegistrationOptions = {
  ua: Pick<UserAgent, 'request'>
  /** name-addr or uri of From and To. */
  aor: string
  registrarUri: string
  route?: string
  credentials?: Credentials
  contactUser: string
  expiresSeconds: number
  headers?: Readonly<Record<string, string>>
  /** Why a target must not be contacted. */
  refusal?: Refusal
  onState(state: RegistrationState): void
  now?: () => number
  random?: () => number
  /** Schedules the task; returns the cancel function. */
  later?: (ms: number, task: () => void) => () => void
  requestTimeoutMs?: number
  stopTimeoutMs?: number
}

/**
 * `stop` ends the refreshes at once, and unregisters once `unregisterAfter` has resolved.
 * `forget` stops without unregistering: another process continues with the same Contact.
 */
export type Registration = { refresh(): void; stop(unregisterAfter?: Promise<void>): Promise<void>; forget(): void }

/** A wrong password is retried rarely: carriers block repeated failures. */
const pauses = {
  unreachable: { firstMs: 5_000, maxMs: 300_000 },
  refused: { firstMs: 30_000, maxMs: 1_800_000 },
  auth_failed: { firstMs: 300_000, maxMs: 3_600_000 },
} as const

type Answered = Extract<RequestOutcome, { response: SipResponse }> & { hasShownPassword: boolean }

const MAX_EXPIRES = 86_400
const MAX_RETRY_AFTER_MS = 3_600_000
const MIN_REFRESH_MS = 1_000

const timer = (ms: number, task: () => void) => {
  const handle = setTimeout(task, ms).unref()
  return () => clearTimeout(handle)
}

/** Sends REGISTERs with one Call-ID and rising CSeq numbers. The outcome tells whether we answered a challenge. */
function registerSender(options: RegistrationOptions) {
  const callId = newCallId()
  let cseq = Math.floor((options.random ?? Math.random)() * 10_000) + 1

  return async (
    { expires, timeoutMs }: { expires: number; timeoutMs: number },
    signal: AbortSignal,
  ): Promise<RequestOutcome & { hasShownPassword: boolean }> => {
    const first = cseq
    // Each answer to a challenge takes the next number, and the unregister may overtake a request in flight.
    cseq += 4
    const request: OutOfDialogRequest = {
      method: 'REGISTER',
      uri: options.registrarUri,
      from: options.aor,
      to: options.aor,
      headers: { ...options.headers, expires: String(expires) },
      callId,
      cseq: first,
      contactUser: options.contactUser,
      timeoutMs,
      ...(options.route !== undefined && { route: options.route }),
      ...(options.credentials && { credentials: options.credentials }),
      ...(options.refusal && { refusal: options.refusal }),
    }
    const outcome = await options.ua.request(request, signal)
    const last = 'response' in outcome ? cseqOf(outcome.response) : 0
    cseq = Math.max(cseq, last + 1)
    return { ...outcome, hasShownPassword: options.credentials !== undefined && last > first }
  }
}

export function startRegistration(options: RegistrationOptions): Registration {
  const { now = nowMs, random = Math.random, later = timer } = options
  const register = registerSender(options)
  const ended = new AbortController()
  let wanted = Math.max(1, Math.floor(options.expiresSeconds))
  let expiresAt: number | undefined
  let failures = 0
  let lastFailure = ''
  /** Where the password was accepted: a refresh may be accepted without it. */
  let acceptedAt: string | undefined
  let forget = () => {}
  let isUnderWay = false

  const tell = (state: RegistrationState) => {
    if (!ended.signal.aborted) options.onState(state)
  }

  async function attempt(): Promise<void> {
    tell({ status: 'registering', detail: 'asking the registrar', ...alive() })
    const timeoutMs = options.requestTimeoutMs ?? 32_000
    let outcome = await register({ expires: wanted, timeoutMs }, ended.signal)
    const brief = 'response' in outcome && outcome.response.status === 423 ? minExpires(outcome.response) : null
    if (brief !== null && brief > wanted && !ended.signal.aborted) {
      // RFC 3261 section 10.2.8: ask again with the registrar's minimum.
      wanted = brief
      outcome = await register({ expires: wanted, timeoutMs }, ended.signal)
    }
    if (ended.signal.aborted) return
    if ('failure' in outcome) fail('unreachable', outcome.detail)
    else if (outcome.response.status >= 200 && outcome.response.status < 300) succeed(outcome)
    else refuse(outcome)
  }

  function succeed({ response, flow, hasShownPassword }: Answered): void {
    failures = 0
    lastFailure = ''
    const { address } = flow.remote
    if (hasShownPassword) acceptedAt = address
    const granted = grantedSeconds(response, options.contactUser, wanted)
    expiresAt = now() + granted * 1000
    const registered = {
      status: 'registered',
      detail: `for ${granted} s`,
      sipCode: response.status,
      expiresAt,
    } as const
    tell({ ...registered, ...(acceptedAt === address && { address }) })
    // Randomized, so that many trunks do not refresh at once; early enough for one failed attempt.
    again(Math.max(MIN_REFRESH_MS, granted * 1000 * (0.6 + 0.2 * random())))
  }

  function refuse({ response, hasShownPassword }: Answered): void {
    const { status, reason } = response
    // Many registrars answer a wrong password with 403; if we sent none, the 403 means something else.
    const isAboutPassword = status === 401 || status === 407 || (status === 403 && hasShownPassword)
    const why = isAboutPassword ? 'auth_failed' : 'refused'
    fail(why, `${status} ${reason}`.trim(), status, retryAfterMs(response))
  }

  function fail(why: keyof typeof pauses, detail: string, sipCode?: number, notBeforeMs = 0): void {
    failures = why === lastFailure ? failures + 1 : 1
    lastFailure = why
    tell({ status: why, detail, ...(sipCode !== undefined && { sipCode }), ...alive() })
    again(Math.max(notBeforeMs, jittered(backoffMs(failures, pauses[why]), random)))
  }

  const alive = () => (expiresAt !== undefined && expiresAt > now() ? { expiresAt } : {})

  function again(ms: number): void {
    forget()
    if (!ended.signal.aborted) forget = later(ms, refresh)
  }

  const attempts = coalesced(async () => {
    forget()
    if (ended.signal.aborted) return
    isUnderWay = true
    await attempt().catch((error) => fail('unreachable', error instanceof Error ? error.message : 'no answer'))
    isUnderWay = false
  })
  const refresh = () => void attempts.run()

  refresh()
  return {
    refresh,
    forget() {
      ended.abort()
      forget()
    },
    async stop(unregisterAfter) {
      if (ended.signal.aborted) return
      const isKnownThere = expiresAt !== undefined || isUnderWay
      ended.abort()
      forget()
      if (!isKnownThere) return
      await unregisterAfter
      const limitMs = options.stopTimeoutMs ?? 2_000
      const late = new AbortController()
      const sent = register({ expires: 0, timeoutMs: limitMs }, late.signal).catch(() => {})
      await waitAtMost(limitMs, sent)
      late.abort()
    },
  }
}

/** RFC 3261 section 10.2.4: the expiry of our contact, otherwise of the header, otherwise the requested one. */
function grantedSeconds(response: SipResponse, contactUser: string, wanted: number): number {
  const ours = listOf(response.headers, 'contact').flatMap((value) => {
    const contact = parseNameAddr(value)
    const seconds = digits(contact?.params.get('expires'))
    return contact && seconds && parseUri(contact.uri)?.user === contactUser ? [seconds] : []
  })
  // Several: some are left over from other ports of ours, with less time left.
  const granted =
    ours.length > 1 ? Math.min(Math.max(...ours), wanted) : (ours[0] ?? digits(response.headers.get('expires')))
  return Math.min(granted || wanted, MAX_EXPIRES)
}

const minExpires = (response: SipResponse): number | null => {
  const seconds = digits(response.headers.get('min-expires'))
  return seconds === null ? null : Math.min(seconds, MAX_EXPIRES)
}

const retryAfterMs = (response: SipResponse): number => {
  const [, seconds] = /^\s*(\d{1,9})/.exec(response.headers.get('retry-after') ?? '') ?? []
  return Math.min(Number(seconds ?? 0) * 1000, MAX_RETRY_AFTER_MS)
}

const digits = (text: string | null | undefined): number | null =>
  text !== undefined && text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null
