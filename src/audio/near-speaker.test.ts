// Near-speaker detection with scripted levels of a caller, a television and our own playout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NearSpeaker } from './near-speaker.ts'

const FRAME_MS = 20
const NOISE_DB = -65

/** Plays voices at given levels: syllables of 160 ms, then 60 ms at a lower level. */
function line() {
  const near = new NearSpeaker()
  const log: { isFar: boolean; levelDb: number }[] = []
  function hear(levelDb: number, ms: number, { isPlaying = false, isVoiced = true } = {}) {
    const from = log.length
    let frames = 0
    for (let at = 0; at < ms; at += FRAME_MS) {
      const isDip = frames++ % 11 >= 8
      const heardDb = isDip ? levelDb - 12 : levelDb
      const isAudible = heardDb > NOISE_DB + 6
      near.step({
        levelDb: heardDb,
        noiseDb: NOISE_DB,
        isAudible,
        isVoiced: isVoiced && isAudible && !isDip,
        isPlaying,
      })
      log.push({ isFar: near.isFar, levelDb: heardDb })
    }
    const heard = log.slice(from)
    return { farShare: heard.filter(({ isFar }) => isFar).length / heard.length, frames: heard }
  }
  return {
    near,
    hear,
    quiet: (ms: number, options = {}) => hear(NOISE_DB, ms, options),
  }
}
const CALLER_DB = -20
const [TV_15, TV_20] = [CALLER_DB - 15, CALLER_DB - 20]

test('a quiet caller is the near speaker within 60 ms, and nothing of theirs is gated', () => {
  const { near, hear, quiet } = line()
  quiet(500)
  assert.equal(near.nearDb, null)
  assert.equal(hear(-45, 60).farShare, 0)
  assert.equal(near.nearDb, -45)
  assert.equal(hear(-45, 3000).farShare, 0)
})

test('a television that talks into our first words is gated before anybody has spoken', () => {
  const { near, hear } = line()
  hear(TV_15, 1000, { isPlaying: true })
  assert.equal(near.nearDb, null)
  assert.ok(hear(TV_15, 1500, { isPlaying: true }).farShare > 0.9)
  assert.ok(hear(TV_15, 2000).farShare > 0.9, 'also when we have finished')
  const caller = hear(CALLER_DB, 600)
  assert.ok(caller.farShare < 0.15, 'the caller is heard at once')
  assert.ok(hear(TV_15, 1500).farShare > 0.7)
})

test('a faint caller who spoke into our first words is heard when they go on alone', () => {
  const { near, hear } = line()
  hear(-40, 1200, { isPlaying: true })
  hear(-40, 6000)
  assert.notEqual(near.nearDb, null)
  assert.equal(hear(-40, 1000).farShare, 0)
})

test('a television that talks from the start is gated as soon as the caller has spoken', () => {
  for (const tv of [TV_15, TV_20]) {
    const { hear } = line()
    hear(tv, 3000, { isPlaying: true })
    assert.equal(hear(CALLER_DB, 1500).farShare, 0, 'nothing of the caller')
    const after = hear(tv, 3000)
    assert.ok(after.farShare > 0.85, `${after.farShare}`)
    const first = after.frames.findIndex(({ isFar }) => isFar)
    assert.ok(first * FRAME_MS <= 300, `after ${first * FRAME_MS} ms`)
  }
})

test('a television that starts later is gated once it has talked over us or right after the caller', () => {
  const { hear, quiet } = line()
  hear(CALLER_DB, 2000)
  quiet(300)
  hear(TV_15, 1200)
  assert.ok(hear(TV_15, 1000).farShare > 0.85)
  assert.equal(hear(CALLER_DB, 600).farShare, 0, 'the caller is heard from their first frame')
})

test('known background does not become the caller by going on for 8 s; the caller is heard at once', () => {
  const { hear } = line()
  hear(TV_15, 3000, { isPlaying: true })
  hear(CALLER_DB, 1500)
  assert.ok(hear(TV_15, 8000).farShare > 0.85)
  assert.equal(hear(CALLER_DB, 20).farShare, 0)
})

test('while we play, background never becomes the caller', () => {
  const { hear } = line()
  hear(CALLER_DB, 1500)
  assert.ok(hear(TV_15, 30_000, { isPlaying: true }).farShare > 0.85)
})

test('when nobody nearer has spoken for 12 s, background is taken for the caller, and gated again when they return', () => {
  const { near, hear } = line()
  hear(TV_15, 3000, { isPlaying: true })
  hear(CALLER_DB, 1500)
  hear(TV_15, 13_000)
  assert.ok(Math.abs((near.nearDb ?? 0) - TV_15) < 3)
  assert.equal(hear(TV_15, 1000).farShare, 0)
  hear(CALLER_DB, 1000)
  assert.ok(hear(TV_15, 2000).farShare > 0.8)
})

test('a caller who moves away in a quiet room is never gated, and is the near speaker after 3 s', () => {
  const { near, hear, quiet } = line()
  hear(CALLER_DB, 2000)
  quiet(3000, { isPlaying: true })
  quiet(2000)
  assert.equal(hear(CALLER_DB - 14, 2000).farShare, 0)
  quiet(600)
  assert.equal(hear(CALLER_DB - 14, 2000).farShare, 0)
  assert.ok(Math.abs((near.nearDb ?? 0) - (CALLER_DB - 14)) < 3, `${near.nearDb}`)
})

test('a quiet last syllable belongs to the caller', () => {
  const { hear } = line()
  hear(TV_15, 3000, { isPlaying: true })
  hear(CALLER_DB, 1500)
  assert.equal(hear(CALLER_DB - 14, 260).farShare, 0)
})

test('a loud cough and a first word said more softly do not make the caller background', () => {
  const coughing = line()
  coughing.hear(CALLER_DB, 3000)
  coughing.hear(CALLER_DB + 14, 120)
  assert.equal(coughing.hear(CALLER_DB, 3000).farShare, 0)
  const louder = line()
  louder.hear(-34, 300)
  louder.quiet(1500, { isPlaying: true })
  louder.hear(CALLER_DB, 2000)
  louder.quiet(3000, { isPlaying: true })
  louder.quiet(2000)
  assert.equal(louder.hear(-34, 400).farShare, 0, 'a soft yes is heard')
})

test('noise without a voice is nobody', () => {
  const { near, hear } = line()
  hear(-30, 5000, { isVoiced: false })
  assert.equal(near.nearDb, null)
})
