// Parses SDP into the subset that a call needs. Errors are returned, never thrown.
import { isIP } from 'node:net'
import { parse } from 'sdp-transform'
import { isPrivateAddress } from '../transport/nat.ts'

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** A payload type of an m= line and its meaning. */
export type Format = { payloadType: number; name: string; rateHz: number; channels: number }

export type MediaSection = {
  type: string
  port: number
  protocol: string
  /** As received; a payload type has a Format if an rtpmap or RFC 3551 defines it. */
  payloads: string
  formats: Format[]
  /** From the c= line of the section or the session; null when neither has one. */
  address: string | null
  direction: Direction
  ptimeMs: number | null
  maxptimeMs: number | null
  /** Complete values of a=crypto: sdp-transform would drop all but the first session parameter. */
  cryptos: string[]
  rtcpMux: boolean
}

export type SessionText = { version: number; timing: { start: number; stop: number }; media: MediaSection[] }

/** A browser with video needs about 10,000 characters. */
const MAX_CHARACTERS = 32_768
const MAX_SECTIONS = 32

/** sdp-transform tries fifty patterns on each line, some of them slow on hostile text: it gets only the lines we need. */
const read = /^(?:[vosct]=|a=(?:rtpmap:|ptime:|maxptime:|rtcp-mux|sendrecv|sendonly|recvonly|inactive))/
/** The port may denote several streams ("49170/2"); only the first is used. */
const mLine = /^m=(\S+) +(\d{1,5})(?:\/\d+)? +(\S+)((?: +\S+)*) *$/

/** RFC 3551 table 4: payload types without an rtpmap. Unsupported ones are listed to be named in a refusal. */
const staticFormats: ReadonlyMap<number, [name: string, rateHz: number]> = new Map([
  [0, ['PCMU', 8000]],
  [3, ['GSM', 8000]],
  [4, ['G723', 8000]],
  [8, ['PCMA', 8000]],
  // Actually 16 kHz; the 8000 is an error in RFC 1890 that was kept (RFC 3551 section 4.5.2).
  [9, ['G722', 8000]],
  [13, ['CN', 8000]],
  [15, ['G728', 8000]],
  [18, ['G729', 8000]],
])

export function readSdp(text: string): SessionText | { unreadable: string } {
  if (text.length > MAX_CHARACTERS) return { unreadable: 'it is too long' }
  const kept: string[] = []
  const heads: { head: RegExpMatchArray; cryptos: string[] }[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith('m=')) {
      const head = line.match(mLine)
      if (!head || Number(head[2]) > 65_535) return { unreadable: 'it has a broken m= line' }
      heads.push({ head, cryptos: [] })
      kept.push('m=')
    } else if (line.startsWith('a=crypto:')) heads.at(-1)?.cryptos.push(line.slice('a=crypto:'.length))
    else if (read.test(line)) kept.push(line)
  }
  if (!kept.some((line) => line.startsWith('v=0'))) return { unreadable: 'it has no v=0 line' }
  if (heads.length > MAX_SECTIONS) return { unreadable: 'it has too many m= lines' }
  const session = parse(kept.join('\r\n'))
  const { start, stop } = session.timing ?? {}
  return {
    version: whole(session.origin?.sessionVersion) ?? 0,
    timing: { start: whole(start) ?? 0, stop: whole(stop) ?? 0 },
    media: heads.map(({ head: [, type = '', port = '0', protocol = '', payloads = ''], cryptos }, at) => {
      const section = session.media[at]
      const maps = (section?.rtp ?? []).map(({ payload, codec, rate, encoding }) => ({
        payloadType: Number(payload),
        name: String(codec ?? '').toUpperCase(),
        rateHz: Number(rate ?? 0),
        channels: Number(encoding ?? 1),
      }))
      return {
        type,
        port: Number(port),
        protocol,
        payloads: payloads.trim(),
        formats: formatsOf(payloads, maps),
        address: addressOf(section?.connection ?? session.connection),
        direction: (section?.direction ?? session.direction ?? 'sendrecv') as Direction,
        ptimeMs: whole(section?.ptime),
        maxptimeMs: whole(section?.maxptime),
        cryptos,
        rtcpMux: section?.rtcpMux !== undefined,
      }
    }),
  }
}

/** Each payload type once, 128 at most. */
function formatsOf(payloads: string, maps: readonly Format[]): Format[] {
  const known = new Map(maps.toReversed().map((map) => [map.payloadType, map]))
  return payloadTypesOf(payloads).flatMap((payloadType) => {
    const mapped = known.get(payloadType)
    if (mapped) return [mapped]
    const [name, rateHz] = staticFormats.get(payloadType) ?? []
    return name && rateHz ? [{ payloadType, name, rateHz, channels: 1 }] : []
  })
}

export const payloadTypesOf = (payloads: string): number[] => [
  ...new Set(
    payloads.split(' ').flatMap((text) => (/^\d{1,3}$/.test(text) && Number(text) < 128 ? [Number(text)] : [])),
  ),
]

/** A number from sdp-transform, which also returns strings, NaN or nothing, despite its types. */
function whole(value: unknown): number | null {
  const number = Math.floor(Number(value))
  return value !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Without the time to live of a multicast address ("224.2.1.1/127"). */
const addressOf = (connection: { ip?: unknown } | undefined): string | null =>
  connection?.ip === undefined ? null : (String(connection.ip).split('/')[0] ?? null)

export const isUnspecified = (address: string): boolean => address === '0.0.0.0' || /^[0:]+$/.test(address)

const isMulticast = (address: string): boolean =>
  isIP(address) === 4 ? Number(address.split('.')[0]) >= 224 : /^ff/i.test(address)

/** A unicast address, or 0.0.0.0 (hold on old phones). */
export const isUsable = (address: string): boolean => isIP(address) !== 0 && !isMulticast(address)

/** The address of the first active stream, if it is reachable only from its own network. `seenFrom`, the source of the signaling, is always fine. */
export function privateAddressIn(sdp: string, seenFrom?: string): string | null {
  const session = readSdp(sdp)
  if ('unreadable' in session) return null
  const address = session.media.find(({ port }) => port > 0)?.address ?? null
  if (address === null || address === seenFrom || isUnspecified(address)) return null
  return isPrivateAddress(address) ? address : null
}
