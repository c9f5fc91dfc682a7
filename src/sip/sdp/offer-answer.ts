// Offer and answer (RFC 3264) for one audio stream: pure, from SDP texts and settings to the negotiated audio.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { KEY_BYTES, readCrypto, type SrtpKeys, suites, type TaggedKeys } from './sdp-crypto.ts'
import {
  type Direction,
  type Format,
  isUnspecified,
  isUsable,
  type MediaSection,
  payloadTypesOf,
  readSdp,
  type SessionText,
} from './sdp-parse.ts'
import { audioSection, type Codec, formatSdp, offeredFormats, rejectedSection, TELEPHONE_EVENT } from './sdp-write.ts'

export type CodecName = Codec

/** The parameters of the RTP leg, and the peer's own description. */
export type NegotiatedAudio = {
  remote: { address: string; port: number }
  codec: CodecName
  payloadType: number
  dtmfPayloadType: number | null
  /** For receiving only: we never send it. */
  comfortNoisePayloadType: number | null
  ptimeMs: number
  /** From our side. */
  direction: Direction
  srtp: { send: SrtpKeys; receive: SrtpKeys } | null
  rtcpMux: boolean
  /** From the peer; an address of 0.0.0.0 counts as sendonly. */
  remoteDirection: Direction
  /** We wish to send, but the peer does not receive. */
  isHold: boolean
}

export type LocalMedia = {
  address: string
  port: number
  codecs: readonly CodecName[]
  /** allowed: accepted when offered, not offered by us (offering both is not standardized, and carriers may refuse it). */
  encryption: 'disabled' | 'allowed' | 'required'
  sessionId: string
  /** Of our first SDP in this session. */
  version: number
  /** The direction we wish; default sendrecv. */
  direction?: Direction
  /** 30 bytes; generated when absent. */
  cryptoKey?: Uint8Array
  /** Our last SDP in this session and its result: version, payload types, keys and m= lines continue from it. */
  before?: { sdp: string; agreed: NegotiatedAudio }
}

export type Offer = {
  sdp: string
  local: LocalMedia
  formats: readonly Format[]
  cryptos: readonly TaggedKeys[]
  audioAt: number
}

export type SdpProblem = {
  problem: 'no-common-codec' | 'no-audio' | 'encryption-required' | 'unreadable'
  detail: string
}

const isSecure = ({ protocol }: MediaSection) => /SAVP/i.test(protocol)
const profiles = ['RTP/AVP', 'RTP/AVPF', 'RTP/SAVP', 'RTP/SAVPF']
const problem = (kind: SdpProblem['problem'], detail: string): SdpProblem => ({ problem: kind, detail })

export function makeOffer(local: LocalMedia): Offer {
  const agreed = local.before?.agreed
  // RFC 3264 section 8: a stream keeps its position for the whole session, even a refused one.
  const session = readSdp(local.before?.sdp ?? '')
  const earlier = 'unreadable' in session ? [] : session.media
  const audioAt = Math.max(
    0,
    earlier.findIndex(({ type, port }) => type === 'audio' && port > 0),
  )
  const formats = offeredFormats(local.codecs, agreed, earlier[audioAt]?.formats)
  // An encrypted call stays encrypted, with the same key: a new one for every hold would restart the packet index.
  const isEncrypted = local.encryption === 'required' || Boolean(agreed?.srtp)
  const key = isEncrypted ? keyOf(local) : new Uint8Array()
  const cryptos = isEncrypted ? suites.map((suite, i) => ({ tag: i + 1, suite, key })) : []
  const audio = audioSection({
    port: local.port,
    protocol: isEncrypted ? 'RTP/SAVP' : 'RTP/AVP',
    formats,
    cryptos,
    ptimeMs: agreed?.ptimeMs ?? 20,
    direction: local.direction ?? 'sendrecv',
    rtcpMux: offersMux(local),
  })
  const media = earlier.length > 0 ? earlier.map(rejectedSection).with(audioAt, audio) : [audio]
  return { sdp: formatSdp(local, { start: 0, stop: 0 }, media, local.before?.sdp), local, formats, cryptos, audioAt }
}

export function readAnswer(offer: Offer, answerSdp: string): NegotiatedAudio | SdpProblem {
  const session = readSdp(answerSdp)
  if ('unreadable' in session) return problem('unreadable', session.unreadable)
  const section = session.media[offer.audioAt]
  if (section?.type !== 'audio') return problem('no-audio', 'the answer has no audio in the place of ours')
  if (section.port === 0) return problem('no-audio', 'the audio was refused')
  const wrong = unreachable(section, offer.local)
  if (wrong) return wrong
  // Some answers have only payload types, whose meaning is in the offer.
  const bare = payloadTypesOf(section.payloads)
  const implied = offer.formats.filter((format) => bare.includes(format.payloadType))
  const known = [
    ...section.formats,
    ...implied.filter((f) => !section.formats.some((g) => g.payloadType === f.payloadType)),
  ]
  known.sort((a, b) => bare.indexOf(a.payloadType) - bare.indexOf(b.payloadType))
  const chosen = choose(
    known,
    offer.formats.flatMap((format) => codecOf(format) ?? []),
  )
  if (!chosen) return problem('no-common-codec', `the answer has ${namesOf(section)}, none of which was offered`)
  const srtp = keysInAnswer(offer, section)
  if (srtp !== null && 'problem' in srtp) return srtp
  const agreed = agreement(section, { ...chosen, srtp, wished: offer.local.direction ?? 'sendrecv' })
  return { ...agreed, rtcpMux: agreed.rtcpMux && offersMux(offer.local) }
}

/** Only if the peer is known to support it: it saves no more than a port. */
const offersMux = (local: LocalMedia): boolean => local.before?.agreed.rtcpMux ?? false

export function answerOffer(
  offerSdp: string,
  local: LocalMedia,
): { sdp: string; agreed: NegotiatedAudio } | SdpProblem {
  const session = readSdp(offerSdp)
  if ('unreadable' in session) return problem('unreadable', session.unreadable)
  let firstProblem: SdpProblem | undefined
  for (const [at, section] of session.media.entries()) {
    if (section.type !== 'audio' || section.port === 0) continue
    const taken = takeSection(section, local)
    if (!('problem' in taken)) return { sdp: answerText(session, at, local, taken), agreed: taken.agreed }
    firstProblem ??= taken
  }
  return firstProblem ?? problem('no-audio', 'the offer has no audio')
}

type Taken = { agreed: NegotiatedAudio; formats: readonly Format[]; cryptos: readonly TaggedKeys[] }

function takeSection(section: MediaSection, local: LocalMedia): Taken | SdpProblem {
  const wrong = unreachable(section, local)
  if (wrong) return wrong
  // The offer's order is the peer's preference (RFC 3264 section 6.1).
  const chosen = choose(section.formats, local.codecs)
  if (!chosen)
    return problem('no-common-codec', `the offer has ${namesOf(section)}; allowed here: ${local.codecs.join(', ')}`)
  const theirs = local.encryption === 'disabled' ? null : firstCrypto(section)
  if (!theirs && isSecure(section)) {
    const why = local.encryption === 'disabled' ? 'it is switched off here' : 'in no way that is known here'
    return problem('encryption-required', `the offer wants encryption, and ${why}`)
  }
  if (!theirs && local.encryption === 'required')
    return problem('encryption-required', 'encryption is required here, and the offer has none')
  const ours = theirs && { ...theirs, key: keyOf(local) }
  const srtp = theirs && ours && { send: keysAlone(ours), receive: keysAlone(theirs) }
  const agreed = agreement(section, { ...chosen, srtp, wished: local.direction ?? 'sendrecv' })
  // Only the chosen codec: some phones decode everything with the first one listed.
  const formats = chosen.dtmf ? [chosen.format, chosen.dtmf] : [chosen.format]
  return { agreed, formats, cryptos: ours ? [ours] : [] }
}

function answerText(session: SessionText, audioAt: number, local: LocalMedia, taken: Taken): string {
  const { protocol = 'RTP/AVP' } = session.media[audioAt] ?? {}
  const { ptimeMs, direction, rtcpMux } = taken.agreed
  const audio = audioSection({ ...taken, port: local.port, protocol, ptimeMs, direction, rtcpMux })
  // RFC 3264 section 6: as many m= lines as the offer, in its order, and its t= line.
  return formatSdp(local, session.timing, session.media.map(rejectedSection).with(audioAt, audio), local.before?.sdp)
}

type Choice = { codec: CodecName; format: Format; dtmf: Format | undefined; comfortNoise: Format | undefined }

function choose(formats: readonly Format[], allowed: readonly CodecName[]): Choice | undefined {
  for (const format of formats) {
    const codec = codecOf(format)
    if (!codec || !allowed.includes(codec)) continue
    const events = formats.filter(({ name }) => name === TELEPHONE_EVENT)
    // RFC 4733 section 2.1: events use the clock rate of the audio. Some peers offer 8000 beside Opus nevertheless.
    const dtmf = events.find(({ rateHz }) => rateHz === format.rateHz) ?? events.find(({ rateHz }) => rateHz === 8000)
    const comfortNoise = formats.find(({ name, rateHz }) => name === 'CN' && rateHz === format.rateHz)
    return { codec, format, dtmf, comfortNoise }
  }
  return undefined
}

function codecOf({ name, rateHz, channels }: Format): CodecName | undefined {
  // G722/16000 is wrong but common; Opus packets signal mono or stereo themselves.
  if (name === 'G722') return (rateHz === 8000 || rateHz === 16_000) && channels === 1 ? 'G722' : undefined
  if (name === 'OPUS') return rateHz === 48_000 ? 'opus' : undefined
  if (name !== 'PCMU' && name !== 'PCMA') return undefined
  return rateHz === 8000 && channels === 1 ? name : undefined
}

type Terms = Choice & { srtp: NegotiatedAudio['srtp']; wished: Direction }

function agreement(section: MediaSection, { codec, format, dtmf, comfortNoise, srtp, wished }: Terms): NegotiatedAudio {
  const address = section.address ?? ''
  // RFC 3264 section 8.4: hold as in RFC 2543.
  const remoteDirection = isUnspecified(address) ? both(section.direction, 'sendonly') : section.direction
  const direction = both(wished, mirrored(remoteDirection))
  return {
    remote: { address, port: section.port },
    codec,
    payloadType: format.payloadType,
    dtmfPayloadType: dtmf?.payloadType ?? null,
    comfortNoisePayloadType: comfortNoise?.payloadType ?? null,
    ptimeMs: ptimeOf(section, codec),
    direction,
    srtp,
    rtcpMux: section.rtcpMux,
    remoteDirection,
    isHold: sends(wished) && !sends(direction),
  }
}

const sends = (direction: Direction) => direction === 'sendrecv' || direction === 'sendonly'
const receives = (direction: Direction) => direction === 'sendrecv' || direction === 'recvonly'
const directed = (send: boolean, receive: boolean): Direction =>
  send ? (receive ? 'sendrecv' : 'sendonly') : receive ? 'recvonly' : 'inactive'
const both = (a: Direction, b: Direction) => directed(sends(a) && sends(b), receives(a) && receives(b))
const mirrored = (direction: Direction) => directed(receives(direction), sends(direction))

/** Supported packet durations in ms; Opus has no 30 ms frames (RFC 6716 section 2). */
const ptimes = [60, 40, 30, 20, 10]

/** The peer's preferred duration, or the next shorter one that it accepts (RFC 8866 section 6.4). */
function ptimeOf({ ptimeMs, maxptimeMs }: MediaSection, codec: CodecName): number {
  const wished = Math.min(ptimeMs || 20, maxptimeMs || 60)
  return ptimes.find((ptime) => ptime <= wished && !(codec === 'opus' && ptime === 30)) ?? 20
}

function unreachable({ protocol, address }: MediaSection, local: LocalMedia): SdpProblem | undefined {
  if (!profiles.includes(protocol.toUpperCase()))
    return problem('no-audio', `${protocol.slice(0, 40)} is not spoken here`)
  if (address === null) return problem('unreadable', 'it has no c= line')
  if (!isUsable(address)) return problem('unreadable', `nothing can be sent to ${address.slice(0, 60)}`)
  const families = [isIP(address), isIP(local.address)]
  if (!isUnspecified(address) && !families.includes(0) && families[0] !== families[1])
    return problem('no-audio', `the audio is at an address of IPv${families[0]}, ours of IPv${families[1]}`)
  return undefined
}

const firstCrypto = (section: MediaSection): TaggedKeys | null =>
  section.cryptos.map(readCrypto).find((keys) => keys !== null) ?? null
const keysAlone = ({ suite, key }: SrtpKeys): SrtpKeys => ({ suite, key })
const keyOf = (local: LocalMedia): Uint8Array =>
  local.cryptoKey ?? local.before?.agreed.srtp?.send.key ?? new Uint8Array(randomBytes(KEY_BYTES))

/** RFC 4568 section 5.1.3: the answer must repeat the tag and the suite of a line of ours. */
function keysInAnswer(offer: Offer, section: MediaSection): NegotiatedAudio['srtp'] | SdpProblem {
  if (offer.cryptos.length === 0) {
    const isPlain = !isSecure(section)
    return isPlain ? null : problem('encryption-required', 'the answer is encrypted, and the offer was not')
  }
  const theirs = firstCrypto(section)
  const ours = offer.cryptos.find(({ tag, suite }) => tag === theirs?.tag && suite === theirs.suite)
  if (!theirs || !ours) return problem('encryption-required', 'the answer has no key for any way that was offered')
  return { send: keysAlone(ours), receive: keysAlone(theirs) }
}

/** Codec names for an error message; bounded, because they come from the peer. */
const namesOf = ({ formats, payloads }: MediaSection): string =>
  (formats.map(({ name }) => name).join(', ') || `only the numbers ${payloads}`).slice(0, 120)
