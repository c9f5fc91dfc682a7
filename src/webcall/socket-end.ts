// A web call over a WebSocket: PCM each way in binary messages, everything else as JSON. What one is slow to take is bounded.
import type { RawData, WebSocket } from 'ws'
import { pcmBytes, pcmOf } from '../audio/wav.ts'
import { monotonicMs } from '../base/clock.ts'
import { TICK_MS } from '../media/clock.ts'
import type { FarEnd, FarEvents } from './far-end.ts'
import { INPUT_HZ, OUTPUT_HZ, readUp } from './protocol.ts'

/** Two seconds of sound wait for a slow reader; then it misses some. */
const MOST_WAITING_BYTES = 2 * 2 * OUTPUT_HZ
/** Who does not even take what is said about the call is not there any more. */
const MOST_TOLD_BYTES = 1_048_576
/** Sound that comes faster than it can be heard is left out: beyond three seconds ahead, or twice as fast for long. */
const MOST_AHEAD = 3 * INPUT_HZ
const FASTER = 2
const PACKET = (INPUT_HZ * TICK_MS) / 1000
const CLOSE_MS = 2000

/** Like RTP with no network: what TCP delivers in heaps is evened out by the same buffer, and drift of the far side's clock with it. */
const codec = { rateHz: INPUT_HZ, clockHz: INPUT_HZ, decode: (payload: Uint8Array) => pcmOf(payload) }

export function socketEnd(socket: WebSocket): FarEnd {
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

  function hear(bytes: Buffer, { onSound }: FarEvents): void {
    const nowMs = monotonicMs()
    const samples = allowed(bytes.length >> 1, nowMs)
    for (let at = 0; at < samples; at += PACKET) {
      const payload = bytes.subarray(at * 2, Math.min(samples, at + PACKET) * 2)
      onSound({ payloadType: 0, marker: false, ssrc: 1, sequence, timestamp, payload }, nowMs)
      sequence = (sequence + 1) & 0xffff
      timestamp = (timestamp + payload.length / 2) >>> 0
    }
  }

  return {
    codec,
    payloadType: 0,
    outputHz: OUTPUT_HZ,
    ready: Promise.resolve(true),
    listen(events) {
      socket.on('message', (data: RawData, isBinary: boolean) => {
        const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat() as Buffer[])
        if (isBinary) return hear(bytes, events)
        const message = readUp(bytes.toString())
        if (message) events.onMessage(message)
      })
      socket.once('close', events.onGone)
      socket.resume()
      if (socket.readyState > socket.OPEN) events.onGone()
    },
    send(frame, isTalk) {
      if (!isTalk || socket.readyState !== socket.OPEN || socket.bufferedAmount > MOST_WAITING_BYTES) return
      socket.send(Buffer.from(pcmBytes(frame))) // a copy: the next frame comes into the same memory
    },
    tell(message) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MOST_TOLD_BYTES) socket.terminate()
      else socket.send(JSON.stringify(message))
    },
    refuse() {},
    close() {
      socket.close(1000)
      setTimeout(() => socket.terminate(), CLOSE_MS).unref()
    },
  }
}
