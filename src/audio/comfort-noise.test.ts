// Comfort noise: approaches the level that the peer signals without audible jumps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandLevelsDb } from '../../test/sound-measures.ts'
import { ComfortNoise } from './comfort-noise.ts'
import { levelDb } from './pcm.ts'

function noiseOf(payload: Uint8Array, length = 8000): Int16Array {
  const noise = new ComfortNoise()
  noise.read(payload)
  const out = new Int16Array(length)
  noise.fill(out)
  return out.subarray(1600)
}

test('the level is the one that the payload says, in dB below overload', () => {
  for (const level of [20, 40, 50, 60]) {
    const db = levelDb(noiseOf(Uint8Array.of(level)))
    assert.ok(Math.abs(db + level) < 1.5, `${level}: ${db}`)
  }
})

test('a spectrum changes the colour and not the level', () => {
  const dark = noiseOf(Uint8Array.of(40, 127 - 100))
  assert.ok(Math.abs(levelDb(dark) + 40) < 2, `${levelDb(dark)}`)
  const [low = 0, high = 0] = bandLevelsDb(dark, 8000, [0, 1000, 4000])
  const [flatLow = 0, flatHigh = 0] = bandLevelsDb(noiseOf(Uint8Array.of(40)), 8000, [0, 1000, 4000])
  assert.ok(Math.abs(low - high - (flatLow - flatHigh)) > 6)
})

test('what cannot be heard is silence, and so is a payload of nothing', () => {
  assert.ok(noiseOf(Uint8Array.of(127)).every((sample) => sample === 0))
  assert.ok(noiseOf(new Uint8Array(0)).every((sample) => sample === 0))
})

test('it begins softly', () => {
  const noise = new ComfortNoise()
  noise.read(Uint8Array.of(30))
  const out = new Int16Array(1600)
  noise.fill(out)
  assert.ok(levelDb(out.subarray(0, 16)) < -40)
  assert.ok(levelDb(out.subarray(800)) > -32)
})

test('no payload makes it run away', () => {
  const noise = new ComfortNoise()
  let seed = 2
  for (let n = 0; n < 500; n++) {
    noise.read(
      Uint8Array.from({ length: n % 40 }, () => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
        return seed >>> 24
      }),
    )
    const out = new Int16Array(320)
    noise.fill(out)
  }
  noise.read(Uint8Array.of(127))
  const out = new Int16Array(16_000)
  noise.fill(out)
  assert.ok(out.subarray(8000).every((sample) => sample === 0))
})
