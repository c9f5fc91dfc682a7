// DNS lookups, shared while in flight and cached for the record's TTL.
import { promises as nodeDns } from 'node:dns'
import { LruCache } from '../lru-cache.ts'
import { monotonicMs } from '../time/clock.ts'

type Answer = { address: string; ttl: number }[]

/** Every method may reject. Only `lookup` reads the hosts file. */
export type DnsCache = {
  resolve4(name: string, options: { ttl: true }): Promise<Answer>
  resolve6(name: string, options: { ttl: true }): Promise<Answer>
  lookup?(name: string, options: { all: true }): Promise<{ address: string }[]>
}

const MAX_FRESH_S = 30
const MAX_NAMES = 1000

/** All addresses of a name, IPv4 first; none if it does not resolve. */
export function dnsCache(names: DnsCache = systemNames()) {
  const cache = new LruCache<string, { untilMs: number; addresses: Promise<string[]> }>(MAX_NAMES)

  async function ask(name: string): Promise<{ addresses: string[]; ttl: number }> {
    // RFC 6761: never sent to a name server.
    if (/(^|\.)localhost$/.test(name)) return { addresses: ['127.0.0.1', '::1'], ttl: MAX_FRESH_S }
    if (/(^|\.)invalid$/.test(name)) return { addresses: [], ttl: MAX_FRESH_S }
    let isSilent = false
    const none = (error: NodeJS.ErrnoException): Answer => {
      isSilent ||= error.code === 'ETIMEOUT' || error.code === 'ESERVFAIL'
      return []
    }
    const isPlain = names.lookup !== undefined && !name.includes('.') // single-label names are left to the system
    const found = isPlain
      ? []
      : [names.resolve4(name, { ttl: true }).catch(none), names.resolve6(name, { ttl: true }).catch(none)]
    const records = (await Promise.all(found)).flat()
    if (records.length > 0)
      return { addresses: records.map(({ address }) => address), ttl: Math.min(...records.map(({ ttl }) => ttl)) }
    // `lookup` blocks one of Node's few threads, so it is skipped if the name server did not respond.
    const own = isSilent ? [] : ((await names.lookup?.(name, { all: true }).catch(() => [])) ?? [])
    return { addresses: own.map(({ address }) => address), ttl: own.length > 0 ? MAX_FRESH_S : 0 }
  }

  return (hostname: string): Promise<string[]> => {
    const name = hostname.replace(/\.$/, '').toLowerCase()
    const known = cache.get(name)
    if (known && known.untilMs > monotonicMs()) return known.addresses
    const asked = ask(name)
    const entry = { untilMs: Number.POSITIVE_INFINITY, addresses: asked.then(({ addresses }) => addresses) }
    cache.set(name, entry)
    void asked.then(({ ttl }) => {
      entry.untilMs = monotonicMs() + Math.min(ttl, MAX_FRESH_S) * 1000
    })
    return entry.addresses
  }
}

/** 2 s and two attempts: a caller is waiting. */
function systemNames(): DnsCache {
  const resolver = new nodeDns.Resolver({ timeout: 2000, tries: 2 })
  return {
    resolve4: (name, options) => resolver.resolve4(name, options),
    resolve6: (name, options) => resolver.resolve6(name, options),
    lookup: (name, options) => nodeDns.lookup(name, options),
  }
}
