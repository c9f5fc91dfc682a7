// Sample rate conversion by a polyphase filter (sinc with a Kaiser window), of a stream or of a whole clip.
import { LruCache } from '../base/lru-cache.ts'
import { type Convolver, createConvolver, type PolyphaseFilter } from './convolve-simd.ts'
import { clamped, joinPcm, newFrame } from './pcm.ts'
import { checkRate } from './rate.ts'

/** Takes frames of any length. The output lags by 4 ms at 8 kHz; `end` returns the rest. */
export type Resampler = { push(pcm: Int16Array): Int16Array; end(): Int16Array }

/** Zero crossings of the sinc each side: 32 keep up to 0.42 of the lower rate flat and stop 80 dB from its half on. */
const CROSSINGS = 32
const KAISER_BETA = 8
/** The middle of the slope, in units of half the lower rate. */
const CUTOFF = 0.922

type Filter = PolyphaseFilter & {
  /** Input samples each side of an output sample: an even number, so that a row is made of fours. */
  half: number
  convolver: Convolver | null
}

const filters = new LruCache<string, Filter>(32)
/** Half a megabyte: filters of the usual rates are cached, larger ones are built each time. */
const MAX_KEPT_FACTORS = 65_536

function filterFor(fromHz: number, toHz: number): Filter {
  const divisor = greatestCommonDivisor(fromHz, toHz)
  const up = toHz / divisor
  const down = fromHz / divisor
  const key = `${up}/${down}`
  const known = filters.get(key)
  if (known) return known
  const filter = makeFilter(up, down)
  if (filter.rows.length <= MAX_KEPT_FACTORS) {
    filter.convolver = createConvolver(filter)
    filters.set(key, filter)
  }
  return filter
}

function makeFilter(up: number, down: number): Filter {
  const stretch = Math.max(1, down / up)
  const half = 2 * Math.ceil((CROSSINGS * stretch) / 2)
  const rows = new Float64Array(up * 2 * half)
  for (let phase = 0; phase < up; phase++) {
    const row = rows.subarray(phase * 2 * half, (phase + 1) * 2 * half)
    let sum = 0
    for (let k = 0; k < row.length; k++) {
      const x = (k - half + 1 - phase / up) / stretch
      row[k] = sinc(x * CUTOFF) * kaiser(1 - (x / CROSSINGS) ** 2)
      sum += row[k] as number
    }
    // All phases have the same gain at 0 Hz; otherwise a constant offset would become a tone.
    for (let k = 0; k < row.length; k++) row[k] = (row[k] as number) / sum
  }
  return { up, down, width: 2 * half, rows, half, convolver: null }
}

/** Throws for unsupported rates (rate.ts). */
export function createResampler(fromHz: number, toHz: number): Resampler {
  checkRate(fromHz)
  checkRate(toHz)
  if (fromHz === toHz) return { push: (pcm) => pcm, end: () => new Int16Array(0) }
  const filter = filterFor(fromHz, toHz)
  return filter.convolver ? simdResampler(filter, filter.convolver) : plainResampler(filter)
}

function simdResampler({ up, down, width, half }: Filter, convolver: Convolver): Resampler {
  /** From the next output's window on: less than one window. */
  const store = new Int16Array(width)
  let history = store.subarray(0, half - 1)
  let phase = 0
  let taken = 0
  let given = 0

  function step(pcm: Int16Array, most: number): Int16Array {
    const room = history.length + pcm.length - width
    const count = Math.min(most, countReady(room, phase, up, down))
    const out = copyOf(convolver.run(history, pcm, phase, count))
    const passed = phase + count * down
    phase = passed % up
    // More than a window may be left after the last outputs; it is not needed.
    const left = convolver.inputs(Math.floor(passed / up)).subarray(0, width)
    store.set(left)
    history = store.subarray(0, left.length)
    given += count
    return out
  }

  function inSteps(pcm: Int16Array, most: number): Int16Array {
    if (pcm.length <= convolver.most) return step(pcm, most)
    const parts: Int16Array[] = []
    const end = given + most
    for (let left = pcm; left.length > 0; left = left.subarray(convolver.most))
      parts.push(step(left.subarray(0, convolver.most), end - given))
    return joinPcm(parts)
  }

  return {
    push(pcm) {
      taken += pcm.length
      return inSteps(pcm, Number.POSITIVE_INFINITY)
    },
    end: () => inSteps(new Int16Array(2 * half + Math.ceil(down / up)), Math.ceil((taken * up) / down) - given),
  }
}

function copyOf(pcm: Int16Array): Int16Array {
  const copy = newFrame(pcm.length)
  copy.set(pcm)
  return copy
}

/** For browsers, and for filters that are too large to be cached. */
function plainResampler({ up, down, half, rows }: Filter): Resampler {
  let held = new Float64Array(half - 1)
  let phase = 0
  /** Where in `held` the next output's window begins. */
  let start = 0
  let taken = 0
  let given = 0

  function take(pcm: Int16Array, zeros = 0): void {
    const kept = held.subarray(start)
    const next = new Float64Array(kept.length + pcm.length + zeros)
    next.set(kept)
    next.set(pcm, kept.length)
    held = next
    start = 0
  }

  function give(most: number): Int16Array {
    const width = 2 * half
    const count = Math.min(most, countReady(held.length - width - start, phase, up, down))
    const out = new Int16Array(count)
    for (let n = 0; n < count; n++) {
      out[n] = clamped(weighed(held, start, rows, phase * width, width))
      phase += down
      start += Math.floor(phase / up)
      phase %= up
    }
    given += count
    return out
  }

  return {
    push(pcm) {
      taken += pcm.length
      take(pcm)
      return give(Number.POSITIVE_INFINITY)
    },
    end() {
      take(new Int16Array(0), 2 * half + Math.ceil(down / up))
      return give(Math.ceil((taken * up) / down) - given)
    },
  }
}

/** Four independent sums: additions to a single one would wait for each other. In doubles, since singles are widened at each use. */
function weighed(pcm: Float64Array, at: number, factors: Float64Array, row: number, width: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let k = 0; k < width; k += 4) {
    a += (pcm[at + k] as number) * (factors[row + k] as number)
    b += (pcm[at + k + 1] as number) * (factors[row + k + 1] as number)
    c += (pcm[at + k + 2] as number) * (factors[row + k + 2] as number)
    d += (pcm[at + k + 3] as number) * (factors[row + k + 3] as number)
  }
  return a + b + (c + d)
}

/** How many outputs have their whole window when the first could begin up to `room` samples later. */
function countReady(room: number, phase: number, up: number, down: number): number {
  return room < 0 ? 0 : Math.floor((room * up + up - 1 - phase) / down) + 1
}

export function resample(pcm: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return pcm
  const resampler = createResampler(fromHz, toHz)
  return joinPcm([resampler.push(pcm), resampler.end()])
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Modified Bessel function of the first kind, order 0. */
function bessel(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

const WINDOW_STEPS = 4096
const windowTable = Float64Array.from(
  { length: WINDOW_STEPS + 2 },
  (_, i) => bessel(KAISER_BETA * Math.sqrt(i / WINDOW_STEPS)) / bessel(KAISER_BETA),
)

/** The window where `inside` is 1 in its middle and 0 at its edges; linear between the entries of its table. */
function kaiser(inside: number): number {
  if (inside <= 0) return 0
  const at = inside * WINDOW_STEPS
  const place = Math.floor(at)
  const below = windowTable[place] as number
  return below + ((windowTable[place + 1] as number) - below) * (at - place)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
