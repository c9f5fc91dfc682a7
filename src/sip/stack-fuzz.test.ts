// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ask, type End, newCall, openEnd, settled } from '../../test/sip-ends.ts'
import { chance, mutations } from '../../test/sip-mutations.ts'
import { until } from '../../test/until.ts'
import { responseTo } from './message/build.ts'

const MESSAGES = 5000

async function openTarget(t: TestContext): Promise<End> {
  return await openEnd(t, {
    listeners: [
      { transport: 'udp', host: '127.0.0.1', port: 0 },
      { transport: 'tcp', host: '127.0.0.1', port: 0 },
    ],
    timers: { t1: 4, t2: 32, t4: 40 },
    limits: { connectTimeoutMs: 200 },
    trace: undefined,
    // Like the layer above: answers some requests at once, lets some ring first, and drops some.
    answer: (transaction) => {
      const { request } = transaction
      const last = request.body.length % 3
      if (last === 0) transaction.respond(responseTo(request, 180))
      transaction.onCancel(() => transaction.respond(responseTo(request, 487)))
      if (last === 1) transaction.drop()
      else transaction.respond(responseTo(request, request.method === 'BYE' ? 481 : 200))
    },
  })
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Heap in use when idle, without what the test itself remembers. */
async function heldBytes(end: End): Promise<number> {
  await settled(end.stack)
  end.requests.length = 0
  end.garbage.length = 0
  collect()
  return process.memoryUsage().heapUsed
}

/** A leak of 1 KB per message would be five times as much. */
const MAX_GROWTH = 1 << 20

/** Sends everything twice: a warm-up, then a round that must not grow the heap. The stack still works afterwards. */
async function survives(t: TestContext, send: (end: End, round: number) => Promise<void>) {
  const end = await openTarget(t)
  await send(end, 1)
  await until('most were read', () => end.garbage.length > MESSAGES / 5)
  assert.ok(end.requests.length > MESSAGES / 25, `${end.requests.length} requests came through`)
  const before = await heldBytes(end)
  await send(end, 2)
  const after = await heldBytes(end)
  assert.ok(after - before < MAX_GROWTH, `${after - before} bytes more are held`)
  const caller = await openEnd(t)
  for (const transport of ['udp', 'tcp'] as const)
    assert.equal((await ask(caller.stack, newCall('OPTIONS'), end.hop(transport)).final()).status, 200)
  assert.deepEqual(end.faults, [])
}

test('5,000 mutated datagrams harm nothing', async (t) => {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  await survives(t, async (end, round) => {
    const next = mutations(4475 * round)
    for (let i = 0; i < MESSAGES / 2; i++) {
      socket.send(next(), end.hop('udp').port, '127.0.0.1')
      if (i % 20 === 0) await turn()
    }
  })
})

test('5,000 mutated messages by TCP, cut anywhere, harm nothing', async (t) => {
  await survives(t, async (end, round) => {
    const next = mutations(3261 * round)
    const below = chance(round)
    for (let sent = 0; sent < MESSAGES / 2; ) {
      const socket = connect(end.hop('tcp').port, '127.0.0.1')
      let isClosed = false
      socket.on('error', () => {})
      socket.on('close', () => (isClosed = true))
      socket.resume()
      await once(socket, 'connect')
      for (let i = 0; i < 4 && !isClosed; i++, sent++) {
        const bytes = next()
        const cut = below(bytes.length + 1)
        socket.write(bytes.subarray(0, cut))
        if (below(4) === 0) await turn()
        socket.write(bytes.subarray(cut))
      }
      if (below(3) === 0) socket.destroy()
      else socket.end()
    }
    await until('every connection is gone', () => end.stack.connections === 0)
  })
})
