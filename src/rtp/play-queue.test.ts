import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resample } from '../audio/resample.ts'
import { PlayQueue } from './play-queue.ts'

type Told = { play: number; heardMs: number; isDone: boolean; inFrameMs: number }

function queue() {
  const told: Told[] = []
  const plays = new PlayQueue((play, heardMs, isDone, inFrameMs) => told.push({ play, heardMs, isDone, inFrameMs }))
  const done = () => told.filter(({ isDone }) => isDone).map(({ play, heardMs }) => [play, heardMs])
  return { plays, told, done }
}

const ramp = (length: number, from = 1) => Int16Array.from({ length }, (_, i) => from + i)

function readAll(plays: PlayQueue, rateHz: number, most = 1000): Int16Array {
  const all: number[] = []
  const frame = new Int16Array(rateHz / 50)
  for (let i = 0; i < most; i++) {
    const count = plays.read(frame, rateHz)
    if (count === 0) break
    all.push(...frame.subarray(0, count))
  }
  return Int16Array.from(all)
}

test('audio pushed in pieces of any size comes out complete, with its length reported to the sample', () => {
  const { plays, done } = queue()
  plays.open(1)
  const pcm = ramp(1000)
  for (const [from, to] of [
    [0, 1],
    [1, 300],
    [300, 301],
    [301, 1000],
  ] as const) {
    // biome-ignore format: pairs
    plays.push(1, pcm.subarray(from, to), 8000)
  }
  plays.end(1)
  assert.deepEqual(readAll(plays, 8000), pcm)
  assert.deepEqual(done(), [[1, 125]])
  assert.ok(plays.isEmpty)
})

test('a play without enough samples for a frame waits, and the frame is silence', () => {
  const { plays, done } = queue()
  const frame = new Int16Array(160).fill(7)
  plays.open(1)
  plays.push(1, ramp(100), 8000)
  assert.equal(plays.read(frame, 8000), 0)
  assert.ok(frame.every((sample) => sample === 0))
  plays.end(1)
  assert.equal(plays.read(frame, 8000), 100)
  assert.equal(frame[99], 100)
  assert.equal(frame[100], 0)
  assert.deepEqual(done(), [[1, 12.5]])
})

test('plays follow one another without a gap, in the order in which they were opened', () => {
  const { plays, done } = queue()
  plays.open(1)
  plays.open(2)
  plays.open(3)
  plays.push(2, ramp(100, 2000), 8000)
  plays.end(2)
  plays.end(3)
  const frame = new Int16Array(160)
  assert.equal(plays.read(frame, 8000), 0, 'the second waits for the first')
  plays.push(1, ramp(100), 8000)
  plays.end(1)
  assert.equal(plays.read(frame, 8000), 160)
  assert.deepEqual([frame[99], frame[100]], [100, 2000])
  assert.equal(plays.read(frame, 8000), 40)
  assert.deepEqual(done(), [[1, 12.5], [2, 12.5], [3, 0]]) // biome-ignore format: pairs
})

test('another rate is resampled without seams', () => {
  for (const [fromHz, toHz] of [
    [24_000, 8000],
    [16_000, 8000],
    [22_050, 16_000],
    [8000, 16_000],
  ] as const) {
    // biome-ignore format: pairs
    const { plays, done } = queue()
    const pcm = Int16Array.from({ length: fromHz / 2 }, (_, i) =>
      Math.round(9000 * Math.sin((6.28 * 440 * i) / fromHz)),
    )
    plays.open(1)
    for (let at = 0; at < pcm.length; at += 777) plays.push(1, pcm.subarray(at, at + 777), fromHz)
    plays.end(1)
    assert.deepEqual(readAll(plays, toHz), resample(pcm, fromHz, toHz))
    assert.deepEqual(done(), [[1, 500]])
  }
})

test('a play may change its rate, and the line may change its own, in the middle', () => {
  const { plays, done } = queue()
  plays.open(1)
  plays.push(1, new Int16Array(8000).fill(1000), 16_000)
  plays.push(1, new Int16Array(12_000).fill(1000), 24_000)
  plays.end(1)
  const frame = new Int16Array(160)
  for (let i = 0; i < 10; i++) assert.equal(plays.read(frame, 8000), 160)
  const rest = readAll(plays, 16_000)
  assert.ok(Math.abs(rest.length - 12_800) <= 4, `${rest.length}`)
  const odd = rest.filter((sample) => Math.abs(sample - 1000) > 100).length
  assert.ok(odd < 300, `${odd} samples are not as they were: the filters' edges alone may be`)
  assert.ok(Math.abs((done()[0]?.[1] ?? 0) - 1000) < 0.5)
})

test('a dropped play ends at once and reports what was heard; the others stay', () => {
  const { plays, done } = queue()
  for (const id of [1, 2]) {
    plays.open(id)
    plays.push(id, ramp(1600, id * 2000), 8000)
    plays.end(id)
  }
  const frame = new Int16Array(160)
  plays.read(frame, 8000)
  plays.read(frame, 8000)
  plays.drop(1)
  assert.deepEqual(done(), [[1, 40]])
  plays.read(frame, 8000)
  assert.equal(frame[0], 4000)
  plays.push(1, ramp(100), 8000) // too late: ignored
  plays.drop(1)
  plays.dropAll()
  assert.deepEqual(done(), [[1, 40], [2, 20]]) // biome-ignore format: pairs
})

test('progress is reported with the first sound and every 100 ms, to the place in its frame', () => {
  const { plays, told } = queue()
  plays.open(1)
  plays.push(1, ramp(8000), 8000)
  const frame = new Int16Array(160)
  for (let i = 0; i < 25; i++) plays.read(frame, 8000)
  assert.deepEqual(
    told.map(({ heardMs }) => heardMs),
    [20, 120, 220, 320, 420],
  )
  plays.open(2)
  plays.push(2, ramp(40), 8000)
  plays.end(2)
  plays.end(1)
  told.length = 0
  while (plays.read(frame, 8000) > 0);
  const last = told.filter(({ heardMs, isDone, play }) => isDone || (play === 2 && heardMs > 0))
  assert.deepEqual(last, [
    { play: 1, heardMs: 1000, isDone: true, inFrameMs: 20 },
    { play: 2, heardMs: 5, isDone: false, inFrameMs: 5 },
    { play: 2, heardMs: 5, isDone: true, inFrameMs: 5 },
  ])
})
