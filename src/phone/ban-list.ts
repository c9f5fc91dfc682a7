// Who knocks too often without a key is not heard for a while, and longer each time. All in memory: a stranger never costs a query.
import { monotonicMs } from '../base/clock.ts'
import { LruCache } from '../base/lru-cache.ts'

/** A phone with a wrong password tries once in a while; a scanner tries a hundred times a second. */
const MAX_STRIKES = 10
const WINDOW_MS = 60_000
const FIRST_BLOCK_MS = 60_000
const LONGEST_BLOCK_MS = 86_400_000
const MAX_REMEMBERED = 50_000
/** As long as a registration lasts. */
const PROVED_MS = 3_600_000

/** What comes by UDP may bear another's address: it is answered less often for a short while, and never leads to a block. */
const UNVERIFIED_WINDOW_MS = 10_000
const MAX_UNVERIFIED = 10
/** Beyond it nothing of this address is even read until the window ends. */
const MAX_UNVERIFIED_READ = 50

type Visitor = { strikes: number; windowEnds: number; blocks: number; blockedUntil: number }

/** Programs that nobody uses to make a call. */
const scanners =
  /friendly-scanner|friendly-request|sipvicious|sipcli|sip-scan|sipsak|sundayddr|iwar|smap|vaxsip|pplsip|eyebeam-scan|sipptk|scanner/i

export const isScanner = (userAgent: string | undefined): boolean => userAgent !== undefined && scanners.test(userAgent)

export type BanList = ReturnType<typeof createBanList>

export function createBanList(now: () => number = monotonicMs) {
  const visitors = new Map<string, Visitor>()
  const unverified = new LruCache<string, { strikes: number; windowEnds: number }>(MAX_REMEMBERED)
  const proved = new LruCache<string, number>(MAX_REMEMBERED)

  function visitor(address: string): Visitor {
    const known = visitors.get(address)
    if (known) return known
    // The oldest is forgotten first: a flood from many addresses must not take all memory.
    if (visitors.size >= MAX_REMEMBERED) visitors.delete(visitors.keys().next().value as string)
    const fresh = { strikes: 0, windowEnds: 0, blocks: 0, blockedUntil: 0 }
    visitors.set(address, fresh)
    return fresh
  }

  const isProved = (address: string, port?: number) => (proved.get(`${address} ${port}`) ?? 0) > now()

  function unverifiedOf(address: string): number {
    const seen = unverified.get(address)
    return seen && seen.windowEnds > now() ? seen.strikes : 0
  }

  function strikeUnverified(address: string, weight: number): boolean {
    const before = unverifiedOf(address)
    const seen = unverified.get(address)
    if (before > 0 && seen) seen.strikes += weight
    else unverified.set(address, { strikes: weight, windowEnds: now() + UNVERIFIED_WINDOW_MS })
    return before < MAX_UNVERIFIED && before + weight >= MAX_UNVERIFIED
  }

  return {
    /** A phone that has shown its password is heard by the way it came, whatever its neighbours behind the same address do. */
    isBlocked(address: string, port?: number): boolean {
      const isFree = (visitors.get(address)?.blockedUntil ?? 0) <= now() && unverifiedOf(address) < MAX_UNVERIFIED_READ
      return !isFree && !isProved(address, port)
    },

    /** Too much came by UDP under this address: for a few seconds only who answers a challenge of ours is heard. */
    isLimited: (address: string, port?: number): boolean =>
      unverifiedOf(address) >= MAX_UNVERIFIED && !isProved(address, port),

    /**
     * Something that a known phone does not do, or not often. True when it led to silence. `isVerified`: the sender is
     * known to be at this address, by a connection or by an answer to a challenge that was sent there.
     */
    recordFailure(address: string, weight = 1, isVerified = true): boolean {
      if (!isVerified) return strikeUnverified(address, weight)
      const who = visitor(address)
      const at = now()
      if (who.blockedUntil > at) return false
      if (at > who.windowEnds) {
        who.strikes = 0
        who.windowEnds = at + WINDOW_MS
      }
      who.strikes += weight
      if (who.strikes < MAX_STRIKES) return false
      who.strikes = 0
      who.blockedUntil = at + Math.min(LONGEST_BLOCK_MS, FIRST_BLOCK_MS * 2 ** who.blocks)
      who.blocks++
      return true
    },

    /** It has shown who it is. */
    reset(address: string, port?: number): void {
      visitors.delete(address)
      unverified.delete(address)
      if (port !== undefined) proved.set(`${address} ${port}`, now() + PROVED_MS)
    },

    get size(): number {
      return visitors.size
    },
  }
}
