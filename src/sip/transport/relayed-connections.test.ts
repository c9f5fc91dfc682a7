// A call from one node to a phone connected to another: three stacks over real sockets, the relay is in memory.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ask, type End, newCall, openEnd, selfSigned, settled } from '../../../test/sip-ends.ts'
import { until } from '../../../test/until.ts'
import { reportToOwner, runContained } from '../../base/errors/error-containment.ts'
import { newTag, responseTo } from '../message/build.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Relay, ServerTransaction, StackOptions } from '../stack.ts'
import { RelayedConnections } from './relayed-connections.ts'

type Name = 'caller' | 'connected'

/** The phone rings and answers; every other request is accepted. */
function answer(transaction: ServerTransaction): void {
  const { request } = transaction
  if (request.method === 'ACK') return
  if (request.method === 'REFER') throw new Error('planted')
  const toTag = newTag()
  if (request.method === 'INVITE') transaction.respond(responseTo(request, 180, undefined, { toTag }))
  transaction.respond(responseTo(request, 200, undefined, { toTag }))
}

/** A phone connected to the node `connected`, and the flow by which the node `caller` reaches it. */
async function startNodes(
  t: TestContext,
  transport: 'tcp' | 'tls',
  before: (index: number) => Promise<void> = async () => {},
  more: Partial<StackOptions> = {},
) {
  const tls = transport === 'tls' ? selfSigned(t, 'IP:127.0.0.1') : undefined
  const options = {
    listeners: [{ transport, host: '127.0.0.1', port: 0 }],
    tls,
    tlsClient: { ca: tls?.cert },
    answer,
    ...more,
  }
  const nodes = new Map<Name, End>()
  let isApart = false
  let passed = 0
  const relayOf =
    (from: Name): Relay =>
    async (to, message) => {
      await before(passed++)
      if (isApart) throw new Error('the node does not answer')
      const node = nodes.get(to as Name) ?? assert.fail(`no node ${to}`)
      return node.stack.receiveRelayed(from, JSON.parse(JSON.stringify(message)))
    }
  const open = async (name: Name) => {
    const end = await openEnd(t, { ...options, relay: relayOf(name) })
    nodes.set(name, end)
    return end
  }
  const [caller, connected] = [await open('caller'), await open('connected')]
  const phone = await openEnd(t, options)
  const way = connected.hop(transport)
  assert.equal((await ask(phone.stack, newCall('REGISTER'), way).final()).status, 200)
  const { flow } = connected.requests.splice(0)[0] ?? assert.fail('it has registered')
  const { connection: _, ...peer } = flow // as stored in its row
  const borrow = () => caller.stack.borrow('connected', peer) ?? assert.fail('there is a relay')
  const part = () => {
    isApart = true
  }
  return { caller, connected, phone, way, borrow, part }
}

function inDialog(invite: SipRequest, accepted: SipResponse, method: string): SipRequest {
  const request = newCall(method)
  for (const name of ['call-id', 'from']) request.headers.set(name, invite.headers.get(name) ?? '')
  request.headers.set('to', accepted.headers.get('to') ?? '')
  return request
}

const methods = (end: End) => end.requests.map(({ request }) => request.method)

for (const transport of ['tcp', 'tls'] as const)
  test(`a call over ${transport} goes through the node that has the connection, in both directions`, async (t) => {
    const { caller, connected, phone, way, borrow } = await startNodes(t, transport)
    const invite = newCall('INVITE')
    const call = ask(caller.stack, invite, borrow())
    const accepted = await call.final()
    assert.deepEqual(call.statuses(), [180, 200])
    caller.stack.send(inDialog(invite, accepted, 'ACK'), borrow())
    const byPhone = ask(phone.stack, inDialog(invite, accepted, 'INFO'), way)
    assert.equal((await byPhone.final()).status, 200)
    assert.equal((await ask(caller.stack, inDialog(invite, accepted, 'BYE'), borrow()).final()).status, 200)
    assert.deepEqual(methods(phone), ['INVITE', 'ACK', 'BYE'])
    assert.deepEqual([methods(caller), methods(connected)], [['INFO'], []])
    // Its other requests go to the node it is connected to, even a REGISTER with the call's Call-ID.
    const register = newCall('REGISTER')
    register.headers.set('call-id', invite.headers.get('call-id') ?? '')
    for (const request of [newCall('OPTIONS'), register])
      assert.equal((await ask(phone.stack, request, way).final()).status, 200)
    assert.deepEqual([methods(caller), methods(connected)], [['INFO'], ['OPTIONS', 'REGISTER']])
    const { transport: named, port } = caller.stack.contactOf(borrow())
    assert.deepEqual([named, port], [transport, caller.hop(transport).port])
    await settled(caller.stack, connected.stack, phone.stack)
    const connections = [caller, connected, phone].map(({ stack }) => stack.connections)
    assert.deepEqual([connections, caller.faults, connected.faults], [[0, 1, 1], [], []])
  })

test('messages leave in order, though the first take longer', async (t) => {
  const { caller, phone, borrow } = await startNodes(t, 'tcp', async (index) => {
    for (let turns = 40 - 10 * index; turns > 0; turns--) await turn()
  })
  const invite = newCall('INVITE')
  const asked = ['MESSAGE', 'INFO', 'OPTIONS', 'NOTIFY'].map((method) => {
    const request = newCall(method)
    request.headers.set('call-id', invite.headers.get('call-id') ?? '')
    return ask(caller.stack, request, borrow())
  })
  for (const { final } of asked) assert.equal((await final()).status, 200)
  assert.deepEqual(methods(phone), ['MESSAGE', 'INFO', 'OPTIONS', 'NOTIFY'])
})

test('when the phone has closed its connection, a call to it fails at once, and the next one uses its new connection', async (t) => {
  const { caller, connected, phone, borrow } = await startNodes(t, 'tcp')
  const flow = borrow()
  await phone.stack.close()
  await until('the connection is closed', () => connected.stack.connections === 0)
  assert.match(await ask(caller.stack, newCall('INVITE'), flow).failed(), /closed its connection/)
  assert.notEqual(borrow().connection, flow.connection)
})

test('a node that does not answer fails the call', async (t) => {
  const { caller, borrow, part } = await startNodes(t, 'tcp')
  part()
  assert.match(await ask(caller.stack, newCall('INVITE'), borrow()).failed(), /does not answer/)
})

test('what the phone sends in a call of a node that has died is answered by the node that it is connected to', async (t) => {
  const { caller, connected, phone, way, borrow, part } = await startNodes(t, 'tcp')
  const invite = newCall('INVITE')
  const accepted = await ask(caller.stack, invite, borrow()).final()
  part()
  assert.equal((await ask(phone.stack, inDialog(invite, accepted, 'BYE'), way).final()).status, 200)
  assert.deepEqual([methods(caller), methods(connected)], [[], ['BYE']])
})

test('a phone that sends faster than the other node reads is answered by the node that it is connected to', async (t) => {
  const released = Promise.withResolvers<void>()
  let isHeld = false
  const { caller, connected, phone, way, borrow } = await startNodes(t, 'tcp', async () => {
    if (isHeld) await released.promise
  })
  const invite = newCall('INVITE')
  const accepted = await ask(caller.stack, invite, borrow()).final()
  isHeld = true
  for (let i = 0; i < 150; i++) ask(phone.stack, inDialog(invite, accepted, 'INFO'), way)
  await until('the rest is answered', () => methods(connected).length === 50)
  released.resolve()
  await until('the others are delivered', () => methods(caller).length === 100)
})

test('a fault in a relayed message ends the connection that this node borrows, and no other', async (t) => {
  const told: unknown[] = []
  const { caller, phone, way, borrow } = await startNodes(t, 'tcp', undefined, {
    contain(_flow, disconnect, work) {
      const onFault = (error: unknown) => {
        told.push(error)
        disconnect()
      }
      runContained(onFault, work)
    },
    onFault: (error) => reportToOwner(error),
  })
  const flow = borrow()
  const invite = newCall('INVITE')
  const call = ask(caller.stack, invite, flow)
  const accepted = await call.final()
  ask(phone.stack, inDialog(invite, accepted, 'REFER'), way)
  await until('the fault has its owner', () => told.length === 1)
  assert.notEqual(borrow().connection, flow.connection)
  assert.equal((await ask(caller.stack, newCall('INVITE'), borrow()).final()).status, 200)
  assert.equal(told.length, 1)
})

const phoneAt = (port: number) => ({ transport: 'tcp', remote: { address: '203.0.113.7', port } }) as const

test('of too many borrowed connections the one that was not used for longest is closed', async () => {
  const closed: string[] = []
  const borrowed = new RelayedConnections(
    {
      relay: async () => null,
      own: { connectionOf: () => undefined, send: () => {} },
      events: { heard: (_, work) => work(), received: () => {}, closed: (_, detail) => closed.push(detail) },
    },
    3,
  )
  const [talking, idle, answering] = [1, 2, 3].map((port) => borrowed.borrow('two', phoneAt(port)))
  assert.ok(talking && idle && answering)
  borrowed.send(Buffer.from('BYE sip:a SIP/2.0\r\n\r\n'), talking)
  borrowed.receive('two', { ...phoneAt(3), direction: 'in', bytes: '' })
  borrowed.borrow('two', phoneAt(4))
  assert.deepEqual(
    [talking, idle, answering].map((flow) => borrowed.isOpen(flow)),
    [true, false, true],
  )
  assert.deepEqual(closed, ['too many connections'])
})
