// Resolves a SIP URI to its targets, in the order to try them (RFC 3263).
import { promises as nodeDns } from 'node:dns'
import { isIP } from 'node:net'
import { LruCache } from '../../base/lru-cache.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { Hop, TransportName } from '../message/message.ts'
import { defaultPort } from '../transaction/via-routing.ts'

/** Every method may reject. Only `lookup` reads the machine's hosts file. */
export type Dns = {
  resolve4(name: string, options: { ttl: true }): Promise<Address[]>
  resolve6(name: string, options: { ttl: true }): Promise<Address[]>
  resolveSrv(name: string): Promise<Srv[]>
  resolveNaptr(name: string): Promise<Naptr[]>
  lookup?(name: string, options: { all: true }): Promise<{ address: string }[]>
}
type Address = { address: string; ttl: number }
type Srv = { name: string; port: number; priority: number; weight: number }
type Naptr = { flags: string; service: string; replacement: string; order: number; preference: number }

/** A SipUri fits. */
export type Target = {
  readonly host: string
  readonly port: number | null
  readonly scheme?: string
  readonly transport?: string
  readonly params?: ReadonlyMap<string, string | null>
}

export interface Resolver {
  /** Never rejects: an empty list when the name leads nowhere. */
  resolve(target: Target): Promise<Hop[]>
  /** It timed out: tried last for a while. */
  markDead(hop: Hop): void
  markAlive(hop: Hop): void
  /** Why a target must not be contacted; undefined when it may. Default: all may. */
  refusal?: Refusal
}
export type Refusal = (hop: Hop) => string | undefined

const MAX_CACHE_MS = 60_000
/** Node does not report the TTL of SRV and NAPTR records. */
const RECORD_CACHE_MS = 30_000
const FAILURE_CACHE_MS = 5_000
const DEAD_MS = 30_000
const MAX_REMEMBERED = 1000
const MAX_HOPS = 20

const services: ReadonlyMap<string, TransportName> = new Map([
  ['SIP+D2U', 'udp'],
  ['SIP+D2T', 'tcp'],
  ['SIPS+D2T', 'tls'],
])
const srvPrefix: Readonly<Record<TransportName, string>> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }

/** DNS queries with a cache. They never reject. */
function cachedDns(dns: Dns, now: () => number) {
  const cache = new LruCache<string, { untilMs: number; records: Promise<unknown> }>(MAX_REMEMBERED)

  /** Coalesces equal queries; a failure is cached briefly as an empty result. */
  function ask<T>(key: string, query: () => Promise<T[]>, cacheMs = (_: T[]) => RECORD_CACHE_MS): Promise<T[]> {
    const known = cache.get(key)
    if (known && known.untilMs > now()) return known.records as Promise<T[]>
    const entry = { untilMs: Infinity, records: query().catch((): T[] => []) }
    cache.set(key, entry)
    void entry.records.then((records) => {
      entry.untilMs = now() + (records.length === 0 ? FAILURE_CACHE_MS : Math.min(cacheMs(records), MAX_CACHE_MS))
    })
    return entry.records
  }

  const shortest = (records: Address[]) => Math.min(...records.map(({ ttl }) => ttl)) * 1000

  /** IPv4 first: trunks are tested with it. */
  async function addresses(name: string): Promise<string[]> {
    if (isIP(name)) return [name]
    // RFC 6761 and the hosts file: such names are resolved locally.
    const records =
      dns.lookup && isLocal(name)
        ? []
        : await Promise.all([
            ask(`A ${name}`, () => dns.resolve4(name, { ttl: true }), shortest),
            ask(`AAAA ${name}`, () => dns.resolve6(name, { ttl: true }), shortest),
          ])
    const found = records.flat().map(({ address }) => address)
    if (found.length > 0 || !dns.lookup) return found
    const { lookup } = dns
    const own = await ask(`hosts ${name}`, () => lookup(name, { all: true }))
    return own.map(({ address }) => address)
  }

  return {
    addresses,
    srv: (name: string) => ask(`SRV ${name}`, () => dns.resolveSrv(name)),
    naptr: (name: string) => ask(`NAPTR ${name}`, () => dns.resolveNaptr(name)),
  }
}

/** The hosts and ports of a SIP URI, by transport, before their addresses are looked up. */
function placeFinder({ srv, naptr }: ReturnType<typeof cachedDns>, random: () => number) {
  async function bySrv(transport: TransportName, name: string): Promise<{ host: string; port: number }[]> {
    const records = (await srv(name)).filter((record) => record.name !== '' && record.name !== '.')
    return inSrvOrder(records, random).map((record) => ({
      host: record.name,
      port: record.port || defaultPort(transport),
    }))
  }

  /** RFC 3263 section 4.1, for a name without port and transport. */
  async function byServices(host: string, isSecure: boolean) {
    const wanted = isSecure ? (['tls'] as const) : (['udp', 'tcp', 'tls'] as const)
    // In parallel: a name server that drops NAPTR queries would otherwise cost its whole timeout first.
    const [pointers, ...plain] = await Promise.all([
      naptr(host),
      ...wanted.map((transport) => bySrv(transport, `${srvPrefix[transport]}.${host}`)),
    ])
    const known = pointers
      .filter(({ flags, service }) => flags.toLowerCase() === 's' && services.has(service.toUpperCase()))
      .map((pointer) => ({ ...pointer, transport: services.get(pointer.service.toUpperCase()) ?? 'udp' }))
      .filter(({ transport }) => wanted.some((one) => one === transport))
      .toSorted((a, b) => a.order - b.order || a.preference - b.preference)
    const pointed = await Promise.all(
      known.map(async ({ transport, replacement }) => ({ transport, places: await bySrv(transport, replacement) })),
    )
    const named = pointed.filter(({ places }) => places.length > 0)
    return named.length > 0 ? named : wanted.map((transport, i) => ({ transport, places: plain[i] ?? [] }))
  }

  return async (host: string, target: Target) => {
    const { port } = target
    const isSecure = target.scheme === 'sips'
    const asked = transportOf(target)
    const transport = asked ?? (isSecure ? 'tls' : 'udp')
    const direct = [{ transport, places: [{ host, port: port ?? defaultPort(transport) }] }]
    if (port !== null || isIP(host) || isLocal(host)) return direct
    const found = asked
      ? [{ transport: asked, places: await bySrv(asked, `${srvPrefix[asked]}.${host}`) }]
      : await byServices(host, isSecure)
    return found.some(({ places }) => places.length > 0) ? found : direct
  }
}

export function createResolver(options: { dns?: Dns; now?: () => number; random?: () => number } = {}): Resolver {
  const { dns = systemDns(), now = monotonicMs, random = Math.random } = options
  const cached = cachedDns(dns, now)
  const placesOf = placeFinder(cached, random)
  const dead = new LruCache<string, number>(MAX_REMEMBERED)

  async function resolve(target: Target): Promise<Hop[]> {
    const host = bare(target.params?.get('maddr') ?? target.host)
    if (host === '' || target.scheme === 'tel') return []
    const lists = await Promise.all(
      (await placesOf(host, target)).flatMap(({ transport, places }) =>
        places.slice(0, MAX_HOPS).map(async (place) =>
          (await cached.addresses(place.host)).map((address): Hop => {
            const hop = { transport, address, port: place.port }
            // RFC 5922 section 7.1: the certificate must match the name in the URI, not one returned by DNS.
            return transport === 'tls' ? { ...hop, serverName: bare(target.host) } : hop
          }),
        ),
      ),
    )
    const hops = new Map(lists.flat().map((hop) => [keyOf(hop), hop]))
    const isDead = (hop: Hop) => (dead.get(keyOf(hop)) ?? 0) > now()
    return [...hops.values()].toSorted((a, b) => Number(isDead(a)) - Number(isDead(b))).slice(0, MAX_HOPS)
  }

  return {
    resolve,
    markDead: (hop) => dead.set(keyOf(hop), now() + DEAD_MS),
    markAlive: (hop) => dead.delete(keyOf(hop)),
  }
}

/** 2 s and two tries instead of the 5 s and four of c-ares: a caller is waiting. */
function systemDns(): Dns {
  const resolver = new nodeDns.Resolver({ timeout: 2000, tries: 2 })
  return {
    resolve4: (name, options) => resolver.resolve4(name, options),
    resolve6: (name, options) => resolver.resolve6(name, options),
    resolveSrv: (name) => resolver.resolveSrv(name),
    resolveNaptr: (name) => resolver.resolveNaptr(name),
    lookup: (name, options) => nodeDns.lookup(name, options),
  }
}

/** RFC 2782: lower priorities first; within one, at random in proportion to the weight. */
function inSrvOrder(records: readonly Srv[], random: () => number): Srv[] {
  const waiting = records.toSorted((a, b) => a.priority - b.priority || a.weight - b.weight)
  const ordered: Srv[] = []
  while (waiting.length > 0) {
    const last = waiting.findIndex(({ priority }) => priority !== waiting[0]?.priority)
    const same = last === -1 ? waiting : waiting.slice(0, last)
    let lot = random() * same.reduce((sum, { weight }) => sum + weight, 0)
    const at = same.findIndex(({ weight }) => {
      lot -= weight
      return lot < 0
    })
    ordered.push(...waiting.splice(Math.max(at, 0), 1))
  }
  return ordered
}

/** RFC 3263 section 4.1: sips over TCP means TLS. An unsupported transport is ignored. */
function transportOf({ transport, params, scheme }: Target): TransportName | undefined {
  const said = (transport ?? params?.get('transport'))?.toLowerCase()
  if (said === 'tls') return 'tls'
  if (said === 'tcp') return scheme === 'sips' ? 'tls' : 'tcp'
  return said === 'udp' && scheme !== 'sips' ? 'udp' : undefined
}

const bare = (host: string) =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
const isLocal = (name: string) => !name.includes('.') || name.endsWith('.localhost')
const keyOf = ({ transport, address, port }: Hop) => `${transport} ${address} ${port}`
