// Tone detection in WAV files.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import { wavFile } from '../../src/audio/wav.ts'
import {
  gapsOf,
  heardMs,
  jumpsOf,
  levelAt,
  levelsOf,
  listen,
  loudestHz,
  stretchesOf,
  tone,
  toneFile,
} from './spectrum.ts'

const silence = (seconds: number) => new Int16Array(8000 * seconds)
const mixed = {
  pcm: joinPcm([silence(0.5), tone(440, 1).pcm, silence(0.3), tone(1000, 0.5).pcm, tone(440, 0.2).pcm]),
  rateHz: 8000,
}

test('a tone is identified by its frequency', () => {
  for (const rateHz of [8000, 16_000, 48_000])
    for (const hz of [300, 440, 1000, 1735, 3300]) {
      const found = loudestHz(tone(hz, 0.5, rateHz)) ?? 0
      assert.ok(Math.abs(found - hz) <= 2.5, `${hz} Hz was taken for ${found} Hz`)
    }
  assert.equal(loudestHz({ pcm: silence(1), rateHz: 8000 }), null)
  assert.equal(loudestHz({ pcm: silence(0), rateHz: 8000 }), null)
})

test('each span of a tone is found with its times and level', () => {
  const found = stretchesOf(mixed, 440)
  assert.deepEqual(
    found.map(({ fromMs, toMs }) => [fromMs, toMs]),
    [
      [500, 1500],
      [2300, 2500],
    ],
  )
  for (const { levelDb } of found) assert.ok(Math.abs(levelDb - -11) < 0.5, `${levelDb} dB`)
  assert.deepEqual(stretchesOf(mixed, 2000), [])
  assert.equal(heardMs(mixed, 1000), 500)
})

test('the level of one frequency is that of its sine', () => {
  const { pcm, rateHz } = tone(1000, 1)
  assert.ok(Math.abs(levelAt(pcm, rateHz, 1000) - -11) < 0.2)
  assert.ok(levelAt(pcm, rateHz, 1500) < -40)
})

test('a silence between sounds is a gap, one at the end is not', () => {
  assert.deepEqual(gapsOf(mixed), [{ fromMs: 1500, toMs: 1800 }])
  assert.deepEqual(gapsOf({ pcm: joinPcm([tone(440, 1).pcm, silence(1)]), rateHz: 8000 }), [])
})

test('20 ms that are missing, or come twice, are a jump of the phase; a pause is none', () => {
  const { pcm, rateHz } = tone(611, 1)
  const [first, rest] = [pcm.subarray(0, 4000), pcm.subarray(4160)]
  const jump = (...parts: Int16Array[]) => jumpsOf({ pcm: joinPcm(parts), rateHz }, 611)
  assert.deepEqual(jump(pcm), [])
  assert.deepEqual(jump(first, rest), [480, 500])
  assert.deepEqual(jump(pcm.subarray(0, 4160), pcm.subarray(4000)), [500, 520])
  assert.deepEqual(jump(first, silence(0.3), rest), [])
  const off = joinPcm([pcm.subarray(0, 4070), pcm.subarray(4230)])
  assert.ok(jumpsOf({ pcm: off, rateHz }, 611).length > 0, 'also within a frame')
})

test('the levels of a tone are those of its frames', () => {
  const levels = levelsOf(mixed, 1000)
  assert.equal(levels.length, 25)
  assert.ok(levels.every((db) => Math.abs(db - -11) < 0.5))
})

test('an unfinished or missing file can be analysed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-listen-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(loudestHz(listen(toneFile(folder, 700, 16_000, 1))), 700)
  assert.equal(listen(join(folder, 'none.wav')).pcm.length, 0)
  const written = wavFile(tone(700, 1).pcm, 8000)
  const growing = join(folder, 'growing.wav')
  writeFileSync(growing, Buffer.from(written).fill(0, 40, 44))
  assert.equal(listen(growing).pcm.length, 8000)
  writeFileSync(growing, Buffer.from(written).fill(0, 0, 44))
  assert.equal(heardMs(listen(growing), 700), 1000)
  truncateSync(growing, 20)
  assert.equal(listen(growing).pcm.length, 0)
})
