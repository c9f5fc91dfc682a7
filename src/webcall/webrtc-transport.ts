// A web call over WebRTC: the browser offers, we answer with all our addresses, and its data channel carries what is not sound. Where its way
// breaks it offers again (an ICE restart), and the same call goes on.
import { randomInt } from 'node:crypto'
import type { RTCDataChannel, RTCPeerConnection } from 'werift'
import { monotonicMs } from '../base/clock.ts'
import { runContained } from '../base/error-containment.ts'
import { AppError } from '../base/errors.ts'
import { TICK_MS } from '../rtp/clock.ts'
import { openCodec } from '../rtp/codecs.ts'
import { loadOpus } from '../rtp/opus.ts'
import { writeRtp } from '../rtp/packet.ts'
import type { ClientTransport, FarEvents } from './client-transport.ts'
import { guardedOffer, type IceGuard } from './ice-guard.ts'
import { CHANNEL, type Down, readUp } from './protocol.ts'
import { announced, checkOffer, codecIn, fingerprintIn, type IceSettings } from './webrtc-sdp.ts'

export type PeerEnd = ClientTransport & { readonly answer: string; break(): void } & Required<
    Pick<ClientTransport, 'restart'>
  >

/** A browser that is there needs a second or two. */
const CONNECT_MS = 15_000
/** So long a STUN or TURN server may take before we answer without it. */
const GATHER_SECONDS = 2
/** Of ports that are looked at for one that is free. */
const PORTS_TRIED = 200
/** Before the data channel is open. */
const MOST_TOLD = 100
const MOST_TOLD_BYTES = 1_048_576
/** The last words of the data channel need a moment. */
const CLOSE_MS = 500

/** The library begins no checks of its own where the keys are agreed on already: after an ICE restart it would wait for ever. */
export function startIce({ iceTransports }: Pick<RTCPeerConnection, 'iceTransports'>): void {
  for (const transport of iceTransports) if (transport.state !== 'connected') transport.start().catch(() => {})
}

export type PeerSettings = IceSettings & { guard: IceGuard; onFault: (error: unknown) => void }

/** Whatever the library throws at what a stranger sends ends this call alone. */
export function answerPeer(offer: string, settings: PeerSettings): Promise<PeerEnd> {
  let end: PeerEnd | undefined
  let isBroken = false
  const fault = (error: unknown) => {
    if (isBroken) return
    isBroken = true
    settings.onFault(error)
    end?.break()
  }
  return runContained(fault, async () => {
    const opened = await openPeer(offer, settings)
    end = { ...opened, restart: (...given) => runContained(fault, () => opened.restart(...given)) }
    return end
  })
}

async function openPeer(offer: string, settings: PeerSettings) {
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
  let events: FarEvents | undefined
  let channel: RTCDataChannel | undefined
  let waiting: string[] = []
  let isClosed = false

  peer.onTrack.subscribe((theirs) => {
    theirs.onReceiveRtp.subscribe(({ header, payload }) => {
      const { payloadType, marker, sequenceNumber: sequence, timestamp, ssrc } = header
      events?.onSound({ payloadType, marker, sequence, timestamp, ssrc, payload }, monotonicMs())
    })
  })
  peer.onDataChannel.subscribe((opened) => {
    if (opened.label !== CHANNEL || channel) return
    channel = opened
    opened.onMessage.subscribe((data) => {
      const message = readUp(data.toString())
      if (message) events?.onMessage(message)
    })
    opened.stateChanged.subscribe((state) => {
      if (state === 'closed') events?.onGone()
    })
    for (const text of waiting) opened.send(text)
    waiting = []
  })

  const ready = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), CONNECT_MS)
    peer.connectionStateChange.subscribe((state) => {
      if (state === 'closed') events?.onGone()
      if (state !== 'connected' && state !== 'failed' && state !== 'closed') return
      clearTimeout(timer)
      resolve(state === 'connected')
    })
  })

  /** The library asks a STUN server of its own choice where none is named; nobody is asked whom the operator did not name. */
  function askOnlyWhoIsNamed(): void {
    const isNamed = settings.iceServers.some(({ urls }) => [urls].flat().some((url) => /^stuns?:/i.test(url)))
    if (!isNamed) for (const { connection } of peer.iceTransports) Object.assign(connection, { stunServer: undefined })
  }

  async function negotiate() {
    await peer.setRemoteDescription({ type: 'offer', sdp: guardedOffer(offer, settings.guard) })
    askOnlyWhoIsNamed()
    const [transceiver] = peer.getTransceivers()
    await transceiver?.sender.replaceTrack(track)
    transceiver?.setDirection('sendrecv')
    await peer.setLocalDescription(await peer.createAnswer())
    const payloadType = transceiver?.sender.codec?.payloadType
    const sdp = peer.localDescription?.sdp
    if (payloadType === undefined || !sdp) throw new Error('no audio was agreed on')
    return { payloadType, answer: await announced(sdp, settings) }
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    codec.close?.()
    setTimeout(() => void peer.close().catch(() => {}), CLOSE_MS)
  }

  async function restart(next: string, peerAddress: string): Promise<string> {
    checkOffer(next)
    if (fingerprintIn(next) !== fingerprintIn(offer))
      throw new AppError('conflict', 'This call was begun by another browser')
    await peer.setRemoteDescription({ type: 'offer', sdp: guardedOffer(next, { ...settings.guard, peerAddress }) })
    await peer.setLocalDescription(await peer.createAnswer())
    startIce(peer)
    return announced(peer.localDescription?.sdp ?? '', settings)
  }

  const unanswered = (cause: unknown) =>
    cause instanceof AppError
      ? cause
      : new AppError('invalid', 'The offer could not be answered: it is not what a browser sends', { cause })
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
    ready,
    listen(told: FarEvents) {
      events = told
    },
    send(frame: Int16Array, isTalk: boolean) {
      timestamp = (timestamp + (codec.clockHz * TICK_MS) / 1000) >>> 0
      if (isClosed || peer.connectionState !== 'connected') return
      const header = { payloadType, marker: isTalk && !wasTalk, sequence, timestamp, ssrc: 0 }
      wasTalk = isTalk
      sequence = (sequence + 1) & 0xffff
      track.writeRtp(writeRtp(header, codec.encode(frame)))
    },
    tell(message: Down) {
      const text = JSON.stringify(message)
      if (channel?.readyState === 'open' || channel?.readyState === 'connecting') {
        if (channel.bufferedAmount <= MOST_TOLD_BYTES) channel.send(text)
      } else if (!channel && waiting.length < MOST_TOLD) waiting.push(text)
    },
    close,
    refuse: close,
    break() {
      events?.onLost()
      close()
    },
    /** One after the other. */
    async restart(next: string, peerAddress: string) {
      if (isClosed) throw new AppError('conflict', 'This call is over')
      const answered = restarted.then(() => restart(next, peerAddress))
      restarted = answered.catch(() => {})
      return answered.catch((cause) => {
        throw unanswered(cause)
      })
    },
  }
}
