// The caller's audio in frames of 20 ms: encoded for the scripted STT, or real audio with background noise.
import { clamped } from '../audio/pcm.ts'
import type { Clock } from '../voice/ports.ts'
import { FIRST_LEVEL, FRAME, RATE_HZ, type ScriptedUtterance } from './scripted-stt.ts'
import { MS_PER_LETTER } from './scripted-tts.ts'

/** `speak` and `noise` return their duration at once. */
export type CallerAudio = {
  nextFrame(): Int16Array
  speak(utterance: { text: string; ms: number | null; pcm: Int16Array | undefined }): number
  noise(ms: number): number
}

/** For the scripted STT, which looks up the text in `said`. */
export function scriptedAudio(clock: Clock, said: ScriptedUtterance[]): CallerAudio {
  let voicedUntil = -1
  function begin(text: string, ms: number): number {
    said.push({ text, ms })
    voicedUntil = clock.now() + ms
    return ms
  }
  return {
    nextFrame: () => new Int16Array(FRAME).fill(clock.now() <= voicedUntil ? FIRST_LEVEL + said.length - 1 : 0),
    speak: ({ text, ms }) => begin(text, ms ?? text.length * MS_PER_LETTER),
    noise: (ms) => begin('', ms),
  }
}

/** A door, a truck: as loud as speech. */
const BURST_DB = -24

export function realAudio(noiseDb: number | null): CallerAudio {
  const random = seeded(7)
  const noise = (db: number, samples: number) => {
    const peak = 32768 * 10 ** (db / 20) * Math.sqrt(3) // of uniform noise with this RMS level
    return Int16Array.from({ length: samples }, () => clamped((random() * 2 - 1) * peak))
  }
  let left = new Int16Array(0)
  function begin(pcm: Int16Array): number {
    left = Int16Array.from(pcm)
    return (pcm.length / RATE_HZ) * 1000
  }
  return {
    nextFrame() {
      const frame = new Int16Array(FRAME)
      frame.set(left.subarray(0, FRAME))
      left = left.subarray(FRAME)
      if (noiseDb === null) return frame
      const beneath = noise(noiseDb, FRAME)
      return frame.map((sample, i) => clamped(sample + (beneath[i] as number)))
    },
    speak: ({ pcm }) => begin(pcm ?? new Int16Array(0)),
    noise: (ms) => begin(noise(BURST_DB, (ms * RATE_HZ) / 1000)),
  }
}

/** The same noise every time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
