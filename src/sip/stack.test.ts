import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, type End, newCall, openEnd, selfSigned, settled } from '../../test/sip-ends.ts'
import { until } from '../../test/until.ts'
import { newTag, responseTo } from './message/build.ts'
import type { TransportName } from './message/message.ts'
import { parseVia } from './message/values.ts'
import type { ServerTransaction } from './stack.ts'

const accept = (transaction: ServerTransaction) => {
  const { request } = transaction
  const toTag = newTag()
  if (request.method === 'ACK') return
  if (request.method === 'INVITE') transaction.respond(responseTo(request, 180, undefined, { toTag }))
  transaction.respond(responseTo(request, 200, undefined, { toTag }))
}

const at = (host: string, ...transports: TransportName[]) =>
  transports.map((transport) => ({ transport, host, port: 0 }))

async function pair(t: Parameters<typeof openEnd>[0], transport: TransportName, host = '127.0.0.1') {
  const tls = transport === 'tls' ? selfSigned(t, 'DNS:sip.test,IP:127.0.0.1,IP:::1') : undefined
  const options = { listeners: at(host, transport), tls, tlsClient: { ca: tls?.cert } }
  const a = await openEnd(t, options)
  const b = await openEnd(t, { ...options, answer: accept })
  return { a, b, to: b.hop(transport, tls ? 'sip.test' : undefined) }
}

/** INVITE, 180, 200, ACK, BYE, 200. */
async function oneCall(a: End, b: End, to: ReturnType<End['hop']>) {
  const invite = newCall('INVITE')
  const call = ask(a.stack, invite, to)
  const ok = await call.final()
  assert.deepEqual(call.statuses(), [180, 200])
  const inDialog = (method: string) => {
    const request = newCall(method)
    request.headers.set('call-id', invite.headers.get('call-id') ?? '').set('to', ok.headers.get('to') ?? '')
    return request
  }
  a.stack.send(inDialog('ACK'), to)
  const bye = ask(a.stack, inDialog('BYE'), to)
  assert.equal((await bye.final()).status, 200)
  await until('the ACK goes up', () => b.requests.some(({ request }) => request.method === 'ACK'))
  assert.deepEqual([call.failure(), bye.failure(), a.faults, b.faults], [undefined, undefined, [], []])
}

for (const transport of ['udp', 'tcp', 'tls'] as const)
  for (const host of ['127.0.0.1', '::1'])
    test(`a call over ${transport} at ${host} goes from INVITE to BYE and leaves nothing behind`, async (t) => {
      const { a, b, to } = await pair(t, transport, host)
      await oneCall(a, b, to)
      await oneCall(a, b, to)
      await settled(a.stack, b.stack)
      assert.equal(a.stack.connections, transport === 'udp' ? 0 : 1, 'one connection for both calls')
    })

test('Via and Contact tell the listener of that transport, with rport; the peer writes where it saw us', async (t) => {
  const listeners = [...at('127.0.0.1', 'udp', 'tcp', 'tls'), ...at('::1', 'udp')]
  const tls = selfSigned(t)
  const options = { listeners, tls, tlsClient: { ca: tls.cert } }
  const a = await openEnd(t, { ...options, publicAddress: 'phone.example' })
  const b = await openEnd(t, { ...options, answer: accept })
  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    const to = b.hop(transport)
    const port = a.hop(transport).port
    assert.deepEqual(a.stack.contactOf(to), { transport, host: 'phone.example', port })
    const { responses, final, transaction } = ask(a.stack, newCall('OPTIONS'), to)
    await final()
    const sent = parseVia(transaction.request.headers.get('via') ?? '')
    assert.deepEqual([sent?.host, sent?.port, sent?.params.get('rport')], ['phone.example', port, null])
    const seen = parseVia(responses[0]?.headers.get('via') ?? '')
    assert.equal(seen?.params.get('received'), '127.0.0.1')
    const from = b.requests.at(-1)?.flow
    assert.equal(seen?.params.get('rport'), String(from?.remote.port))
    if (transport === 'udp') assert.equal(from?.remote.port, port, 'sent from the socket that listens')
  }
  const bare = await openEnd(t, { listeners: at('::1', 'udp') })
  assert.equal(bare.stack.contactOf({ transport: 'udp', address: '::1', port: 5060 }).host, '::1')
})

test('a public address is told to peers of its own family alone', async (t) => {
  const { stack } = await openEnd(t, { listeners: at('::', 'udp'), publicAddress: '203.0.113.9' })
  const hostFor = (address: string) => stack.contactOf({ transport: 'udp', address, port: 5060 }).host
  assert.deepEqual(['127.0.0.1', '::1'].map(hostFor), ['203.0.113.9', '::1'])
})

test('a socket bound to all addresses tells the one that the peer sees', async (t) => {
  for (const [host, address] of [
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::', '::1'],
  ] as const) {
    const a = await openEnd(t, { listeners: at(host, 'udp', 'tcp') })
    const b = await openEnd(t, { listeners: at(address, 'udp', 'tcp'), answer: accept })
    for (const transport of ['udp', 'tcp'] as const) {
      assert.equal(a.stack.contactOf(b.hop(transport)).host, address)
      assert.equal((await ask(a.stack, newCall('OPTIONS'), b.hop(transport)).final()).status, 200)
      const { flow } = b.requests.at(-1) ?? assert.fail()
      assert.equal(flow.remote.address, address)
      const back = ask(b.stack, newCall('OPTIONS'), flow)
      await until('it comes back by the same flow', () => a.requests.length > 0)
      assert.equal(a.requests.at(-1)?.flow.local.address, address)
      back.transaction.abandon()
    }
  }
})

test('a response whose reader throws, and a request whose handler throws, harm nobody else', async (t) => {
  const a = await openEnd(t)
  const b = await openEnd(t, {
    answer() {
      throw new Error('a fault above')
    },
  })
  const call = ask(a.stack, newCall('INVITE'), b.hop())
  assert.equal((await call.final()).status, 500)
  a.stack.request(newCall('OPTIONS'), b.hop(), {
    onResponse() {
      throw new Error('a fault here')
    },
    onFailure() {},
  })
  await until('both faults are told', () => a.faults.length === 1 && b.faults.length === 2)
  await settled(a.stack, b.stack)
})

test('above the bound on transactions a request gets 503 with Retry-After, and none is kept', async (t) => {
  const a = await openEnd(t)
  const b = await openEnd(t, { limits: { maxTransactions: 2 } })
  const waiting = [newCall('INVITE'), newCall('INVITE')].map((request) => ask(a.stack, request, b.hop()))
  await until('both are there', () => b.stack.transactions === 2)
  const refused = await ask(a.stack, newCall('INVITE'), b.hop()).final()
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
  assert.equal(b.stack.transactions, 2)
  for (const { request, respond } of b.requests.map((one) => ({
    request: one.request,
    respond: one.respond.bind(one),
  })))
    respond(responseTo(request, 486))
  for (const call of waiting) assert.equal((await call.final()).status, 486)
  await settled(a.stack, b.stack)
})

test('a peer that is not admitted gets no response on any transport', async (t) => {
  const a = await openEnd(t, { listeners: at('127.0.0.1', 'udp', 'tcp') })
  const b = await openEnd(t, { listeners: at('127.0.0.1', 'udp', 'tcp'), admit: () => false, answer: accept })
  const calls = [ask(a.stack, newCall('OPTIONS'), b.hop('udp')), ask(a.stack, newCall('OPTIONS'), b.hop('tcp'))]
  assert.match((await calls[0]?.failed()) ?? '', /^timeout/)
  assert.match((await calls[1]?.failed()) ?? '', /^transport/)
  assert.deepEqual([b.requests.length, b.garbage, b.trace.length], [0, [], 0])
})

test('what is dropped is never answered, not even with 100', async (t) => {
  const a = await openEnd(t)
  const b = await openEnd(t, { answer: (transaction) => transaction.drop() })
  assert.equal(await ask(a.stack, newCall('INVITE'), b.hop()).failed(), 'timeout: no answer to INVITE')
  assert.equal(b.trace.filter(({ direction }) => direction === 'out').length, 0)
  await settled(a.stack, b.stack)
})

test('closing ends all pending transactions, and nothing is answered afterwards', async (t) => {
  const a = await openEnd(t, { listeners: at('127.0.0.1', 'udp', 'tcp') })
  const b = await openEnd(t, { listeners: at('127.0.0.1', 'udp', 'tcp') })
  const ends: string[] = []
  const calls = (['udp', 'tcp'] as const).map((transport) => ask(a.stack, newCall('INVITE'), b.hop(transport)))
  await until('both came', () => b.requests.length === 2)
  for (const transaction of b.requests) transaction.onEnd((why) => ends.push(why))
  await a.stack.close()
  await b.stack.close()
  for (const call of calls) assert.match(call.failure() ?? '', /^transport: /)
  assert.deepEqual(ends, ['failed', 'failed'])
  assert.match(await ask(a.stack, newCall('OPTIONS'), b.hop()).failed(), /^transport: /)
  assert.deepEqual([a.stack.transactions, b.stack.transactions], [0, 0])
})

test('a taken port is an error, and the other listeners are released', async (t) => {
  const taken = await openEnd(t)
  const { port } = taken.hop()
  const listeners = [...at('127.0.0.1', 'tcp'), { transport: 'udp' as const, host: '127.0.0.1', port }]
  await assert.rejects(openEnd(t, { listeners }), /EADDRINUSE/)
  await assert.rejects(openEnd(t, { listeners: at('127.0.0.1', 'tls') }), /certificate/)
})
