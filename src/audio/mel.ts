// Whisper's input features: the logarithm of 80 mel bands every 10 ms, of 16 kHz samples.

export const MEL_BANDS = 80
export const MEL_RATE_HZ = 16000
/** Samples from one frame to the next. */
export const MEL_HOP = 160

/** Window of 25 ms = 25 * 16 points: the transform is done as 16 transforms of 25 points and 25 of 16. */
const COLUMNS = 25
const ROWS = 16
const WINDOW = COLUMNS * ROWS
const BINS = WINDOW / 2 + 1
/** The input is real, so the upper 12 of 25 columns mirror the lower ones. */
const HALF = 13

const turn = (part: number) => 2 * Math.PI * part
const hann = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos(turn(i / WINDOW)))
const innerAngle = (i: number) => turn((Math.floor(i / HALF) * (i % HALF)) / COLUMNS)
/** Row of 13 factors for column k1: those of samples n and 25 - n are the same, or the same with the other sign. */
const innerCos = Float64Array.from({ length: HALF * HALF }, (_, i) => Math.cos(innerAngle(i)))
const innerSin = Float64Array.from({ length: HALF * HALF }, (_, i) => Math.sin(innerAngle(i)))
/** Row of 16 factors for bin k1 + 25 * k2, at (k1 * 16 + k2) * 16. */
const outerAngle = (i: number) => {
  const bin = Math.floor(i / (ROWS * ROWS)) + COLUMNS * (Math.floor(i / ROWS) % ROWS)
  return turn((bin * (i % ROWS)) / WINDOW)
}
const outerCos = Float64Array.from({ length: HALF * ROWS * ROWS }, (_, i) => Math.cos(outerAngle(i)))
const outerSin = Float64Array.from({ length: HALF * ROWS * ROWS }, (_, i) => Math.sin(outerAngle(i)))

type Band = { first: number; weights: Float32Array }
const bands = makeBands()

/** Slaney's mel scale: linear below 1 kHz, logarithmic above; each triangle has the same area. */
function makeBands(): Band[] {
  const logStep = 27 / Math.log(6.4)
  const melOf = (hz: number) => (hz < 1000 ? (hz * 3) / 200 : 15 + Math.log(hz / 1000) * logStep)
  const hzOf = (mel: number) => (mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp((mel - 15) / logStep))
  const top = melOf(MEL_RATE_HZ / 2)
  const edges = Array.from({ length: MEL_BANDS + 2 }, (_, i) => hzOf((top * i) / (MEL_BANDS + 1)))
  const binHz = MEL_RATE_HZ / WINDOW
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [low, middle, high] = edges.slice(band, band + 3) as [number, number, number]
    const first = Math.ceil(low / binHz)
    const last = Math.min(BINS - 1, Math.floor(high / binHz))
    const weights = Float32Array.from({ length: last - first + 1 }, (_, i) => {
      const hz = (first + i) * binHz
      const height = Math.min((hz - low) / (middle - low), (high - hz) / (high - middle))
      return (Math.max(0, height) * 2) / (high - low)
    })
    return { first, weights }
  })
}

const sums = new Float64Array(HALF)
const differences = new Float64Array(HALF)
const columnRe = new Float64Array(HALF * ROWS)
const columnIm = new Float64Array(HALF * ROWS)

/** Power of each bin of one windowed frame. */
function powerOf(frame: Float64Array, power: Float64Array): void {
  for (let row = 0; row < ROWS; row++) {
    for (let n = 1; n < HALF; n++) {
      const a = frame[n * ROWS + row] as number
      const b = frame[(COLUMNS - n) * ROWS + row] as number
      sums[n] = a + b
      differences[n] = a - b
    }
    for (let k1 = 0; k1 < HALF; k1++) {
      let re = frame[row] as number
      let im = 0
      for (let n = 1; n < HALF; n++) {
        re += (sums[n] as number) * (innerCos[k1 * HALF + n] as number)
        im -= (differences[n] as number) * (innerSin[k1 * HALF + n] as number)
      }
      columnRe[k1 * ROWS + row] = re
      columnIm[k1 * ROWS + row] = im
    }
  }
  for (let k1 = 0; k1 < HALF; k1++)
    for (let k2 = 0; k2 < ROWS; k2++) {
      const at = (k1 * ROWS + k2) * ROWS
      let re = 0
      let im = 0
      for (let row = 0; row < ROWS; row++) {
        const a = columnRe[k1 * ROWS + row] as number
        const b = columnIm[k1 * ROWS + row] as number
        const c = outerCos[at + row] as number
        const s = outerSin[at + row] as number
        re += a * c + b * s
        im += b * c - a * s
      }
      const bin = k1 + COLUMNS * k2
      power[bin < BINS ? bin : WINDOW - bin] = re * re + im * im
    }
}

/** The greatest range kept, in powers of ten below the loudest. */
const RANGE = 8
const FLOOR = 1e-10

/**
 * [80, frames], scaled as in Whisper's training; samples of -1 to 1 at 16 kHz. Frames past the end of the samples are silence.
 */
export function logMel(samples: Float32Array, frames: number): Float32Array {
  const out = new Float32Array(MEL_BANDS * frames).fill(Math.log10(FLOOR))
  const frame = new Float64Array(WINDOW)
  const power = new Float64Array(BINS)
  const sounding = Math.min(frames, Math.ceil((samples.length + WINDOW / 2) / MEL_HOP))
  let loudest = Math.log10(FLOOR)
  for (let t = 0; t < sounding; t++) {
    const start = t * MEL_HOP - WINDOW / 2
    // The first frames reach back past the start, where the sound is mirrored.
    for (let i = 0; i < WINDOW; i++) frame[i] = (samples[Math.abs(start + i)] ?? 0) * (hann[i] as number)
    powerOf(frame, power)
    for (let band = 0; band < MEL_BANDS; band++) {
      const { first, weights } = bands[band] as Band
      let sum = 0
      for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (power[first + i] as number)
      const level = Math.log10(Math.max(sum, FLOOR))
      out[band * frames + t] = level
      if (level > loudest) loudest = level
    }
  }
  for (let i = 0; i < out.length; i++) out[i] = (Math.max(out[i] as number, loudest - RANGE) + 4) / 4
  return out
}
