// Web calls over WebRTC: the browser offers, we answer with all candidates; messages use a data channel. A broken path is
// replaced by an ICE restart within the same call.
import { randomInt } from 'node:crypto'
import type { RTCDataChannel, RTCPeerConnection } from 'werift'
import { monotonicMs } from '../base/clock.ts'
import { runContained } from '../base/error-containment.ts'
import { AppError, appError } from '../base/errors.ts'
import { TICK_MS } from '../rtp/clock.ts'
import { openCodec } from '../rtp/codecs.ts'
import { loadOpus } from '../rtp/opus.ts'
import { writeRtp } from '../rtp/packet.ts'
import type { ClientEvents, ClientTransport } from './client-transport.ts'
import { filterCandidates, type IceGuard } from './ice-guard.ts'
import { DATA_CHANNEL, parseClientMessage, type ServerMessage } from './protocol.ts'
import { checkOffer, codecIn, fingerprintIn, type IceSettings, withPublicCandidates } from './webrtc-sdp.ts'

export type WebRtcTransport = ClientTransport & { readonly answer: string; break(): void } & Required<
    Pick<ClientTransport, 'restartIce'>
  >

/** A reachable browser connects within a second or two. */
const CONNECT_MS = 15_000
/** How long a STUN or TURN server may take before we answer without it. */
const GATHER_SECONDS = 2
/** How many ports are tried to find a free one. */
const PORTS_TRIED = 200
/** Messages queued before the data channel is open. */
const MAX_QUEUED = 100
const MAX_BUFFERED_BYTES = 1_048_576
/** Lets the data channel deliver its last message. */
const CLOSE_MS = 500

/** After an ICE restart with DTLS established, werift starts no checks by itself and would wait for ever. */
export function startIce({ iceTransports }: Pick<RTCPeerConnection, 'iceTransports'>): void {
  for (const transport of iceTransports) if (transport.state !== 'connected') transport.start().catch(() => {})
}

export type WebRtcSettings = IceSettings & { guard: IceGuard; onFault: (error: unknown) => void }

/** An exception of the library, whatever a peer sends, ends this call only. */
export function webrtcTransport(offer: string, settings: WebRtcSettings): Promise<WebRtcTransport> {
  let end: WebRtcTransport | undefined
  let isBroken = false
  const fault = (error: unknown) => {
    if (isBroken) return
    isBroken = true
    settings.onFault(error)
    end?.break()
  }
  return runContained(fault, async () => {
    const opened = await openPeer(offer, settings)
    end = { ...opened, restartIce: (...args) => runContained(fault, () => opened.restartIce(...args)) }
    return end
  })
}

async function openPeer(offer: string, settings: WebRtcSettings) {
  checkOffer(offer)
  const name = codecIn(offer, await loadOpus())
  const { RTCPeerConnection, RTCRtpCodecParameters, MediaStreamTrack } = await import('werift')
  const known = {
    opus: { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 },
    PCMU: { mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 },
  }
  const { from, to } = settings.ports
  const firstPort = from + randomInt(Math.max(1, to - from - PORTS_TRIED))
  const peer = new RTCPeerConnection({
    codecs: { audio: [new RTCRtpCodecParameters(known[name])], video: [] },
    headerExtensions: { audio: [], video: [] },
    iceServers: [...settings.iceServers],
    icePortRange: [firstPort, to],
    iceStunGatherTimeout: GATHER_SECONDS,
    iceTurnConnectTimeout: GATHER_SECONDS,
    ...(settings.host.startsWith('127.') ? { iceAdditionalHostAddresses: [settings.host] } : {}),
  })
  const track = new MediaStreamTrack({ kind: 'audio' })
  const codec = openCodec(name)
  let events: ClientEvents | undefined
  let channel: RTCDataChannel | undefined
  let waiting: string[] = []
  let isClosed = false

  peer.onTrack.subscribe((theirs) => {
    theirs.onReceiveRtp.subscribe(({ header, payload }) => {
      const { payloadType, marker, sequenceNumber: sequence, timestamp, ssrc } = header
      events?.onAudio({ payloadType, marker, sequence, timestamp, ssrc, payload }, monotonicMs())
    })
  })
  peer.onDataChannel.subscribe((opened) => {
    if (opened.label !== DATA_CHANNEL || channel) return
    channel = opened
    opened.onMessage.subscribe((data) => {
      const message = parseClientMessage(data.toString())
      if (message) events?.onMessage(message)
    })
    opened.stateChanged.subscribe((state) => {
      if (state === 'closed') events?.onHangup()
    })
    for (const text of waiting) opened.send(text)
    waiting = []
  })

  const ready = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), CONNECT_MS)
    peer.connectionStateChange.subscribe((state) => {
      if (state === 'closed') events?.onHangup()
      if (state !== 'connected' && state !== 'failed' && state !== 'closed') return
      clearTimeout(timer)
      resolve(state === 'connected')
    })
  })

  /** werift uses a default STUN server where none is configured; we contact configured servers only. */
  function dropDefaultStun(): void {
    const isNamed = settings.iceServers.some(({ urls }) => [urls].flat().some((url) => /^stuns?:/i.test(url)))
    if (!isNamed) for (const { connection } of peer.iceTransports) Object.assign(connection, { stunServer: undefined })
  }

  async function negotiate() {
    await peer.setRemoteDescription({ type: 'offer', sdp: filterCandidates(offer, settings.guard) })
    dropDefaultStun()
    const [transceiver] = peer.getTransceivers()
    await transceiver?.sender.replaceTrack(track)
    transceiver?.setDirection('sendrecv')
    await peer.setLocalDescription(await peer.createAnswer())
    const payloadType = transceiver?.sender.codec?.payloadType
    const sdp = peer.localDescription?.sdp
    if (payloadType === undefined || !sdp) throw new Error('no audio was agreed on')
    return { payloadType, answer: await withPublicCandidates(sdp, settings) }
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    codec.close?.()
    setTimeout(() => void peer.close().catch(() => {}), CLOSE_MS)
  }

  async function restart(next: string, peerAddress: string): Promise<string> {
    checkOffer(next)
    if (fingerprintIn(next) !== fingerprintIn(offer)) throw appError('web_call_other_browser')
    await peer.setRemoteDescription({ type: 'offer', sdp: filterCandidates(next, { ...settings.guard, peerAddress }) })
    await peer.setLocalDescription(await peer.createAnswer())
    startIce(peer)
    return withPublicCandidates(peer.localDescription?.sdp ?? '', settings)
  }

  const unanswered = (cause: unknown) =>
    cause instanceof AppError ? cause : appError('offer_unanswerable', {}, { cause })
  const { payloadType, answer } = await negotiate().catch((cause) => {
    close()
    throw unanswered(cause)
  })
  let restarted: Promise<unknown> = Promise.resolve()
  let sequence = randomInt(2 ** 15)
  let timestamp = randomInt(2 ** 32)
  let wasTalk = false

  return {
    answer,
    codec,
    payloadType,
    outputHz: codec.rateHz,
    bufferMs: 0,
    ready,
    listen(listener: ClientEvents) {
      events = listener
    },
    sendAudio(frame: Int16Array, isTalk: boolean) {
      timestamp = (timestamp + (codec.clockHz * TICK_MS) / 1000) >>> 0
      if (isClosed || peer.connectionState !== 'connected') return
      const header = { payloadType, marker: isTalk && !wasTalk, sequence, timestamp, ssrc: 0 }
      wasTalk = isTalk
      sequence = (sequence + 1) & 0xffff
      track.writeRtp(writeRtp(header, codec.encode(frame)))
    },
    sendMessage(message: ServerMessage) {
      const text = JSON.stringify(message)
      if (channel?.readyState === 'open' || channel?.readyState === 'connecting') {
        if (channel.bufferedAmount <= MAX_BUFFERED_BYTES) channel.send(text)
      } else if (!channel && waiting.length < MAX_QUEUED) waiting.push(text)
    },
    close,
    refuse: close,
    break() {
      events?.onConnectionLost()
      close()
    },
    /** Restarts run one at a time. */
    async restartIce(next: string, peerAddress: string) {
      if (isClosed) throw appError('call_over')
      const answered = restarted.then(() => restart(next, peerAddress))
      restarted = answered.catch(() => {})
      return answered.catch((cause) => {
        throw unanswered(cause)
      })
    },
  }
}
