// The session of a leg inside the worker, from the first offer and answer: codec, receiver, RTCP and SRTP, and what its settings permit.
import { isIP, isIPv6, SocketAddress } from 'node:net'
import type { Codec } from './codecs.ts'
import { plain, type Source } from './datagram.ts'
import type { LegSettings, SrtpKeys } from './leg.ts'
import type { AudioReceiver } from './receiver.ts'
import type { RtcpOptions, RtcpSession } from './rtcp.ts'
import { SrtpReceiver, SrtpSender } from './srtp.ts'

export type LegSession = {
  settings: LegSettings
  codec: Codec
  receiver: AudioReceiver
  rtcp: RtcpSession
  rtcpOptions: RtcpOptions
  srtp: { sender: SrtpSender; receiver: SrtpReceiver } | null
}

/** The peer's address as sockets report it. A name is not resolved here: such a peer is found when it sends. */
export function addressOf({ remote: { address, port } }: LegSettings): Source {
  if (isIPv6(address)) return { address: plain(new SocketAddress({ address, family: 'ipv6' }).address), port }
  return isIP(address) ? { address, port } : { address: '0.0.0.0', port: 0 }
}

export const maySend = ({ direction }: LegSettings): boolean => direction === 'sendrecv' || direction === 'sendonly'
export const mayHear = ({ direction }: LegSettings): boolean => direction === 'sendrecv' || direction === 'recvonly'
/** A phone that holds us may play music but mostly sends nothing: its silence is no loss of media. */
export const mustHear = ({ direction }: LegSettings): boolean => direction === 'sendrecv'

export const isAgreed = (settings: LegSettings, type: number): boolean =>
  type === settings.payloadType || type === settings.dtmfPayloadType || type === settings.comfortNoisePayloadType

/** Unchanged keys keep their state: a packet counter that started over would reuse the key stream. */
export function srtpOf({ srtp }: LegSettings, before: LegSession | null): LegSession['srtp'] {
  if (!srtp) return null
  const old = before?.settings.srtp
  const kept = before?.srtp
  return {
    sender: kept && isSameKey(old?.send, srtp.send) ? kept.sender : new SrtpSender(srtp.send),
    receiver: kept && isSameKey(old?.receive, srtp.receive) ? kept.receiver : new SrtpReceiver(srtp.receive),
  }
}

const isSameKey = (a: SrtpKeys | undefined, b: SrtpKeys) =>
  a !== undefined && a.suite === b.suite && Buffer.compare(a.key, b.key) === 0
