// Parses SDP into the subset that a call needs. Errors are returned, never thrown.
import { isIP } from 'node:net'
import { parse } from 'sdp-transform'

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** One number of an m= line and what it stands for. */
export type Format = { payloadType: number; name: string; rateHz: number; channels: number }

export type MediaSection = {
  type: string
  port: number
  protocol: string
  /** As they were written; a number has a Format when the text or the standard says what it is. */
  payloads: string
  formats: Format[]
  /** From the section's own c= line or the session's; null when neither has one. */
  address: string | null
  direction: Direction
  ptimeMs: number | null
  maxptimeMs: number | null
  /** Values of a=crypto, whole: sdp-transform would lose all but the first session parameter. */
  cryptos: string[]
  rtcpMux: boolean
}

export type SessionText = { version: number; timing: { start: number; stop: number }; media: MediaSection[] }

/** No telephone sends more: a browser with video needs about 10,000 characters. */
const MAX_CHARACTERS = 32_768
const MAX_SECTIONS = 32

/** sdp-transform tries fifty patterns on a line, some of them slow on hostile text: it only sees what we read. */
const read = /^(?:[vosct]=|a=(?:rtpmap:|ptime:|maxptime:|rtcp-mux|sendrecv|sendonly|recvonly|inactive))/
/** The port may name several streams ("49170/2"), of which only the first is used. */
const mLine = /^m=(\S+) +(\d{1,5})(?:\/\d+)? +(\S+)((?: +\S+)*) *$/

/** RFC 3551 table 4: numbers that need no rtpmap. Those that we do not speak are there to be named in a refusal. */
const staticFormats: ReadonlyMap<number, [name: string, rateHz: number]> = new Map([
  [0, ['PCMU', 8000]],
  [3, ['GSM', 8000]],
  [4, ['G723', 8000]],
  [8, ['PCMA', 8000]],
  // 16 kHz in truth; the 8000 is an error of RFC 1890 that was kept (RFC 3551 section 4.5.2).
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

/** Each number once, however often it is written: 128 at most. */
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

/** Whatever sdp-transform made of digits (its types promise numbers; it gives texts, NaN or nothing as well). */
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

/** An address that packets can be sent to, or 0.0.0.0 (old phones' hold). */
export const isUsable = (address: string): boolean => isIP(address) !== 0 && !isMulticast(address)

/** RFC 1918, 6598, 3927, 4193, 4291: nobody outside can reach these. */
const privateRanges =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd]|fe[89ab])/i

const isPrivate = (address: string): boolean => isIP(address) !== 0 && privateRanges.test(address)

/** The address of the first live stream, when it is one that only its own network can reach. `seenFrom` (where the signaling came from) is never wrong. */
export function privateAddressIn(sdp: string, seenFrom?: string): string | null {
  const session = readSdp(sdp)
  if ('unreadable' in session) return null
  const address = session.media.find(({ port }) => port > 0)?.address ?? null
  return address !== null && address !== seenFrom && isPrivate(address) ? address : null
}
