// Formats the SDP of one audio stream: payload types, rejected sections, session version.
import { isIPv6 } from 'node:net'
import { type MediaDescription, write } from 'sdp-transform'
import { cryptoLine, type TaggedKeys } from './sdp-crypto.ts'
import { type Direction, type Format, type MediaSection, readSdp, type SessionText } from './sdp-parse.ts'

export type Codec = 'PCMU' | 'PCMA' | 'G722' | 'opus'

const codecs: Readonly<Record<Codec, Format>> = {
  PCMU: { name: 'PCMU', rateHz: 8000, channels: 1, payloadType: 0 },
  PCMA: { name: 'PCMA', rateHz: 8000, channels: 1, payloadType: 8 },
  G722: { name: 'G722', rateHz: 8000, channels: 1, payloadType: 9 },
  // Always 48000/2 (RFC 7587 section 7).
  opus: { name: 'OPUS', rateHz: 48_000, channels: 2, payloadType: 111 },
}
export const TELEPHONE_EVENT = 'TELEPHONE-EVENT'
const isEvent = ({ name }: Format) => name === TELEPHONE_EVENT

type Chosen = { codec: Codec; payloadType: number; dtmfPayloadType: number | null }

/** RFC 3264 section 8.3.2: a payload type keeps its meaning for the whole session, so the agreed formats come first, unchanged. */
export function offeredFormats(allowed: readonly Codec[], chosen?: Chosen, earlier: readonly Format[] = []): Format[] {
  const formats: Format[] = []
  const add = (format: Format) => {
    const used = new Set(formats.map(({ payloadType }) => payloadType))
    let { payloadType } = format
    while (used.has(payloadType)) payloadType = payloadType < 96 || payloadType === 127 ? 96 : payloadType + 1
    formats.push({ ...format, payloadType })
  }
  const numbered = (format: Format): Format => {
    const before = earlier.find(({ name, rateHz }) => name === format.name && rateHz === format.rateHz)
    return { ...format, payloadType: before?.payloadType ?? format.payloadType }
  }
  if (chosen) {
    add({ ...codecs[chosen.codec], payloadType: chosen.payloadType })
    const payloadType = chosen.dtmfPayloadType
    const event = earlier.find((format) => isEvent(format) && format.payloadType === payloadType)
    const { rateHz } = event ?? codecs[chosen.codec]
    if (payloadType !== null) add({ name: TELEPHONE_EVENT, rateHz, channels: 1, payloadType })
  }
  for (const codec of allowed) if (codec !== chosen?.codec) add(numbered(codecs[codec]))
  // RFC 4733 section 2.1: events use the clock rate of the audio, so there is one format for each rate.
  for (const rateHz of new Set(formats.map((format) => format.rateHz)))
    if (!formats.some((format) => isEvent(format) && format.rateHz === rateHz))
      add(numbered({ name: TELEPHONE_EVENT, rateHz, channels: 1, payloadType: rateHz === 8000 ? 101 : 102 }))
  return [...formats.filter((format) => !isEvent(format)), ...formats.filter(isEvent)]
}

export type AudioTerms = {
  port: number
  protocol: string
  formats: readonly Format[]
  cryptos: readonly TaggedKeys[]
  ptimeMs: number
  direction: Direction
  rtcpMux: boolean
}

const spelling: ReadonlyMap<string, string> = new Map([
  [TELEPHONE_EVENT, 'telephone-event'],
  ['OPUS', 'opus'],
])

export function audioSection(terms: AudioTerms): MediaDescription {
  const { port, protocol, formats, cryptos } = terms
  return {
    type: 'audio',
    port,
    protocol,
    payloads: formats.map(({ payloadType }) => payloadType).join(' '),
    rtp: formats.map(({ payloadType, name, rateHz, channels }) => ({
      payload: payloadType,
      codec: spelling.get(name) ?? name,
      rate: rateHz,
      ...(channels > 1 ? { encoding: channels } : {}),
    })),
    fmtp: formats.filter(isEvent).map(({ payloadType }) => ({ payload: payloadType, config: '0-15' })),
    ...(cryptos.length > 0 ? { crypto: cryptos.map(cryptoLine) } : {}),
    ptime: terms.ptimeMs,
    direction: terms.direction,
    ...(terms.rtcpMux ? { rtcpMux: 'rtcp-mux' as const } : {}),
  }
}

/** Port 0, otherwise as received (RFC 3264 section 6). */
export const rejectedSection = ({ type, protocol, payloads }: MediaSection): MediaDescription => ({
  type,
  port: 0,
  protocol,
  payloads,
  rtp: [],
  fmtp: [],
})

export type Origin = { address: string; sessionId: string; version: number }

/** RFC 3264 section 8: the version increases by one only if the text differs from `before`, our last one. */
export function formatSdp(
  origin: Origin,
  timing: SessionText['timing'],
  media: MediaDescription[],
  before: string | undefined,
): string {
  const { address, sessionId } = origin
  const ipVer = isIPv6(address) ? 6 : 4
  const text = (sessionVersion: number) =>
    write({
      version: 0,
      origin: { username: '-', sessionId, sessionVersion, netType: 'IN', ipVer, address },
      name: '-',
      connection: { version: ipVer, ip: address },
      timing,
      media,
    })
  const session = readSdp(before ?? '')
  if ('unreadable' in session) return text(origin.version)
  const same = text(session.version)
  return same === before ? same : text(session.version + 1)
}
