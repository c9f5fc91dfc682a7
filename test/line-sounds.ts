// What one hears on a telephone line besides speech: tones of networks and fax machines, music on hold, and noise. At full level unless said otherwise.
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../src/audio/g711.ts'

export type Wave = (t: number) => number

export const sine =
  (hz: number, level = 0.2): Wave =>
  (t) =>
    level * Math.sin(2 * Math.PI * hz * t)
export const made = (rateHz: number, seconds: number, at: Wave) =>
  Int16Array.from({ length: Math.round(rateHz * seconds) }, (_, i) =>
    Math.round(32767 * Math.max(-1, Math.min(1, at(i / rateHz)))),
  )

/** A seeded generator of numbers from 0 to 1. */
export function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 2654435761) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Alternates sound and silence, each for the given time. */
const cadence =
  (sound: Wave, ...ms: readonly number[]): Wave =>
  (t) => {
    let at = (t * 1000) % ms.reduce((sum, each) => sum + each, 0)
    for (const [i, length] of ms.entries()) {
      if (at < length) return i % 2 === 0 ? sound(t) : 0
      at -= length
    }
    return 0
  }
const together =
  (...hz: readonly number[]): Wave =>
  (t) =>
    hz.reduce((sum, each) => sum + sine(each, 1 / hz.length)(t), 0)
const inTurn =
  (seconds: number, gap: number, ...hz: readonly number[]): Wave =>
  (t) => {
    const i = Math.floor(t / (seconds + gap))
    const each = hz[i]
    return each !== undefined && t - i * (seconds + gap) < seconds ? sine(each, 1)(t) : 0
  }

/** With every frequency scaled by `by` for a clock error. */
export const networkTones = (by = 1) =>
  ({
    'ringback of Brazil and Europe': cadence(sine(425 * by, 1), 1000, 4000),
    'ringback of China': cadence(sine(450 * by, 1), 1000, 4000),
    'ringback of North America': cadence(together(440 * by, 480 * by), 2000, 4000),
    'ringback of the UK': cadence(together(400 * by, 450 * by), 400, 200, 400, 2000),
    'busy tone of Brazil': cadence(sine(425 * by, 1), 250, 250),
    'busy tone of Europe': cadence(sine(425 * by, 1), 500, 500),
    'busy tone of China': cadence(sine(450 * by, 1), 350, 350),
    'busy tone of North America': cadence(together(480 * by, 620 * by), 500, 500),
    'busy tone of the UK': cadence(sine(400 * by, 1), 375, 375),
    'busy tone at 440 Hz': cadence(sine(440 * by, 1), 500, 500),
    'congestion tone of North America': cadence(together(480 * by, 620 * by), 250, 250),
    'congestion tone of the UK': cadence(sine(400 * by, 1), 400, 350, 225, 525),
    'congestion tone at 425 Hz': cadence(sine(425 * by, 1), 750, 250),
    SIT: inTurn(0.33, 0, 950 * by, 1400 * by, 1800 * by),
    'SIT with gaps': inTurn(0.33, 0.03, 950 * by, 1400 * by, 1800 * by),
    'SIT of North America': inTurn(0.3, 0, 985.2 * by, 1370.6 * by, 1776.7 * by),
    'fax calling tone': cadence(sine(1100 * by, 1), 500, 3000),
    'fax answer tone': (t: number) => (t < 3 ? sine(2100 * by, Math.floor(t / 0.45) % 2 === 0 ? 1 : -1)(t) : 0),
    'call waiting': cadence(sine(425 * by, 1), 200, 4800),
    'dial tone of Brazil': sine(425 * by, 1),
    'dial tone of North America': together(350 * by, 440 * by),
  }) satisfies Readonly<Record<string, Wave>>
export type NetworkTone = keyof ReturnType<typeof networkTones>

const SCALE = [0, 2, 4, 5, 7, 9, 11, 12] as const

/** Chords and a melody, made up from the seed. */
export function holdMusic(seed: number, rateHz: number, seconds: number): Int16Array {
  const random = randomFrom(seed)
  const out = new Float64Array(Math.round(rateHz * seconds))
  const beat = 0.3 + 0.4 * random()
  const rootHz = 130 * 2 ** (Math.floor(12 * random()) / 12)
  const noteOf = (degree: number) => rootHz * 2 ** ((SCALE[degree % SCALE.length] as number) / 12)
  for (let at = 0; at < seconds; at += beat) {
    const chord = Math.floor(7 * random())
    const melody = 2 * noteOf(Math.floor(8 * random()))
    for (const hz of [noteOf(chord), noteOf(chord + 2), noteOf(chord + 4)]) addNote(out, rateHz, { at, hz, level: 0.3 })
    addNote(out, rateHz, { at, hz: melody, level: 0.6 })
  }
  return Int16Array.from(out, (value) => Math.round(32767 * Math.max(-1, Math.min(1, 0.6 * value))))
}

function addNote(
  out: Float64Array,
  rateHz: number,
  { at, hz, level }: { at: number; hz: number; level: number },
): void {
  const from = Math.round(at * rateHz)
  for (let i = 0; i < 0.6 * rateHz && from + i < out.length; i++) {
    const t = i / rateHz
    const tone = sine(hz, 1)(t) + sine(2 * hz, 0.4)(t) + sine(3 * hz, 0.2)(t)
    out[from + i] = (out[from + i] as number) + level * Math.min(1, t / 0.01) * Math.exp(-2 * t) * tone
  }
}

/** White noise with this RMS level. */
export function noise(seed: number, samples: number, levelDb: number): Int16Array {
  const random = randomFrom(seed)
  const peak = 32767 * 10 ** (levelDb / 20) * Math.sqrt(12)
  return Int16Array.from({ length: samples }, () => Math.round(peak * (random() - 0.5)))
}

export const mixed = (a: Int16Array, b: Int16Array) =>
  a.map((sample, i) => Math.max(-32_768, Math.min(32_767, sample + (b[i] ?? 0))))

/** Scaled so that its loudest 50 ms have this RMS level. */
export function atLevel(pcm: Int16Array, levelDb: number): Int16Array {
  let loudest = 1
  const size = 400
  for (let at = 0; at + size <= pcm.length; at += size) {
    let energy = 0
    for (let i = at; i < at + size; i++) energy += (pcm[i] as number) ** 2
    loudest = Math.max(loudest, Math.sqrt(energy / size))
  }
  const gain = (32_768 * 10 ** (levelDb / 20)) / loudest
  return pcm.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(gain * sample))))
}

export const codecs: readonly ((pcm: Int16Array) => Int16Array)[] = [
  (pcm) => pcm,
  (pcm) => decodeUlaw(encodeUlaw(pcm)),
  (pcm) => decodeAlaw(encodeAlaw(pcm)),
]
