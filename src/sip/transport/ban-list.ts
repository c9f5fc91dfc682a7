// Bans addresses that fail authentication too often, each time for longer. In memory: an unknown peer never costs a query.
import { backoffMs } from '../../base/concurrency/backoff.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { monotonicMs } from '../../base/time/clock.ts'

/** A phone with a wrong password retries once in a while; a scanner tries a hundred times a second. */
const MAX_FAILURES = 10
const WINDOW_MS = 60_000
const bans = { firstMs: 60_000, maxMs: 86_400_000 }
const MAX_ADDRESSES = 50_000
/** The duration of a registration. */
const AUTHENTICATED_MS = 3_600_000

/** UDP sources can be spoofed: their failures limit the address briefly but never ban it. */
const UNVERIFIED_WINDOW_MS = 10_000
const MAX_UNVERIFIED = 10
/** Beyond this, packets from the address are not even parsed until the window ends. */
const MAX_UNVERIFIED_PARSED = 50

type AddressRecord = { failures: number; windowEnds: number; bans: number; bannedUntil: number }

/** User agents of scanning tools, which make no calls. */
const scanners =
  /friendly-scanner|friendly-request|sipvicious|sipcli|sip-scan|sipsak|sundayddr|iwar|smap|vaxsip|pplsip|eyebeam-scan|sipptk|scanner/i

export const isScanner = (userAgent: string | undefined): boolean => userAgent !== undefined && scanners.test(userAgent)

export type BanList = ReturnType<typeof createBanList>

export type Failure = {
  weight?: number
  /** The sender is known to be at this address, by a connection or by its response to a challenge sent there. */
  isVerified?: boolean
}

export function createBanList(now: () => number = monotonicMs) {
  const records = new Map<string, AddressRecord>()
  const unverified = new LruCache<string, { failures: number; windowEnds: number }>(MAX_ADDRESSES)
  const authenticated = new LruCache<string, number>(MAX_ADDRESSES)

  function recordOf(address: string): AddressRecord {
    const known = records.get(address)
    if (known) return known
    // Evict the oldest: a flood from many addresses must not exhaust memory.
    if (records.size >= MAX_ADDRESSES) records.delete(records.keys().next().value as string)
    const record = { failures: 0, windowEnds: 0, bans: 0, bannedUntil: 0 }
    records.set(address, record)
    return record
  }

  const isAuthenticated = (address: string, port?: number) => (authenticated.get(`${address} ${port}`) ?? 0) > now()

  function unverifiedFailures(address: string): number {
    const record = unverified.get(address)
    return record && record.windowEnds > now() ? record.failures : 0
  }

  function recordUnverified(address: string, weight: number): boolean {
    const before = unverifiedFailures(address)
    const record = unverified.get(address)
    if (before > 0 && record) record.failures += weight
    else unverified.set(address, { failures: weight, windowEnds: now() + UNVERIFIED_WINDOW_MS })
    return before < MAX_UNVERIFIED && before + weight >= MAX_UNVERIFIED
  }

  return {
    /** An authenticated phone is exempt on its own port, whatever others at the same address do. */
    isBlocked(address: string, port?: number): boolean {
      const isFree =
        (records.get(address)?.bannedUntil ?? 0) <= now() && unverifiedFailures(address) < MAX_UNVERIFIED_PARSED
      return !isFree && !isAuthenticated(address, port)
    },

    /** Too many failures over UDP: for a few seconds only responses to our challenges are processed. */
    isLimited: (address: string, port?: number): boolean =>
      unverifiedFailures(address) >= MAX_UNVERIFIED && !isAuthenticated(address, port),

    /** Counts a failed or unexpected request. True when the address becomes banned or limited. */
    recordFailure(address: string, { weight = 1, isVerified = true }: Failure = {}): boolean {
      if (!isVerified) return recordUnverified(address, weight)
      const record = recordOf(address)
      const at = now()
      if (record.bannedUntil > at) return false
      if (at > record.windowEnds) {
        record.failures = 0
        record.windowEnds = at + WINDOW_MS
      }
      record.failures += weight
      if (record.failures < MAX_FAILURES) return false
      record.failures = 0
      record.bans++
      record.bannedUntil = at + backoffMs(record.bans, bans)
      return true
    },

    /** The peer has authenticated. */
    reset(address: string, port?: number): void {
      records.delete(address)
      unverified.delete(address)
      if (port !== undefined) authenticated.set(`${address} ${port}`, now() + AUTHENTICATED_MS)
    },

    get size(): number {
      return records.size
    },
  }
}
