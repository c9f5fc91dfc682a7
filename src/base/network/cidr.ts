// CIDR ranges and address checks: public addresses, operator exceptions, and how wide a trunk's range may be. Pure.

import { isIP, isIPv4, isIPv6 } from 'node:net'
import { type AppError, appError } from '../errors/errors.ts'

type Bytes = readonly number[]
type Network = { bytes: Bytes; bits: number }

const network = (cidr: string): Network => {
  const parsed = parseCidr(cidr)
  if (!parsed) throw new Error(`${cidr} is no network`)
  return parsed
}

// IANA's special-purpose registries, and ranges that must never be a destination.
const denied4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map(network)

/** The public internet in IPv6; excludes ULA, link-local, multicast and unassigned ranges. */
const public6 = network('2000::/3')
const denied6 = [
  '2001::/23', // protocol assignments, including Teredo
  '2001:db8::/32', // documentation
  '3fff::/20',
].map(network)

/** Where an IPv4 address is embedded in an IPv6 one: the destination, or a gateway on the way, extracts it. */
const embeddings: readonly { within: Network; at: number }[] = [
  { within: network('::ffff:0:0/96'), at: 12 }, // mapped
  { within: network('::ffff:0:0:0/96'), at: 12 }, // translated
  { within: network('64:ff9b::/96'), at: 12 }, // NAT64
  { within: network('2002::/16'), at: 2 }, // 6to4
  { within: network('::/96'), at: 12 }, // compatible
]

/**
 * `allowedNetworks`: networks such as 10.0.0.0/8 that may be reached although they are private or belong to this
 * machine.
 */
export function addressGuard(allowedNetworks: readonly string[], isOwn: (address: string) => boolean = () => false) {
  const allowed = allowedNetworks.map(network)
  return {
    /** Also false for anything that is not a plain address, such as one with a zone. */
    mayReach(address: string): boolean {
      const bytes = bytesOf(address)
      if (!bytes) return false
      const inner = embedded(bytes)
      if (allowed.some((net) => isWithin(bytes, net) || (inner !== null && isWithin(inner, net)))) return true
      if (isOwn(address)) return false
      const plain = inner ?? bytes
      if (plain.length === 4) return !denied4.some((net) => isWithin(plain, net))
      return isWithin(plain, public6) && !denied6.some((net) => isWithin(plain, net))
    },
  }
}

function embedded(bytes: Bytes): Bytes | null {
  if (bytes.length !== 16) return null
  if (bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1) return [127, 0, 0, 1]
  const found = embeddings.find(({ within }) => isWithin(bytes, within))
  if (found) return bytes.slice(found.at, found.at + 4)
  // ISATAP puts it after 0:5efe, in any network.
  const [a, b, c, d] = bytes.slice(8, 12)
  return (a === 0 || a === 2) && b === 0 && c === 0x5e && d === 0xfe ? bytes.slice(12) : null
}

/** One notation per address, extracted if it is embedded in IPv6; null if it is not an address. */
export function plainAddress(address: string): string | null {
  const bytes = bytesOf(address)
  return bytes && (embedded(bytes) ?? bytes).join('.')
}

export function parseCidr(cidr: string): Network | null {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(cidr.trim()) ?? []
  const bytes = bytesOf(address)
  const bits = length === undefined ? (bytes?.length ?? 0) * 8 : Number(length)
  return bytes && bits <= bytes.length * 8 ? { bytes, bits } : null
}

/** The host without its port, from `example.org:5080`, `[2001:db8::1]:5060`, `192.0.2.0/24` or a bare address. */
export function hostOf(name: string): string {
  const bracket = /^\[([^\]]+)\]/.exec(name)
  if (bracket) return bracket[1] as string
  return name.split(':').length === 2 ? (name.split(':')[0] as string) : name
}

const unicast6 = ['2000::/3', 'fc00::/7', 'fe80::/10', '::1/128'].map(network)
const mapped6 = network('::ffff:0:0/96')
const WIDEST = { 4: 24, 16: 48 }

/**
 * Why an account may not claim this range; null if it may, and for names. `listed`: networks that the operator allows.
 */
export function rangeProblem(entry: string, listed: readonly string[] = []): AppError | null {
  const host = hostOf(entry)
  if (isIP(host.split('/')[0] ?? '') === 0) return null
  const given = parseCidr(host)
  if (!given) return appError('trunk_address_invalid', { entry })
  const isMapped = isWithin(given.bytes, mapped6)
  const { bytes, bits } = isMapped ? { bytes: given.bytes.slice(12), bits: Math.max(0, given.bits - 96) } : given
  if (listed.map(network).some((net) => bits >= net.bits && isWithin(bytes, net))) return null
  const isUnicast =
    bytes.length === 4 ? bytes[0] !== 0 && (bytes[0] ?? 0) < 224 : unicast6.some((net) => isWithin(bytes, net))
  const widest = WIDEST[bytes.length as 4 | 16]
  if (bits < widest) return appError('trunk_address_too_wide', { entry, bits: widest })
  return isUnicast ? null : appError('trunk_address_not_unicast', { entry })
}

function isWithin(bytes: Bytes, { bytes: start, bits }: Network): boolean {
  if (bytes.length !== start.length) return false
  return bytes.every((byte, i) => {
    const mask = 0xff & ~(0xff >> Math.min(8, Math.max(0, bits - i * 8)))
    return ((byte ^ (start[i] ?? 0)) & mask) === 0
  })
}

function bytesOf(address: string): Bytes | null {
  if (isIPv4(address)) return address.split('.').map(Number)
  if (!isIPv6(address) || address.includes('%')) return null
  const hex = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [front = '', back] = hex.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [head, tail] = [groups(front), groups(back ?? '')]
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

/** The address in a URL's host, in plain notation; null if the host is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) ? bare : null
}

// Ports that browsers block (Fetch standard, "port blocking"), and databases: services there may interpret HTTP as
// commands.
const deniedPorts = new Set(
  [
    [0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
    [110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526],
    [530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723],
    [2049, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697],
    [10080, 11211, 27017],
  ].flat(),
)

export const isPortAllowed = (port: number): boolean => !deniedPorts.has(port)
