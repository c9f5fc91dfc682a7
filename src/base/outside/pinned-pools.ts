// Connection pools pinned to checked addresses: no DNS lookup happens between the check and the connect.
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector, Pool } from 'undici'
import { loadUndici } from '../process/lazy-packages.ts'

export type Dial = (to: { addresses: readonly string[]; port: number }) => Socket

const MAX_POOLS = 64
const ATTEMPT_MS = 250 // then the next address is tried in parallel (RFC 8305)

export const poolLimits = {
  connections: 128, // per origin
  maxHeaderSize: 32_768,
  headersTimeout: 0, // undici's timer has a resolution of half a second: ours are exact
  bodyTimeout: 0,
}

/** The host passed to connect is a placeholder, so that `lookup` is called even if the URL has a literal address. */
const dialChecked: Dial = ({ addresses, port }) => {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_name, options, callback) => {
    if (options.all) return callback(null, checked)
    callback(null, checked[0]?.address ?? '', checked[0]?.family)
  }
  return connectTcp({
    host: 'checked.invalid',
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
  })
}

export type PoolOptions = { dial?: Dial; connectMs: number; ca?: string }

/** Connects to one of these addresses. Host and SNI come from the URL; only the address is pinned. */
export function pinnedConnector(
  addresses: readonly string[],
  { dial = dialChecked, connectMs, ca }: PoolOptions,
): buildConnector.connector {
  return ({ protocol, port, hostname }, callback) => {
    const isTls = protocol === 'https:'
    const tcp = dial({ addresses, port: Number(port) || (isTls ? 443 : 80) })
    tcp.setNoDelay(true)
    const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    const socket = isTls
      ? connectTls({
          socket: tcp,
          host: name, // the certificate must match this name
          ...(isIP(name) ? {} : { servername: name }),
          ALPNProtocols: ['http/1.1'],
          ...(ca === undefined ? {} : { ca }),
        })
      : tcp
    let isOver = false
    const end = (error: Error | null) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      if (!error) return callback(null, socket)
      socket.destroy()
      tcp.destroy()
      callback(error, null)
    }
    const timer = setTimeout(() => end(Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' })), connectMs)
    socket.once(isTls ? 'secureConnect' : 'connect', () => end(null))
    socket.on('error', end)
    if (isTls) tcp.on('error', end)
    socket.once('close', () => end(new Error('closed')))
  }
}

export function pinnedPools(options: PoolOptions) {
  const pools = new Map<string, Pool>()

  return {
    poolFor(origin: string, addresses: readonly string[]): Pool {
      const key = `${origin} ${addresses.toSorted().join(' ')}`
      const pool =
        pools.get(key) ??
        new (loadUndici().Pool)(origin, {
          connect: pinnedConnector(addresses, options),
          ...poolLimits,
        })
      pools.delete(key)
      pools.set(key, pool) // most recently used last
      for (const [oldest, idle] of pools) {
        if (pools.size <= MAX_POOLS) break
        pools.delete(oldest)
        void idle.close() // requests in flight complete
      }
      return pool
    },

    /** Waits this long for requests in flight. */
    async close(graceMs: number): Promise<void> {
      const all = [...pools.values()]
      pools.clear()
      const timer = setTimeout(() => {
        for (const pool of all) void pool.destroy()
      }, graceMs)
      await Promise.all(all.map((pool) => pool.close()))
      clearTimeout(timer)
    },
  }
}
