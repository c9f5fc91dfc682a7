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

/** The caller has spoken at their usual level and pitch, and is quiet. */
const known = [...times(60, voiced), ...times(40, quiet)]
const evidence = (...frames: SoundFeatures[]) => {
  const { sound } = heard(...known, ...frames)
  return sound.evidence(known.length * 20, frames.length * 20)
}

test('speech at the level of the caller is long after 300 ms', () => {
  assert.equal(evidence(...times(14, voiced)), 'none')
  assert.equal(evidence(...times(15, voiced)), 'long')
  assert.equal(evidence(...times(15, { ...voiced, levelDb: -26 })), 'none', 'not a quiet backchannel')
})

test('a voice that starts high sounds like an interruption, if it is as loud as the caller', () => {
  const high = { ...voiced, pitchHz: 195 }
  assert.equal(evidence(...times(7, high)), 'interruption')
  assert.equal(evidence(...times(7, { ...high, levelDb: -24 })), 'none')
  assert.equal(evidence(...times(4, high)), 'none', 'too short to say')
  assert.equal(evidence(...[230, 225, 215, 205, 195, 180, 170].map((pitchHz) => ({ ...voiced, pitchHz }))), 'none', 'it falls') // biome-ignore format: one line
  assert.equal(heard(...times(7, high)).sound.evidence(0, 140), 'none', 'the usual pitch is not known yet')
})

test('before the caller is known, a voice must be well above the noise and not faint', () => {
  const first = { ...voiced, nearDb: null }
  const alone = (frame: SoundFeatures) => heard(...times(15, frame)).sound.evidence(0, 300)
  assert.equal(alone(first), 'long')
  assert.equal(alone({ ...first, levelDb: -40 }), 'none')
  assert.equal(alone({ ...first, noiseDb: -33 }), 'none')
  assert.equal(alone({ ...voiced, noiseDb: -26 }), 'none', 'nor above our echo')
})

test('speech that pauses ends sooner where its pitch has fallen', () => {
  const end = (pitchHz: number, quietFrames: number) =>
    heard(...known, ...times(15, { ...voiced, pitchHz }), ...times(quietFrames, quiet)).sound.endOf(300)
  assert.deepEqual(end(150, 0), { speechMs: 300, quietMs: 0, endSt: null })
  const low = end(120, 4)
  assert.equal(low.quietMs, 80)
  assert.ok((low.endSt ?? 0) < -2, `${low.endSt}`)
  assert.ok(Math.abs(end(150, 4).endSt ?? 9) < 0.1)
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
