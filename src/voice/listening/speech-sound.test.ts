// Evidence, level and gating, derived from the features of frames.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SoundFeatures } from '../ports.ts'
import { SpeechSound } from './speech-sound.ts'

const FRAME = 160
const quiet: SoundFeatures = { levelDb: -65, noiseDb: -65, nearDb: -20, pitchHz: null, isFar: false }
const voiced: SoundFeatures = { ...quiet, levelDb: -20, pitchHz: 150 }

function heard(...frames: SoundFeatures[]) {
  const sound = new SpeechSound()
  const pcm: Int16Array[] = []
  for (const [i, features] of frames.entries())
    pcm.push(sound.push({ pcm: new Int16Array(FRAME).fill(i + 1), rateHz: 8000, sound: features }, (i + 1) * 20))
  return { sound, pcm }
}
const times = (count: number, frame: SoundFeatures) => Array.from({ length: count }, () => frame)

test('two voiced frames with a peak at the level of the caller are strong evidence', () => {
  assert.equal(heard(...times(5, quiet), voiced).sound.isStrong(false), false)
  assert.equal(heard(...times(5, quiet), voiced, { ...voiced, levelDb: -28 }).sound.isStrong(false), true)
  assert.equal(heard(...times(3, voiced), ...times(5, quiet)).sound.isStrong(false), false, 'and no longer')
})

test('a backchannel 3 dB below the caller is not; when VAD is sure, the peak may be unvoiced', () => {
  const softer = { ...voiced, levelDb: -23 }
  assert.equal(heard(...times(5, softer)).sound.isStrong(true), false)
  const burst = { ...voiced, pitchHz: null }
  assert.equal(heard(burst, softer, softer).sound.isStrong(false), false)
  assert.equal(heard(burst, softer, softer).sound.isStrong(true), true)
})

test('soft, unvoiced and unsteady sounds, and our echo, are not', () => {
  const soft = { ...voiced, levelDb: -30 }
  const click = { ...voiced, pitchHz: null }
  const echo = { ...voiced, noiseDb: -26 }
  for (const frame of [soft, click, echo]) assert.equal(heard(...times(5, frame)).sound.isStrong(false), false)
  const cough = [90, 210, 130, 300, 100].map((pitchHz) => ({ ...voiced, pitchHz }))
  assert.equal(heard(...cough).sound.isStrong(false), false)
})

test('before the caller is known, a voice must be well above the noise and not faint', () => {
  const first = { ...voiced, nearDb: null }
  assert.equal(heard(...times(3, first)).sound.isStrong(false), true)
  assert.equal(heard(...times(3, { ...first, levelDb: -40 })).sound.isStrong(false), false)
  assert.equal(heard(...times(3, { ...first, noiseDb: -33 })).sound.isStrong(false), false)
})

test("the level of speech is compared with the caller's own", () => {
  const { sound } = heard(...times(10, quiet), ...times(10, { ...voiced, levelDb: -29 }), ...times(5, quiet))
  assert.ok(Math.abs((sound.relativeDb(200, 400) ?? 0) - -9) < 0.01)
  assert.equal(sound.relativeDb(0, 200), null, 'nothing voiced')
  assert.equal(heard(...times(5, { ...voiced, nearDb: null })).sound.relativeDb(0, 100), null)
})

test('the sound of others is silence for VAD and recognition, but not before the caller speaks', () => {
  const far: SoundFeatures = { ...voiced, levelDb: -36, isFar: true }
  const { sound, pcm } = heard(...times(20, far), ...times(5, voiced), ...times(20, far))
  assert.ok(pcm.slice(0, 20).every((frame) => frame.every((sample) => sample === 0)))
  assert.ok(pcm.slice(20, 25).every((frame, i) => frame.every((sample) => sample === 21 + i)))
  const all = Int16Array.from({ length: 45 * FRAME }, (_, i) => 1 + Math.floor(i / FRAME))
  const clean = sound.far.silence({ pcm: all, rateHz: 8000, fromMs: 0, toMs: 900 }).pcm
  const from = clean.findIndex((sample) => sample !== 0) / 8
  const to = (clean.findLastIndex((sample) => sample !== 0) + 1) / 8
  assert.deepEqual([from, to], [400 - 160, 500], '160 ms before the first vowel are kept')
})

test('a quiet frame does not open the gate, and old spans are forgotten', () => {
  const far: SoundFeatures = { ...voiced, levelDb: -36, isFar: true }
  const { sound } = heard(...times(10, far), ...times(2, quiet), ...times(10, far))
  const clean = () =>
    sound.far.silence({ pcm: new Int16Array(22 * FRAME).fill(1), rateHz: 8000, fromMs: 0, toMs: 440 }).pcm
  assert.equal(
    clean().reduce((sum, sample) => sum + sample, 0),
    2 * FRAME,
  )
  sound.far.drop(230)
  assert.equal(
    clean().reduce((sum, sample) => sum + sample, 0),
    12 * FRAME,
  )
})
