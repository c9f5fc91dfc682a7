// A web call inside its worker: its audio, and its browser by WebRTC or by a socket of the main thread.
import { setTimeout as sleep } from 'node:timers/promises'
import { pcmBytes, pcmOf } from '../audio/wav.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { TICK_MS } from '../rtp/clock.ts'
import type { LegStats } from '../rtp/leg.ts'
import type { ReceivedFrame } from '../rtp/rtp-leg.ts'
import type { WebCommand, WebEvent } from '../rtp/web-wire.ts'
import type { Notification } from '../rtp/wire.ts'
import { CallAudio, type CallAudioOptions } from './call-audio.ts'
import { openPeer, type Peer } from './peer.ts'
import { CLIENT_BUFFER_MS, INPUT_HZ, OUTPUT_HZ, type ServerMessage } from './protocol.ts'

export type WorkerLegParts = {
  note(note: Notification): void
  event(event: WebEvent): void
  /** Audio for the socket, which is on the main thread. */
  toSocket(frame: Int16Array): void
}

type Opening = WebCommand & { do: 'open-web' }

/** Lets the data channel deliver its last message. */
const CLOSE_MS = 500
/** Per browser and tick: nobody presses more keys. */
const MAX_MESSAGES = 10
const PACKET = (INPUT_HZ * TICK_MS) / 1000

/** Treated like RTP: the jitter buffer evens out TCP bursts and the drift of the browser's clock. */
const pcmCodec = { rateHz: INPUT_HZ, clockHz: INPUT_HZ, decode: (payload: Uint8Array) => pcmOf(payload) }

export class WorkerLeg {
  readonly id: number
  readonly #parts: WorkerLegParts
  readonly #lostAfterMs: number
  #audio: CallAudio | null = null
  #peer: Peer | null = null
  #isClosed = false
  #isLost = false
  #messages = 0
  #sent = 0
  /** Of the socket's stream. */
  #sequence = 0
  #timestamp = 0

  constructor({ leg, lostAfterMs }: Opening, parts: WorkerLegParts) {
    this.id = leg
    this.#lostAfterMs = lostAfterMs
    this.#parts = parts
  }

  /** Null before the browser's offer is answered. */
  get audio(): CallAudio | null {
    return this.#audio
  }

  async open({ client }: Opening): Promise<void> {
    if (client.by === 'socket') {
      const { toSocket, event } = this.#parts
      this.#audio = this.#openAudio({
        codec: pcmCodec,
        payloadType: 0,
        outputHz: OUTPUT_HZ,
        bufferMs: CLIENT_BUFFER_MS,
        send: (frame, isTalk) => isTalk && toSocket(frame),
        onCleared: () => event({ type: 'clear' }),
      })
      event({ type: 'connected', isConnected: true })
      return
    }
    const { event } = this.#parts
    const peer = await openPeer(client.offer, client.peer, {
      onAudio: (packet, nowMs) => this.#audio?.put(packet, nowMs),
      onMessage: (message) => {
        if (++this.#messages <= MAX_MESSAGES || message.type === 'hangup') event(message)
      },
      onConnected: (isConnected) => event({ type: 'connected', isConnected }),
      onHangup: () => event({ type: 'hangup' }),
    })
    this.#peer = peer
    if (this.#isClosed) return void peer.close()
    const { codec, payloadType } = peer
    this.#audio = this.#openAudio({
      codec,
      payloadType,
      outputHz: codec.rateHz,
      bufferMs: 0,
      send: (frame, isTalk) => peer.sendAudio(frame, isTalk),
      onCleared: () => peer.sendMessage(JSON.stringify({ type: 'clear' } satisfies ServerMessage)),
    })
    event({ type: 'answer', job: 0, sdp: peer.answer })
  }

  send(skipped: number): void {
    this.#messages = 0
    if (!this.#audio || this.#audio.isClosed) return
    this.#audio.send(skipped)
    this.#sent++
  }

  hear(nowMs: number): ReceivedFrame | null {
    const audio = this.#audio
    if (!audio || audio.isClosed) return null
    const forMs = nowMs - audio.heardAtMs
    if (!this.#isLost && forMs > this.#lostAfterMs) {
      this.#isLost = true
      this.#parts.note({ is: 'event', leg: this.id, event: { type: 'media-lost', forMs: Math.round(forMs) } })
    }
    return audio.hear(nowMs)
  }

  /** Audio from the browser's socket. After a reconnect, a new stream does not wait for lost packets of the old one. */
  putSocketAudio(ssrc: number, pcm: Int16Array): void {
    const nowMs = monotonicMs()
    for (let at = 0; at < pcm.length; at += PACKET) {
      const payload = pcmBytes(pcm.subarray(at, at + PACKET))
      const { sequence, timestamp } = { sequence: this.#sequence, timestamp: this.#timestamp }
      this.#audio?.put({ payloadType: 0, marker: false, ssrc, sequence, timestamp, payload }, nowMs)
      this.#sequence = (sequence + 1) & 0xffff
      this.#timestamp = (timestamp + payload.length / 2) >>> 0
    }
  }

  sendMessage(text: string): void {
    this.#peer?.sendMessage(text)
  }

  async restartIce(job: number, offer: string): Promise<void> {
    const { event } = this.#parts
    try {
      if (!this.#peer) throw new Error('there is no peer connection')
      event({ type: 'answer', job, sdp: await this.#peer.restartIce(offer) })
    } catch (error) {
      event({ type: 'no-answer', job, problem: String(error) })
    }
  }

  stats(): LegStats {
    const none = { packetsReceived: 0, lost: 0, concealed: 0, late: 0, duplicates: 0, jitterMs: 0, bufferMs: 0 }
    const unknown = { refused: 0, faults: 0, remoteLossFraction: null, roundTripMs: null }
    return { ...(this.#audio?.stats() ?? none), ...unknown, packetsSent: this.#sent }
  }

  /** Ends the audio; resolves when the recording is complete. Messages are still delivered. */
  async close(): Promise<void> {
    await this.#audio?.close()
  }

  async disconnect(): Promise<void> {
    this.#isClosed = true
    await this.close()
    await sleep(CLOSE_MS)
    await this.#peer?.close()
  }

  #openAudio(options: Omit<CallAudioOptions, 'onPlayed' | 'nowMs'>): CallAudio {
    const onPlayed: CallAudioOptions['onPlayed'] = (play, heardMs, isDone, recordedMs) =>
      this.#parts.note({ is: 'heard', leg: this.id, play, heardMs, isDone, recordedMs })
    return new CallAudio({ ...options, onPlayed, nowMs: monotonicMs() })
  }
}
