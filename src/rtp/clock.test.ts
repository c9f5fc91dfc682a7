import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { monotonicMs } from '../base/time/clock.ts'
import { TICK_MS, TickClock } from './clock.ts'

/** Runs for this many ticks, including skipped ones; `onTick` may stall. */
function run(ticks: number, onTick: (count: number) => void = () => {}) {
  const seen: { nowMs: number; skipped: number }[] = []
  return new Promise<{ seen: typeof seen; startMs: number; lateMs: number }>((resolve) => {
    let count = 0
    const startMs = monotonicMs()
    const clock = new TickClock((nowMs, skipped) => {
      count += 1 + skipped
      seen.push({ nowMs, skipped })
      onTick(count)
      if (count < ticks) return
      const lateMs = clock.lateMs()
      clock.stop()
      resolve({ seen, startMs, lateMs })
    })
    clock.start()
    clock.start() // starting twice has no effect
  })
}

/** Virtual time: a stall is a jump of exactly the given length. */
function virtualTime(t: TestContext) {
  let nowMs = 1000
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return {
    stall(ms: number): void {
      nowMs += ms
    },
    async passUntil<T>(running: Promise<T>): Promise<T> {
      let isOver = false
      void running.then(() => {
        isOver = true
      })
      while (!isOver) {
        nowMs++
        t.mock.timers.tick(1)
        await turn()
      }
      return running
    },
  }
}

/** Each tick's offset from its scheduled time. A stall of the machine can make a tick late; nothing makes one early. */
const offsets = (seen: { nowMs: number; skipped: number }[], startMs: number) => {
  let place = 0
  return seen.map(({ nowMs, skipped }) => {
    place += 1 + skipped
    return nowMs - startMs - place * TICK_MS
  })
}

test('the clock keeps time: no tick is early, and the last ones are as punctual as the first', async () => {
  const { seen, startMs } = await run(150)
  const all = offsets(seen, startMs)
  assert.ok(Math.min(...all) > -1.5, `${Math.min(...all)} ms`)
  const drift = Math.min(...all.slice(-50)) - Math.min(...all.slice(0, 50))
  assert.ok(Math.abs(drift) < 2, `${drift} ms in 3 s`)
})

test('after a short stall all ticks are concealed for, two at a time', async (t) => {
  const { stall, passUntil } = virtualTime(t)
  const { seen, startMs, lateMs } = await passUntil(run(40, (count) => count === 10 && stall(110)))
  assert.equal(seen.length, 40)
  const together = Map.groupBy(seen, ({ nowMs }) => nowMs)
  assert.ok([...together.values()].every((ticks) => ticks.length <= 2))
  assert.ok([...together.values()].some((ticks) => ticks.length === 2))
  const all = offsets(seen, startMs)
  assert.ok(Math.min(...all.slice(15)) < 15, 'the clock is in time again')
  assert.ok(lateMs > 80, 'the lateness was measured')
})

test('after a long stall the missed ticks are skipped and reported', async (t) => {
  const { stall, passUntil } = virtualTime(t)
  const { seen, startMs } = await passUntil(run(60, (count) => count === 10 && stall(400)))
  const skipped = seen.reduce((sum, tick) => sum + tick.skipped, 0)
  assert.ok(skipped >= 18, `${skipped} skipped`)
  assert.ok(Math.min(...offsets(seen, startMs).slice(-10)) < 15)
})

test('a clock that was stopped ticks no more, and can be started again', async (t) => {
  const { passUntil } = virtualTime(t)
  let count = 0
  const clock = new TickClock(() => count++)
  clock.start()
  clock.stop()
  await passUntil(run(3))
  assert.equal(count, 0)
  clock.start()
  await passUntil(run(10))
  clock.stop()
  assert.ok(count > 3)
})
