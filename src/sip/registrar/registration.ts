// Registers with a carrier: refreshes in time, backs off on failure, unregisters at the end.
import { backoffMs, jittered } from '../../base/concurrency/backoff.ts'
import { coalesced } from '../../base/concurrency/coalesced.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { Credentials, OutOfDialogRequest, RequestOutcome, UserAgent } from '../dialog/call.ts'
import { newCallId } from '../message/build.ts'
import type { Flow, SipResponse } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import { listOf, parseCSeq, parseNameAddr } from '../message/values.ts'
import type { Refusal } from '../transport/resolver.ts'

export type RegistrationState = {
  status: 'registering' | 'registered' | 'auth_failed' | 'unreachable' | 'refused'
  detail: string
  sipCode?: number
  /** Until when the carrier will send calls, in ms since 1970; also told when a refresh failed before that. */
  expiresAt?: number
  /** Where the registrar has accepted our password. */
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
  /** Why a place must not be contacted. */
  refusal?: Refusal
  onState(state: RegistrationState): void
  now?: () => number
  random?: () => number
  /** Runs the task later; returns how to forget it. */
  later?: (ms: number, task: () => void) => () => void
  requestTimeoutMs?: number
  stopTimeoutMs?: number
}

/**
 * `stop` ends the refreshes at once, and unregisters when `unregisterAfter` has resolved.
 * `forget` stops without unregistering: another process continues with the same Contact.
 */
export type Registration = { refresh(): void; stop(unregisterAfter?: Promise<void>): Promise<void>; forget(): void }

/** First pause and longest pause, in ms. Wrong passwords retry rarely: carriers block repeated failures. */
const pauses = {
  unreachable: { firstMs: 5_000, maxMs: 300_000 },
  refused: { firstMs: 30_000, maxMs: 1_800_000 },
  auth_failed: { firstMs: 300_000, maxMs: 3_600_000 },
} as const

const MAX_EXPIRES = 86_400
const MAX_RETRY_AFTER_MS = 3_600_000
const MIN_REFRESH_MS = 1_000

const timer = (ms: number, task: () => void) => {
  const handle = setTimeout(task, ms).unref()
  return () => clearTimeout(handle)
}

export function startRegistration(options: RegistrationOptions): Registration {
  const { ua, now = nowMs, random = Math.random, later = timer } = options
  const callId = newCallId()
  const ended = new AbortController()
  let cseq = Math.floor(random() * 10_000) + 1
  let wanted = Math.max(1, Math.floor(options.expiresSeconds))
  let expiresAt: number | undefined
  let failures = 0
  let lastFailure = ''
  let hasShownPassword = false
  /** Where the password was accepted: a refresh need not show it again. */
  let acceptedAt: string | undefined
  let forget = () => {}
  let isUnderWay = false

  const tell = (state: RegistrationState) => {
    if (!ended.signal.aborted) options.onState(state)
  }

  async function send(expires: number, signal: AbortSignal, timeoutMs: number): Promise<RequestOutcome> {
    const mine = cseq
    // The answer to a challenge takes the next number, and the unregister may overtake a request in flight.
    cseq += 4
    const request: OutOfDialogRequest = {
      method: 'REGISTER',
      uri: options.registrarUri,
      from: options.aor,
      to: options.aor,
      headers: { ...options.headers, expires: String(expires) },
      callId,
      cseq: mine,
      contactUser: options.contactUser,
      timeoutMs,
      ...(options.route !== undefined && { route: options.route }),
      ...(options.credentials && { credentials: options.credentials }),
      ...(options.refusal && { refusal: options.refusal }),
    }
    const outcome = await ua.request(request, signal)
    const used = 'response' in outcome ? parseCSeq(outcome.response.headers.get('cseq') ?? '')?.number : undefined
    // Each answer to a challenge takes a number of its own.
    hasShownPassword = options.credentials !== undefined && (used ?? mine) > mine
    cseq = Math.max(cseq, (used ?? 0) + 1)
    return outcome
  }

  async function attempt(): Promise<void> {
    tell({ status: 'registering', detail: 'asking the registrar', ...alive() })
    const timeoutMs = options.requestTimeoutMs ?? 32_000
    let outcome = await send(wanted, ended.signal, timeoutMs)
    const brief = 'response' in outcome && outcome.response.status === 423 ? minExpires(outcome.response) : null
    if (brief !== null && brief > wanted && !ended.signal.aborted) {
      // RFC 3261 section 10.2.8: ask again for as long as the registrar wants.
      wanted = brief
      outcome = await send(wanted, ended.signal, timeoutMs)
    }
    if (ended.signal.aborted) return
    if ('failure' in outcome) fail('unreachable', outcome.detail)
    else if (outcome.response.status >= 200 && outcome.response.status < 300) succeed(outcome)
    else refuse(outcome.response)
  }

  function succeed({ response, flow }: { response: SipResponse; flow: Flow }): void {
    failures = 0
    lastFailure = ''
    const { address } = flow.remote
    if (hasShownPassword) acceptedAt = address
    const isAccepted = acceptedAt === address
    const granted = grantedSeconds(response, options.contactUser, wanted)
    expiresAt = now() + granted * 1000
    const registered = {
      status: 'registered',
      detail: `for ${granted} s`,
      sipCode: response.status,
      expiresAt,
    } as const
    tell({ ...registered, ...(isAccepted && { address }) })
    // Spread, so that many trunks do not come together; early enough for one lost round.
    again(Math.max(MIN_REFRESH_MS, granted * 1000 * (0.6 + 0.2 * random())))
  }

  function refuse(response: SipResponse): void {
    const { status, reason } = response
    // Many say 403 where the password is wrong; without having seen one, it is about something else.
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
      const boundMs = options.stopTimeoutMs ?? 2_000
      const tooLong = new AbortController()
      await new Promise<void>((resolve) => {
        const bound = setTimeout(resolve, boundMs)
        send(0, tooLong.signal, boundMs)
          .catch(() => {})
          .finally(() => {
            clearTimeout(bound)
            resolve()
          })
      })
      tooLong.abort()
    },
  }
}

/** RFC 3261 section 10.2.4: our contact's own time, else the header's, else what was asked. */
function grantedSeconds(response: SipResponse, contactUser: string, wanted: number): number {
  const ours = listOf(response.headers, 'contact').flatMap((value) => {
    const contact = parseNameAddr(value)
    const seconds = digits(contact?.params.get('expires'))
    return contact && seconds && parseUri(contact.uri)?.user === contactUser ? [seconds] : []
  })
  // Several: what we left behind under other ports is among them, and has less time left or another's.
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
