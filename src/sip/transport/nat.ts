// NAT: detects a peer whose advertised address is private.
import { isIP } from 'node:net'
import type { Flow } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'

/** Networks that do not exist on the public Internet (RFC 1918, 6598, 3927, 1122, 4193, 4291). */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) {
    const [a = 0, b = 0] = address.split('.').map(Number)
    if (a === 10 || a === 127 || a === 0) return true
    if (a === 192 && b === 168) return true
    if (a === 172 && b >= 16 && b < 32) return true
    if (a === 169 && b === 254) return true
    return a === 100 && b >= 64 && b < 128
  }
  if (isIP(address) !== 6) return false
  const low = address.toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(low)?.[1]
  if (mapped !== undefined) return isPrivateAddress(mapped)
  return low === '::1' || low === '::' || /^f[cd]/.test(low) || /^fe[89ab]/.test(low)
}

/** True if the Contact is a private address, but the message arrived from a public one. */
export function isBehindNat(contactUri: string, source: Flow['remote']): boolean {
  const host = parseUri(contactUri)?.host
  if (host === undefined) return true
  return host !== source.address && isPrivateAddress(host) && !isPrivateAddress(source.address)
}
