// The addresses this server listens on. Tools never call them, whatever the operator allows: requests from this machine
// are trusted more.
import { networkInterfaces } from 'node:os'
import { literalAddress, plainAddress } from '../network/cidr.ts'
import { monotonicMs } from '../time/clock.ts'

export type OwnAddresses = {
  /** The bound HTTP and SIP ports; 0 is none. */
  ports(): readonly number[]
  /** An address or a name. */
  publicAddress: string | null
  publicUrl: string | null
  /** Addresses of this machine. */
  addresses?: () => readonly string[]
}

export type OwnListeners = ReturnType<typeof ownListeners>

/** A machine's addresses rarely change. */
const FRESH_MS = 5000

export function ownListeners({ ports, publicAddress, publicUrl, addresses = interfaceAddresses }: OwnAddresses) {
  const outside = publicUrl === null ? null : new URL(publicUrl)
  const outsidePort = outside && (Number(outside.port) || (outside.protocol === 'https:' ? 443 : 80))
  const hosts = [publicAddress, outside?.hostname ?? null].filter((host) => host !== null)
  const names = new Set(hosts.filter((host) => literalAddress(host) === null).map(nameOf))
  const fixed = hosts.flatMap((host) => literalAddress(host) ?? [])
  let known = { atMs: Number.NEGATIVE_INFINITY, keys: new Set<string>() }

  function ownKeys(): ReadonlySet<string> {
    if (monotonicMs() - known.atMs < FRESH_MS) return known.keys
    const keys = [...fixed, ...addresses()].flatMap((address) => plainAddress(address) ?? [])
    known = { atMs: monotonicMs(), keys: new Set(keys) }
    return known.keys
  }

  function isOwnAddress(address: string): boolean {
    const plain = plainAddress(address)
    // All of 127.0.0.0/8 is this machine, and so is 0.0.0.0.
    return plain !== null && (/^(127|0)\.\d+\.\d+\.\d+$/.test(plain) || ownKeys().has(plain))
  }

  return {
    isOwnAddress,
    /** Whether this server would answer a request to this host with these addresses. */
    isListener(hostname: string, resolved: readonly string[], port: number): boolean {
      const isOwnName = names.has(nameOf(hostname))
      if (!isOwnName && !resolved.some(isOwnAddress)) return false
      // A proxy on the public port serves other names too; with our name, or none, it forwards to us.
      return (
        (port > 0 && ports().includes(port)) ||
        (port === outsidePort && (isOwnName || literalAddress(hostname) !== null))
      )
    },
  }
}

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, '')

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address.split('%', 1)[0] ?? ''),
  )

type Settings = {
  http: { publicUrl: string | null }
  phone: { port: number; tlsPort: number | null; publicAddress: string | null }
}

/** `address`: of the HTTP server; null while it is not listening. */
export const ownAddresses = (
  { http, phone }: Settings,
  address: () => { port: number } | string | null,
): OwnAddresses => ({
  ports: () => [portOf(address()), phone.port, phone.tlsPort ?? 0],
  publicAddress: phone.publicAddress,
  publicUrl: http.publicUrl,
})

/** 0 for none, and for a Unix socket. */
export const portOf = (address: { port: number } | string | null): number =>
  typeof address === 'object' ? (address?.port ?? 0) : 0
