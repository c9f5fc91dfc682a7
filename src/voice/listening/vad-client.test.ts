// VAD steps on their way to the engine: batches, order, skipped steps, and lost results.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VadClient, type VadPort } from './vad-client.ts'
import type { FromVad, ToVad } from './vad-steps.ts'

const STEP = 256

/** An engine that answers on command; a step's probability is its first sample in thousandths. */
function engine() {
  const batches: (ToVad & { do: 'steps' })[] = []
  const forgotten: number[] = []
  const port: VadPort = {
    postMessage(message, transfer) {
      const moved = structuredClone(message, { transfer: transfer ?? [] })
      if (moved.do === 'steps') batches.push(moved)
      if (moved.do === 'forget') forgotten.push(moved.stream)
    },
  }
  return {
    batches,
    forgotten,
    port,
    next(): FromVad {
      const batch = batches.shift()
      assert.ok(batch, 'a batch was sent')
      const { count, streams, pcm } = batch
      const values = Float32Array.from({ length: count }, (_, i) => (pcm[i * STEP] as number) / 1000)
      return { type: 'probabilities', values, streams, pcm }
    },
  }
}

/** A step of alternating samples, with the energy of speech. */
const step = (value: number) => Int16Array.from({ length: STEP }, (_, i) => (i === 0 ? value : i % 2 ? 5000 : -5000))
const noise = () => Int16Array.from({ length: STEP }, (_, i) => (i === 0 ? 0 : i % 2 ? 300 : -300))

function open(client: VadClient, maxBehind?: number) {
  const heard: number[] = []
  const failures: unknown[] = []
  const events = {
    onProbability: (probability: number) => void heard.push(Math.round(probability * 1000)),
    onFailed: (cause: unknown) => void failures.push(cause),
  }
  return { track: client.open(8000, events, maxBehind), heard, failures }
}

function connected() {
  const faults: unknown[] = []
  const client = new VadClient((error) => faults.push(error))
  const silero = engine()
  client.connect(silero.port)
  return { client, silero, faults }
}

test('steps of all streams go in one batch; while it is computed the next one fills, and its buffers are used again', () => {
  const { client, silero } = connected()
  const [a, b] = [open(client), open(client)]
  a.track.push(step(100))
  b.track.push(step(200).subarray(0, 200))
  b.track.push(step(200).subarray(200))
  client.flush()
  assert.deepEqual([silero.batches.length, silero.batches[0]?.count], [1, 2])
  a.track.push(step(300))
  client.flush()
  assert.equal(silero.batches.length, 1, 'one batch at a time')
  const first = silero.next()
  client.answered(first)
  assert.deepEqual([a.heard, b.heard], [[100], [200]])
  assert.equal(silero.batches.length, 1, 'the next leaves with the results of the one before')
  client.answered(silero.next())
  assert.deepEqual(a.heard, [100, 300])
  b.track.push(step(400))
  client.flush()
  client.answered(silero.next())
  assert.deepEqual(b.heard, [200, 400])
})

test('a queue grows with the number of streams and keeps their steps apart', () => {
  const { client, silero } = connected()
  const all = Array.from({ length: 100 }, () => open(client))
  for (const [i, { track }] of all.entries()) track.push(step(i))
  client.flush()
  client.answered(silero.next())
  assert.deepEqual(
    all.map(({ heard }) => heard),
    all.map((_, i) => [i]),
  )
})

test('steady noise is answered at once, unless a step before it is still computed', () => {
  const { client, silero } = connected()
  const { track, heard } = open(client)
  for (let i = 0; i < 8; i++) {
    track.push(noise())
    client.flush()
    client.answered(silero.next())
  }
  track.push(noise())
  assert.equal(heard.length, 9, 'skipped')
  track.push(step(700))
  track.push(noise())
  assert.equal(heard.length, 9, 'in order')
  client.flush()
  assert.equal(silero.batches[0]?.count, 3, 'with the skipped step as context, whose result is not told')
  client.answered(silero.next())
  assert.deepEqual(heard.slice(9), [700, 0])
})

test('a lost batch repeats the last probability; after several in a row the streams fail', () => {
  const { client, silero, faults } = connected()
  const { track, heard, failures } = open(client)
  track.push(step(600))
  client.flush()
  client.answered(silero.next())
  track.push(step(100))
  client.flush()
  client.disconnect(new Error('gone'))
  assert.deepEqual([heard, faults.length], [[600, 600], 1])
  track.push(step(200))
  client.flush()
  assert.deepEqual(heard, [600, 600], 'it waits for the engine')
  const again = engine()
  client.connect(again.port)
  client.answered(again.next())
  assert.deepEqual(heard, [600, 600, 200])
  for (let i = 0; i < 3; i++) {
    track.push(step(300))
    client.flush()
    client.answered({ type: 'failed', message: 'no' })
  }
  assert.deepEqual([heard.slice(3), failures], [[200, 200, 200], []])
  track.push(step(300))
  client.flush()
  client.answered({ type: 'failed', message: 'no' })
  assert.deepEqual([failures.length, faults.length, client.size], [1, 5, 0])
})

test('a new port replaces the old one, whose end may be told later', () => {
  const { client, silero, faults } = connected()
  const { track, heard } = open(client)
  track.push(step(400))
  client.flush()
  const again = engine()
  client.connect(again.port)
  assert.deepEqual([heard, faults.length], [[0], 1], 'what the old one was computing is lost')
  client.disconnect(new Error('closed'), silero.port)
  track.push(step(500))
  client.flush()
  client.answered(again.next())
  assert.deepEqual([heard, faults.length], [[0, 500], 1])
})

test('a stream that is too far behind goes on with its last probability, and computes again when it has caught up', () => {
  const { client, silero } = connected()
  const { track, heard } = open(client, 2)
  track.push(step(500))
  client.flush()
  for (let i = 1; i <= 4; i++) track.push(step(500 + i))
  assert.deepEqual(heard, [])
  client.answered(silero.next())
  client.answered(silero.next())
  assert.deepEqual(heard, [500, 501, 501, 501, 501], 'as many as were pushed')
  track.push(step(800))
  client.flush()
  client.answered(silero.next())
  assert.equal(heard.at(-1), 800)
})

test('when the engine cannot be restarted, the streams that wait for it fail', () => {
  const client = new VadClient(() => {})
  const [waiting, idle] = [open(client), open(client)]
  waiting.track.push(step(100))
  client.fail(new Error('no engine'))
  assert.deepEqual([waiting.failures.length, idle.failures.length], [1, 0])
})

test('a closed stream is forgotten by the engine after its last step', () => {
  const { client, silero } = connected()
  const [a, b] = [open(client), open(client)]
  a.track.push(step(100))
  client.flush()
  a.track.close()
  b.track.close()
  assert.deepEqual(silero.forgotten, [b.track.stream])
  client.answered(silero.next())
  assert.deepEqual([a.heard, silero.forgotten], [[], [b.track.stream, a.track.stream]])
  assert.equal(a.track.push(step(100)), 0)
})
