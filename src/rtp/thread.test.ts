// Media threads: how legs are distributed over them, and what happens when one dies.
// @run own-process: signals, priorities, crashing threads.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, beforeEach, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { clip, lineOf, never, testMedia } from '../../test/rtp-call.ts'
import { pcmuTo, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import type { LegEvent } from './leg.ts'

/** All workers that the test started, so that it can terminate them. */
const workers: Worker[] = []
const onWorker = (message: unknown) => void workers.push((message as { worker: Worker }).worker)
subscribe('worker_threads', onWorker)
beforeEach(() => void workers.splice(0))
after(() => void unsubscribe('worker_threads', onWorker))

test('legs are spread over the workers, and their load is reported', async (t) => {
  const media = await testMedia(2)
  t.after(() => media.close())
  const freePorts = media.maxLegs
  assert.deepEqual(media.load(), { threads: 1, legs: 0, lateMs: 0, busy: 0, freePorts })
  const lines = [await lineOf(media), await lineOf(media)]
  assert.equal(workers.length, 2)
  while (lines.length < 6) lines.push(await lineOf(media))
  const load = await until('a report', () => media.load().busy > 0 && media.load())
  assert.deepEqual([load.legs, load.freePorts], [6, freePorts - 6])
  assert.ok(load.busy < 1 && load.lateMs >= 0)

  // One of the two threads dies: half of the legs fail, the others continue, and new legs get a thread.
  await workers[0]?.terminate()
  const failed = () => lines.filter(({ events }) => events.some(({ type }) => type === 'failed'))
  await until('three legs have failed', () => failed().length === 3)
  assert.equal(media.load().legs, 3)
  const going = lines.find((line) => !failed().includes(line))
  assert.equal((await going?.leg.play(clip(tone(500, 100)), never))?.playedMs, 100)
  const more = await Promise.all(Array.from({ length: 4 }, () => lineOf(media)))
  assert.equal((await more[0]?.leg.play(clip(tone(500, 100)), never))?.playedMs, 100)
  for (const line of [...lines, ...more]) await line[Symbol.asyncDispose]()
  assert.equal(media.load().legs, 0)
})

test('when its thread dies, all that a leg has promised ends, and another thread takes its place', async (t) => {
  const media = await testMedia(1)
  t.after(() => media.close())
  const events: LegEvent[] = []
  const leg = await media.open({ onEvent: (event) => events.push(event) })
  leg.configure(pcmuTo(9))
  const all = Promise.all([
    leg.play(clip(tone(500, 60_000)), never),
    leg.sendDigits('123456789', 'rfc4733', 1000),
    Array.fromAsync(leg.digits),
    (async () => {
      for await (const _ of leg.input);
    })(),
  ])
  await until('it lives', async () => (await leg.stats()).packetsSent > 5)
  await workers[0]?.terminate()
  await all
  assert.deepEqual(events, [{ type: 'failed', problem: 'the media thread died' }])
  await leg.close()
  const line = await until('a new thread', () => lineOf(media).catch(() => undefined))
  assert.equal((await line.leg.play(clip(tone(500, 100)), never)).playedMs, 100)
  await line[Symbol.asyncDispose]()
})
