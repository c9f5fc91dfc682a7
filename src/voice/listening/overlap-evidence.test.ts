// What speech over the agent is taken for, step by step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceAfter, evidenceOf, isRaised, lastPitch, UsualPitch } from './overlap-evidence.ts'

const at =
  (...hz: number[]) =>
  (back: number) =>
    hz.at(-back) ?? 0

test('the usual pitch is known after half a second of voice, and follows slowly', () => {
  const usual = new UsualPitch()
  for (let i = 0; i < 24; i++) usual.push(100)
  assert.equal(usual.st, null)
  usual.push(100)
  assert.equal(usual.st, 0)
  usual.push(200)
  assert.equal(usual.st, 0, 'an octave error')
  for (let i = 0; i < 10; i++) usual.push(126)
  assert.ok((usual.st ?? 0) > 0.5 && (usual.st ?? 9) < 2)
})

test('a pitch is raised when it stays high, whatever unvoiced frames are between', () => {
  assert.equal(isRaised(at(130, 0, 130, 131, 0, 132), 0), true)
  assert.equal(isRaised(at(130, 131, 132), 0), false, 'too little')
  assert.equal(isRaised(at(150, 145, 140, 130), 0), false, 'falling')
  assert.equal(isRaised(at(115, 116, 117, 118), 0), false, 'not high')
  assert.equal(isRaised(at(130, 130, 130, 130), null), false)
})

test('the last pitch is a median without octave errors', () => {
  assert.ok(Math.abs((lastPitch(at(90, 89, 180, 89, 88, 0, 0), 0) ?? 0) - -2) < 0.3)
  assert.equal(lastPitch(at(90, 89), 0), null)
})

test('what is judged, and when', () => {
  const sound = { speechMs: 200, levelDb: 0, hasPeak: true, isClear: true, isRaised: false }
  assert.equal(evidenceOf(sound), 'none')
  assert.equal(evidenceOf({ ...sound, isRaised: true }), 'interruption')
  assert.equal(evidenceOf({ ...sound, isRaised: true, speechMs: 96 }), 'none')
  assert.equal(evidenceOf({ ...sound, isRaised: true, hasPeak: false }), 'none')
  assert.equal(evidenceOf({ ...sound, speechMs: 288 }), 'long')
  assert.equal(evidenceOf({ ...sound, speechMs: 288, levelDb: -8 }), 'none')
  assert.equal(evidenceOf({ ...sound, speechMs: 288, levelDb: null, hasPeak: false }), 'none')
  assert.equal(evidenceOf({ ...sound, speechMs: 288, isClear: false }), 'none', 'our echo, or noise')
})

test('long speech that ends is over, sooner if it ends low; what goes on is an interruption', () => {
  const end = { speechMs: 400, quietMs: 80, endSt: -3 }
  assert.equal(evidenceAfter('long', end), 'over')
  assert.equal(evidenceAfter('long', { ...end, endSt: 0 }), 'long')
  assert.equal(evidenceAfter('long', { ...end, endSt: null, quietMs: 160 }), 'over')
  assert.equal(evidenceAfter('long', { ...end, speechMs: 900 }), 'long', 'too long for a backchannel')
  assert.equal(evidenceAfter('over', end), 'over')
  assert.equal(evidenceAfter('over', { ...end, quietMs: 0 }), 'interruption')
  assert.equal(evidenceAfter('interruption', end), 'interruption')
})
