// Virtual time alongside real work, with a real clock that the test sets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from './virtual-clock.ts'

const never = new AbortController().signal

function clockAndLog() {
  const real = { ms: 0 }
  const clock = new VirtualClock(() => real.ms)
  const log: string[] = []
  const note = (what: string) => () => void log.push(`${clock.now()} ${what}`)
  return { clock, real, log, note }
}

test('sleepers wake in order, however far away they are', async () => {
  const { clock, log, note } = clockAndLog()
  void clock.sleep(3_600_000, never).then(note('an hour'))
  void clock
    .sleep(5, never)
    .then(note('soon'))
    .then(() => clock.sleep(5, never))
    .then(note('then'))
  const stopped = new AbortController()
  void clock.sleep(7, stopped.signal).then(note('stopped'))
  stopped.abort()
  await clock.pass(4_000_000)
  assert.deepEqual(log, ['0 stopped', '5 soon', '10 then', '3600000 an hour'])
  assert.equal(clock.now(), 4_000_000)
})

test('time stands still during real work, and the time it took is charged', async () => {
  const { clock, real, log, note } = clockAndLog()
  const work = Promise.withResolvers<void>()
  void clock.sleep(1000, never).then(note('later'))
  void clock.hold(() => work.promise, never).then(note('worked'))
  const passed = clock.pass(2000)
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([log, clock.now()], [[], 0])
  real.ms = 250.7
  work.resolve()
  await passed
  assert.deepEqual(log, ['250 worked', '1000 later'])
})

test('long work does not delay sleepers that were due meanwhile', async () => {
  const { clock, real, log, note } = clockAndLog()
  const work = Promise.withResolvers<void>()
  void clock
    .sleep(5, never)
    .then(note('due'))
    .then(() => {
      real.ms = 40
      work.resolve()
    })
  void clock.hold(() => work.promise, never).then(note('worked'))
  const passed = clock.pass(100)
  real.ms = 20
  await passed
  assert.deepEqual(log, ['5 due', '40 worked'])
})

test('work with a fixed time ends at that time, whether it took less or more', async () => {
  for (const tookMs of [1, 9000]) {
    const { clock, real, log, note } = clockAndLog()
    void clock.sleep(100, never).then(note('before'))
    void clock.sleep(400, never).then(note('after'))
    const work = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      real.ms += tookMs
    }
    void clock.hold(work, never, 300).then(note('worked'))
    await clock.pass(500)
    assert.deepEqual(log, ['100 before', '300 worked', '400 after'])
  }
})

test('failed work is charged too, and aborted work holds nothing', async () => {
  const { clock, log, note } = clockAndLog()
  void clock.hold(() => Promise.reject(new Error('no')), never, 50).catch(note('failed'))
  const unwanted = new AbortController()
  void clock.hold(() => new Promise(() => {}), unwanted.signal)
  void clock.sleep(100, never).then(note('later'))
  const passed = clock.pass(200)
  setImmediate(() => unwanted.abort())
  await passed
  assert.deepEqual(log, ['50 failed', '100 later'])
})

test('time advances until the condition holds, and no further than its limit', async () => {
  const { clock } = clockAndLog()
  let isSo = false
  void clock.sleep(30, never).then(() => {
    isSo = true
  })
  void clock.sleep(60, never)
  assert.equal(await clock.passUntil(() => isSo, 1000), true)
  assert.equal(clock.now(), 30)
  assert.equal(await clock.passUntil(() => false, 50), false)
  assert.ok(clock.now() <= 50)
})
