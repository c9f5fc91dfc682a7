// Checks a browser's SDP offer and adds our public address to the answer.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { appError } from '../base/errors/errors.ts'

export type IceServer = { urls: string | string[]; username?: string; credential?: string }
export type IceSettings = {
  iceServers: readonly IceServer[]
  /** UDP ports for audio. */
  ports: { from: number; to: number }
  /** The address that RTP listens on. */
  host: string
  /** Our address behind NAT. */
  publicAddress: string | null
}

/** A browser with many networks has some dozens. */
const MAX_CANDIDATES = 100

const linesOf = (sdp: string, start: string) => sdp.split(/\r?\n/).filter((line) => line.startsWith(start))

/** The offer must have exactly one audio section and one data channel. */
export function checkOffer(sdp: string): void {
  const media = linesOf(sdp, 'm=').map((line) => line.slice(2).split(' ')[0])
  const isRight = media.every((kind) => kind === 'audio' || kind === 'application') && new Set(media).size === 2
  if (!isRight || media.length !== 2) throw appError('offer_sections')
  // Without a fingerprint, DTLS would be open to a man in the middle.
  const needed = [
    /^a=fingerprint:sha-(256|384|512) [0-9a-f:]{95,}$/i,
    /^a=ice-ufrag:\S{4,256}$/,
    /^a=ice-pwd:\S{22,256}$/,
  ]
  if (!needed.every((pattern) => linesOf(sdp, 'a=').some((line) => pattern.test(line))))
    throw appError('offer_security')
  if (linesOf(sdp, 'a=candidate:').length > MAX_CANDIDATES)
    throw appError('offer_candidates', { limit: MAX_CANDIDATES })
}

/** The fingerprint of the browser's certificate, which identifies it across ICE restarts. */
export const fingerprintIn = (sdp: string): string => (linesOf(sdp, 'a=fingerprint:')[0] ?? '').trim().toLowerCase()

/** Every browser supports both (RFC 7874 section 3). */
export function codecIn(sdp: string, hasOpus: boolean): 'opus' | 'PCMU' {
  if (hasOpus && /^a=rtpmap:\d+ opus\/48000/im.test(sdp)) return 'opus'
  if (/^a=rtpmap:\d+ PCMU\/8000/im.test(sdp) || /^m=audio .* 0( |\r?$)/m.test(sdp)) return 'PCMU'
  throw appError('offer_codec', { codecs: hasOpus ? 'Opus or PCMU' : 'PCMU' })
}

/** Behind NAT each host candidate is repeated with the public address, at slightly lower priority. */
export async function withPublicCandidates(
  sdp: string,
  { publicAddress }: Pick<IceSettings, 'publicAddress'>,
): Promise<string> {
  if (!publicAddress) return sdp
  const address = isIP(publicAddress) ? publicAddress : (await lookup(publicAddress)).address
  const ports = new Set<string>()
  const eol = sdp.includes('\r\n') ? '\r\n' : '\n'
  return sdp.replace(
    /^(m=.*)|^a=candidate:(\S+) 1 udp (\d+) (\S+) (\d+) typ host(.*)$/gim,
    (line: string, section, foundation, priority, host: string, port, rest) => {
      if (section) ports.clear()
      if (section || isIP(host) !== isIP(address) || host === address || ports.has(port)) return line
      ports.add(port)
      return `${line}${eol}a=candidate:${foundation}p 1 udp ${Number(priority) - 1} ${address} ${port} typ host${rest}`
    },
  )
}
