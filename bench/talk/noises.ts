// Sounds other than speech: a cough, keys, a door, street noise, white noise, and babble.
import { clip, gainOf, LINE_HZ, levelOf, SPEECH_DB, type Utterance, utteranceOf } from './utterance.ts'

/** A seeded generator: the same noise in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const made = (seconds: number, at: (t: number) => number): Int16Array =>
  Int16Array.from({ length: Math.round(seconds * LINE_HZ) }, (_, i) => clip(32767 * at(i / LINE_HZ)))

/** Exponential decay after the attack. */
const decay = (t: number, fromS: number, seconds: number) => (t < fromS ? 0 : Math.exp((fromS - t) / seconds))

function lowPassed(next: () => number, share: number): () => number {
  let last = 0
  return () => {
    last += share * (next() - last)
    return last
  }
}

/** Two bursts of breath 300 ms apart, with some voicing in them. */
function cough(): Int16Array {
  const random = seeded(3)
  const breath = lowPassed(() => random() - 0.5, 0.5)
  return made(0.75, (t) => {
    const strength = decay(t, 0.01, 0.07) + 0.8 * decay(t, 0.33, 0.09)
    return strength * (0.9 * breath() + 0.12 * Math.sin(2 * Math.PI * 170 * t))
  })
}

/** Eight clicks on a keyboard. */
function keys(): Int16Array {
  const random = seeded(5)
  const clicks = Array.from({ length: 8 }, (_, i) => 0.02 + i * 0.15 + 0.05 * random())
  return made(1.3, (t) => clicks.reduce((sum, at) => sum + decay(t, at, 0.004) * (random() - 0.5), 0))
}

/** A thud with a rattle after it. */
function door(): Int16Array {
  const random = seeded(7)
  const rattle = lowPassed(() => random() - 0.5, 0.3)
  return made(0.8, (t) => 0.6 * decay(t, 0.01, 0.08) * Math.sin(2 * Math.PI * 85 * t) + decay(t, 0.02, 0.12) * rattle())
}

const LOUDEST = 0.5 * 32767
function peaked(pcm: Int16Array): Int16Array {
  const gain = LOUDEST / Math.max(1, ...pcm.map(Math.abs))
  return pcm.map((sample) => clip(sample * gain))
}

export const sounds: Readonly<Record<'cough' | 'keys' | 'door', () => Utterance>> = {
  cough: () => unscaled(peaked(cough())),
  keys: () => unscaled(peaked(keys())),
  door: () => unscaled(peaked(door())),
}
const unscaled = (pcm: Int16Array): Utterance => ({ ...utteranceOf(pcm), pcm })

const LOOP_SECONDS = 20
export const whiteNoise = (): Int16Array => {
  const random = seeded(11)
  return made(LOOP_SECONDS, () => 0.1 * (random() - 0.5))
}

/** Low noise that swells as cars pass. */
export const streetNoise = (): Int16Array => {
  const random = seeded(13)
  const rumble = lowPassed(() => random() - 0.5, 0.12)
  return made(LOOP_SECONDS, (t) => 0.3 * rumble() * (0.5 + 0.5 * Math.sin((2 * Math.PI * t) / 5) ** 2))
}

/** Line noise at about −68 dBFS: no telephone line is silent. */
export const lineNoise = (): Int16Array => {
  const random = seeded(17)
  return made(4, () => 0.0014 * (random() - 0.5))
}

/** Mixes several voices, each starting at a different point of its own text. */
export function mixed(talks: readonly Int16Array[]): Int16Array {
  const length = Math.max(...talks.map((talk) => talk.length))
  return Int16Array.from({ length }, (_, i) =>
    clip(talks.reduce((sum, talk, k) => sum + (talk[(i + k * 9973) % talk.length] as number), 0) / 2),
  )
}

/** Scales noise to this level relative to a caller's speech. */
export function atLevel(pcm: Int16Array, db: number): Int16Array {
  const gain = gainOf(SPEECH_DB + db - levelOf(pcm))
  return pcm.map((sample) => clip(sample * gain))
}
