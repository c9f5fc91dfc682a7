import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseClock } from './lease-clock.ts'

const LEASE_MS = 10_000

/** Two clocks under the test's control: the machine's monotonic clock and the database's clock. */
function clocks() {
  const at = { elapsedMs: 1000, databaseMs: 1_700_000_000_000, isAway: false, outageMs: Number.NEGATIVE_INFINITY }
  const read = async () => {
    if (at.isAway) throw new Error('away')
    return at.databaseMs
  }
  const judge = leaseClock(LEASE_MS, {
    readClock: read,
    lastOutageMs: () => at.outageMs,
    elapsedMs: () => at.elapsedMs,
  })
  const pass = (ms: number, databaseMs = ms) => {
    at.elapsedMs += ms
    at.databaseMs += databaseMs
  }
  /** For how many milliseconds mayJudge stays false if called every two seconds. */
  const rounds = async () => {
    for (let waitedMs = 0; ; waitedMs += 2000) {
      if (await judge.mayJudge()) return waitedMs
      pass(2000)
    }
  }
  return { at, judge, pass, rounds }
}

test('leases are judged at start and in every round', async () => {
  const { judge, pass } = clocks()
  for (let i = 0; i < 20; i++) {
    assert.equal(await judge.mayJudge(), true)
    pass(2000)
  }
})

test("after a pause of this process, other processes get one lease's time to renew", async () => {
  const { judge, pass, rounds } = clocks()
  assert.equal(await judge.mayJudge(), true)
  pass(12_000)
  assert.equal(await rounds(), LEASE_MS)
})

test('after a database clock step, forwards or backwards, judging waits one lease', async () => {
  for (const stepMs of [3_600_000, -3_600_000]) {
    const { judge, pass, rounds } = clocks()
    assert.equal(await judge.mayJudge(), true)
    pass(2000, 2000 + stepMs)
    assert.equal(await rounds(), LEASE_MS)
  }
})

test('after a database outage, judging waits one lease', async () => {
  const { at, judge, pass, rounds } = clocks()
  assert.equal(await judge.mayJudge(), true)
  at.isAway = true
  pass(2000)
  assert.equal(await judge.mayJudge(), false)
  at.isAway = false
  assert.equal(await rounds(), LEASE_MS)
})

test('after an outage that only other statements of this process have felt, judging waits one lease', async () => {
  const { at, judge, pass, rounds } = clocks()
  assert.equal(await judge.mayJudge(), true)
  pass(2000)
  at.outageMs = at.elapsedMs
  assert.equal(await rounds(), LEASE_MS)
})

test('a slewed clock does not count as a clock step', async () => {
  const { judge, pass } = clocks()
  for (let i = 0; i < 20; i++) {
    assert.equal(await judge.mayJudge(), true)
    pass(2000, 2100)
  }
})
