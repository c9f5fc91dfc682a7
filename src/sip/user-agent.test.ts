import assert from 'node:assert/strict'
import { test } from 'node:test'
import { established, idle, openAgent, openFarSide, outbound, sdp, told } from '../../test/sip-agents.ts'
import { selfSigned } from '../../test/sip-ends.ts'
import { until } from '../../test/until.ts'
import { responseTo } from './message/build.ts'
import type { TransportName } from './message/message.ts'

for (const transport of ['udp', 'tcp', 'tls'] as const)
  for (const who of ['caller', 'called'] as const)
    test(`a call over ${transport} that the ${who} hangs up leaves nothing behind`, async (t) => {
      const tls = transport === 'tls' ? selfSigned(t) : undefined
      const listeners = (['udp', 'tcp', ...(tls ? ['tls'] : [])] as TransportName[]).map((one) => ({
        transport: one,
        host: '127.0.0.1',
        port: 0,
      }))
      const options = { listeners, tls, tlsClient: { ca: tls?.cert } }
      const { a, b, toldA, toldB, ...ends } = await established(t, { a: options, b: options, transport })
      assert.deepEqual([toldA.answered, toldB.answered], [[sdp('answer')], [null]])
      assert.deepEqual(
        [ends.caller.state, ends.called.state, a.ua.calls, b.ua.calls],
        ['established', 'established', 1, 1],
      )
      ends[who].hangUp({ code: 16, text: 'Normal "clearing"' })
      const [endA, endB] = [await toldA.end(), await toldB.end()]
      const local = { by: 'local', why: 'bye' }
      const remote = { by: 'remote', why: 'bye', detail: 'Normal "clearing" (Q.850 16)' }
      assert.deepEqual([endA, endB], who === 'caller' ? [local, remote] : [remote, local])
      await idle(a, b)
      const port = (agent: typeof a) => agent.ua.stack.listeners.find((one) => one.transport === transport)?.port
      const suffix = transport === 'udp' ? '' : `;transport=${transport}`
      assert.equal(a.sent('INVITE')[0]?.headers.get('contact'), `<sip:agent@127.0.0.1:${port(a)}${suffix}>`)
      assert.equal(b.sent(200)[0]?.headers.get('contact'), `<sip:bob@127.0.0.1:${port(b)}${suffix}>`)
      if (transport !== 'udp') assert.deepEqual([a.ua.stack.connections, b.ua.stack.connections], [1, 1])
      assert.deepEqual([toldA.ends.length, toldB.ends.length, a.faults, b.faults], [1, 1, [], []])
    })

test('requests and responses carry User-Agent, Allow and Supported', async (t) => {
  const { a, b } = await established(t)
  const [invite, ok, ack] = [a.sent('INVITE')[0], b.sent(200)[0], a.sent('ACK')[0]]
  assert.equal(invite?.headers.get('user-agent'), 'Ramal test')
  assert.equal(ack?.headers.get('user-agent'), 'Ramal test')
  assert.equal(ok?.headers.get('server'), 'Ramal test')
  for (const message of [invite, ok]) {
    assert.match(message?.headers.get('allow') ?? '', /INVITE.*UPDATE.*REFER/)
    assert.equal(message?.headers.get('supported'), '100rel, timer, replaces')
  }
})

test('close hangs up every call, and new ones get 503', async (t) => {
  const { a, b, toldA, toldB } = await established(t)
  const ringing = told()
  a.ua.invite(outbound(b.uri()), ringing.handlers)
  const second = await until('the second call arrives', () => b.calls[1])
  const secondTold = told()
  second.handle(secondTold.handlers)
  second.ring()
  await until('it rings', () => ringing.ringing.length > 0)
  await a.ua.close()
  assert.deepEqual(
    [await toldA.end(), await toldB.end()],
    [
      { by: 'local', why: 'bye' },
      { by: 'remote', why: 'bye', detail: undefined },
    ],
  )
  assert.equal((await ringing.end()).why, 'canceled')
  assert.equal((await secondTold.end()).why, 'canceled')
  assert.equal(a.ua.calls, 0)
  await idle(b)
})

test('close is bounded when the peer does not respond', async (t) => {
  const far = await openFarSide(
    t,
    (request, side) => request.method === 'INVITE' && side.answer(request, 200, { sdp: sdp('x') }),
  )
  // With these timers the BYE would wait for an hour.
  const a = await openAgent(t, { farewellMs: 200, timers: { t1: 60_000, t2: 480_000, t4: 600_000 } })
  const heard = told()
  a.ua.invite(outbound(far.uri), heard.handlers)
  await until('it is answered', () => heard.answered.length > 0)
  await a.ua.close()
  assert.equal(a.ua.calls, 0)
  assert.deepEqual(heard.ends, [{ by: 'local', why: 'bye' }])
})

test('requests outside dialogs go up; those that make sense only inside get 481', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  far.ask(a, 'OPTIONS')
  await until('OPTIONS goes up', () => a.requests.find(({ request }) => request.method === 'OPTIONS'))
  for (const method of ['BYE', 'UPDATE', 'INFO', 'PRACK']) {
    far.ask(a, method)
    await far.response(481, method)
  }
  for (const method of ['INVITE', 'OPTIONS', 'NOTIFY']) {
    const request = far.ask(a, 'MESSAGE')
    request.headers.set('to', `${request.headers.get('to')};tag=nobody`)
    far.inside(
      a,
      { kind: 'response', status: 200, reason: '', headers: request.headers, body: Buffer.alloc(0) },
      method,
    )
    await far.response(481, method)
  }
  assert.equal(a.ua.calls, 0)
})

test('an INVITE with no hops left, an unknown requirement or a strange body is refused', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const invite = far.ask(a, 'INVITE', { headers: [['require', '100rel, precondition, foo']] })
  assert.equal((await far.response(420)).headers.get('unsupported'), 'precondition, foo')
  assert.ok(invite)
  far.ask(a, 'INVITE', { body: { type: 'application/xml', content: '<a/>' } })
  assert.equal((await far.response(415)).headers.get('accept'), 'application/sdp')
  far.ask(a, 'INVITE', { headers: [['replaces', 'gone;to-tag=a;from-tag=b']] })
  await far.response(481)
  const looped = far.ask(a, 'OPTIONS')
  looped.headers
    .set('max-forwards', '0')
    .set('cseq', '1 INVITE')
    .set('via', `${looped.headers.get('via')}x`)
  far.send({ ...looped, method: 'INVITE' }, { port: Number(/:(\d+)$/.exec(a.uri())?.[1]) })
  await far.response(483)
  assert.deepEqual([a.calls.length, a.ua.calls], [0, 0])
})

test('an INVITE that comes by two ways is refused the second time', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const invite = far.ask(a, 'INVITE')
  await until('it arrives', () => a.calls[0])
  invite.headers.set('via', `${invite.headers.get('via')?.replace(/branch=[^;]+/, 'branch=z9hG4bKother')}`)
  far.send(invite, { port: Number(/:(\d+)$/.exec(a.uri())?.[1]) })
  await far.response(482)
  assert.equal(a.calls.length, 1)
  a.calls[0]?.refuse(486)
  await idle(a)
})

test('an ACK or a response of no call is neither traced nor answered', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const ack = far.ask(a, 'ACK', {})
  for (const status of [180, 200, 486])
    far.send(responseTo(ack, status), { port: Number(/:(\d+)$/.exec(a.uri())?.[1]) })
  far.ask(a, 'OPTIONS', {})
  await until('what came last is there', () => a.requests.length === 1)
  assert.deepEqual(a.ladder(), ['in OPTIONS'])
  assert.deepEqual(a.faults, [])
})

test('a call with Replaces takes the place of the one it names', async (t) => {
  const { a, b, caller, toldB } = await established(t)
  const ok = b.sent(200)[0]
  const tag = (name: string) => /tag=([^;\s]+)/.exec(ok?.headers.get(name) ?? '')?.[1]
  const heard = told()
  const replaces = `${caller.callId};to-tag=${tag('to')};from-tag=${tag('from')}`
  a.ua.invite(outbound(b.uri(), { headers: { replaces } }), heard.handlers)
  const second = await until('the second call arrives', () => b.calls[1])
  second.answer(sdp('second'))
  assert.deepEqual(await toldB.end(), { by: 'remote', why: 'replaced' })
  await until('the new one is up', () => heard.answered.length > 0)
  assert.equal(b.ua.calls, 1)
})
