// Who knocks too often without a key is not heard for a while, and longer each time. All in memory: a stranger never costs a query.
import { monotonicMs } from '../base/clock.ts'
import { Recent } from '../base/recent.ts'

/** A phone with a wrong password tries once in a while; a scanner tries a hundred times a second. */
const MAX_STRIKES = 10
const WINDOW_MS = 60_000
const FIRST_BLOCK_MS = 60_000
const LONGEST_BLOCK_MS = 86_400_000
const MAX_REMEMBERED = 50_000
/** As long as a registration lasts. */
const PROVED_MS = 3_600_000

type Visitor = { strikes: number; windowEnds: number; blocks: number; blockedUntil: number }

/** Programs that nobody uses to make a call. */
const scanners =
  /friendly-scanner|friendly-request|sipvicious|sipcli|sip-scan|sipsak|sundayddr|iwar|smap|vaxsip|pplsip|eyebeam-scan|sipptk|scanner/i

export const isScanner = (userAgent: string | undefined): boolean => userAgent !== undefined && scanners.test(userAgent)

export type Guard = ReturnType<typeof createGuard>

export function createGuard(now: () => number = monotonicMs) {
  const visitors = new Map<string, Visitor>()
  const proved = new Recent<string, number>(MAX_REMEMBERED)

  function visitor(address: string): Visitor {
    const known = visitors.get(address)
    if (known) return known
    // The oldest is forgotten first: a flood from many addresses must not take all memory.
    if (visitors.size >= MAX_REMEMBERED) visitors.delete(visitors.keys().next().value as string)
    const fresh = { strikes: 0, windowEnds: 0, blocks: 0, blockedUntil: 0 }
    visitors.set(address, fresh)
    return fresh
  }

  return {
    /** A phone that has shown its password is heard by the way it came, whatever its neighbours behind the same address do. */
    isBlocked(address: string, port?: number): boolean {
      if ((visitors.get(address)?.blockedUntil ?? 0) <= now()) return false
      return (proved.get(`${address} ${port}`) ?? 0) <= now()
    },

    /** Something that a known phone does not do, or not often. True when it led to a block. */
    strike(address: string, weight = 1): boolean {
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
    forgive(address: string, port?: number): void {
      visitors.delete(address)
      if (port !== undefined) proved.set(`${address} ${port}`, now() + PROVED_MS)
    },

    get remembered(): number {
      return visitors.size
    },
  }
}
