// The resampler: frequency response, output length, and streaming output equal to that of a whole clip.
// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '../../test/until.ts'
import { joinPcm } from './pcm.ts'
import { createResampler, resample } from './resample.ts'
import { resampleInSteps } from './resample-in-steps.ts'

const AMPLITUDE = 16000

const tone = (hz: number, rateHz: number, seconds = 0.5): Int16Array =>
  Int16Array.from({ length: Math.round(seconds * rateHz) }, (_, i) =>
    Math.round(AMPLITUDE * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  )

/** The middle of the clip, free of edge effects. */
const middle = (pcm: Int16Array) => pcm.subarray(pcm.length >> 2, pcm.length - (pcm.length >> 2))

/** Removes the tone of this frequency by least squares; what remains is images and noise. */
function split(pcm: Int16Array, hz: number, rateHz: number): { toneDb: number; restDb: number } {
  let [ss, cc, sc, xs, xc] = [0, 0, 0, 0, 0]
  const at = (i: number) => (2 * Math.PI * hz * i) / rateHz
  pcm.forEach((x, i) => {
    const [s, c] = [Math.sin(at(i)), Math.cos(at(i))]
    ss += s * s
    cc += c * c
    sc += s * c
    xs += x * s
    xc += x * c
  })
  const det = ss * cc - sc * sc
  const a = (xs * cc - xc * sc) / det
  const b = (xc * ss - xs * sc) / det
  const rest = pcm.reduce((sum, x, i) => sum + (x - a * Math.sin(at(i)) - b * Math.cos(at(i))) ** 2, 0) / pcm.length
  return { toneDb: db(Math.hypot(a, b) / AMPLITUDE), restDb: db(Math.sqrt(rest * 2) / AMPLITUDE) }
}
const db = (ratio: number) => 20 * Math.log10(ratio + 1e-9)

const rates = [8000, 16000, 22050, 24000, 48000]
const pairs = rates.flatMap((from) => rates.filter((to) => to !== from).map((to): [number, number] => [from, to]))

/** Its filter is too large to cache, and runs without SIMD. */
const odd: [number, number] = [44_100, 7975]

test('tones in the band are kept within 0.5 dB, without images above -60 dB', () => {
  for (const [from, to] of [...pairs, odd])
    for (const hz of [100, 440, 1000, 0.41 * Math.min(from, to)]) {
      const { toneDb, restDb } = split(middle(resample(tone(hz, from), from, to)), hz, to)
      assert.ok(Math.abs(toneDb) < 0.5, `${hz} Hz from ${from} to ${to}: ${toneDb} dB`)
      assert.ok(restDb < -60, `${hz} Hz from ${from} to ${to}: the rest is ${restDb} dB`)
    }
})

test('tones that the lower rate cannot hold are gone', () => {
  for (const [from, to] of pairs.filter(([from, to]) => from > to))
    for (const hz of [to * 0.505, (to + from) / 4 + 17]) {
      const left = middle(resample(tone(hz, from), from, to))
      const level = db(Math.sqrt(left.reduce((sum, x) => sum + x * x, 0) / left.length) / AMPLITUDE)
      assert.ok(level < -60, `${hz} Hz from ${from} to ${to} leaves ${level} dB`)
    }
})

test('a stream in frames of any size gives exactly what the whole gives', () => {
  for (const [from, to] of [...pairs, odd]) {
    const whole = tone(700, from, 0.2)
    const resampler = createResampler(from, to)
    const parts: Int16Array[] = []
    for (let at = 0, size = 1; at < whole.length; at += size, size = ((size * 7) % 331) + 1)
      parts.push(resampler.push(whole.subarray(at, at + size)))
    parts.push(resampler.end())
    assert.deepEqual(joinPcm(parts), resample(whole, from, to), `${from} to ${to}`)
  }
})

test('the length is that of the same time, and nothing is late', () => {
  for (const [from, to] of pairs)
    for (const length of [0, 1, 160, 12345]) {
      const click = new Int16Array(length)
      const out = resample(click.fill(9000, length >> 1, (length >> 1) + 40), from, to)
      assert.equal(out.length, Math.ceil((length * to) / from))
      if (length < 200) continue
      const peak = out.indexOf(out.reduce((most, x) => Math.max(most, x), 0)) / to
      assert.ok(Math.abs(peak - ((length >> 1) + 20) / from) < 0.005)
    }
})

test('full scale is cut and does not wrap round', () => {
  const square = Int16Array.from({ length: 8000 }, (_, i) => (i % 40 < 20 ? 32767 : -32768))
  const out = resample(square, 8000, 48000)
  const jumps = out.filter((x, i) => i > 0 && Math.abs(x - (out[i - 1] as number)) > 40000)
  assert.equal(jumps.length, 0)
})

test('the same rate costs nothing and changes nothing', () => {
  const pcm = tone(440, 8000)
  assert.equal(resample(pcm, 8000, 8000), pcm)
})

test('rates that would need a filter of gigabytes are refused', () => {
  for (const rateHz of [0, 1, 8001, 399_999, 7_999_999, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => createResampler(rateHz, 8000), RangeError)
    assert.throws(() => createResampler(8000, rateHz), RangeError)
  }
})

test('the filters of odd rates are not kept for ever', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 40; i++) createResampler(150_025 + 50 * i, 8000)
  // Buffers are released some time after they were collected.
  await until('at most 20 MB are kept', async () => {
    collect()
    return (process.memoryUsage().arrayBuffers - before) / 2 ** 20 < 20
  })
})

test('a clip that is resampled in steps is the same, and others go on meanwhile', async () => {
  const clip = tone(440, 44_100, 5)
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const inSteps = await resampleInSteps(clip, 44_100, 8000)
  clearInterval(counting)
  assert.deepEqual(inSteps, resample(clip, 44_100, 8000))
  assert.ok(turns > 3, `${turns}`)
})
