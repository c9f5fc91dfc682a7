// Held playout: frozen mid-frame, resumed from the last gap between words, counted once.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { clip, lineOf, loud, never, testMedia } from '../../test/rtp-call.ts'
import { tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import type { Media } from './leg.ts'
import { PlayQueue } from './play-queue.ts'
import { rewindToQuiet } from './quiet-point.ts'

const RATE = 8000
const FRAME = RATE / 50
const ms = (samples: number) => (samples * 1000) / RATE

/** Each sample identifies its position: words of 300 ms with gaps of 60 ms, amplitude rising with the position. */
const [WORD, WORD_AND_GAP] = [300 * 8, 360 * 8]
function words(lengthMs: number): Int16Array {
  return Int16Array.from({ length: lengthMs * 8 }, (_, i) => (i % WORD_AND_GAP < WORD ? 6000 + (i % 20_000) : i % 7))
}

type Told = { play: number; heardMs: number; isDone: boolean }

function queue(pcm: Int16Array, unheardMs = 0) {
  const told: Told[] = []
  const plays = new PlayQueue((play, heardMs, isDone) => void told.push({ play, heardMs, isDone }), unheardMs)
  const frame = new Int16Array(FRAME)
  plays.open(1)
  plays.push(1, pcm, RATE)
  plays.end(1)
  const read = (frames = 1): Int16Array => {
    const all: number[] = []
    for (let i = 0; i < frames; i++) {
      plays.read(frame, RATE)
      all.push(...frame)
    }
    return Int16Array.from(all)
  }
  return { plays, told, read, done: () => told.find(({ isDone }) => isDone)?.heardMs }
}

test('a held play fades out within 10 ms and is silent from then on', () => {
  const { plays, read } = queue(words(3000))
  read(10)
  plays.hold(true)
  const first = read()
  assert.ok(
    first.subarray(0, 40).some((sample) => sample > 1000),
    'it fades',
  )
  assert.ok(first.subarray(80).every((sample) => sample === 0))
  assert.ok(read(100).every((sample) => sample === 0))
})

test('it continues in the gap before the word in which it stopped, and nothing is missing', () => {
  const pcm = words(3000)
  const { plays, read, done } = queue(pcm)
  read(25) // 500 ms: 140 ms into the second word
  plays.hold(true)
  read(50)
  plays.hold(false)
  const again = read(130)
  // The last 40 ms of the 60 ms gap are repeated.
  const from = WORD_AND_GAP - 40 * 8
  assert.deepEqual(again.subarray(80, 8000), pcm.subarray(from + 80, from + 8000))
  assert.ok(Math.abs(again[0] ?? 0) < 10, 'it fades in')
  read(30)
  assert.equal(done(), 3000, 'what was heard twice is counted once')
})

test('frozen in a gap, it repeats nothing', () => {
  const pcm = words(3000)
  const { plays, read } = queue(pcm)
  read(17) // 340 ms: in the gap
  plays.hold(true)
  read(3)
  plays.hold(false)
  assert.deepEqual(read(10).subarray(80), pcm.subarray(17 * FRAME + 80, 27 * FRAME))
})

test('never more than 600 ms are repeated, and a sound without gaps hardly at all', () => {
  const loudOnly = new Int16Array(20_000).fill(5000)
  assert.equal(ms(rewindToQuiet(loudOnly.subarray(0, 4800), RATE)), 30)
  const { plays, read, done } = queue(loudOnly)
  read(60)
  plays.hold(true)
  read(5)
  plays.hold(false)
  read(200)
  assert.equal(done(), 2500)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 60 }), (levels) => {
      const pcm = Int16Array.from(
        levels.flatMap((level) => Array.from({ length: 80 }, (_, i) => (i % 2 ? level : -level))),
      )
      const count = rewindToQuiet(pcm, RATE)
      assert.ok(count >= 0 && count <= pcm.length)
    }),
  )
})

test('held before its first sound, a play starts when it is released, from its start', () => {
  const pcm = words(1000)
  const { plays, read, told } = queue(pcm)
  plays.hold(true)
  assert.ok(read(50).every((sample) => sample === 0))
  assert.deepEqual(told, [])
  plays.hold(false)
  assert.deepEqual(read(10), pcm.subarray(0, 1600))
})

test('a play that is dropped while it is held is gone, and the next one waits for the release', () => {
  const { plays, read, told } = queue(words(3000))
  read(10)
  plays.hold(true)
  read(10)
  plays.drop(1)
  assert.deepEqual(told.at(-1), { play: 1, heardMs: 200, isDone: true })
  plays.open(2)
  plays.push(2, words(500), RATE)
  plays.end(2)
  assert.ok(read(10).every((sample) => sample === 0))
  plays.hold(false)
  assert.deepEqual(read(10), words(500).subarray(0, 1600))
})

test('what the peer had buffered and dropped is played again', () => {
  const pcm = words(3000)
  const { plays, read } = queue(pcm, 100)
  read(26) // 520 ms sent, 420 ms heard: 60 ms into the second word
  plays.hold(true)
  assert.ok(
    read(5).every((sample) => sample === 0),
    'without a fade: the peer has none to hear',
  )
  plays.hold(false)
  const from = WORD_AND_GAP - 40 * 8
  assert.deepEqual(read(20).subarray(80), pcm.subarray(from + 80, from + 20 * FRAME))
})

test('however often it is held, every sample is heard and counted once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5 })), { maxLength: 12 }),
      (holds) => {
        const pcm = words(1500)
        const { plays, read, done } = queue(pcm)
        for (const [playing, held] of holds) {
          read(playing)
          plays.hold(true)
          read(held)
          plays.hold(false)
        }
        read(400)
        assert.ok(Math.abs((done() ?? 0) - 1500) < 0.001, `${done()}`)
      },
    ),
    { seed: 7, numRuns: 200 },
  )
})

let media: Media
before(async () => {
  media = await testMedia()
})
after(() => media.close())

test('over RTP: silence within a packet, then the rest, with its time and its length', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  const playing = leg.play(clip(tone(1000, 800)), never)
  await until('the play', () => loud(peer).length >= 10)
  leg.hold(true)
  await until('a silent packet', () => !loud(peer).includes(peer.got.at(-1) as never))
  const before = loud(peer).length
  const got = peer.got.length
  await until('half a second', () => peer.got.length >= got + 25)
  assert.equal(loud(peer).length, before, 'packets go on, silent')
  leg.hold(false)
  const { playedMs, startedAt = 0, endedAt = 0 } = await playing
  assert.equal(playedMs, 800)
  // 800 ms of sound and a hold of 500 ms; a late clock may catch up by as much as 200 ms.
  assert.ok(endedAt - startedAt >= 1050, `${endedAt - startedAt} ms`)
  await until('all', () => loud(peer).length >= 41)
})

test('held, then aborted: the played length and the end in the recording are those of the freeze', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  const dir = await mkdtemp(join(tmpdir(), 'hold-'))
  await leg.record(join(dir, 'call.wav'))
  const stop = new AbortController()
  const playing = leg.play(clip(tone(1000, 3000)), stop.signal)
  await until('the play', () => loud(peer).length >= 10)
  leg.hold(true)
  await until('a silent packet', () => !loud(peer).includes(peer.got.at(-1) as never))
  const got = peer.got.length
  await until('half a second', () => peer.got.length >= got + 25)
  stop.abort()
  const { playedMs, recorded } = await playing
  assert.ok(recorded)
  assert.ok(playedMs >= 180 && playedMs < 800, `${playedMs}`)
  assert.equal(recorded.toMs - recorded.fromMs, playedMs)
  await rm(dir, { recursive: true })
})
