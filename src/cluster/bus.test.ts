// Requests and responses between two processes. The test carries their messages, and delays, repeats or forges them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { appError, notFound } from '../base/errors/errors.ts'
import { type BusDrop, createBus } from './bus.ts'
import type { Channel } from './channel.ts'
import { busKeys } from './keys.ts'
import { messageSeal } from './sealed-messages.ts'

const KEY = 'k'.repeat(32)
const seal = messageSeal(busKeys([KEY]))
const unreachable = () => appError('call_other_node', { node: 'b' })

/** Two buses. `carry` is called with each message; the message is dropped if it returns false. */
function pair({
  carry = () => true,
  silenceMs = 2000,
}: {
  carry?: (text: string) => boolean
  silenceMs?: number
} = {}) {
  let clockMs = 1_000_000
  const drops: BusDrop[] = []
  const open = (processId: string) =>
    createBus({
      processId,
      seal,
      silenceMs,
      nowMs: () => clockMs,
      onDrop: (why) => drops.push(why),
      onError: () => {},
    })
  const buses = { prc_a: open('prc_a'), prc_b: open('prc_b') }
  const sent: { to: string; text: string }[] = []
  const channel: Channel = {
    name: 'test',
    async publish(to, text) {
      sent.push({ to, text })
      if (carry(text)) setImmediate(() => buses[to as keyof typeof buses].receive(text))
      return true
    },
    close: async () => {},
  }
  for (const bus of Object.values(buses)) bus.use(channel)
  return {
    a: buses.prc_a,
    b: buses.prc_b,
    sent,
    drops,
    channel,
    later: (ms: number) => {
      clockMs += ms
    },
  }
}

test('a request is answered, and errors keep code, parameters and status', async () => {
  const { a, b } = pair()
  b.handle('double', async ({ value }: { value: number }) => value * 2)
  b.handle('missing', () => Promise.reject(notFound('API key')))
  b.handle('broken', () => Promise.reject(new Error('a private detail')))
  assert.equal(await a.request('prc_b', { name: 'double', body: { value: 4 }, unreachable }), 8)
  const failure = (name: string) => a.request('prc_b', { name, body: {}, unreachable })
  await assert.rejects(failure('missing'), {
    code: 'not_found',
    status: 404,
    params: { what: 'api_key' },
    message: 'API key not found',
  })
  await assert.rejects(failure('broken'), { code: 'internal_error', status: 500, message: /^(?!.*private)/ })
  await assert.rejects(failure('unknown'), { code: 'internal_error' })
})

test('a process that is silent is unreachable; one that works on it for longer is waited for', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { a, b } = pair({ silenceMs: 3000 })
  b.handle('slow', () => new Promise((resolve) => setTimeout(() => resolve('done'), 30_000)))
  let result: unknown
  void a.request('prc_b', { name: 'slow', body: {}, unreachable }).then((value) => {
    result = value
  })
  for (let passedMs = 0; passedMs < 30_000; passedMs += 500) {
    for (let i = 0; i < 5; i++) await turn()
    assert.equal(result, undefined)
    t.mock.timers.tick(500)
  }
  for (let i = 0; i < 5; i++) await turn()
  assert.equal(result, 'done')
  t.mock.timers.reset()
  const mute = pair({ carry: () => false, silenceMs: 20 })
  await assert.rejects(mute.a.request('prc_b', { name: 'slow', body: {}, unreachable }), {
    code: 'call_other_node',
    status: 503,
    params: { node: 'b' },
  })
})

test('a result that no channel carries at first is sent again; one that none carries at all is reported once', async () => {
  let messages = 0
  /** Carries the request, then fails the first two attempts to send the result. */
  const breaks = () => {
    messages++
    if (messages === 2 || messages === 3) throw new Error('connection lost')
    return true
  }
  const { a, b } = pair({ carry: breaks, silenceMs: 60_000 })
  let count = 0
  b.handle('count', async () => ++count)
  assert.equal(await a.request('prc_b', { name: 'count', body: {}, unreachable }), 1)
  assert.deepEqual([messages, count], [4, 1])

  const errors: unknown[] = []
  const reported = Promise.withResolvers<void>()
  const mute = createBus({
    processId: 'prc_b',
    seal,
    silenceMs: 500,
    nowMs: () => 1_000_000,
    onDrop: () => {},
    onError: (error) => reported.resolve(void errors.push(error)),
  })
  let attempts = 0
  const broken = () => Promise.reject(new Error(`attempt ${++attempts}`))
  mute.use({ name: 'test', publish: broken, close: async () => {} })
  mute.handle('count', async () => ++count)
  const request = { type: 'request', id: 'req_x', from: 'prc_a', name: 'count', body: {}, untilMs: 1_000_400 }
  mute.receive(seal.seal(request, 'prc_b'))
  await reported.promise
  assert.ok(attempts > 1, `${attempts} attempts`)
  assert.deepEqual([errors.length, count], [1, 2])
})

test('a request that is repeated, late, or due in a distant future is dropped', async () => {
  const { a, b, sent, drops, later } = pair()
  let count = 0
  b.handle('count', async () => ++count)
  assert.equal(await a.request('prc_b', { name: 'count', body: {}, unreachable }), 1)
  const request = sent[0]?.text ?? ''
  b.receive(request)
  assert.deepEqual(drops, ['repeated'])
  later(2001)
  b.receive(request)
  const request2 = (untilMs: unknown) =>
    seal.seal({ type: 'request', id: 'req_x', from: 'prc_a', name: 'count', body: {}, untilMs }, 'prc_b')
  for (const untilMs of [1_000_000_000, null, 'x', undefined]) b.receive(request2(untilMs))
  assert.deepEqual(drops.slice(1), Array(5).fill('late'))
  assert.equal(count, 1)
})

test('forged messages, and those for another process, are dropped and counted', async () => {
  const { b, drops } = pair()
  let count = 0
  b.handle('count', async () => ++count)
  const request = { type: 'request', id: 'req_x', from: 'prc_a', name: 'count', body: {}, untilMs: 1_001_000 }
  const stranger = messageSeal(busKeys(['s'.repeat(32)]))
  for (const text of [stranger.seal(request, 'prc_b'), seal.seal(request, 'prc_c'), JSON.stringify(request), '', 'x'])
    b.receive(text)
  assert.deepEqual(drops, Array(5).fill('sealed'))
  assert.equal(count, 0)
  b.receive(seal.seal({ type: 'done', id: 'req_unknown', from: 'prc_a', body: 1 }, 'prc_b')) // no such request
})

test('the next channel carries what the first cannot, and a message that both carried is carried out once', async () => {
  const { a, b, drops, channel } = pair()
  let count = 0
  b.handle('count', async () => ++count)
  const doubtful: Channel = {
    ...channel,
    async publish(to, text) {
      await channel.publish(to, text)
      throw new Error('no answer from the server')
    },
  }
  const unheard: Channel = { ...channel, publish: async () => false }
  const from = createBus({
    processId: 'prc_a',
    seal,
    silenceMs: 2000,
    nowMs: () => 1_000_000,
    onDrop: () => {},
    onError: () => {},
  })
  for (const each of [unheard, doubtful, channel]) from.use(each)
  void a
  const request = { name: 'count', body: {}, unreachable }
  void from.request('prc_b', request).catch(() => {})
  while (drops.length === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([count, drops], [1, ['repeated']])
})

test('a request that a channel has lost without notice is sent once more by the next; one that is worked on is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { b, drops, channel } = pair({ silenceMs: 5000 })
  const ran: string[] = []
  b.handle('quick', async () => ran.push('quick'))
  b.handle('slow', async () => {
    ran.push('slow')
    await new Promise((resolve) => setTimeout(resolve, 4000))
    return 'done'
  })
  const carried = { lost: 0, sound: 0 }
  const asking = (isLost: boolean) => {
    const bus = createBus({
      processId: 'prc_a',
      seal,
      silenceMs: 5000,
      nowMs: () => 1_000_000,
      onDrop: (why: BusDrop) => drops.push(why),
      onError: () => {},
    })
    bus.use({
      ...channel,
      async publish(to, text) {
        carried.lost++
        return isLost || channel.publish(to, text)
      },
    })
    bus.use({
      ...channel,
      async publish(to, text) {
        carried.sound++
        return channel.publish(to, text)
      },
    })
    return bus
  }
  async function pass(ms: number) {
    for (let passedMs = 0; passedMs < ms; passedMs += 100) {
      for (let i = 0; i < 5; i++) await turn()
      t.mock.timers.tick(100)
    }
    for (let i = 0; i < 5; i++) await turn()
  }
  void asking(true)
    .request('prc_b', { name: 'quick', body: {}, unreachable })
    .catch(() => {})
  await pass(1400)
  assert.deepEqual([carried, ran], [{ lost: 1, sound: 0 }, []])
  await pass(3000)
  assert.deepEqual([carried, ran], [{ lost: 1, sound: 1 }, ['quick']])

  // Its heartbeats go to prc_a, which is the first bus of this test: the request is sent again but not executed again.
  void asking(false)
    .request('prc_b', { name: 'slow', body: {}, unreachable })
    .catch(() => {})
  await pass(3000)
  assert.deepEqual([carried, ran, drops], [{ lost: 2, sound: 2 }, ['quick', 'slow'], []])
})

test('a request and a result that are too large say so at once, and the network is not blamed', async () => {
  const { a, b, sent } = pair()
  let count = 0
  b.handle('large', async () => {
    count++
    return 'x'.repeat(400_000)
  })
  const ask = (body: unknown) => a.request('prc_b', { name: 'large', body, unreachable })
  await assert.rejects(ask({ text: 'x'.repeat(400_000) }), RangeError)
  assert.equal(sent.length, 0)
  await assert.rejects(ask({}), { code: 'internal_error' })
  assert.deepEqual([count, sent.length], [1, 2])
})
