// Mel bands against a direct Fourier transform, band by band.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logMel, MEL_BANDS, MEL_HOP, MEL_RATE_HZ } from './mel.ts'

const tone = (hz: number, seconds: number) =>
  Float32Array.from({ length: seconds * MEL_RATE_HZ }, (_, i) => 0.3 * Math.sin((2 * Math.PI * hz * i) / MEL_RATE_HZ))

/** Undoes the scaling, for a clip whose quietest band is within the range. */
const frameOf = (mel: Float32Array, frames: number, t: number) =>
  Array.from({ length: MEL_BANDS }, (_, band) => mel[band * frames + t] as number)

/** Log power of the bands around one frame, by a textbook Fourier transform. */
function slowBands(samples: Float32Array, t: number): number[] {
  const power = Array.from({ length: 201 }, (_, k) => {
    let [re, im] = [0, 0]
    for (let i = 0; i < 400; i++) {
      const x = (samples[t * MEL_HOP - 200 + i] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 400))
      re += x * Math.cos((2 * Math.PI * k * i) / 400)
      im -= x * Math.sin((2 * Math.PI * k * i) / 400)
    }
    return re * re + im * im
  })
  const mel = (hz: number) => (hz < 1000 ? (hz * 3) / 200 : 15 + (27 * Math.log(hz / 1000)) / Math.log(6.4))
  const hz = (m: number) => (m < 15 ? (m * 200) / 3 : 1000 * 6.4 ** ((m - 15) / 27))
  const edge = (i: number) => hz((mel(8000) * i) / 81)
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [a, b, c] = [edge(band), edge(band + 1), edge(band + 2)]
    const sum = power.reduce((total, p, k) => {
      const height = Math.min((k * 40 - a) / (b - a), (c - k * 40) / (c - b))
      return total + (height > 0 ? (p * height * 2) / (c - a) : 0)
    }, 0)
    return Math.log10(Math.max(sum, 1e-10))
  })
}

test('every band has the level that a plain transform gives it', () => {
  let seed = 7
  const samples = Float32Array.from({ length: 8000 }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32 - 0.5
  })
  const mel = logMel(samples, 50)
  for (const t of [5, 20, 44])
    slowBands(samples, t).forEach((level, band) => {
      const ours = (frameOf(mel, 50, t)[band] as number) * 4 - 4
      assert.ok(Math.abs(ours - level) < 0.001, `frame ${t}, band ${band}: ${ours}, not ${level}`)
    })
})

test('a tone is loudest in its own band', () => {
  const loudest = (hz: number) => {
    const bands = frameOf(logMel(tone(hz, 1), 100), 100, 50)
    return bands.indexOf(Math.max(...bands))
  }
  const places = [200, 440, 1000, 2000, 3000, 5000, 7000].map(loudest)
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(places).size, places.length)
})

test('what is past the end is silence, no further below the loudest than Whisper knows', () => {
  const mel = logMel(tone(440, 1), 400)
  const after = frameOf(mel, 400, 300)
  assert.ok(after.every((level) => level === after[0]))
  assert.ok(Math.abs(Math.max(...mel) - (after[0] as number) - 2) < 1e-5)
  assert.ok(mel.every(Number.isFinite))
})

test('no sound at all is finite too', () => {
  assert.ok(logMel(new Float32Array(0), 10).every((level) => level === -1.5))
})
