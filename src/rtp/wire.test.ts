import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AudioBatch, readBatch } from './wire.ts'

test('many runs of samples travel in one buffer and come out as they were', () => {
  const batch = new AudioBatch()
  const runs = Array.from({ length: 500 }, (_, i) => ({
    leg: i + 1,
    play: i % 3,
    rateHz: i % 7 === 0 ? 0 : 8000,
    pcm: Int16Array.from({ length: (i * 37) % 400 }, (_, k) => k - i),
  }))
  for (let round = 0; round < 2; round++) {
    for (const run of runs) batch.add(run)
    const buffer = batch.take()
    assert.ok(buffer)
    const out: typeof runs = []
    readBatch(buffer, ({ leg, play, rateHz, pcm }) => out.push({ leg, play, rateHz, pcm: pcm.slice() }))
    assert.deepEqual(out, runs)
  }
})

test('the features of a frame and its place in the recording travel with it, to the hundredth', () => {
  const batch = new AudioBatch()
  const pcm = new Int16Array(160)
  const voiced = { levelDb: -20.25, noiseDb: -61.5, nearDb: -18.75, pitchHz: 187.31, isFar: false }
  const far = { levelDb: -40, noiseDb: -61.5, nearDb: null, pitchHz: null, isFar: true }
  batch.add({ leg: 1, play: 5, rateHz: 8000, pcm, recordedMs: 0, sound: voiced })
  batch.add({ leg: 2, play: 5, rateHz: 8000, pcm, sound: far })
  batch.add({ leg: 3, play: 5, rateHz: 8000, pcm })
  const out: unknown[] = []
  readBatch(batch.take() ?? new ArrayBuffer(4), ({ leg, recordedMs, sound }) => out.push([leg, recordedMs, sound]))
  assert.deepEqual(out, [
    [1, 0, voiced],
    [2, null, far],
    [3, null, null],
  ])
})

test('nothing to send makes no buffer', () => {
  assert.equal(new AudioBatch().take(), null)
})
