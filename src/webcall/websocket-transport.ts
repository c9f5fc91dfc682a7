// A web call over a WebSocket: PCM each way in binary messages, everything else as JSON. What one is slow to take is bounded. A socket that
// breaks may be followed by another one: until then the call goes on, unheard.
import type { RawData, WebSocket } from 'ws'
import { pcmBytes, pcmOf } from '../audio/wav.ts'
import { monotonicMs } from '../base/clock.ts'
import { TICK_MS } from '../rtp/clock.ts'
import type { ClientEvents, ClientTransport } from './client-transport.ts'
import { INPUT_HZ, OUTPUT_HZ, parseClientMessage, type ServerMessage } from './protocol.ts'

/** Two seconds of sound wait for a slow reader; then it misses some. */
const MOST_WAITING_BYTES = 2 * 2 * OUTPUT_HZ
/** Who does not even take what is said about the call is not there any more. */
const MOST_TOLD_BYTES = 1_048_576
/** Sound that comes faster than it can be heard is left out: beyond three seconds ahead, or twice as fast for long. */
const MOST_AHEAD = 3 * INPUT_HZ
const FASTER = 2
const PACKET = (INPUT_HZ * TICK_MS) / 1000
const CLOSE_MS = 2000
/** So long another socket is waited for; the client tries for ten seconds. */
const HOLD_MS = 12_000
/** Told while there is none. */
const MOST_KEPT = 100
/** RFC 6455 section 7.1.5: it ended without a word. */
const BROKEN = 1006

/** Like RTP with no network: what TCP delivers in heaps is evened out by the same buffer, and drift of the far side's clock with it. */
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
  let allowance = MOST_AHEAD
  let toldAtMs = monotonicMs()

  /** How many of so many samples may come in now. */
  function allowed(samples: number, nowMs: number): number {
    allowance = Math.min(MOST_AHEAD, allowance + ((nowMs - toldAtMs) * INPUT_HZ * FASTER) / 1000)
    toldAtMs = nowMs
    const taken = Math.min(samples, Math.floor(allowance))
    allowance -= taken
    return taken
  }

  function hear(bytes: Buffer): void {
    const nowMs = monotonicMs()
    const samples = allowed(bytes.length >> 1, nowMs)
    for (let at = 0; at < samples; at += PACKET) {
      const payload = bytes.subarray(at * 2, Math.min(samples, at + PACKET) * 2)
      events?.onAudio({ payloadType: 0, marker: false, ssrc, sequence, timestamp, payload }, nowMs)
      sequence = (sequence + 1) & 0xffff
      timestamp = (timestamp + payload.length / 2) >>> 0
    }
  }

  /** Who breaks the protocol, or says that it leaves, does not come back. */
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
      if (isBinary) return hear(bytes)
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
      if (kept.length < MOST_KEPT) kept.push(text)
    } else if (socket.bufferedAmount > MOST_TOLD_BYTES) socket.terminate()
    else socket.send(text)
  }

  return {
    codec,
    payloadType: 0,
    outputHz: OUTPUT_HZ,
    ready: Promise.resolve(true),
    listen(told) {
      events = told
      attach(socket)
    },
    sendAudio(frame, isTalk) {
      if (!isTalk || socket.readyState !== socket.OPEN || socket.bufferedAmount > MOST_WAITING_BYTES) return
      socket.send(Buffer.from(pcmBytes(frame))) // a copy: the next frame comes into the same memory
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
      ssrc++ // another stream: what was lost between is not waited for
      before.terminate() // it may not know yet that it is broken
      attach(next)
      tell({ type: 'resumed' })
      for (const text of missed) next.send(text)
      return true
    },
  }
}
