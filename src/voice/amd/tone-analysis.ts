// The tone in 20 ms of audio: one frequency, or one of the pairs of frequencies that networks send.

/** `otherHz`: the second frequency of a pair, or 0. `level`: RMS. */
export type Tone = { readonly hz: number; readonly otherHz: number; readonly level: number }

export const WINDOW_MS = 20
/** Below 400 Hz, with room for noise: the British busy tone is exactly 400 Hz. */
const MIN_HZ = 380
/** Above the answer tone of fax machines, 2100 Hz. */
const MAX_HZ = 2160
/** -43 dBFS. */
const MIN_LEVEL = 232
/** Share of the energy at one frequency; vowels and chords have less. */
const MIN_PURITY = 0.85
/** Share of the energy at both frequencies of a pair over two windows, with a clock 1 % off; and how much louder one may be. */
const MIN_PAIR_PURITY = 0.7
const MAX_AMPLITUDE_RATIO = 2.5
/** UK ringback, North American ringback, North American busy, dial tone. */
const PAIRS = [
  [400, 450],
  [440, 480],
  [480, 620],
  [350, 440],
] as const
const pairHz = [...new Set(PAIRS.flat())]
/** The zero crossings of a pair lie between its frequencies, but for noise in the quiet part of its beat. */
const PAIR_HZ = { min: 320, max: 900 }

export type ToneAnalyser = (samples: Int16Array) => Tone | null

/** Takes windows of 20 ms without gaps; pairs are found over two windows. */
export function toneAnalyser(rateHz: number): ToneAnalyser {
  const pairs = pairAnalyser(rateHz)
  let pair: Tone | null = null
  return (samples) => {
    let energy = 0
    for (let i = 0; i < samples.length; i++) energy += (samples[i] as number) ** 2
    const level = Math.sqrt(energy / samples.length)
    const hz = level < MIN_LEVEL ? 0 : pitchOf(samples, rateHz)
    const mayBePair = level >= MIN_LEVEL && (pair !== null || (hz >= PAIR_HZ.min && hz <= PAIR_HZ.max))
    pair = mayBePair ? pairs.find(samples, energy) : pairs.skip()
    if (pair || level < MIN_LEVEL) return pair
    const isPure = hz >= MIN_HZ && hz <= MAX_HZ && strengthAt(samples, hz, rateHz) >= MIN_PURITY * energy
    return isPure ? { hz, otherHz: 0, level } : null
  }
}

type Complex = { re: number; im: number }

/** Least squares of two sinusoids over two windows: their spectra at those frequencies overlap, and are separated. */
function pairAnalyser(rateHz: number) {
  const size = Math.round((rateHz * WINDOW_MS) / 1000)
  const waves = pairHz.map((hz) => wavesOf(hz, rateHz, size))
  let before = pairHz.map((): Complex => ({ re: 0, im: 0 }))
  let now = pairHz.map((): Complex => ({ re: 0, im: 0 }))
  let energyBefore = 0
  const both = pairHz.map((): Complex => ({ re: 0, im: 0 }))
  const overlaps = PAIRS.map(([hz, otherHz]) => overlapOf(otherHz - hz, rateHz, 2 * size))

  return {
    skip(): null {
      energyBefore = 0
      return null
    },
    find(samples: Int16Array, energy: number): Tone | null {
      const energyOfBoth = energyBefore + energy
      for (let i = 0; i < waves.length; i++) {
        const wave = waves[i] as Waves
        const sum = now[i] as Complex
        correlate(samples, wave, sum)
        const early = before[i] as Complex
        const together = both[i] as Complex
        together.re = early.re + sum.re * wave.turn.re + sum.im * wave.turn.im
        together.im = early.im + sum.im * wave.turn.re - sum.re * wave.turn.im
      }
      const isWhole = energyBefore > 0
      ;[before, now] = [now, before]
      energyBefore = energy
      if (!isWhole) return null
      let best: Tone | null = null
      let bestPurity = MIN_PAIR_PURITY
      for (let i = 0; i < PAIRS.length; i++) {
        const [hz, otherHz] = PAIRS[i] as (typeof PAIRS)[number]
        const c = both[pairHz.indexOf(hz)] as Complex
        const d = both[pairHz.indexOf(otherHz)] as Complex
        const purity = explained(c, d, overlaps[i] as Complex, 2 * size) / energyOfBoth
        if (purity < bestPurity) continue
        bestPurity = purity
        best = { hz, otherHz, level: Math.sqrt(energyOfBoth / (2 * size)) }
      }
      return best
    },
  }
}

type Waves = { readonly cos: Float64Array; readonly sin: Float64Array; readonly turn: Complex }

function wavesOf(hz: number, rateHz: number, size: number): Waves {
  const step = (2 * Math.PI * hz) / rateHz
  return {
    cos: Float64Array.from({ length: size }, (_, i) => Math.cos(step * i)),
    sin: Float64Array.from({ length: size }, (_, i) => Math.sin(step * i)),
    turn: { re: Math.cos(step * size), im: Math.sin(step * size) },
  }
}

function correlate(samples: Int16Array, { cos, sin }: Waves, sum: Complex): void {
  let re = 0
  let im = 0
  for (let i = 0; i < samples.length; i++) {
    re += (samples[i] as number) * (cos[i] as number)
    im -= (samples[i] as number) * (sin[i] as number)
  }
  sum.re = re
  sum.im = im
}

/** The sum of a complex wave of this frequency: what one sinusoid adds to the spectrum at the other. */
function overlapOf(hz: number, rateHz: number, length: number): Complex {
  const step = (2 * Math.PI * hz) / rateHz
  const sum = { re: 0, im: 0 }
  for (let i = 0; i < length; i++) {
    sum.re += Math.cos(step * i)
    sum.im += Math.sin(step * i)
  }
  return sum
}

/** The energy of the best fit of both sinusoids; 0 if one of them is much louder. */
function explained(c: Complex, d: Complex, { re, im }: Complex, length: number): number {
  const scale = 2 / (length ** 2 - re ** 2 - im ** 2)
  const a = {
    re: scale * (length * c.re - (re * d.re - im * d.im)),
    im: scale * (length * c.im - (re * d.im + im * d.re)),
  }
  const b = {
    re: scale * (length * d.re - (re * c.re + im * c.im)),
    im: scale * (length * d.im - (re * c.im - im * c.re)),
  }
  const [one, other] = [Math.hypot(a.re, a.im), Math.hypot(b.re, b.im)]
  if (one > MAX_AMPLITUDE_RATIO * other || other > MAX_AMPLITUDE_RATIO * one) return 0
  return a.re * c.re + a.im * c.im + b.re * d.re + b.im * d.im
}

/** From zero crossings, the first and last interpolated between samples. */
function pitchOf(samples: Int16Array, rateHz: number): number {
  let firstAt = 0
  let lastAt = 0
  let crossings = 0
  for (let i = 1; i < samples.length; i++) {
    const a = samples[i - 1] as number
    const b = samples[i] as number
    if (a < 0 === b < 0) continue
    lastAt = i - 1 + a / (a - b)
    if (crossings === 0) firstAt = lastAt
    crossings++
  }
  return crossings < 3 ? 0 : ((crossings - 1) * rateHz) / (2 * (lastAt - firstAt))
}

/** Energy at this frequency (Goertzel). */
function strengthAt(samples: Int16Array, hz: number, rateHz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / rateHz)
  let before = 0
  let last = 0
  for (let i = 0; i < samples.length; i++) {
    const next = (samples[i] as number) + factor * last - before
    before = last
    last = next
  }
  return (2 * (last * last + before * before - factor * last * before)) / samples.length
}
