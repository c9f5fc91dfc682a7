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
    for (const { leg, play, rateHz, pcm } of runs) batch.add(leg, play, rateHz, pcm)
    const buffer = batch.take()
    assert.ok(buffer)
    const out: typeof runs = []
    readBatch(buffer, (leg, play, rateHz, pcm) => out.push({ leg, play, rateHz, pcm: pcm.slice() }))
    assert.deepEqual(out, runs)
  }
})

test('nothing to send makes no buffer', () => {
  assert.equal(new AudioBatch().take(), null)
})
