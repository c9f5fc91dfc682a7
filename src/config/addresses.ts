// The addresses by which others reach this server: the public URL, where phones register, and a warning when neither leads here.
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from './config.ts'

/** The host itself, or, for a wildcard, the first address by which another machine reaches us. */
export function reachableHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const external = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  return external?.address ?? '127.0.0.1'
}

/** Where phones reach the HTTP server. Without PUBLIC_URL it is our own address, which works within one network only. */
export function publicUrl({ http, phone }: Config, listening: AddressInfo | string | null): string {
  if (http.publicUrl !== null) return http.publicUrl
  const host = phone.publicAddress ?? reachableHost(http.host)
  const port = typeof listening === 'object' && listening !== null ? listening.port : http.port
  return `${http.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Where devices register: the name by which the outside knows this server. */
export function sipAddress({ http, phone }: Config) {
  const host = phone.publicAddress ?? (http.publicUrl ? new URL(http.publicUrl).hostname : reachableHost(phone.host))
  return { domain: host, host, port: phone.port || 5060, tlsPort: phone.tlsPort }
}

/** Why no phone can use a link code: it holds a loopback address. Null where phones can. */
export function linkWarning(config: Config): string | null {
  const isHttpLocal = isLoopback(new URL(publicUrl(config, null)).hostname)
  const isSipLocal = isLoopback(sipAddress(config).host)
  if (!isHttpLocal && !isSipLocal) return null
  const subject = isHttpLocal ? 'This code points to' : 'The phone would register at'
  const settings = [
    ...(isHttpLocal ? ['HOST=0.0.0.0 (or PUBLIC_URL)'] : []),
    ...(isSipLocal ? ['SIP_HOST=0.0.0.0'] : []),
  ]
  return `${subject} a loopback address, which only this machine reaches: set ${settings.join(' and ')}, and restart.`
}

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/i.test(host)
