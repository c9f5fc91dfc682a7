// Tells the effects of a busy machine on a recording from faults of the platform, and spoken words from other words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import { tone } from '../phones/spectrum.ts'
import { murmur } from '../rtp-network.ts'
import { alike, OTHER, SAME } from './likeness.ts'
import { mediaTime, restMs } from './media-time.ts'

const RATE_HZ = 8000
const silence = (ms: number) => new Int16Array(ms * 8)

/** Frames of a tone that arrived every 20 ms; the clock skipped the ticks between two of these positions. */
function heardAt(places: readonly number[]) {
  const time = mediaTime()
  const { pcm } = tone(1011, 10)
  const frames = places.map((recordedMs, i) => ({
    pcm: pcm.slice(i * 160, (i + 1) * 160),
    rateHz: RATE_HZ,
    atMs: performance.now(),
    recordedMs,
  }))
  for (const frame of frames) time.hear(frame)
  const left = new Int16Array(8 * ((places.at(-1) ?? 0) + 20))
  for (const frame of frames) left.set(frame.pcm, frame.recordedMs * 8)
  return { time, left: { pcm: left, rateHz: RATE_HZ } }
}

const skipping = [0, 20, 40, 300, 320, 340]

test('ticks that the clock gave up are known, and can be left out', () => {
  const { time, left } = heardAt(skipping)
  assert.deepEqual(time.skipped(), [{ fromMs: 60, toMs: 300 }])
  assert.deepEqual(time.heldUp(), time.skipped())
  assert.equal(time.ms(), 120)
  assert.deepEqual(time.asRun(left).pcm, tone(1011, 0.12).pcm)
})

test('the recording must hold each frame at its place', () => {
  const { time, left } = heardAt(skipping)
  time.isAll(left)
  const late = { ...left, pcm: joinPcm([silence(20), left.pcm]) }
  assert.throws(() => time.isAll(late), /another sound is recorded at 0 ms/)
  assert.throws(() => time.isAll({ ...left, pcm: left.pcm.subarray(0, -160) }), /another sound is recorded at 340 ms/)
})

test('what was recorded after the last frame is not judged', () => {
  const { time, left } = heardAt(skipping)
  assert.equal(time.asHeard({ ...left, pcm: joinPcm([left.pcm, silence(400)]) }).pcm.length, left.pcm.length)
})

test('what is said is late by the ticks since the media thread has it, without those that were given up', async () => {
  const time = mediaTime()
  for await (const _ of time.said(
    (async function* () {
      yield tone(611, 0.1)
    })(),
  ));
  await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))))
  const atMs = performance.now()
  for (const recordedMs of [200, 220, 500, 520]) time.hear({ pcm: silence(20), rateHz: RATE_HZ, atMs, recordedMs })
  assert.equal(time.lateMs(200), 0)
  assert.equal(time.lateMs(520), 60)
})

test('the rest of a span is what no other covers', () => {
  const span = { fromMs: 100, toMs: 500 }
  assert.equal(restMs(span, []), 400)
  assert.equal(
    restMs(span, [
      { fromMs: 0, toMs: 150 },
      { fromMs: 200, toMs: 300 },
      { fromMs: 250, toMs: 320 },
    ]),
    230,
  )
  assert.equal(restMs(span, [{ fromMs: 0, toMs: 600 }]), 0)
})

test('words with a silence between them are the same words; with packets missing they are not', () => {
  // Alternately loud and quiet, like speech.
  const loudness = murmur(1, 50, 9)
  const pcm = murmur(4).map((sample, i) => sample * (0.05 + Math.abs(loudness[(i / 400) | 0] ?? 0) / 12_000))
  const words = { pcm, rateHz: RATE_HZ }
  const late = {
    pcm: joinPcm([silence(300), pcm.subarray(0, 960), silence(260), pcm.subarray(960), silence(900)]),
    rateHz: RATE_HZ,
  }
  assert.ok(alike(late, words).likeness > SAME)
  const packets = Array.from({ length: 200 }, (_, i) => pcm.subarray(i * 160, (i + 1) * 160))
  const lossy = { pcm: joinPcm([...packets.filter((_, i) => i % 25 !== 24), silence(900)]), rateHz: RATE_HZ }
  assert.ok(alike(lossy, words).likeness < SAME)
  assert.ok(alike({ pcm: joinPcm([pcm.toReversed(), silence(900)]), rateHz: RATE_HZ }, words).likeness < OTHER)
})
