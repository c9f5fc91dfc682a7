import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DroppingQueue, FrameRing, Inbox } from './frame-inbox.ts'

const frame = (value: number, samples = 160) => new Int16Array(samples).fill(value)

test('unread frames: the newest are kept', async () => {
  const ring = new FrameRing(3)
  const inbox = new Inbox(ring)
  for (let i = 1; i <= 5; i++) ring.put({ pcm: frame(i), rateHz: 8000, atMs: i * 20 })
  inbox.end()
  const values: number[] = []
  const times: (number | undefined)[] = []
  for await (const { pcm, rateHz, atMs } of inbox) {
    assert.equal(rateHz, 8000)
    assert.equal(pcm.length, 160)
    values.push(pcm[0] ?? 0)
    times.push(atMs)
  }
  assert.deepEqual(values, [3, 4, 5])
  assert.deepEqual(times, [60, 80, 100], 'each with the time at which it came in')
})

test('a frame that was read is the reader’s own', () => {
  const ring = new FrameRing(2)
  ring.put({ pcm: frame(1), rateHz: 8000, atMs: 0 })
  const first = ring.take()
  for (let i = 0; i < 5; i++) ring.put({ pcm: frame(9), rateHz: 8000, atMs: 0 })
  assert.equal(first?.pcm[0], 1)
})

test('a change of rate drops the buffered frames', () => {
  const ring = new FrameRing(3)
  ring.put({ pcm: frame(1), rateHz: 8000, atMs: 0 })
  ring.put({ pcm: frame(2, 320), rateHz: 16_000, atMs: 7 })
  assert.deepEqual(ring.take(), { pcm: frame(2, 320), rateHz: 16_000, atMs: 7 })
  assert.equal(ring.take(), undefined)
})

test('a waiting reader gets new items, may leave, and another may continue', async () => {
  const queue = new DroppingQueue<string>(10)
  const inbox = new Inbox(queue)
  const reading = (async () => {
    for await (const item of inbox) return item
    return undefined
  })()
  queue.put('a')
  inbox.wake()
  queue.put('b')
  inbox.wake()
  assert.equal(await reading, 'a')
  const second = inbox[Symbol.asyncIterator]()
  assert.deepEqual(await second.next(), { value: 'b', done: false })
  const waiting = second.next()
  inbox.end()
  inbox.end()
  assert.equal((await waiting).done, true)
  assert.equal((await inbox[Symbol.asyncIterator]().next()).done, true)
})

test('a small queue drops its oldest', () => {
  const queue = new DroppingQueue<number>(2)
  for (const n of [1, 2, 3]) queue.put(n)
  assert.deepEqual([queue.take(), queue.take(), queue.take()], [2, 3, undefined])
})

test('a waiting reader gets frames directly; otherwise they are stored', async () => {
  const inbox = new Inbox(new DroppingQueue<string>(10))
  assert.equal(inbox.hand('lost'), false)
  const next = inbox[Symbol.asyncIterator]().next()
  assert.equal(inbox.hand('a'), true)
  assert.deepEqual(await next, { value: 'a', done: false })
  assert.equal(inbox.hand('b'), false)
})

test('features and places of frames stay with them', () => {
  const ring = new FrameRing(2)
  const sound = { levelDb: -20, noiseDb: -60, nearDb: null, pitchHz: 120, isFar: false }
  ring.put({ pcm: frame(1), rateHz: 8000, atMs: 0, recordedMs: 40, sound })
  ring.put({ pcm: frame(2), rateHz: 8000, atMs: 20 })
  const { recordedMs, sound: kept } = ring.take() ?? {}
  assert.deepEqual([recordedMs, kept], [40, sound])
  assert.deepEqual(Object.keys(ring.take() ?? {}), ['pcm', 'rateHz', 'atMs'])
})

test('the writer learns whether there is a reader, and a reader that leaves takes nothing from the next', async () => {
  const reads: boolean[] = []
  const queue = new DroppingQueue<string>(3)
  const inbox = new Inbox(queue, (isRead) => void reads.push(isRead))
  const [first, second] = [inbox[Symbol.asyncIterator](), inbox[Symbol.asyncIterator]()]
  assert.deepEqual(reads, [])
  const waiting = first.next()
  assert.deepEqual(reads, [true])
  await first.return?.()
  assert.deepEqual([await waiting, reads], [{ value: undefined, done: true }, [true, false]])
  const next = second.next()
  assert.ok(inbox.hand('one'))
  assert.deepEqual([await next, reads], [{ value: 'one', done: false }, [true, false, true]])
})
