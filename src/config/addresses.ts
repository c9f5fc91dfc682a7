// The addresses at which others reach this server: the public URL, where phones register, and a warning if neither works.
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from './config.ts'

/** The host itself, or for a wildcard, the first address that other machines can reach. */
function reachableHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const external = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  return external?.address ?? '127.0.0.1'
}

/** Where phones reach the HTTP server. Without PUBLIC_URL, it is our own address, which works only within one network. */
export function publicUrl({ http, phone }: Config, listening: AddressInfo | string | null): string {
  if (http.publicUrl !== null) return http.publicUrl
  const host = phone.publicAddress ?? reachableHost(http.host)
  const port = typeof listening === 'object' && listening !== null ? listening.port : http.port
  return `${http.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Where devices register: the public name of this server. */
export function sipAddress({ http, phone }: Config) {
  const host = phone.publicAddress ?? (http.publicUrl ? new URL(http.publicUrl).hostname : reachableHost(phone.host))
  return { domain: host, host, port: phone.port || 5060, tlsPort: phone.tlsPort }
}

/**
 * The lines missing in `.env` for phones to reach this server: provisioning uses HTTP, calls use SIP. PUBLIC_URL implies a proxy in
 * front of HTTP; a SIP port on loopback is unreachable even with PUBLIC_ADDRESS.
 */
export function missingForPhones({ http, phone }: Config): string[] {
  const isHttpLocal = isLoopback(http.publicUrl === null ? http.host : new URL(http.publicUrl).hostname)
  return [...(isHttpLocal ? ['HOST=0.0.0.0'] : []), ...(isLoopback(phone.host) ? ['SIP_HOST=0.0.0.0'] : [])]
}

/** Why phones cannot use a link code: it contains a loopback address, or one where nothing listens. Null if they can. */
export function linkWarning(config: Config): string | null {
  const missing = missingForPhones(config)
  if (missing.length === 0) return null
  const isHttpLocal = missing[0]?.startsWith('HOST=') ?? false
  const subject = isHttpLocal ? 'This code points to' : 'The phone would register at'
  const settings = missing.map((line) => (line.startsWith('HOST=') ? `${line} (or PUBLIC_URL)` : line))
  return `${subject} a loopback address, which only this machine reaches: set ${settings.join(' and ')}, and restart.`
}

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/i.test(host)
