// The audio measures themselves, checked with sounds whose values are known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelDb } from '../src/audio/pcm.ts'
import { bandLevelsDb, longestSilenceMs, peakOf, pitchHz } from './sound-measures.ts'

const RATE = 24_000
const tone = (hz: number, seconds: number, size = 0.5) =>
  Int16Array.from({ length: RATE * seconds }, (_, i) => 32767 * size * Math.sin((2 * Math.PI * hz * i) / RATE))

test('a full sine has its peak at 1 and a level of -3 dB', () => {
  assert.ok(Math.abs(peakOf(tone(440, 0.5, 1)) - 1) < 0.001)
  assert.ok(Math.abs(levelDb(tone(440, 0.5, 1)) + 3.01) < 0.05)
})

test('silence counts only between sounds', () => {
  const pcm = new Int16Array(RATE * 3)
  pcm.set(tone(300, 0.5), RATE)
  pcm.set(tone(300, 0.5), RATE * 1.75)
  assert.ok(Math.abs(longestSilenceMs(pcm, RATE) - 250) <= 20)
  assert.equal(longestSilenceMs(new Int16Array(RATE), RATE), 0)
})

test('the pitch of a tone with overtones is its lowest, also at other rates', () => {
  for (const hz of [95, 120, 180, 260]) {
    const pcm = tone(hz, 0.5, 0.4).map((sample, i) => sample + 6000 * Math.sin((4 * Math.PI * hz * i) / RATE))
    assert.ok(Math.abs(pitchHz(pcm, RATE) - hz) / hz < 0.02, `${hz} Hz is heard as ${pitchHz(pcm, RATE)}`)
  }
})

test('a tone stands in its own band', () => {
  const levels = bandLevelsDb(tone(1500, 0.5), RATE, [100, 500, 1000, 2000, 4000])
  assert.equal(levels.indexOf(Math.max(...levels)), 2)
  assert.ok((levels[2] as number) - (levels[0] as number) > 40)
})
