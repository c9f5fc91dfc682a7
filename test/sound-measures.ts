// Audio measurements for tests and benchmarks: peak, silences, pitch, spectrum.

const FULL_SCALE = 32768

export function peakOf(pcm: Int16Array): number {
  let peak = 0
  for (const sample of pcm) peak = Math.max(peak, Math.abs(sample))
  return peak / FULL_SCALE
}

/** Peak of each 10 ms. */
export function envelopeOf(pcm: Int16Array, rateHz: number): Float32Array {
  const size = Math.round(rateHz / 100)
  return Float32Array.from({ length: Math.floor(pcm.length / size) }, (_, i) =>
    peakOf(pcm.subarray(i * size, (i + 1) * size)),
  )
}

/** The longest run below `quiet`, between the first and the last sound, in ms. */
export function longestSilenceMs(pcm: Int16Array, rateHz: number, quiet = 0.01): number {
  const envelope = envelopeOf(pcm, rateHz)
  const first = envelope.findIndex((peak) => peak >= quiet)
  const last = envelope.findLastIndex((peak) => peak >= quiet)
  let run = 0
  let longest = 0
  for (const peak of envelope.subarray(Math.max(0, first), last + 1)) {
    run = peak < quiet ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest * 10
}

/** Median pitch of the voiced parts, by autocorrelation of 40 ms at a time. */
export function pitchHz(pcm: Int16Array, rateHz: number): number {
  const size = Math.round(rateHz * 0.04)
  const [shortest, longest] = [Math.round(rateHz / 400), Math.round(rateHz / 70)]
  const found: number[] = []
  for (let at = 0; at + size + longest < pcm.length; at += size) {
    const energy = product(pcm, at, at, size)
    if (energy / size < (0.02 * FULL_SCALE) ** 2) continue
    const scores = Array.from({ length: longest - shortest }, (_, i) => {
      const lag = shortest + i
      return product(pcm, at, at + lag, size) / Math.sqrt(energy * product(pcm, at + lag, at + lag, size) + 1)
    })
    const best = Math.max(...scores)
    // The first peak that is nearly the best is the period; later ones are its multiples.
    const place = scores.findIndex(
      (score, i) => score > best * 0.9 && score >= (scores[i - 1] ?? -1) && score >= (scores[i + 1] ?? -1),
    )
    if (best > 0.75 && place >= 0) found.push(rateHz / (shortest + place))
  }
  return found.sort((a, b) => a - b)[found.length >> 1] ?? 0
}

function product(pcm: Int16Array, a: number, b: number, size: number): number {
  let sum = 0
  for (let i = 0; i < size; i++) sum += (pcm[a + i] as number) * (pcm[b + i] as number)
  return sum
}

/** Mean level in dB of each band between the edges, over the whole sound: how bright and how full it is. */
export function bandLevelsDb(pcm: Int16Array, rateHz: number, edgesHz: readonly number[]): number[] {
  const size = 512
  const sums = edgesHz.slice(1).map(() => 0)
  const binHz = rateHz / size
  for (let at = 0; at + size <= pcm.length; at += size) {
    const power = spectrum(pcm, at, size)
    for (let band = 0; band + 1 < edgesHz.length; band++) {
      const [from, to] = [edgesHz[band] as number, edgesHz[band + 1] as number]
      for (let bin = Math.ceil(from / binHz); bin * binHz < to; bin++)
        sums[band] = (sums[band] as number) + (power[bin] ?? 0)
    }
  }
  return sums.map((sum) => 10 * Math.log10(sum / pcm.length + 1e-9))
}

/** Power of the bins up to half the rate; a plain radix-2 transform under a Hann window. */
function spectrum(pcm: Int16Array, start: number, size: number): Float64Array {
  const re = new Float64Array(size)
  const im = new Float64Array(size)
  const bits = Math.log2(size)
  for (let i = 0; i < size; i++) {
    let mirrored = 0
    for (let bit = 0; bit < bits; bit++) mirrored |= ((i >> bit) & 1) << (bits - 1 - bit)
    re[mirrored] = ((pcm[start + i] as number) / FULL_SCALE) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
  }
  for (let length = 2; length <= size; length *= 2) {
    for (let k = 0; k < length / 2; k++) {
      const [c, s] = [Math.cos((-2 * Math.PI * k) / length), Math.sin((-2 * Math.PI * k) / length)]
      for (let i = k; i < size; i += length) {
        const j = i + length / 2
        const [x, y] = [re[j] as number, im[j] as number]
        const [a, b] = [x * c - y * s, x * s + y * c]
        re[j] = (re[i] as number) - a
        im[j] = (im[i] as number) - b
        re[i] = (re[i] as number) + a
        im[i] = (im[i] as number) + b
      }
    }
  }
  return Float64Array.from({ length: size / 2 }, (_, i) => (re[i] as number) ** 2 + (im[i] as number) ** 2)
}
