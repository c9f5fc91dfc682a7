// The bounds of speech are found, whatever surrounds it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LevelMeter, speechBounds } from './speech-bounds.ts'

const RATE = 8000
/** Seeded noise, `loud` within the given span and `quiet` elsewhere. */
function sound(ms: number, [from, to]: [number, number], loud: number, quiet: number): Int16Array {
  let seed = 1
  return Int16Array.from({ length: (ms * RATE) / 1000 }, (_, i) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    const at = (i * 1000) / RATE
    return (seed / 2 ** 30 - 1) * (at >= from && at < to ? loud : quiet)
  })
}

test('bounds are accurate to 10 ms, in silence and over line noise', () => {
  for (const quiet of [0, 30, 300])
    assert.deepEqual(speechBounds(sound(2000, [480, 1530], 6000, quiet), RATE), { fromMs: 480, toMs: 1530 }, `${quiet}`)
})

test('a faint onset is included, audio thirty decibels lower is not', () => {
  const pcm = sound(1000, [500, 800], 8000, 0)
  pcm.set(sound(60, [0, 60], 600, 0), 440 * 8)
  pcm.set(sound(60, [0, 60], 100, 0), 300 * 8)
  assert.deepEqual(speechBounds(pcm, RATE), { fromMs: 440, toMs: 800 })
})

test('silence has no bounds, and audio without pauses is included whole', () => {
  assert.equal(speechBounds(new Int16Array(8000), RATE), undefined)
  assert.equal(speechBounds(sound(1000, [0, 0], 0, 60), RATE), undefined)
  assert.deepEqual(speechBounds(sound(1000, [0, 1000], 5000, 0), RATE), { fromMs: 0, toMs: 1000 })
})

test('frequencies beyond the telephone band are ignored', () => {
  const tone = (hz: number) =>
    Int16Array.from({ length: 12_000 }, (_, i) => 4000 * Math.sin((2 * Math.PI * hz * i) / 24_000))
  const both = new Int16Array(24_000)
  both.set(tone(500))
  both.set(tone(8000), 12_000)
  const [near, far] = [new LevelMeter(), new LevelMeter(8000)]
  for (const meter of [near, far])
    for (let at = 0; at < both.length; at += 700) meter.push(both.subarray(at, at + 700), 24_000)
  assert.deepEqual(near.boundsUntil(1000), { fromMs: 0, toMs: 1000 })
  assert.deepEqual(far.boundsUntil(1000), { fromMs: 0, toMs: 500 })
})

test('audio in odd chunks gives the bounds of the played part', () => {
  const meter = new LevelMeter()
  const pcm = sound(3000, [200, 1000], 6000, 0)
  pcm.set(sound(1500, [0, 1500], 6000, 0), 1500 * 8)
  for (let at = 0; at < pcm.length; at += 77) meter.push(pcm.subarray(at, at + 77), RATE)
  assert.deepEqual(meter.boundsUntil(3000), { fromMs: 200, toMs: 3000 })
  assert.deepEqual(meter.boundsUntil(2003), { fromMs: 200, toMs: 2003 })
  assert.deepEqual(meter.boundsUntil(1300), { fromMs: 200, toMs: 1000 })
  assert.equal(meter.boundsUntil(150), undefined)
  const quieter = meter.boundsUntil(3000, (ms) => (ms < 1500 ? 1 : 0.01))
  assert.deepEqual(quieter, { fromMs: 200, toMs: 1000 }, 'what was made much quieter was not heard')
})
