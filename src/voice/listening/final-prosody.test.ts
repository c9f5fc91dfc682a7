// Pitch contours of statements, questions and held syllables; null where unclear.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { finalProsody, type PitchFrame } from './final-prosody.ts'

/** 600 ms around 150 Hz, then a glide of this many semitones over 300 ms. */
function contour(glideSt: number, { offsetSt = 0, levelDb = -20 } = {}): PitchFrame[] {
  const body = Array.from({ length: 30 }, (_, i) => ({ levelDb: -20, pitchHz: 150 * 2 ** (Math.sin(i / 4) / 12) }))
  const end = Array.from({ length: 15 }, (_, i) => ({
    levelDb,
    pitchHz: 150 * 2 ** ((offsetSt + (glideSt * (i + 1)) / 15) / 12),
  }))
  const pause = Array.from({ length: 5 }, () => ({ levelDb: -70, pitchHz: 0 }))
  return [...body, ...end, ...pause]
}

test('a fall to well below the voice is final, a clear rise a question, a held syllable neither', () => {
  assert.equal(finalProsody(contour(-11)), 'falling')
  assert.equal(finalProsody(contour(-11, { levelDb: -34 })), 'falling', 'also when it fades')
  assert.equal(finalProsody(contour(5)), 'rising')
  assert.equal(finalProsody(contour(0)), 'level')
  assert.equal(finalProsody(contour(-1)), 'level')
})

test('a slight fall, a high fall and too little voice are not clear', () => {
  assert.equal(finalProsody(contour(-4)), null)
  assert.equal(finalProsody(contour(-6)), null, 'a list falls so far as well')
  assert.equal(finalProsody(contour(-5, { offsetSt: 4 })), null)
  assert.equal(finalProsody([]), null)
  assert.equal(finalProsody(contour(-11).slice(-10)), null)
  assert.equal(finalProsody(contour(-11).map((frame) => ({ ...frame, pitchHz: 0 }))), null)
})

test('an octave error of single frames changes nothing', () => {
  const frames = contour(-11).map((frame, i) =>
    i === 38 || i === 41 ? { ...frame, pitchHz: frame.pitchHz * 2 } : frame,
  )
  assert.equal(finalProsody(frames), 'falling')
})

test('whatever is heard, it answers', () => {
  const frame = fc.record({
    levelDb: fc.double({ min: -90, max: 0, noNaN: true }),
    pitchHz: fc.double({ min: 0, max: 400, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 150 }), (frames) => {
      assert.ok([null, 'falling', 'level', 'rising'].includes(finalProsody(frames)))
    }),
    { seed: 3, numRuns: 200 },
  )
})
