import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { raceAbort, waitAtMost, withTimeout } from './abort.ts'

const never = () => new Promise<string>(() => {})

test('waitAtMost returns the value, or undefined after the limit', async () => {
  assert.equal(await waitAtMost(1000, Promise.resolve('value')), 'value')
  const keepAlive = setTimeout(() => {}, 1000)
  assert.equal(await waitAtMost(5, never()), undefined)
  clearTimeout(keepAlive)
  await assert.rejects(waitAtMost(1000, Promise.reject(new Error('failed'))), /failed/)
})

test('waitAtMost cancels the sleep of the clock it was given', async () => {
  let isEnded = false
  const sleep = (_: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        isEnded = true
        resolve()
      })
    })
  assert.equal(await waitAtMost(1000, Promise.resolve(1), { sleep }), 1)
  assert.ok(isEnded)
})

test('withTimeout throws the given error after the limit', async () => {
  assert.equal(await withTimeout(1000, Promise.resolve('value'), () => new Error('late')), 'value')
  await assert.rejects(
    withTimeout(5, never(), () => new Error('late')),
    /late/,
  )
})

test('withTimeout reads what arrived while the process stood still', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const peer = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[socket]] = await Promise.all([once(server, 'connection'), once(peer, 'connect')])
  const answer = withTimeout(20, once(peer, 'data'), () => new Error('late'))
  socket.end('answer')
  for (const end = performance.now() + 100; performance.now() < end; );
  assert.equal(String((await answer)[0]), 'answer')
})

test('raceAbort settles as soon as the signal fires, and ignores a later rejection', async () => {
  const stop = new AbortController()
  assert.equal(await raceAbort(stop.signal, Promise.resolve(1), () => 2), 1)
  const work = Promise.withResolvers<number>()
  const result = raceAbort(stop.signal, work.promise, () => 2)
  stop.abort()
  assert.equal(await result, 2)
  work.reject(new Error('late'))
  assert.equal(await raceAbort(stop.signal, never(), () => 3), 3)
  await assert.rejects(
    raceAbort(stop.signal, never(), () => {
      throw new Error('aborted')
    }),
    /aborted/,
  )
})
