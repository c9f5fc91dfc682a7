// Session timers (RFC 4028): what we request, what is negotiated, and the timer that refreshes or expires.
import type { HeaderList, Headers } from '../message/headers.ts'
import type { SipResponse } from '../message/message.ts'

export type SessionLimits = { seconds: number; minSeconds: number }
export type Refresher = 'uac' | 'uas'

/** RFC 4028 sections 4 and 5: half an hour is recommended, 90 seconds is the minimum. */
export const usualLimits: SessionLimits = { seconds: 1800, minSeconds: 90 }

/** Node's timers are limited to 24 days. */
const MAX_TIMER_SECONDS = 86_400

export const hasOption = (headers: Headers, name: string, option: string): boolean =>
  headers.all(name).some((value) => value.split(',').some((word) => word.trim().toLowerCase() === option))

const secondsIn = (value: string | undefined): number | undefined => {
  const digits = /^\s*(\d{1,9})\s*(?:;|$)/.exec(value ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export function readTimer(headers: Headers): { seconds: number; refresher: Refresher | undefined } | null {
  const value = headers.get('session-expires')
  const seconds = secondsIn(value)
  if (seconds === undefined || seconds === 0) return null
  const refresher = /;\s*refresher\s*=\s*(ua[cs])\b/i.exec(value ?? '')?.[1]?.toLowerCase()
  return { seconds, refresher: refresher === 'uac' || refresher === 'uas' ? refresher : undefined }
}

const minSeOf = (headers: Headers): number => secondsIn(headers.get('min-se')) ?? 0

/** Timer headers for our request. `refresher` keeps the roles in later requests. */
export function requestTimer(limits: SessionLimits, refresher?: Refresher): HeaderList {
  const value = refresher === undefined ? `${limits.seconds}` : `${limits.seconds};refresher=${refresher}`
  return [
    ['session-expires', value],
    ['min-se', `${limits.minSeconds}`],
  ]
}

/** After a 422: the limits to request next, or null if its Min-SE does not help (RFC 4028 section 7.3). */
export function limitsAfter422(response: SipResponse, asked: SessionLimits): SessionLimits | null {
  const least = minSeOf(response.headers)
  if (least <= asked.minSeconds && least <= asked.seconds) return null
  return { seconds: Math.max(least, asked.seconds), minSeconds: Math.max(least, asked.minSeconds) }
}

export type TimerAnswer =
  | { kind: 'off' }
  | { kind: 'too-small'; minSeconds: number }
  | { kind: 'on'; seconds: number; refresher: Refresher; headers: HeaderList }

/** The timer in our response, as UAS (RFC 4028 section 9 and table 2). */
export function answerTimer(request: Headers, limits: SessionLimits): TimerAnswer {
  const asked = readTimer(request)
  if (asked === null) return { kind: 'off' }
  const knows = hasOption(request, 'supported', 'timer') || hasOption(request, 'require', 'timer')
  // A caller without timer support cannot handle a 422: the interval, set by a proxy, is raised to our minimum.
  if (asked.seconds < limits.minSeconds && knows) return { kind: 'too-small', minSeconds: limits.minSeconds }
  const seconds = Math.max(asked.seconds, limits.minSeconds, minSeOf(request))
  const refresher = knows ? (asked.refresher ?? 'uac') : 'uas'
  const expires = ['session-expires', `${seconds};refresher=${refresher}`] as const
  const headers: HeaderList = refresher === 'uac' ? [expires, ['require', 'timer']] : [expires]
  return { kind: 'on', seconds, refresher, headers }
}

/** RFC 4028 section 10: the waiting side gives up this long before expiry, so that proxies still route its BYE. */
const graceOf = (seconds: number): number => Math.min(32, seconds / 3)

export class SessionTimer {
  #timer: NodeJS.Timeout | undefined
  #expiry: NodeJS.Timeout | undefined
  #seconds = 0
  #weRefresh = false
  readonly #refresh: () => void
  readonly #expire: () => void

  constructor(refresh: () => void, expire: () => void) {
    this.#refresh = refresh
    this.#expire = expire
  }

  /** The timer in effect; null if there is none. */
  get agreed(): { seconds: number; weRefresh: boolean } | null {
    return this.#seconds === 0 ? null : { seconds: this.#seconds, weRefresh: this.#weRefresh }
  }

  /** Starts, or restarts after a refresh from either side. */
  start(asked: number, weRefresh: boolean): void {
    const seconds = Math.min(asked, MAX_TIMER_SECONDS)
    this.stop()
    this.#seconds = seconds
    this.#weRefresh = weRefresh
    if (weRefresh) this.#timer = setTimeout(this.#refresh, seconds * 500)
    this.#expiry = setTimeout(this.#expire, (weRefresh ? seconds : seconds - graceOf(seconds)) * 1000)
  }

  /** The refresh failed: retries before the session expires. */
  retry(): void {
    clearTimeout(this.#timer)
    if (this.#seconds > 0) this.#timer = setTimeout(this.#refresh, this.#seconds * 125)
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#expiry)
    this.#seconds = 0
  }
}
