// Scheduling order, and that admitted streams play without gaps at the measured costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planChunks } from './chunks.ts'
import { playsWithoutGap } from './playout-simulation.ts'
import { maxStreams } from './real-time-factor.ts'
import { lengthMs, msOfSteps, nextTask, type Piece, type Stream, taskCostMs } from './schedule.ts'

const piece = (more: Partial<Piece> = {}): Piece => ({
  guessMs: 2000,
  isPlain: false,
  state: 'new',
  windows: [],
  given: 0,
  taken: 0,
  ...more,
})
const stream = (more: Partial<Stream> = {}): Stream => ({
  arrivedAt: 0,
  startedAt: undefined,
  finishedMs: 0,
  producedMs: 0,
  pieces: [piece()],
  unreadMs: 0,
  ...more,
})
const windows = planChunks(0, 200)

test('of two streams waiting for their first audio, the first to arrive is served first', () => {
  const early = stream({ arrivedAt: 10 })
  const late = stream({ arrivedAt: 20 })
  assert.equal(nextTask([late, early], 100)?.stream, early)
})

test('a stream about to underrun comes before one with a full buffer', () => {
  const rich = stream({ startedAt: 0, finishedMs: 5000, pieces: [piece({ state: 'windows', windows })] })
  const poor = stream({ startedAt: 0, finishedMs: 1100, pieces: [piece({ state: 'windows', windows })] })
  assert.equal(nextTask([rich, poor], 1000)?.stream, poor)
})

test('a new stream comes before those with audio to spare', () => {
  const playing = stream({ startedAt: 0, finishedMs: 3000, pieces: [piece({ state: 'windows', windows })] })
  const fresh = stream({ arrivedAt: 1000 })
  assert.equal(nextTask([playing, fresh], 1000)?.stream, fresh)
})

test("a clause's chunks are scheduled in order, then the front of the next clause", () => {
  const first = piece({ state: 'windows', windows })
  const second = piece()
  const one = stream({ pieces: [first, second] })
  for (let i = 0; i < windows.length; i++) {
    assert.deepEqual(nextTask([one], 0)?.task, { piece: first, part: i })
    first.given++
  }
  assert.deepEqual(nextTask([one], 0)?.task, { piece: second, part: 'front' })
})

test('a thread without a front gets chunks only', () => {
  const fresh = stream()
  const playing = stream({ startedAt: 0, finishedMs: 5000, pieces: [piece({ state: 'windows', windows })] })
  assert.equal(nextTask([fresh, playing], 0)?.stream, fresh)
  assert.equal(nextTask([fresh, playing], 0, false)?.stream, playing)
  assert.equal(nextTask([fresh], 0, false), undefined)
})

test('a run that started some time ago is expected earlier', () => {
  const four = planChunks(0, 100)
  const starts = (begunAt?: Piece['begunAt']) => {
    const one = stream({ pieces: [piece({ state: 'windows', windows: four, given: 3, taken: 2, begunAt })] })
    return playsWithoutGap(one, 400, [one], { threads: 2, pace: 3.4, now: 1000 })
  }
  assert.deepEqual([starts(), starts(new Map([[2, 1000]])), starts(new Map([[2, 900]]))], [false, false, true])
})

test('a stream with much unread audio is skipped, and so is one whose tasks are all running', () => {
  assert.equal(nextTask([stream({ unreadMs: 60_000 })], 0), undefined)
  assert.equal(nextTask([stream({ pieces: [piece({ state: 'begun' })] })], 0), undefined)
  assert.equal(nextTask([], 0), undefined)
})

test('on the plain path a clause is one task', () => {
  assert.equal(nextTask([stream({ pieces: [piece({ isPlain: true })] })], 0)?.task.part, 'plain')
})

type Talker = Stream & { startedAt?: number; finishedMs: number; producedMs: number; pieces: Piece[]; gapMs: number }

/** Runs the scheduler with the costs at this pace; returns the longest gap in any stream. */
function simulate(
  clauseMs: readonly number[],
  count: number,
  threads: number,
  pace: number,
): { gapMs: number; firstMs: number } {
  const talkers = Array.from({ length: count }, (_, i): Talker => {
    const pieces = clauseMs.map((_, k) => piece({ guessMs: clauseMs[(k + i) % clauseMs.length] as number }))
    return { ...stream({ arrivedAt: 0 }), pieces, gapMs: 0 }
  })
  const busy: { until: number; done(): void }[] = []
  let now = 0
  for (;;) {
    while (busy.length < threads) {
      const next = nextTask<Piece, Talker>(talkers, now)
      if (!next) break
      const { stream: who, task } = next
      const { piece: what, part } = task
      const isFirst = who.pieces[0] === what && who.startedAt === undefined
      const window = typeof part === 'number' ? what.windows[part] : undefined
      if (window) what.given++
      else what.state = 'begun'
      const ms = window ? msOfSteps(window.to - window.from) : what.guessMs
      const done = () => {
        if (!window) {
          what.state = 'windows'
          what.windows = planChunks(0, Math.round(what.guessMs / 12.5), !isFirst)
          return
        }
        if (who.startedAt !== undefined) who.gapMs = Math.max(who.gapMs, now - who.startedAt - who.producedMs)
        who.producedMs += ms
        what.taken++
        if (what.windows.at(-1) === window) {
          who.finishedMs += lengthMs(what)
          who.pieces.shift()
        }
        if (who.startedAt === undefined && playsWithoutGap(who, who.producedMs, talkers, { threads, pace, now }))
          who.startedAt = now
      }
      busy.push({ until: now + taskCostMs(task) * pace, done })
    }
    if (busy.length === 0) break
    busy.sort((a, b) => a.until - b.until)
    const next = busy.shift()
    now = next?.until ?? now
    next?.done()
  }
  return {
    gapMs: Math.max(...talkers.map((talker) => talker.gapMs)),
    firstMs: Math.max(...talkers.map((talker) => talker.startedAt ?? now)),
  }
}

const talks = [
  [1100, 2600, 3100, 2200, 3600, 2900],
  [700, 2000, 4500, 1500],
  [500, 5000, 900, 4000, 2000],
  [1800, 600, 600, 5200, 1200],
  [3000, 3000, 3000, 3000],
]

test('admitted streams that all start at once play without a gap, however slow the machine is', () => {
  for (const clauses of talks)
    for (const pace of [0.8, 1, 1.3, 1.6, 2, 3, 5])
      for (let count = 1; count <= maxStreams(pace, 'fast', 2); count++) {
        const { gapMs, firstMs } = simulate(clauses, count, 2, pace)
        const what = `${clauses}, pace ${pace}, ${count} streams`
        assert.ok(gapMs < 10, `${what}: a gap of ${Math.round(gapMs)} ms`)
        assert.ok(firstMs < (pace * count <= 2 ? 700 : 4500), `${what}: starts after ${Math.round(firstMs)} ms`)
      }
})

test('a single stream starts with the first chunk on an idle machine, and later on a busy one', () => {
  const alone = stream({ pieces: [piece({ state: 'windows', windows, given: 2, taken: 1 }), piece()] })
  assert.equal(playsWithoutGap(alone, 140, [alone], { threads: 2, pace: 1, now: 0 }), true)
  assert.equal(playsWithoutGap(alone, 140, [alone], { threads: 2, pace: 3, now: 0 }), false)
})

test('nothing is held back when everything is synthesised', () => {
  const ended = stream({ pieces: [] })
  assert.equal(playsWithoutGap(ended, 0, [ended], { threads: 2, pace: 9, now: 0 }), true)
})
