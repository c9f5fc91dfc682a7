// G.722 at 64 kbit/s (mode 1): two bands of 8 kHz, each in adaptive differential code; 16 kHz PCM, one byte for two samples.
// The integer arithmetic and the block names (in capitals) are those of ITU-T G.722 section 6, so that it is bit-exact.

/** Table 11: half of the 24 taps of the mirror filter; the other half is the same backwards. */
const QMF = Int32Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11)
const TAPS_BEFORE = 22
/** Table 15: levels that decide the six bits of the lower band. */
const Q6 = Int32Array.of(
  ...[0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219],
  ...[1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919],
)
/** Tables 18 and 19: what a code of four, six and two bits means, in units of the scale. */
const QM4 = Int32Array.of(
  ...[0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0],
)
const QM6_HALF = [
  ...[24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456, 4944],
  ...[4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728],
]
const QM6 = Int32Array.of(
  ...[-136, -136, -136, -136],
  ...QM6_HALF.map((level) => -level),
  ...QM6_HALF,
  ...[432, 136, -432, -136],
)
const QM2 = Int32Array.of(-7408, -1616, 7408, 1616)
/** Tables 17 and 20: how a code moves the logarithm of the scale. */
const WL_OF_CODE = Int32Array.of(
  ...[0, 7, 6, 5, 4, 3, 2, 1, 7, 6, 5, 4, 3, 2, 1, 0].map(
    (row) => [-60, -30, 58, 172, 334, 538, 1198, 3042][row] as number,
  ),
)
const WH_OF_CODE = Int32Array.of(798, -214, 798, -214)
/** Table 16: 2^(i/32) * 2048. */
const ILB = Int32Array.of(
  ...[2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834, 2896, 2960],
  ...[3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008],
)

const saturated = (value: number): number => (value > 32767 ? 32767 : value < -32768 ? -32768 : value)
const limited = (value: number): number => (value > 16383 ? 16383 : value < -16384 ? -16384 : value)

/** The predictor and the scale of one band; the same in the encoder and the decoder, which is why they stay together. */
class Band {
  /** The signal that is expected next. */
  expected = 0
  scale: number
  readonly #maxLog: number
  readonly #shift: number
  #log = 0
  #zeros = 0
  #pole1 = 0
  #pole2 = 0
  #rebuilt1 = 0
  #partial1 = 0
  #partial2 = 0
  readonly #taps = new Int32Array(6)
  readonly #differences = new Int32Array(6)

  constructor(scale: number, maxLog: number, shift: number) {
    this.scale = scale
    this.#maxLog = maxLog
    this.#shift = shift
  }

  /** LOGSCL and SCALEL, LOGSCH and SCALEH. */
  rescale(change: number): void {
    const log = ((this.#log * 127) >> 7) + change
    this.#log = log < 0 ? 0 : log > this.#maxLog ? this.#maxLog : log
    const mantissa = ILB[(this.#log >> 6) & 31] as number
    const down = this.#shift - (this.#log >> 11)
    this.scale = (down < 0 ? mantissa << -down : mantissa >> down) << 2
  }

  /** One step of the predictor with the difference that was sent. */
  advance(difference: number): void {
    const rebuilt = saturated(this.expected + difference)
    const partial = saturated(this.#zeros + difference)
    this.#adaptPoles(partial)
    this.#zeros = this.#adaptZeros(difference)
    // FILTEP, PREDIC
    const first = (this.#pole1 * saturated(2 * rebuilt)) >> 15
    const second = (this.#pole2 * saturated(2 * this.#rebuilt1)) >> 15
    this.#rebuilt1 = rebuilt
    this.expected = saturated(saturated(first + second) + this.#zeros)
  }

  /** UPPOL2, UPPOL1 */
  #adaptPoles(partial: number): void {
    const isSame1 = partial >> 15 === this.#partial1 >> 15
    const isSame2 = partial >> 15 === this.#partial2 >> 15
    const four = saturated(this.#pole1 * 4)
    const lean = isSame1 ? -four : four
    const pole2 = (isSame2 ? 128 : -128) + ((lean > 32767 ? 32767 : lean) >> 7) + ((this.#pole2 * 32512) >> 15)
    this.#pole2 = pole2 > 12288 ? 12288 : pole2 < -12288 ? -12288 : pole2
    const pole1 = saturated((isSame1 ? 192 : -192) + ((this.#pole1 * 32640) >> 15))
    const most = saturated(15360 - this.#pole2)
    this.#pole1 = pole1 > most ? most : pole1 < -most ? -most : pole1
    this.#partial2 = this.#partial1
    this.#partial1 = partial
  }

  /** UPZERO, DELAYA, FILTEZ. The taps lose 1/256 before 128 is added, so they stay within 16 bits by themselves. */
  #adaptZeros(difference: number): number {
    const taps = this.#taps
    const past = this.#differences
    const step = difference === 0 ? 0 : 128
    let sum = 0
    for (let i = 5; i >= 0; i--) {
      const old = past[i] as number
      const next = i > 0 ? (past[i - 1] as number) : difference
      const tap = (((taps[i] as number) * 32640) >> 15) + ((old ^ difference) < 0 ? -step : step)
      taps[i] = tap
      past[i] = next
      sum += (tap * saturated(2 * next)) >> 15
    }
    return saturated(sum)
  }
}

/** The last samples of what was filtered before, and room for `pairs` more; the same memory when it fits. */
function extended(held: Int32Array<ArrayBuffer>, pairs: number): Int32Array<ArrayBuffer> {
  const size = TAPS_BEFORE + 2 * pairs
  if (held.length === size) return held.copyWithin(0, size - TAPS_BEFORE)
  const next = new Int32Array(size)
  next.set(held.subarray(held.length - TAPS_BEFORE))
  return next
}

const lowerBand = (): Band => new Band(32, 18432, 8)
const upperBand = (): Band => new Band(8, 22528, 10)

/** An even number of samples at 16 kHz in, half as many bytes out. A last odd sample is left out. */
export function createG722Encoder(): (pcm: Int16Array) => Uint8Array {
  const lower = lowerBand()
  const upper = upperBand()
  let held = new Int32Array(TAPS_BEFORE)
  return (pcm) => {
    const out = new Uint8Array(pcm.length >> 1)
    held = extended(held, out.length)
    for (let n = 0; n < 2 * out.length; n++) held[TAPS_BEFORE + n] = pcm[n] as number
    for (let n = 0; n < out.length; n++) {
      let even = 0
      let odd = 0
      for (let i = 0; i < 12; i++) {
        even += (held[2 * (n + i)] as number) * (QMF[i] as number)
        odd += (held[2 * (n + i) + 1] as number) * (QMF[11 - i] as number)
      }
      out[n] = (codeUpper(upper, (odd - even) >> 14) << 6) | codeLower(lower, (odd + even) >> 14)
    }
    return out
  }
}

/** SUBTRA, QUANTL, then what the decoder will do. */
function codeLower(band: Band, sample: number): number {
  const error = saturated(sample - band.expected)
  const size = error >= 0 ? error : ~error
  // The first level above it, by halves.
  let level = 1
  for (let above = 30; level < above; ) {
    const middle = (level + above) >> 1
    if (size >= ((Q6[middle] as number) * band.scale) >> 12) level = middle + 1
    else above = middle
  }
  // Tables 13 and 14 run backwards; the first two negative levels have the codes that the positive ones leave free.
  const code = error >= 0 ? 62 - level : level < 3 ? 64 - level : 34 - level
  const difference = (band.scale * (QM4[code >> 2] as number)) >> 15
  band.rescale(WL_OF_CODE[code >> 2] as number)
  band.advance(difference)
  return code
}

/** SUBTRA, QUANTH */
function codeUpper(band: Band, sample: number): number {
  const error = saturated(sample - band.expected)
  const isLarge = (error >= 0 ? error : ~error) >= (564 * band.scale) >> 12
  const code = error >= 0 ? (isLarge ? 2 : 3) : isLarge ? 0 : 1
  const difference = (band.scale * (QM2[code] as number)) >> 15
  band.rescale(WH_OF_CODE[code] as number)
  band.advance(difference)
  return code
}

/** Two samples at 16 kHz for each byte. Every byte is a code, so it cannot fail. */
export function createG722Decoder(): (codes: Uint8Array) => Int16Array {
  const lower = lowerBand()
  const upper = upperBand()
  let held = new Int32Array(TAPS_BEFORE)
  return (codes) => {
    const out = new Int16Array(codes.length * 2)
    held = extended(held, codes.length)
    for (let n = 0; n < codes.length; n++) {
      const code = codes[n] as number
      const low = decodeLower(lower, code & 63)
      const high = decodeUpper(upper, code >> 6)
      held[TAPS_BEFORE + 2 * n] = low + high
      held[TAPS_BEFORE + 2 * n + 1] = low - high
      let even = 0
      let odd = 0
      for (let i = 0; i < 12; i++) {
        even += (held[2 * (n + i)] as number) * (QMF[i] as number)
        odd += (held[2 * (n + i) + 1] as number) * (QMF[11 - i] as number)
      }
      out[2 * n] = saturated(odd >> 11)
      out[2 * n + 1] = saturated(even >> 11)
    }
    return out
  }
}

/** INVQBL, RECONS and LIMIT make the sound of all six bits; the predictor learns from the upper four alone. */
function decodeLower(band: Band, code: number): number {
  const sample = limited(band.expected + ((band.scale * (QM6[code] as number)) >> 15))
  const difference = (band.scale * (QM4[code >> 2] as number)) >> 15
  band.rescale(WL_OF_CODE[code >> 2] as number)
  band.advance(difference)
  return sample
}

function decodeUpper(band: Band, code: number): number {
  const difference = (band.scale * (QM2[code] as number)) >> 15
  const sample = limited(band.expected + difference)
  band.rescale(WH_OF_CODE[code] as number)
  band.advance(difference)
  return sample
}
