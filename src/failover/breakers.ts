// Circuit breakers, one for each account and kind, shared by all calls: a call does not wait for a provider that failed another call.
// The provider of an open breaker is retried in the background.

import { EMBEDDED_ID } from '../base/domain/provider-kinds.ts'
import { appError } from '../base/errors/errors.ts'
import { LruCache } from '../base/lru-cache.ts'
import { nowMs, toIso } from '../base/time/clock.ts'
import type { Clock } from '../voice/ports.ts'
import { chainClock } from './chain-clock.ts'
import { reasonOf } from './failure-reason.ts'
import type { Breaker, BreakerKind, Breakers, FailureReason, ProviderHealth, Trial } from './ports.ts'

export type BreakerClock = Clock & {
  /** Wall time, for `since`. */
  wallMs(): number
}

export type ProviderMetrics = {
  kind: BreakerKind
  id: string
  /** Attempts that have ended, trials included. */
  requests: number
  failures: ReadonlyMap<FailureReason, number>
  isOpen: boolean
  firstMs: number | null
}

export type BreakerRegistry = Breakers & {
  metrics(): ProviderMetrics[]
  /** Stops the trials in the background. */
  close(): void
}

/** Consecutive failures that open a breaker; a refused key opens it at once. */
const FAILURES_TO_OPEN = 2
const FIRST_TRIAL_MS = 5_000
const MAX_TRIAL_MS = 60_000
const TRIAL_TIMEOUT_MS = 10_000
/** A trial by a caller that never reports its outcome blocks the next one for this long. */
const LOST_TRIAL_MS = 60_000
/** Trials stop when no call has asked for the provider for this long; the next call starts them again. */
const UNUSED_MS = 600_000
const MAX_BREAKERS = 1_000
const FIRST_TIMES = 31

const realClock: BreakerClock = { ...chainClock, wallMs: nowMs }

/** Of an account, over its versions. */
type Stats = {
  readonly kind: BreakerKind
  readonly id: string
  requests: number
  failures: Map<FailureReason, number>
  firstTimesMs: number[]
}

type OpenBreaker = Breaker & { readonly health: () => ProviderHealth; readonly isOpen: () => boolean; stop(): void }
type Account = { stats: Stats; newest: OpenBreaker }

export function createBreakers(clock: BreakerClock = realClock, maxBreakers = MAX_BREAKERS): BreakerRegistry {
  const closing = new AbortController()
  const byVersion = new Map<string, OpenBreaker>()
  const accounts = new LruCache<string, Account>(maxBreakers)

  function evictOldest(): void {
    const [oldest] = byVersion
    if (byVersion.size <= maxBreakers || !oldest) return
    byVersion.delete(oldest[0])
    oldest[1].stop()
  }

  return {
    of(kind, { id, version }) {
      const key = `${kind} ${id} ${version}`
      const known = byVersion.get(key)
      if (known) return known
      const account = `${kind} ${id}`
      const stats = accounts.get(account)?.stats ?? newStats(kind, id)
      const breaker = createBreaker(stats, clock, closing.signal)
      byVersion.set(key, breaker)
      accounts.set(account, { stats, newest: breaker })
      evictOldest()
      return breaker
    },

    healthOf: (kind, id) =>
      accounts.get(`${kind} ${id}`)?.newest.health() ?? { state: 'unused', reason: null, since: null, firstMs: null },

    metrics: () =>
      [...accounts.values()].map(({ stats: { kind, id, requests, failures, firstTimesMs }, newest }) => ({
        kind,
        id,
        requests,
        failures,
        isOpen: newest.isOpen(),
        firstMs: median(firstTimesMs),
      })),

    close: () => closing.abort(),
  }
}

const newStats = (kind: BreakerKind, id: string): Stats => ({
  kind,
  id,
  requests: 0,
  failures: new Map(),
  firstTimesMs: [],
})

/** When it may be tried again; the time between trials doubles. */
type Open = { trialAt: number; delayMs: number; trialSince: number | null }

function createBreaker(stats: Stats, clock: BreakerClock, closing: AbortSignal): OpenBreaker {
  const isEmbedded = stats.id === EMBEDDED_ID
  const stopping = new AbortController()
  const signal = AbortSignal.any([closing, stopping.signal])
  let open: Open | null = null
  let consecutive = 0
  let lastReason: FailureReason | null = null
  let since: string | null = null
  let usedAt = clock.now()
  let requests = 0
  let trial: Trial | undefined
  let isTrying = false

  function close(): void {
    open = null
    consecutive = 0
    lastReason = null
    since = null
    trial = undefined
  }

  function count(reason: FailureReason | null, firstMs?: number): void {
    requests++
    countIn(stats, reason, firstMs)
  }

  function openFor(delayMs: number): void {
    open = { trialAt: clock.now() + delayMs, delayMs, trialSince: null }
  }

  /** A failed trial doubles the time to the next; a request from before the breaker opened changes nothing. */
  function recordFailure(reason: FailureReason, isTrial: boolean): void {
    lastReason = reason
    since ??= toIso(clock.wallMs())
    consecutive++
    if (open) {
      if (isTrial) openFor(Math.min(2 * open.delayMs, MAX_TRIAL_MS))
    } else if (!isEmbedded && (reason === 'key_refused' || consecutive >= FAILURES_TO_OPEN)) openFor(FIRST_TRIAL_MS)
  }

  const isDue = () => open !== null && clock.now() >= open.trialAt
  const isLost = ({ trialSince }: Open) => trialSince !== null && clock.now() - trialSince >= LOST_TRIAL_MS
  const isCallersTrial = () => open !== null && open.trialSince !== null && !trial
  /** Functions, because both may change during a wait, which the compiler does not see. */
  const current = (): Open | null => open
  const currentTrial = (): Trial | undefined => trial

  /** Until a trial succeeds, or no call asks for this provider any more. */
  async function tryInBackground(): Promise<void> {
    if (isTrying || !trial) return
    isTrying = true
    while (open && !signal.aborted && clock.now() - usedAt < UNUSED_MS) {
      await clock.sleep(Math.max(0, open.trialAt - clock.now()), signal)
      const before = current()
      const attempt = currentTrial()
      if (signal.aborted || !before || !attempt) break
      before.trialSince = clock.now()
      try {
        const firstMs = await limitedTrial(attempt, stats.id, clock, signal)
        count(null, firstMs)
        if (current() === before) close()
      } catch (error) {
        if (signal.aborted) break
        const reason = reasonOf(error)
        count(reason)
        if (current() === before) recordFailure(reason, true)
      }
    }
    isTrying = false
  }

  return {
    admits() {
      usedAt = clock.now()
      if (!open || isEmbedded) return true
      if (trial) void tryInBackground()
      if (trial || !isDue() || (open.trialSince !== null && !isLost(open))) return false
      open.trialSince = clock.now()
      return true
    },
    succeeded(firstMs) {
      count(null, firstMs)
      // A request from before the breaker opened says nothing about the present.
      if (!open || isCallersTrial()) close()
    },
    failed(reason, nextTrial) {
      count(reason)
      recordFailure(reason, isCallersTrial())
      if (!open || !nextTrial) return
      trial = nextTrial
      void tryInBackground()
    },
    abandoned() {
      if (open && !trial) open.trialSince = null
    },
    health: () => ({
      state: requests === 0 ? 'unused' : open ? 'down' : consecutive > 0 ? 'failing' : 'ok',
      reason: lastReason,
      since,
      firstMs: median(stats.firstTimesMs),
    }),
    isOpen: () => open !== null,
    stop: () => stopping.abort(),
  }
}

function countIn(stats: Stats, reason: FailureReason | null, firstMs?: number): void {
  stats.requests++
  if (reason) stats.failures.set(reason, (stats.failures.get(reason) ?? 0) + 1)
  if (firstMs === undefined) return
  stats.firstTimesMs.push(firstMs)
  if (stats.firstTimesMs.length > FIRST_TIMES) stats.firstTimesMs.shift()
}

async function limitedTrial(trial: Trial, service: string, clock: Clock, signal: AbortSignal): Promise<number> {
  const limit = new AbortController()
  const trialSignal = AbortSignal.any([signal, limit.signal])
  const late = clock.sleep(TRIAL_TIMEOUT_MS, trialSignal).then((): never => {
    throw appError('service_silent', { service })
  })
  late.catch(() => {})
  try {
    return await Promise.race([trial(trialSignal), late])
  } finally {
    limit.abort()
  }
}

function median(times: readonly number[]): number | null {
  if (times.length === 0) return null
  return Math.round([...times].sort((a, b) => a - b)[times.length >> 1] as number)
}
