import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ask, type End, newCall, openEnd, settled } from '../../test/sip-ends.ts'
import { until } from '../../test/until.ts'
import { newBranch, responseTo } from './build.ts'
import { serialise } from './serialise.ts'

const MESSAGES = 5000
const folder = new URL('../../test/fixtures/torture/', import.meta.url)
const torture = readdirSync(folder)
  .filter((name) => name.endsWith('.dat'))
  .map((name) => readFileSync(new URL(name, folder)))

/** The same numbers in every run. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Pieces that have broken parsers: of numbers, of names that objects have, of bytes that end strings. */
const pieces = ['\r\n', '\r\n\r\n', '\0', ';', ',', '"', '<', '>', ':', '%', '%00', '=', ' ', '\t', '/', '[', ']', '@']
  .concat(['99999999999999999999', '-1', '__proto__', ';__proto__=1', ';rport=99999', 'constructor', 'é', '\xff\xfe'])
  .concat(['Via: SIP/2.0/UDP x;branch=z9hG4bK1\r\n', 'Content-Length: 5\r\n', 'CSeq: 1 ACK\r\n', 'SIP/2.0', 'INVITE '])

function mutated(bytes: Buffer, below: (n: number) => number): Buffer {
  let text = bytes.toString('latin1')
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const at = below(text.length + 1)
    const length = below(12)
    const kind = below(6)
    if (kind === 0) text = text.slice(0, at) + text.slice(at + length)
    else if (kind === 1) text = text.slice(0, at) + text.slice(at, at + length).repeat(1 + below(40)) + text.slice(at)
    else if (kind === 2) text = text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1)
    else if (kind === 3) text = text.slice(0, at)
    else text = text.slice(0, at) + pieces[below(pieces.length)] + text.slice(at + (kind === 4 ? length : 0))
  }
  return Buffer.from(text, 'latin1')
}

/** Of what calls are made of, and of RFC 4475's. */
function sources(): Buffer[] {
  const own = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'REGISTER'].map((method) => {
    const request = newCall(method, { supported: 'timer', 'proxy-require': '' }, 'v=0\r\n')
    request.headers.prepend('via', `SIP/2.0/UDP 127.0.0.1:9;branch=${newBranch()};rport`)
    return serialise(request)
  })
  const answered = newCall('INVITE')
  answered.headers.prepend('via', `SIP/2.0/UDP 127.0.0.1:9;branch=${newBranch()};rport`)
  return [...own, serialise(responseTo(answered, 200)), ...torture]
}

async function openTarget(t: TestContext): Promise<End> {
  return await openEnd(t, {
    listeners: [
      { transport: 'udp', host: '127.0.0.1', port: 0 },
      { transport: 'tcp', host: '127.0.0.1', port: 0 },
    ],
    timers: { t1: 4, t2: 32, t4: 40 },
    limits: { connectTimeoutMs: 200 },
    trace: undefined,
    // Like those above: some requests are answered at once, some ring first, some are dropped.
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

const heapAfterCollection = () => {
  global.gc?.()
  return process.memoryUsage().heapUsed
}

/** The stack still does its work, and nothing is left of what came. */
async function isWhole(t: TestContext, end: End) {
  const caller = await openEnd(t)
  for (const transport of ['udp', 'tcp'] as const)
    assert.ok((await ask(caller.stack, newCall('OPTIONS', {}), end.hop(transport)).final()).status === 200)
  await settled(end.stack)
  assert.deepEqual(end.faults, [])
  assert.ok(end.garbage.length > MESSAGES / 10, `${end.garbage.length} could not be read`)
  assert.ok(end.requests.length > MESSAGES / 20, `${end.requests.length} could be read`)
}

test('5,000 mutated datagrams harm nothing', async (t) => {
  const end = await openTarget(t)
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  const below = chance(4475)
  const seeds = sources()
  for (let i = 0; i < MESSAGES; i++) {
    const bytes = mutated(seeds[below(seeds.length)] ?? Buffer.alloc(0), below)
    socket.send(bytes, end.hop('udp').port, '127.0.0.1')
    if (i % 20 === 0) await turn()
  }
  await isWhole(t, end)
})

test('5,000 mutated messages by TCP, cut anywhere, harm nothing', async (t) => {
  const end = await openTarget(t)
  const below = chance(3261)
  const seeds = sources()
  for (let sent = 0; sent < MESSAGES; ) {
    const socket = connect(end.hop('tcp').port, '127.0.0.1')
    let isClosed = false
    socket.on('error', () => {})
    socket.on('close', () => (isClosed = true))
    socket.resume()
    await once(socket, 'connect')
    for (let i = 0; i < 10 && !isClosed; i++, sent++) {
      const bytes = mutated(seeds[below(seeds.length)] ?? Buffer.alloc(0), below)
      const cut = below(bytes.length + 1)
      socket.write(bytes.subarray(0, cut))
      if (below(4) === 0) await turn()
      socket.write(bytes.subarray(cut))
    }
    socket.end()
    await turn()
    if (below(3) === 0) socket.destroy()
  }
  await until('every connection is gone', () => end.stack.connections <= 1)
  await isWhole(t, end)
})
