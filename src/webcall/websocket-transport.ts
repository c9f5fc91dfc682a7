// Web calls over WebSocket: PCM each way as binary messages, everything else as JSON, with bounded buffers. A broken socket may be
// replaced by another one; until then the call continues without audio.
import type { RawData, WebSocket } from 'ws'
import { pcmBytes, pcmOf } from '../audio/wav.ts'
import { monotonicMs } from '../base/clock.ts'
import { TICK_MS } from '../rtp/clock.ts'
import type { ClientEvents, ClientTransport } from './client-transport.ts'
import { INPUT_HZ, OUTPUT_HZ, parseClientMessage, type ServerMessage } from './protocol.ts'

/** Two seconds of audio are buffered for a slow client; more is dropped. */
const MAX_AUDIO_BYTES = 2 * 2 * OUTPUT_HZ
/** Our client's jitter buffer, and a little of the way there. */
const CLIENT_BUFFER_MS = 100
/** A client that does not read its messages is disconnected. */
const MAX_BUFFERED_BYTES = 1_048_576
/** Audio faster than real time is dropped: beyond a burst of three seconds, or twice real time. */
const MAX_BURST = 3 * INPUT_HZ
const FASTER = 2
const PACKET = (INPUT_HZ * TICK_MS) / 1000
const CLOSE_MS = 2000
/** How long a call waits for a new socket; the client retries for ten seconds. */
const HOLD_MS = 12_000
/** Messages queued while there is no socket. */
const MAX_QUEUED = 100
/** RFC 6455 section 7.1.5: closed without a close frame. */
const BROKEN = 1006

/** Treated like RTP: the jitter buffer evens out TCP bursts and the drift of the browser's clock. */
const codec = { rateHz: INPUT_HZ, clockHz: INPUT_HZ, decode: (payload: Uint8Array) => pcmOf(payload) }

export function websocketTransport(
  first: WebSocket,
  holdMs = HOLD_MS,
): ClientTransport & { resume(socket: WebSocket): boolean } {
  let socket = first
  let events: ClientEvents | undefined
  let kept: string[] = []
  let holding: NodeJS.Timeout | undefined
  let isClosed = false
  let ssrc = 1
  let sequence = 0
  let timestamp = 0
  let allowance = MAX_BURST
  let toldAtMs = monotonicMs()

  /** How many of these samples may be accepted now. */
  function allowed(samples: number, nowMs: number): number {
    allowance = Math.min(MAX_BURST, allowance + ((nowMs - toldAtMs) * INPUT_HZ * FASTER) / 1000)
    toldAtMs = nowMs
    const taken = Math.min(samples, Math.floor(allowance))
    allowance -= taken
    return taken
  }

  function receiveAudio(bytes: Buffer): void {
    const nowMs = monotonicMs()
    const samples = allowed(bytes.length >> 1, nowMs)
    for (let at = 0; at < samples; at += PACKET) {
      const payload = bytes.subarray(at * 2, Math.min(samples, at + PACKET) * 2)
      events?.onAudio({ payloadType: 0, marker: false, ssrc, sequence, timestamp, payload }, nowMs)
      sequence = (sequence + 1) & 0xffff
      timestamp = (timestamp + payload.length / 2) >>> 0
    }
  }

  /** Only a socket that broke without a close frame or protocol error may be resumed. */
  function left(code: number, isFaulty: boolean): void {
    if (isClosed) return
    if (code !== BROKEN || isFaulty) events?.onHangup()
    else holding ??= setTimeout(() => events?.onConnectionLost(), holdMs)
  }

  function attach(one: WebSocket): void {
    let isFaulty = false
    one.on('error', () => {
      isFaulty = true
    })
    one.on('message', (data: RawData, isBinary: boolean) => {
      if (one !== socket) return
      const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[])
      if (isBinary) return receiveAudio(bytes)
      const message = parseClientMessage(bytes.toString())
      if (message) events?.onMessage(message)
    })
    one.once('close', (code: number) => {
      if (one === socket) left(code, isFaulty)
    })
    one.resume()
    if (one.readyState > one.OPEN) left(BROKEN, false)
  }

  function tell(message: ServerMessage): void {
    const text = JSON.stringify(message)
    if (socket.readyState !== socket.OPEN) {
      if (kept.length < MAX_QUEUED) kept.push(text)
    } else if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
    else socket.send(text)
  }

  return {
    codec,
    payloadType: 0,
    outputHz: OUTPUT_HZ,
    bufferMs: CLIENT_BUFFER_MS,
    ready: Promise.resolve(true),
    listen(listener) {
      events = listener
      attach(socket)
    },
    sendAudio(frame, isTalk) {
      if (!isTalk || socket.readyState !== socket.OPEN || socket.bufferedAmount > MAX_AUDIO_BYTES) return
      socket.send(Buffer.from(pcmBytes(frame))) // a copy: the frame's memory is reused
    },
    sendMessage: tell,
    refuse() {},
    close() {
      isClosed = true
      clearTimeout(holding)
      socket.close(1000)
      setTimeout(() => socket.terminate(), CLOSE_MS).unref()
    },
    resume(next) {
      if (isClosed || !events) return false
      clearTimeout(holding)
      holding = undefined
      const [before, missed] = [socket, kept]
      kept = []
      socket = next
      ssrc++ // a new stream: the jitter buffer must not wait for lost packets
      before.terminate() // it may not have noticed the break yet
      attach(next)
      tell({ type: 'resumed' })
      for (const text of missed) next.send(text)
      return true
    },
  }
}
