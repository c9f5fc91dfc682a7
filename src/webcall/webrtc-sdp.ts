// What is in a browser's offer, and what our answer tells of our addresses. SDP as text; pure, but for the name that an address may have.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AppError } from '../base/errors.ts'

export type IceServer = { urls: string | string[]; username?: string; credential?: string }
export type IceSettings = {
  iceServers: readonly IceServer[]
  /** UDP ports for audio. */
  ports: { from: number; to: number }
  /** The address that the telephone's audio listens on. */
  host: string
  /** How the outside reaches this machine, where that is not its own address. */
  publicAddress: string | null
}

/** A browser with many networks has some dozens. */
const MOST_CANDIDATES = 100

const linesOf = (sdp: string, start: string) => sdp.split(/\r?\n/).filter((line) => line.startsWith(start))

/** One stream of audio and a data channel: more is nothing for an agent. */
export function checkOffer(sdp: string): void {
  const media = linesOf(sdp, 'm=').map((line) => line.slice(2).split(' ')[0])
  const isRight = media.every((kind) => kind === 'audio' || kind === 'application') && new Set(media).size === 2
  if (!isRight || media.length !== 2)
    throw new AppError('invalid', 'The offer must have one audio section and one data channel')
  // Without its fingerprint anybody in between could be the browser.
  const needed = [
    /^a=fingerprint:sha-(256|384|512) [0-9a-f:]{95,}$/i,
    /^a=ice-ufrag:\S{4,256}$/,
    /^a=ice-pwd:\S{22,256}$/,
  ]
  if (!needed.every((pattern) => linesOf(sdp, 'a=').some((line) => pattern.test(line))))
    throw new AppError('invalid', 'The offer must have a fingerprint (SHA-256 or better), ice-ufrag and ice-pwd')
  if (linesOf(sdp, 'a=candidate:').length > MOST_CANDIDATES)
    throw new AppError('invalid', `The offer has more than ${MOST_CANDIDATES} candidates`)
}

/** Who it is: its certificate's, which another browser cannot use. */
export const fingerprintIn = (sdp: string): string => (linesOf(sdp, 'a=fingerprint:')[0] ?? '').trim().toLowerCase()

/** Every browser has both (RFC 7874 section 3). */
export function codecIn(sdp: string, hasOpus: boolean): 'opus' | 'PCMU' {
  if (hasOpus && /^a=rtpmap:\d+ opus\/48000/im.test(sdp)) return 'opus'
  if (/^a=rtpmap:\d+ PCMU\/8000/im.test(sdp) || /^m=audio .* 0( |\r?$)/m.test(sdp)) return 'PCMU'
  throw new AppError('invalid', `The offer has no codec that is known here: ${hasOpus ? 'Opus or PCMU' : 'PCMU'}`)
}

/** Behind NAT the outside does not know our own addresses: each is told once more as the public one, a little less preferred. */
export async function withPublicCandidates(
  sdp: string,
  { publicAddress }: Pick<IceSettings, 'publicAddress'>,
): Promise<string> {
  if (!publicAddress) return sdp
  const address = isIP(publicAddress) ? publicAddress : (await lookup(publicAddress)).address
  const told = new Set<string>()
  const eol = sdp.includes('\r\n') ? '\r\n' : '\n'
  return sdp.replace(
    /^(m=.*)|^a=candidate:(\S+) 1 udp (\d+) (\S+) (\d+) typ host(.*)$/gim,
    (line: string, section, foundation, priority, host: string, port, rest) => {
      if (section) told.clear()
      if (section || isIP(host) !== isIP(address) || host === address || told.has(port)) return line
      told.add(port)
      return `${line}${eol}a=candidate:${foundation}p 1 udp ${Number(priority) - 1} ${address} ${port} typ host${rest}`
    },
  )
}
