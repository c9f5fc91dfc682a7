// Synthetic sounds for tests: noises without speech, and a robot's voice.
import { resample } from '../src/audio/resample.ts'
import { loadEspeak } from '../src/speech/tts/espeak-engine.ts'
import type { Audio } from '../src/voice/ports.ts'

const made = (rateHz: number, seconds: number, at: (t: number) => number): Int16Array =>
  Int16Array.from({ length: Math.round(rateHz * seconds) }, (_, i) => Math.round(32767 * at(i / rateHz)))

/** A seeded generator: the same noise every time. */
function randomness(seed = 1): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}
const wave = (hz: number, t: number) => Math.sin(2 * Math.PI * hz * t)
const notes = [262, 330, 392, 523, 440, 349]

export const sounds: Readonly<Record<string, (rateHz: number, seconds: number) => Int16Array>> = {
  silence: (rateHz, seconds) => made(rateHz, seconds, () => 0),
  'white noise': (rateHz, seconds) => {
    const random = randomness()
    return made(rateHz, seconds, () => random() * 0.2)
  },
  'line noise': (rateHz, seconds) => {
    const random = randomness()
    return made(rateHz, seconds, () => random() * 0.004)
  },
  hum: (rateHz, seconds) => made(rateHz, seconds, (t) => 0.1 * wave(60, t) + 0.05 * wave(120, t) + 0.03 * wave(180, t)),
  'dial tone': (rateHz, seconds) => made(rateHz, seconds, (t) => 0.2 * wave(425, t)),
  'busy tone': (rateHz, seconds) => made(rateHz, seconds, (t) => (t % 0.5 < 0.25 ? 0.2 * wave(425, t) : 0)),
  melody: (rateHz, seconds) =>
    made(rateHz, seconds, (t) => {
      const hz = notes[Math.floor(t * 4) % notes.length] as number
      const fading = Math.exp(-3 * ((t * 4) % 1))
      return fading * (0.2 * wave(hz, t) + 0.1 * wave(2 * hz, t)) + 0.08 * wave(hz / 2, t)
    }),
}

let espeakOnce: ReturnType<typeof loadEspeak> | undefined

/** espeak-ng's voice: clearly speech, if not pleasant. */
export async function robotSpeech(text: string, voice: string, rateHz: number): Promise<Int16Array> {
  espeakOnce ??= loadEspeak()
  const espeak = await espeakOnce
  const samples: number[] = []
  espeak.synthesize(text, voice, 0.9, (pcm) => {
    for (const sample of pcm) samples.push(sample)
    return true
  })
  return resample(Int16Array.from(samples), espeak.rateHz, rateHz)
}

/** Frames of 20 ms, delivered all at once. */
export async function* frames(pcm: Int16Array, rateHz: number): Audio {
  for (let at = 0; at < pcm.length; at += rateHz / 50) yield { pcm: pcm.slice(at, at + rateHz / 50), rateHz }
}
