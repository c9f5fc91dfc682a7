// What the media of a call costs this machine: one call's packets through jitter buffer, playout, sound analysis and sending, in virtual time.
import { SoundAnalyser } from '../audio/sound-features.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { TICK_MS } from './clock.ts'
import { openCodec } from './codecs.ts'
import { Outgoing } from './outgoing.ts'
import { AudioReceiver } from './receiver.ts'

const TICKS = 50
const STEP = 160
const CODEC = 'PCMU'
const PAYLOAD_TYPE = 0
/** One second of a call each; the first ones run before the code is optimized. */
const ROUNDS = 60

/** Milliseconds per second of a call: the minimum of some rounds, because other work may run at the same time. */
export function mediaMsPerSecond(): number {
  const codec = openCodec(CODEC)
  const noop = () => {}
  const receiver = new AudioReceiver({ codec, payloadType: PAYLOAD_TYPE, dtmfPayloadType: null, onDigit: noop })
  const outgoing = new Outgoing(noop, noop, noop)
  outgoing.configure({ codec, payloadType: PAYLOAD_TYPE, dtmfPayloadType: null, ptimeMs: TICK_MS })
  outgoing.plays.open(1)
  const sound = new SoundAnalyser()
  const voice = Int16Array.from({ length: STEP }, (_, i) => 8000 * Math.sin(i / 4) + 3000 * Math.sin(i / 17))
  const payload = Uint8Array.from(codec.encode(voice))
  let tick = 0

  function second(): number {
    const begunMs = monotonicMs()
    for (let i = 0; i < TICKS; i++, tick++) {
      const nowMs = tick * TICK_MS
      const timestamp = (tick * STEP) >>> 0
      receiver.put(
        { payloadType: PAYLOAD_TYPE, marker: false, sequence: tick & 0xffff, timestamp, ssrc: 1, payload },
        nowMs,
      )
      sound.push(receiver.pull(nowMs), codec.rateHz, null)
      outgoing.plays.push(1, voice, codec.rateHz)
      outgoing.tick(true)
    }
    return monotonicMs() - begunMs
  }
  return Math.min(...Array.from({ length: ROUNDS }, second))
}
