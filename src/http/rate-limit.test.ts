// The sliding window on a simulated clock, then over HTTP.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anAgent, assertError, testApp } from '../../test/app.ts'
import { type Admission, memoryRateLimiter, WINDOW_MS } from './rate-limit.ts'

function window(limit: number) {
  let now = 0
  const limiter = memoryRateLimiter(() => now)
  return (at: number, key = 'key'): Admission => {
    now = at
    return limiter.admit(key, limit) as Admission
  }
}

test('14 any 60 seconds admit the limit and not one more', () => {
  const at = window(3)
  const admitted = (...times: number[]) => times.map((time) => at(time).admitted)
  assert.deepEqual(admitted(0, 10_000, 59_999), [true, true, true])
  assert.deepEqual(admitted(59_999), [false], 'a fixed window would be full too')
  assert.deepEqual(admitted(60_000, 60_001), [true, false], 'a fixed window would let three more in')
  assert.deepEqual(admitted(69_999, 70_000, 70_001), [false, true, false])
  assert.deepEqual(admitted(119_998, 119_999), [false, true])
})

test('14 a slow caller gets no more than the limit, unlike with a refilling token bucket', () => {
  const at = window(60)
  const count = Array.from({ length: 61 }, (_, i) => at(i * 980).admitted).filter(Boolean).length
  assert.equal(count, 60)
})

test('13 refused requests do not count', () => {
  const at = window(2)
  at(0)
  at(30_000)
  for (let time = 30_001; time < 60_000; time += 100) assert.equal(at(time).admitted, false)
  assert.equal(at(60_000).admitted, true)
})

test('13 it reports how many requests are left, and when the next slot is free', () => {
  const at = window(2)
  assert.deepEqual(at(1000), { admitted: true, remaining: 1, resetMs: 60_000 })
  assert.deepEqual(at(5000), { admitted: true, remaining: 0, resetMs: 56_000 })
  assert.deepEqual(at(6000), { admitted: false, remaining: 0, resetMs: 55_000 })
  assert.deepEqual(at(61_000), { admitted: true, remaining: 0, resetMs: 4000 })
})

test('a slot that is taken back is free at once, and a window may be longer', () => {
  let now = 0
  const limiter = memoryRateLimiter(() => now)
  const ask = () => (limiter.admit('key', 2, 300_000) as Admission).admitted
  assert.deepEqual([ask(), ask(), ask()], [true, true, false])
  void limiter.takeBack('key')
  assert.deepEqual([ask(), ask()], [true, false])
  now = 299_999
  assert.equal(ask(), false)
  now = 300_000
  assert.deepEqual([ask(), ask(), ask()], [true, true, false])
  void limiter.takeBack('nobody')
})

test('14 two keys do not affect each other', () => {
  const at = window(1)
  assert.equal(at(0, 'a').admitted, true)
  assert.equal(at(1, 'b').admitted, true)
  assert.equal(at(2, 'a').admitted, false)
  assert.equal(at(2, 'b').admitted, false)
})

test('13, 14 it matches the simplest possible model, for any limit and any times', () => {
  const gaps = fc.array(fc.oneof(fc.nat(5), fc.nat(2000), fc.constantFrom(0, 59_999, 60_000, 60_001)), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), gaps, (limit, waits) => {
      const at = window(limit)
      const letIn: number[] = []
      let now = 0
      for (const wait of waits) {
        now += wait
        const recent = letIn.filter((time) => time > now - WINDOW_MS)
        const expected = recent.length < limit
        if (expected) recent.push(now)
        const answer = at(now)
        assert.deepEqual(answer, {
          admitted: expected,
          remaining: limit - recent.length,
          resetMs: (recent[0] as number) + WINDOW_MS - now,
        })
        if (expected) letIn.push(now)
      }
    }),
    { numRuns: 500 },
  )
})

test('13 a caller who waits as long as told is admitted', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.nat(5000), { minLength: 21, maxLength: 60 }),
      (limit, waits) => {
        const at = window(limit)
        let now = 0
        for (const wait of waits) {
          now += wait
          const { admitted, resetMs } = at(now)
          if (admitted) continue
          now += Math.ceil(resetMs / 1000) * 1000
          assert.equal(at(now).admitted, true)
        }
      },
    ),
  )
})

test('12, 39 a key may be used 60 times a minute unless it was created with another limit', async () => {
  const { ana, anonymous } = await testApp()
  const { json: key } = await ana.post('/api/api-keys', { name: 'default' })
  assert.equal(key.rateLimit, 60)
  const ask = () => anonymous({ method: 'GET', url: '/api/agents', headers: { 'x-api-key': key.key } })
  for (let left = 59; left >= 0; left--) {
    const answer = await ask()
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['ratelimit-policy'], '"default";q=60;w=60')
    assert.match(String(answer.headers.ratelimit), new RegExp(`^"default";r=${left};t=\\d+$`))
  }
  assertError(await ask(), 429, 'Over the limit of 60 requests a minute')
})

test('12, 14 of 100 concurrent requests exactly the limit is admitted', async () => {
  const { ana } = await testApp()
  const limited = await ana.withKey({ rateLimit: 37 })
  const answers = await Promise.all(Array.from({ length: 100 }, () => limited.get('/api/agents')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 37)
  assert.equal(answers.filter(({ status }) => status === 429).length, 63)
})

test('14 every request with a valid key counts, even one that is refused for another reason', async () => {
  const { ana } = await testApp()
  const limited = await ana.withKey({ rateLimit: 7, scopes: ['agents'] })
  assertError(await limited.get('/api/agents/missing'), 404)
  assertError(await limited.get('/api/nothing'), 404)
  assertError(await limited.post('/api/agents', {}), 400)
  assertError(await limited.get('/api/tools'), 403)
  assertError(await limited.send({ method: 'PUT', url: '/api/agents' }), 405)
  assertError(
    await limited.send({ method: 'POST', url: '/api/agents', payload: 'x', headers: { 'content-type': 'a/b' } }),
    415,
  )
  const { headers } = await limited.send({ method: 'HEAD', url: '/api/agents' })
  assert.match(String(headers.ratelimit), /^"default";r=0;t=([1-5]?\d|60)$/)
  assertError(await limited.get('/api/agents'), 429)
})

test('13 a refused request was not executed: sent again later it is executed once', async () => {
  const { ana } = await testApp()
  const limited = await ana.withKey({ rateLimit: 1 })
  assert.equal((await limited.post('/api/agents', anAgent)).status, 201)
  for (let i = 0; i < 5; i++) assertError(await limited.post('/api/agents', anAgent), 429)
  assert.equal((await ana.get('/api/agents')).json.length, 1)
})

test('14 two keys of one user have a window each', async () => {
  const { ana } = await testApp()
  const [first, second] = [await ana.withKey({ rateLimit: 1 }), await ana.withKey({ rateLimit: 1 })]
  assert.equal((await first.get('/api/agents')).status, 200)
  assertError(await first.get('/api/agents'), 429)
  assert.equal((await second.get('/api/agents')).status, 200)
  assertError(await second.get('/api/agents'), 429)
})

test('windows expire by time only: when there is no room, new keys are refused, and no count is lost', () => {
  let now = 0
  const limiter = memoryRateLimiter(() => now, 100)
  const guesses = limiter.of('guesses')
  const ask = (key: string, windows = guesses) => (windows.admit(key, 1, 300_000) as Admission).admitted
  assert.equal(ask('owner'), true)
  const strangers = Array.from({ length: 300 }, (_, i) => ask(`stranger ${i}`))
  assert.equal(strangers.filter(Boolean).length, 99)
  assert.equal(ask('owner'), false, 'still counted')
  assert.equal(ask('new'), false)
  assert.equal(ask('new', limiter), true, 'API keys have windows of their own')
  assert.equal(ask('new', limiter.of('another purpose')), true)
  now = 299_999
  assert.deepEqual([ask('owner'), ask('new')], [false, false])
  now = 301_000
  assert.deepEqual([ask('new'), ask('owner'), ask('owner')], [true, true, false])
})
