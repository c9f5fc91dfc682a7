import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { VendorError } from '../speech/vendor-http.ts'
import { createBreakers } from './breakers.ts'
import type { FailureReason } from './ports.ts'

const link = { id: 'account', version: '1' }
const startMs = Date.parse('2030-01-01T00:00:00Z')

function setUp(maxBreakers?: number) {
  const clock = new VirtualClock()
  const breakerClock = {
    now: () => clock.now(),
    wallMs: () => startMs + clock.now(),
    sleep: (ms: number, signal: AbortSignal) => clock.sleep(ms, signal),
  }
  const breakers = createBreakers(breakerClock, maxBreakers)
  return { clock, breakers, breaker: breakers.of('llm', link) }
}

test('two failures in a row open a breaker, and a success in between does not', async () => {
  const { breakers, breaker, clock } = setUp()
  assert.equal(breakers.healthOf('llm', link.id).state, 'unused')
  breaker.failed('timeout')
  assert.deepEqual([breaker.admits(), breakers.healthOf('llm', link.id).state], [true, 'failing'])
  breaker.succeeded(300)
  breaker.failed('timeout')
  assert.equal(breaker.admits(), true)
  await clock.pass(1000)
  breaker.failed('unreachable')
  assert.equal(breaker.admits(), false)
  assert.deepEqual(breakers.healthOf('llm', link.id), {
    state: 'down',
    reason: 'unreachable',
    since: '2030-01-01T00:00:00.000Z',
    firstMs: 300,
  })
})

test('a refused key opens it at once, and another version of the account begins closed', () => {
  const { breakers, breaker } = setUp()
  breaker.failed('key_refused')
  assert.equal(breaker.admits(), false)
  assert.equal(breakers.of('llm', link), breaker, 'shared by all calls')
  assert.equal(breakers.of('tts', link).admits(), true, 'another kind')
  assert.equal(breakers.of('llm', { id: link.id, version: '2' }).admits(), true)
  assert.equal(breakers.healthOf('llm', link.id).state, 'unused', 'the new key has not been used')
})

test('the embedded engines are never skipped', () => {
  const { breakers } = setUp()
  const breaker = breakers.of('tts', { id: 'embedded', version: '' })
  for (const reason of ['timeout', 'key_refused', 'timeout'] as const) breaker.failed(reason)
  assert.equal(breaker.admits(), true)
})

test('one caller at a time makes the trial, and the time between trials doubles up to a minute', async () => {
  const { breaker, clock } = setUp()
  breaker.failed('key_refused')
  for (const waitMs of [5, 10, 20, 40, 60, 60].map((seconds) => seconds * 1000)) {
    await clock.pass(waitMs - 1)
    assert.equal(breaker.admits(), false)
    await clock.pass(1)
    assert.deepEqual([breaker.admits(), breaker.admits()], [true, false])
    breaker.abandoned()
    assert.deepEqual([breaker.admits(), breaker.admits()], [true, false], 'a trial that told nothing is made again')
    breaker.failed('timeout')
  }
  await clock.pass(60_000)
  assert.equal(breaker.admits(), true)
  breaker.succeeded(100)
  assert.deepEqual([breaker.admits(), breaker.admits()], [true, true])
})

test('a trial in the background admits callers again once it has succeeded', async () => {
  const { breaker, breakers, clock } = setUp()
  let isDown = true
  const trials: number[] = []
  const trial = async () => {
    trials.push(clock.now())
    if (isDown) throw new VendorError('service_connection_broke', { service: 'x' })
    return 120
  }
  breaker.failed('timeout')
  breaker.failed('timeout', trial)
  await clock.pass(35_000)
  assert.deepEqual(trials, [5_000, 15_000, 35_000])
  assert.equal(breaker.admits(), false, 'no caller makes the trial')
  assert.equal(breakers.healthOf('llm', link.id).reason, 'unreachable')
  isDown = false
  await clock.pass(40_000)
  assert.equal(breaker.admits(), true)
  assert.deepEqual(breakers.healthOf('llm', link.id), { state: 'ok', reason: null, since: null, firstMs: 120 })
  await clock.pass(600_000)
  assert.equal(trials.length, 4, 'a closed breaker is not tried')
})

test('a provider that nobody asks for is not tried for ever, and the next call starts again', async () => {
  const { breaker, clock } = setUp()
  let trials = 0
  breaker.failed('key_refused', async () => {
    trials++
    throw new Error('down')
  })
  await clock.pass(3_600_000)
  const before = trials
  assert.ok(before < 20)
  await clock.pass(3_600_000)
  assert.equal(trials, before)
  assert.equal(breaker.admits(), false)
  await clock.pass(0)
  assert.equal(trials, before + 1)
})

test('a trial that hangs has failed, and closing stops the trials', async () => {
  const { breaker, breakers, clock } = setUp()
  let trials = 0
  breaker.failed('key_refused', (signal) => {
    trials++
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  })
  await clock.pass(15_000)
  assert.equal(breakers.healthOf('llm', link.id).reason, 'timeout')
  breakers.close()
  await clock.pass(600_000)
  assert.equal(trials, 1)
})

test('what began before the breaker opened neither closes it nor delays the trial', async () => {
  const { breaker, clock } = setUp()
  breaker.failed('timeout')
  breaker.failed('timeout')
  for (let i = 0; i < 100; i++) breaker.failed('timeout')
  breaker.succeeded(10)
  assert.equal(breaker.admits(), false)
  await clock.pass(5_000)
  assert.equal(breaker.admits(), true)
})

test('counts requests and failures of an account over its versions, and is bounded', () => {
  const { breakers, breaker } = setUp(3)
  breaker.failed('timeout')
  breaker.succeeded(200)
  breakers.of('llm', { id: link.id, version: '2' }).failed('limited')
  const [metrics] = breakers.metrics()
  assert.deepEqual(
    { ...metrics, failures: Object.fromEntries(metrics?.failures ?? []) },
    {
      kind: 'llm',
      id: link.id,
      requests: 3,
      isOpen: false,
      firstMs: 200,
      failures: { timeout: 1, limited: 1 },
    },
  )
  for (let i = 0; i < 10; i++) breakers.of('llm', { id: `${i}`, version: '' }).failed('timeout')
  assert.equal(breakers.metrics().length, 3)
  assert.notEqual(breakers.of('llm', link), breaker, 'evicted')
})

type Step = { passMs: number } | { end: 'succeeded' | 'abandoned' | FailureReason } | 'ask'
const steps = fc.array(
  fc.oneof(
    fc.record({ passMs: fc.integer({ min: 0, max: 30_000 }) }),
    fc.record({ end: fc.constantFrom('succeeded', 'abandoned', 'timeout', 'key_refused', 'limited') }),
    fc.constant('ask'),
  ) as fc.Arbitrary<Step>,
  { maxLength: 60 },
)

test('for any course of attempts: at most one trial at a time, never sooner than 5 s after the last failure of a trial', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (course) => {
      const { clock, breaker, breakers } = setUp()
      let trials = 0
      let lastTrialEnd: number | null = null
      for (const step of course) {
        const isDown = breakers.healthOf('llm', link.id).state === 'down'
        if (step === 'ask') {
          const isAdmitted = breaker.admits()
          if (!isDown) assert.ok(isAdmitted, 'a closed breaker admits everybody')
          else if (isAdmitted) {
            trials++
            assert.equal(trials, 1, 'one trial at a time')
            if (lastTrialEnd !== null) assert.ok(clock.now() - lastTrialEnd >= 5_000)
          }
        } else if ('passMs' in step) {
          await clock.pass(step.passMs)
          breaker.abandoned()
          trials = 0
        } else {
          if (trials > 0 && step.end !== 'succeeded' && step.end !== 'abandoned') lastTrialEnd = clock.now()
          if (step.end === 'succeeded') breaker.succeeded(1)
          else if (step.end === 'abandoned') breaker.abandoned()
          else breaker.failed(step.end)
          trials = 0
          if (breakers.healthOf('llm', link.id).state !== 'down') lastTrialEnd = null
        }
      }
    }),
    { seed: 19, numRuns: 300 },
  )
})
