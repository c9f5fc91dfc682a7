// Level, noise floor, pitch and echo of synthetic sounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sounds } from '../../test/sounds.ts'
import { SoundAnalyser } from './sound-features.ts'

const FRAME_MS = 20

/** A voice: harmonics of a pitch, within the telephone band. */
function voice(
  pitchHz: number | ((t: number) => number),
  levelDb: number,
  { ms = 400, rateHz = 8000 } = {},
): Int16Array {
  let phase = 0
  const raw = Float64Array.from({ length: (ms * rateHz) / 1000 }, (_, i) => {
    const hz = typeof pitchHz === 'number' ? pitchHz : pitchHz(i / rateHz)
    phase += (2 * Math.PI * hz) / rateHz
    let sum = 0
    for (let k = 1; k * hz < 3400; k++) if (k * hz > 300) sum += Math.sin(k * phase + k * k) / k
    return sum
  })
  const power = raw.reduce((sum, x) => sum + x * x, 0) / raw.length
  const gain = (32_768 * 10 ** (levelDb / 20)) / Math.sqrt(power)
  return Int16Array.from(raw, (x) => Math.round(x * gain))
}

function analyze(pcm: Int16Array, { rateHz = 8000, analyser = new SoundAnalyser(), playedDb = 0 } = {}) {
  const size = (rateHz * FRAME_MS) / 1000
  const out: { levelDb: number; noiseDb: number; nearDb: number | null; pitchHz: number | null; isFar: boolean }[] = []
  for (let at = 0; at + size <= pcm.length; at += size) {
    const ours = new Int16Array(size).fill(32_768 * 10 ** (playedDb / 20))
    analyser.push(pcm.subarray(at, at + size), rateHz, playedDb < 0 ? ours : null)
    const { levelDb, noiseDb, nearDb, pitchHz, isFar } = analyser
    out.push({ levelDb, noiseDb, nearDb, pitchHz, isFar })
  }
  return out
}

const join = (...parts: Int16Array[]) => Int16Array.from(parts.flatMap((part) => [...part]))
const silence = (ms: number, rateHz = 8000) => new Int16Array((ms * rateHz) / 1000)

test('the pitch of a voice is found within 2 % from 80 to 350 Hz, at 8 and 16 kHz', () => {
  for (const rateHz of [8000, 16_000]) {
    for (const hz of [80, 95, 110, 130, 160, 200, 240, 290, 350]) {
      const found = analyze(join(silence(100, rateHz), voice(hz, -20, { rateHz })), { rateHz }).slice(9)
      for (const { pitchHz } of found)
        assert.ok(Math.abs((pitchHz ?? 0) / hz - 1) < 0.02, `${rateHz}: ${hz} was ${pitchHz}`)
    }
  }
})

test('noises have no pitch, whatever their level', () => {
  for (const name of ['white noise', 'line noise', 'silence']) {
    const found = analyze((sounds[name] as (typeof sounds)[string])(8000, 4))
    const voiced = found.filter(({ pitchHz }) => pitchHz !== null).length
    assert.ok(voiced <= 2, `${name}: ${voiced}`)
  }
})

test('the level is that of the frame, and the noise floor that of the pauses', () => {
  const noise = (sounds['line noise'] as (typeof sounds)[string])(8000, 8)
  const speech = Array.from({ length: 10 }, () => [voice(150, -20, { ms: 300 }), silence(100)]).flat()
  const mixed = join(silence(500), ...speech).map((sample, i) => sample + (noise[i] ?? 0))
  const found = analyze(mixed)
  const { noiseDb } = found.at(-8) ?? assert.fail()
  const floor = analyze(noise).at(-1)?.levelDb ?? 0
  assert.ok(Math.abs(noiseDb - floor) < 3, `${noiseDb}, not ${floor}`)
  assert.ok(found.some(({ levelDb }) => Math.abs(levelDb - -20) < 0.5))
})

test('digital silence has a level, and steady noise becomes the floor within four seconds', () => {
  const found = analyze(join(silence(1000), (sounds['white noise'] as (typeof sounds)[string])(8000, 4)))
  assert.equal(found[0]?.levelDb, -90)
  const last = found.at(-1)
  assert.ok(Math.abs((last?.noiseDb ?? 0) - (last?.levelDb ?? 0)) < 1.5)
})

test('while we play, our echo counts as noise; where none comes back, not for long', () => {
  const playedDb = -20
  const echoed = analyze(voice(200, -40, { ms: 4000 }), { playedDb })
  assert.ok((echoed.at(-1)?.noiseDb ?? -99) > -43, 'an echo of -20 dB stays noise')
  const none = analyze((sounds['line noise'] as (typeof sounds)[string])(8000, 6), { playedDb })
  assert.ok((none.at(-1)?.noiseDb ?? 0) < -55, `${none.at(-1)?.noiseDb}`)
  assert.equal(echoed.at(-1)?.nearDb, null, 'an echo is nobody near')
})

test("the caller's level is known within their first word, and is that of their voice", () => {
  for (const levelDb of [-12, -20, -30, -40]) {
    const word = voice(150, levelDb, { ms: 300 })
    const found = analyze(join(silence(400), word, silence(200), word))
    const firstKnown = found.findIndex(({ nearDb }) => nearDb !== null)
    assert.ok(firstKnown * FRAME_MS - 400 <= 120, `known after ${firstKnown * FRAME_MS - 400} ms`)
    assert.ok(Math.abs((found.at(-1)?.nearDb ?? 0) - levelDb) < 1, `${found.at(-1)?.nearDb}`)
    assert.ok(found.every(({ isFar }) => !isFar))
  }
})
