import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idle, openAgent, openFarSide, outbound, sdp, told } from '../../../test/sip-agents.ts'
import { until } from '../../../test/until.ts'
import { cseqOf } from './dialog.ts'

test('ringing, early media and the answer are reported in their order', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  assert.equal(invite.body.toString(), sdp('offer'))
  far.answer(invite, 100)
  far.answer(invite, 180)
  await until('180', () => heard.ringing.length === 1)
  far.answer(invite, 183, { sdp: sdp('early') })
  await until('183', () => heard.ringing.length === 2)
  far.answer(invite, 200, { sdp: sdp('answer') })
  await until('200', () => heard.answered.length === 1)
  assert.deepEqual(heard.ringing, [
    [180, null],
    [183, sdp('early')],
  ])
  assert.deepEqual(heard.answered, [sdp('answer')])
  const ack = await far.request('ACK')
  assert.deepEqual([cseqOf(ack), ack.uri, ack.body.length], [cseqOf(invite), far.contact.slice(1, -1), 0])
  call.hangUp()
  far.answer(await far.request('BYE'), 200)
  await idle(a)
  assert.deepEqual(heard.ends, [{ by: 'local', why: 'bye' }])
})

test('a 200 without SDP is answered by what the 183 of the same fork said', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  far.answer(invite, 183, { toTag: 'one', sdp: sdp('early one') })
  far.answer(invite, 183, { toTag: 'two', sdp: sdp('early two') })
  await until('both forks', () => heard.ringing.length === 2)
  far.answer(invite, 200, { toTag: 'one' })
  await until('the answer', () => heard.answered.length === 1)
  assert.deepEqual(heard.answered, [sdp('early one')])
})

test('each repeated 200 gets the same ACK again', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  const acks = (n: number) => until(`${n} ACKs`, () => far.requests('ACK').length === n)
  for (const n of [1, 2, 3]) {
    far.answer(invite, 200, { sdp: sdp('answer') })
    await acks(n)
  }
  // Outlasts the transaction, which lives for 64 times T1 of 20 ms.
  await until('its transaction is over', () => a.ua.stack.transactions === 0)
  far.answer(invite, 200, { sdp: sdp('answer') })
  await acks(4)
  assert.equal(far.distinct('ACK').length, 1)
  assert.equal(heard.answered.length, 1)
})

test('of several forks the first 200 wins; the others get ACK and BYE', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  far.answer(invite, 180, { toTag: 'one' })
  far.answer(invite, 180, { toTag: 'two' })
  far.answer(invite, 200, { toTag: 'two', sdp: sdp('two') })
  far.answer(invite, 200, { toTag: 'one', sdp: sdp('one') })
  far.answer(invite, 200, { toTag: 'three', sdp: sdp('three') })
  far.answer(invite, 200, { toTag: 'one', sdp: sdp('one') })
  const byes = [await far.request('BYE', 0), await far.request('BYE', 1)]
  assert.deepEqual(byes.map(({ headers }) => /tag=(\w+)/.exec(headers.get('to') ?? '')?.[1]).sort(), ['one', 'three'])
  const acked = await until('four ACKs', () => far.requests('ACK').length >= 4 && far.requests('ACK'))
  const tags = acked.map(({ message }) => /tag=(\w+)/.exec(message.headers.get('to') ?? '')?.[1])
  assert.deepEqual(tags.sort(), ['one', 'one', 'three', 'two'])
  assert.deepEqual([heard.answered, heard.ends, call.state], [[sdp('two')], [], 'established'])
  for (const bye of byes) far.answer(bye, 200)
  call.hangUp()
  far.answer(await far.request('BYE', 2), 200)
  await idle(a)
})

test('a fork that answers after everything is over gets ACK and BYE', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  far.answer(invite, 486)
  assert.deepEqual(await heard.end(), { by: 'remote', why: 'refused', status: 486, detail: 'Busy Here' })
  await idle(a)
  far.answer(invite, 200, { toTag: 'late', sdp: sdp('late') })
  const bye = await far.request('BYE')
  assert.match(bye.headers.get('to') ?? '', /tag=late/)
  far.answer(bye, 200)
  const forged = { ...invite, headers: invite.headers.copy().set('call-id', 'nobody') }
  far.answer(forged, 200, { toTag: 'late' })
  far.answer(invite, 200, { toTag: 'later' })
  await far.request('BYE', 1)
  assert.ok(far.requests('BYE').every(({ message }) => message.headers.get('call-id') !== 'nobody'))
})

test('CANCEL waits for a sign of life, and the call is over at once for us', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  call.hangUp({ code: 16, text: 'changed our mind' })
  assert.deepEqual([heard.ends, call.state], [[{ by: 'local', why: 'canceled' }], 'ended'])
  await until('the INVITE is repeated', () => far.requests('INVITE').length > 1)
  assert.equal(far.requests('CANCEL').length, 0)
  assert.equal(a.ua.calls, 1, 'it still counts')
  far.answer(invite, 180)
  const cancel = await far.request('CANCEL')
  assert.match(cancel.headers.get('reason') ?? '', /^Q\.850;cause=16;text="changed our mind"$/)
  far.answer(cancel, 200)
  far.answer(invite, 487)
  await far.request('ACK')
  await idle(a)
  assert.deepEqual([heard.ends.length, heard.ringing], [1, []])
})

test('a 200 that crosses the CANCEL gets ACK, then BYE', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t, (request, side) => request.method === 'BYE' && side.answer(request, 200))
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  far.answer(invite, 180)
  await until('it rings', () => heard.ringing.length > 0)
  call.hangUp()
  await far.request('CANCEL')
  far.answer(invite, 200, { sdp: sdp('answer') })
  await far.request('BYE')
  await idle(a)
  const order = far.arrivals.flatMap(({ message }) => (message.kind === 'request' ? message.method : []))
  assert.ok(order.indexOf('ACK') < order.indexOf('BYE'), order.join(' '))
  assert.deepEqual([heard.ends, heard.answered], [[{ by: 'local', why: 'canceled' }], []])
})

test('a peer that answers neither CANCEL nor INVITE is forgotten in time', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  far.answer(await far.request('INVITE'), 180)
  await until('it rings', () => heard.ringing.length > 0)
  call.hangUp()
  await far.request('CANCEL')
  await idle(a)
  assert.deepEqual(heard.ends, [{ by: 'local', why: 'canceled' }])
})

test('a call rings no longer than it may', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  a.ua.invite(outbound(far.uri, { ringTimeoutMs: 1500 }), heard.handlers)
  const invite = await far.request('INVITE')
  far.answer(invite, 180)
  assert.deepEqual(await heard.end(), { by: 'system', why: 'ring-timeout' })
  const cancel = await far.request('CANCEL')
  far.answer(cancel, 200)
  far.answer(invite, 487)
  await idle(a)
  assert.equal(heard.ends.length, 1)
})

test('a refusal is reported with its code, its words and its warning', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const cases: [status: number, headers: [string, string][], detail: string][] = [
    [404, [['reason', 'Q.850;cause=1;text="Unallocated number"']], 'Not Found; Unallocated number (Q.850 1)'],
    [488, [['warning', '304 far.test "Media type not available"']], 'Not Acceptable Here; Media type not available'],
    [603, [['reason', 'SIP;cause=603']], 'Decline; SIP 603'],
    [503, [], 'Service Unavailable'],
    [302, [], 'Moved Temporarily'],
    [487, [], 'Request Terminated'],
    [401, [], 'Unauthorized'],
  ]
  for (const [n, [status, headers, detail]] of cases.entries()) {
    const heard = told()
    a.ua.invite(outbound(far.uri), heard.handlers)
    far.answer(await far.request('INVITE', n), status, { contact: '<mailto:bob@far.test>', headers })
    assert.deepEqual(await heard.end(), { by: 'remote', why: 'refused', status, detail })
  }
  await idle(a)
})

test('reliable provisional responses get their PRACK in order, each once', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t, (request, side) => request.method === 'PRACK' && side.answer(request, 200))
  const heard = told()
  a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  const reliable = (rseq: number): [string, string][] => [
    ['require', '100rel'],
    ['rseq', `${rseq}`],
  ]
  far.answer(invite, 183, { headers: reliable(700), sdp: sdp('early') })
  const first = await far.request('PRACK')
  assert.deepEqual(
    [first.headers.get('rack'), first.headers.get('cseq'), first.uri],
    [`700 ${cseqOf(invite)} INVITE`, `${cseqOf(invite) + 1} PRACK`, far.contact.slice(1, -1)],
  )
  far.answer(invite, 183, { headers: reliable(700), sdp: sdp('early') })
  far.answer(invite, 180, { headers: reliable(702) })
  far.answer(invite, 180, { headers: reliable(701) })
  const second = await far.request('PRACK', 1)
  assert.equal(second.headers.get('rack'), `701 ${cseqOf(invite)} INVITE`)
  far.answer(invite, 200)
  await until('the answer', () => heard.answered.length === 1)
  assert.deepEqual(heard.answered, [sdp('early')])
  assert.deepEqual(heard.ringing, [
    [183, sdp('early')],
    [180, null],
  ])
  assert.equal(new Set(far.requests('PRACK').map(({ message }) => message.headers.get('rack'))).size, 2)
})

test('requests follow Record-Route: loose routers are listed, a strict one takes the Request-URI', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const proxy = `<sip:127.0.0.1:${far.port};lr>`
  const strict = `<sip:strict@127.0.0.1:${far.port}>`
  const cases: [string[], string, string[]][] = [
    [['<sip:far.test;lr>', proxy], 'sip:bob@192.0.2.9', [proxy, '<sip:far.test;lr>']],
    [['<sip:far.test;lr>', strict], strict.slice(1, -1), ['<sip:far.test;lr>', '<sip:bob@192.0.2.9>']],
  ]
  for (const [n, [recorded, uri, routes]] of cases.entries()) {
    const heard = told()
    const call = a.ua.invite(outbound(far.uri), heard.handlers)
    const invite = await far.request('INVITE', n)
    const headers = recorded.map((value): [string, string] => ['record-route', value])
    far.answer(invite, 180, { headers: [['record-route', '<sip:early.invalid;lr>']] })
    far.answer(invite, 200, { contact: '<sip:bob@192.0.2.9>', headers, sdp: sdp('x') })
    const ack = await far.request('ACK', n)
    assert.deepEqual([ack.uri, ack.headers.all('route')], [uri, routes])
    call.hangUp()
    const bye = await far.request('BYE', n)
    assert.deepEqual(bye.headers.all('route'), ack.headers.all('route'))
    far.answer(bye, 200)
  }
  await idle(a)
})
