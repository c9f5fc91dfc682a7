// Held playout of a scripted call: it freezes, and what was played is counted once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AudioFrame } from '../voice/ports.ts'
import { scriptedTransport } from './scripted-transport.ts'
import { VirtualClock } from './virtual-clock.ts'

async function* speech(ms: number): AsyncGenerator<AudioFrame> {
  yield { pcm: new Int16Array(ms * 8), rateHz: 8000 }
}

test('a play that is held takes longer, and has played as much', async () => {
  const clock = new VirtualClock()
  const line = scriptedTransport(clock, () => new Int16Array(160))
  const { signal } = new AbortController()
  const playing = line.transport.play(speech(1000), signal)
  await clock.pass(300)
  line.transport.hold?.(true)
  await clock.pass(500)
  assert.equal(line.isPlaying, false)
  line.transport.hold?.(false)
  await clock.pass(1000)
  const recorded = { fromMs: 0, toMs: 1500 }
  assert.deepEqual(await playing, { playedMs: 1000, startedAt: 0, endedAt: 1500, recorded })
  assert.deepEqual(line.holds, [
    { at: 300, isHeld: true },
    { at: 800, isHeld: false },
  ])
})

test('a play that is aborted while it is held ended when it was held', async () => {
  const clock = new VirtualClock()
  const line = scriptedTransport(clock, () => new Int16Array(160))
  const stop = new AbortController()
  const playing = line.transport.play(speech(1000), stop.signal)
  await clock.pass(300)
  line.transport.hold?.(true)
  await clock.pass(500)
  stop.abort()
  assert.deepEqual(await playing, { playedMs: 300, startedAt: 0, endedAt: 300, recorded: { fromMs: 0, toMs: 300 } })
})

test('a play that is opened while playout is held starts when it is released', async () => {
  const clock = new VirtualClock()
  const line = scriptedTransport(clock, () => new Int16Array(160))
  line.transport.hold?.(true)
  const playing = line.transport.play(speech(100), new AbortController().signal)
  await clock.pass(400)
  assert.equal(line.played.length, 0)
  line.transport.hold?.(false)
  await clock.pass(200)
  assert.equal((await playing).startedAt, 400)
})
