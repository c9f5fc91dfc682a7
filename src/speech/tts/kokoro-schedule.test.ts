// Who is served next, and, with the costs that were measured, that six can talk at once on two threads without a gap.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lengthMs, msOfSteps, nextTask, type Piece, type Stream, startingMs } from './kokoro-schedule.ts'
import { planWindows } from './kokoro-windows.ts'

const piece = (more: Partial<Piece> = {}): Piece => ({
  guessMs: 2000,
  isPlain: false,
  state: 'new',
  windows: [],
  given: 0,
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
const windows = planWindows(0, 200)

test('of two that wait for their first sound, the first to come is served first', () => {
  const early = stream({ arrivedAt: 10 })
  const late = stream({ arrivedAt: 20 })
  assert.equal(nextTask([late, early], 100)?.stream, early)
})

test('a listener about to run out comes before one who has plenty', () => {
  const rich = stream({ startedAt: 0, finishedMs: 5000, pieces: [piece({ state: 'windows', windows })] })
  const poor = stream({ startedAt: 0, finishedMs: 1100, pieces: [piece({ state: 'windows', windows })] })
  assert.equal(nextTask([rich, poor], 1000)?.stream, poor)
})

test('a newcomer comes before those who have sound to spare', () => {
  const playing = stream({ startedAt: 0, finishedMs: 3000, pieces: [piece({ state: 'windows', windows })] })
  const fresh = stream({ arrivedAt: 1000 })
  assert.equal(nextTask([playing, fresh], 1000)?.stream, fresh)
})

test('windows of a piece are given out in order, then the front of the next piece', () => {
  const first = piece({ state: 'windows', windows })
  const second = piece()
  const one = stream({ pieces: [first, second] })
  for (let i = 0; i < windows.length; i++) {
    assert.deepEqual(nextTask([one], 0)?.task, { piece: first, part: i })
    first.given++
  }
  assert.deepEqual(nextTask([one], 0)?.task, { piece: second, part: 'front' })
})

test('a stream with much sound that nobody takes is left alone, and so is one whose work is all given out', () => {
  assert.equal(nextTask([stream({ unreadMs: 60_000 })], 0), undefined)
  assert.equal(nextTask([stream({ pieces: [piece({ state: 'begun' })] })], 0), undefined)
  assert.equal(nextTask([], 0), undefined)
})

test('a piece of the plain way is one task', () => {
  assert.equal(nextTask([stream({ pieces: [piece({ isPlain: true })] })], 0)?.task.part, 'plain')
})

/** Costs in ms on one thread of two, rounded up: a front by its length, a window with its context. */
const frontCost = (ms: number) => 25 + ms * 0.045
const windowCost = (ms: number) => 15 + (ms + 100) * 0.22

type Talker = Stream & { startedAt?: number; finishedMs: number; producedMs: number; pieces: Piece[]; gapMs: number }

/** Plays the scheduler against those costs; answers with the longest gap that any listener hears. */
function simulate(count: number, threads: number): { gapMs: number; firstMs: number } {
  const clauseMs = [1100, 2600, 3100, 2200, 3600, 2900]
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
          what.windows = planWindows(0, Math.round(what.guessMs / 12.5), !isFirst)
          return
        }
        if (who.startedAt !== undefined) who.gapMs = Math.max(who.gapMs, now - who.startedAt - who.producedMs)
        who.producedMs += ms
        if (what.windows.at(-1) === window) {
          who.finishedMs += lengthMs(what)
          who.pieces.shift()
        }
        if (who.producedMs >= startingMs(talkers, threads, now)) who.startedAt ??= now
      }
      busy.push({ until: now + (window ? windowCost(ms) : frontCost(ms)), done })
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

test('with the measured costs, up to six that start at the same moment talk on two threads without a gap', () => {
  for (const count of [1, 2, 3, 4, 5, 6]) {
    const { gapMs, firstMs } = simulate(count, 2)
    assert.ok(gapMs <= 0, `${count} streams: a gap of ${Math.round(gapMs)} ms`)
    assert.ok(firstMs < 200 + count * 350, `${count} streams: the last starts after ${Math.round(firstMs)} ms`)
  }
})
