// The WebRTC peer connection of a web call, in its worker: ICE, DTLS, SRTP and the codec. Messages use a data channel.
import { randomInt } from 'node:crypto'
import type { RTCDataChannel, RTCDtlsTransport, RTCPeerConnection } from 'werift'
import { monotonicMs } from '../base/time/clock.ts'
import { TICK_MS } from '../rtp/clock.ts'
import { type Codec, openCodec } from '../rtp/codecs.ts'
import { type RtpPacket, writeRtp } from '../rtp/packet.ts'
import type { PeerSettings } from '../rtp/web-wire.ts'
import { type ClientMessage, DATA_CHANNEL, parseClientMessage } from './protocol.ts'

export type PeerEvents = {
  onAudio(packet: RtpPacket, nowMs: number): void
  onMessage(message: ClientMessage): void
  /** False when no candidate pair worked in time. Called once. */
  onConnected(isConnected: boolean): void
  /** The browser left. */
  onHangup(): void
}

export type Peer = Awaited<ReturnType<typeof openPeer>>

/** A reachable browser connects within a second or two. */
const CONNECT_MS = 15_000
/** How long to wait for a STUN or TURN server before answering without it. */
const GATHER_SECONDS = 2
/** Ports tried to find a free one. */
const PORTS_TRIED = 200
/** Messages queued before the data channel is open. */
const MAX_QUEUED = 100
const MAX_BUFFERED_BYTES = 1_048_576
/** DTLS handshake message type. */
const HELLO_VERIFY_REQUEST = 3

const codecs = {
  opus: { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 },
  PCMU: { mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 },
}

/** After an ICE restart with DTLS established, werift starts no checks by itself and would wait for ever. */
export function startIce({ iceTransports }: Pick<RTCPeerConnection, 'iceTransports'>): void {
  for (const transport of iceTransports) if (transport.state !== 'connected') transport.start().catch(() => {})
}

/** Answers the offer. Opus must be loaded. */
export async function openPeer(offer: string, settings: PeerSettings, events: PeerEvents) {
  const { RTCPeerConnection, RTCRtpCodecParameters, MediaStreamTrack } = await import('werift')
  const { from, to } = settings.ports
  const firstPort = from + randomInt(Math.max(1, to - from - PORTS_TRIED))
  const peer = new RTCPeerConnection({
    codecs: { audio: [new RTCRtpCodecParameters(codecs[settings.codec])], video: [] },
    headerExtensions: { audio: [], video: [] },
    iceServers: [...settings.iceServers],
    icePortRange: [firstPort, to],
    iceStunGatherTimeout: GATHER_SECONDS,
    iceTurnConnectTimeout: GATHER_SECONDS,
    ...(settings.host.startsWith('127.') ? { iceAdditionalHostAddresses: [settings.host] } : {}),
  })
  const track = new MediaStreamTrack({ kind: 'audio' })
  const channel = messageChannel(peer, events)
  let isClosed = false

  peer.onTrack.subscribe((theirs) => {
    theirs.onReceiveRtp.subscribe(({ header, payload }) => {
      if (isClosed) return
      const { payloadType, marker, sequenceNumber: sequence, timestamp, ssrc } = header
      events.onAudio({ payloadType, marker, sequence, timestamp, ssrc, payload }, monotonicMs())
    })
  })
  const connecting = setTimeout(() => events.onConnected(false), CONNECT_MS)
  peer.connectionStateChange.subscribe((state) => {
    if (state === 'closed' && !isClosed) events.onHangup()
    if (state !== 'connected' && state !== 'failed' && state !== 'closed') return
    clearTimeout(connecting)
    events.onConnected(state === 'connected')
  })

  async function close(): Promise<void> {
    isClosed = true
    clearTimeout(connecting)
    await peer.close().catch(() => {})
  }

  const { payloadType, answer } = await negotiate(peer, track, { offer, settings }).catch(async (error) => {
    await close()
    throw error
  })
  const codec = openCodec(settings.codec)
  let restarted: Promise<unknown> = Promise.resolve()

  async function restart(next: string): Promise<string> {
    await peer.setRemoteDescription({ type: 'offer', sdp: next })
    await peer.setLocalDescription(await peer.createAnswer())
    startIce(peer)
    return peer.localDescription?.sdp ?? ''
  }

  const sendRtp = rtpSender(codec, payloadType)
  return {
    answer,
    codec,
    payloadType,
    sendMessage: channel.send,
    sendAudio(frame: Int16Array, isTalk: boolean): void {
      const isOpen = !isClosed && peer.connectionState === 'connected'
      sendRtp(frame, isTalk, isOpen ? (packet) => track.writeRtp(packet) : null)
    },
    /** Restarts run one at a time. */
    restartIce(next: string): Promise<string> {
      const answered = restarted.then(() => restart(next))
      restarted = answered.catch(() => {})
      return answered
    },
    async close(): Promise<void> {
      if (isClosed) return
      codec.close?.()
      await close()
    },
  }
}

/** The data channel: messages wait until it is open. */
function messageChannel(peer: RTCPeerConnection, events: PeerEvents) {
  let channel: RTCDataChannel | undefined
  let waiting: string[] = []
  peer.onDataChannel.subscribe((opened) => {
    if (opened.label !== DATA_CHANNEL || channel) return
    channel = opened
    opened.onMessage.subscribe((data) => {
      const message = parseClientMessage(data.toString())
      if (message) events.onMessage(message)
    })
    opened.stateChanged.subscribe((state) => {
      if (state === 'closed') events.onHangup()
    })
    for (const text of waiting) opened.send(text)
    waiting = []
  })
  return {
    send(text: string): void {
      if (channel?.readyState === 'open' || channel?.readyState === 'connecting') {
        if (channel.bufferedAmount <= MAX_BUFFERED_BYTES) channel.send(text)
      } else if (!channel && waiting.length < MAX_QUEUED) waiting.push(text)
    },
  }
}

type Offered = { offer: string; settings: PeerSettings }
type Track = InstanceType<typeof import('werift').MediaStreamTrack>

async function negotiate(peer: RTCPeerConnection, track: Track, { offer, settings }: Offered) {
  await peer.setRemoteDescription({ type: 'offer', sdp: offer })
  dropDefaultStun(peer, settings)
  ignoreRepeatedVerifyRequests(peer)
  const [transceiver] = peer.getTransceivers()
  await transceiver?.sender.replaceTrack(track)
  transceiver?.setDirection('sendrecv')
  await peer.setLocalDescription(await peer.createAnswer())
  const payloadType = transceiver?.sender.codec?.payloadType
  const answer = peer.localDescription?.sdp
  if (payloadType === undefined || !answer) throw new Error('no audio was agreed on')
  return { payloadType, answer }
}

/** werift falls back to a default STUN server; we contact configured servers only. */
function dropDefaultStun(peer: RTCPeerConnection, { iceServers }: PeerSettings): void {
  const isNamed = iceServers.some(({ urls }) => [urls].flat().some((url) => /^stuns?:/i.test(url)))
  if (!isNamed) for (const { connection } of peer.iceTransports) Object.assign(connection, { stunServer: undefined })
}

/**
 * werift fails when a HelloVerifyRequest is repeated. A DTLS server that is slow to read our first ClientHello receives
 * it twice, and answers both (RFC 6347 section 4.2.1).
 */
function ignoreRepeatedVerifyRequests({ dtlsTransports }: RTCPeerConnection): void {
  for (const transport of dtlsTransports)
    transport.onStateChange.subscribe((state) => {
      // Its DTLS socket is opened right after this.
      if (state === 'connecting') queueMicrotask(() => filterHandshakes(transport))
    })
}

function filterHandshakes({ dtls }: RTCDtlsTransport): void {
  if (!dtls) return
  const handle = dtls.onHandleHandshakes
  let isVerified = false
  dtls.onHandleHandshakes = (messages) => {
    const isRepeated = isVerified
    isVerified ||= messages.some(({ msg_type }) => msg_type === HELLO_VERIFY_REQUEST)
    return handle(isRepeated ? messages.filter(({ msg_type }) => msg_type !== HELLO_VERIFY_REQUEST) : messages)
  }
}

/** The timestamp advances even while nothing can be sent. */
function rtpSender(codec: Codec, payloadType: number) {
  let sequence = randomInt(2 ** 15)
  let timestamp = randomInt(2 ** 32)
  let wasTalk = false
  return (frame: Int16Array, isTalk: boolean, write: ((packet: Buffer) => void) | null): void => {
    timestamp = (timestamp + (codec.clockHz * TICK_MS) / 1000) >>> 0
    if (!write) return
    const header = { payloadType, marker: isTalk && !wasTalk, sequence, timestamp, ssrc: 0 }
    wasTalk = isTalk
    sequence = (sequence + 1) & 0xffff
    write(writeRtp(header, codec.encode(frame)))
  }
}
