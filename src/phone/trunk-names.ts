// Resolves the host names of trunks: caches them, and resolves only a few per user at a time.
import { monotonicMs } from '../base/time/clock.ts'
import type { Hop } from '../sip/message/message.ts'
import type { Trunk } from './ports.ts'

export type NameTarget = { host: string; port: number | null; transport: Trunk['transport'] }
export type Resolve = (target: NameTarget) => Promise<Hop[]>

/** Per user: slow name servers of one user must not delay others. */
const MAX_AT_ONCE = 10
const KEEP_MS = 30_000

type Lookup = { addresses: Promise<string[]>; expiresAt: number }
type UserNames = { lookups: Map<string, Lookup>; waiting: (() => void)[]; running: number }

export function trunkNames(resolve: Resolve) {
  const users = new Map<string, UserNames>()

  async function lookUp(user: UserNames, target: NameTarget): Promise<string[]> {
    if (user.running >= MAX_AT_ONCE) await new Promise<void>((begin) => void user.waiting.push(begin))
    else user.running++
    const hops = await resolve(target).catch(() => [])
    const next = user.waiting.shift()
    if (next) next()
    else user.running--
    return hops.map(({ address }) => address)
  }

  return {
    /** Empty when the name does not resolve; never rejects. */
    addressesOf(userId: string, target: NameTarget): Promise<string[]> {
      const user = users.get(userId) ?? { lookups: new Map(), waiting: [], running: 0 }
      users.set(userId, user)
      for (const [key, { expiresAt }] of user.lookups) if (expiresAt < monotonicMs()) user.lookups.delete(key)
      const key = JSON.stringify([target.host.toLowerCase(), target.port, target.transport])
      const known = user.lookups.get(key)
      if (known) return known.addresses
      const addresses = lookUp(user, target)
      const lookup: Lookup = { addresses, expiresAt: Number.POSITIVE_INFINITY }
      user.lookups.set(key, lookup)
      void addresses.then(({ length }) => {
        // A name that does not resolve is not cached.
        lookup.expiresAt = length > 0 ? monotonicMs() + KEEP_MS : 0
      })
      return addresses
    },
  }
}
