import assert from 'node:assert/strict'
import { test } from 'node:test'
import { established, idle, openAgent, openFarSide, outbound, sdp, told } from '../../../test/sip-agents.ts'
import { until } from '../../../test/until.ts'
import type { SipRequest } from '../message/message.ts'
import { readFrag } from './refer.ts'

/** We have called the hand-driven peer, and it has answered. */
async function inCall(t: Parameters<typeof openAgent>[0]) {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  const invite = await far.request('INVITE')
  far.answer(invite, 200, { sdp: sdp('x') })
  await until('it is answered', () => heard.answered.length === 1)
  const ack = await far.request('ACK')
  const notify = (cseq: number, text: string, state = 'active', event = 'refer') =>
    far.inside(a, ack, 'NOTIFY', {
      cseq,
      headers: [
        ['event', event],
        ['subscription-state', state],
      ],
      body: { type: 'message/sipfrag', content: text },
    })
  return { a, far, call, heard, ack, notify }
}

test('the first line of a sipfrag is read, whatever follows it', () => {
  assert.deepEqual(readFrag('SIP/2.0 180 Ringing\r\nTo: x'), { status: 180, reason: 'Ringing' })
  assert.deepEqual(readFrag('SIP/2.0 200'), { status: 200, reason: '' })
  assert.equal(readFrag('INVITE sip:a@b SIP/2.0'), null)
  assert.equal(readFrag(''), null)
})

test('two user agents: a transfer is taken up and its progress comes back', async (t) => {
  const asked: string[] = []
  const { a, b, caller } = await established(
    t,
    {},
    {
      b: {
        onRefer(to, progress) {
          asked.push(to)
          progress(180, 'Ringing')
          setImmediate(() => progress(200, 'OK'))
          setImmediate(() => progress(486, 'after the end nothing is said'))
          return true
        },
      },
    },
  )
  assert.deepEqual(await caller.refer('"Carol" <sip:carol@far.test>', 5000), { status: 200, reason: 'OK' })
  assert.deepEqual(asked, ['sip:carol@far.test'])
  const notifies = b.sent('NOTIFY')
  assert.deepEqual(
    notifies.map(({ headers, body }) => [headers.get('subscription-state'), body.toString().trim()]),
    [
      ['active;expires=180', 'SIP/2.0 180 Ringing'],
      ['terminated;reason=noresource', 'SIP/2.0 200 OK'],
    ],
  )
  assert.equal(a.sent('REFER')[0]?.headers.get('referred-by'), '<sip:agent@ramal.test>')
})

test('a transfer that nobody takes up is declined', async (t) => {
  const { caller, called } = await established(t, {}, { b: { onRefer: () => false } })
  assert.deepEqual(await caller.refer('sip:carol@far.test', 5000), { status: 603, reason: 'Decline' })
  assert.deepEqual(await called.refer('sip:carol@far.test', 5000), { status: 603, reason: 'Decline' })
})

test('progress is followed until the last word, also when it overtakes the 202', async (t) => {
  const { far, call, notify } = await inCall(t)
  const outcome = call.refer('sip:carol@far.test', 5000)
  const refer = await far.request('REFER')
  assert.equal(refer.headers.get('refer-to'), '<sip:carol@far.test>')
  notify(10, 'SIP/2.0 100 Trying')
  await far.response(200, 'NOTIFY')
  far.answer(refer, 202)
  assert.deepEqual(await call.refer('sip:dave@far.test', 10), { status: 491, reason: 'another transfer is under way' })
  notify(11, 'SIP/2.0 180 Ringing')
  notify(12, 'SIP/2.0 503 Service Unavailable', 'terminated;reason=noresource')
  assert.deepEqual(await outcome, { status: 503, reason: 'Service Unavailable' })
})

test('a peer that never notifies, or stops halfway, or refuses', async (t) => {
  const { far, call, notify } = await inCall(t)
  const silent = call.refer('sip:carol@far.test', 100)
  far.answer(await far.request('REFER'), 202)
  assert.equal((await silent).status, 408)
  const halfway = call.refer('sip:carol@far.test', 5000)
  far.answer(await far.request('REFER', 1), 202)
  notify(10, 'SIP/2.0 180 Ringing')
  await far.response(200, 'NOTIFY')
  notify(11, '', 'terminated;reason=timeout')
  assert.deepEqual(await halfway, { status: 180, reason: 'Ringing' })
  const refused = call.refer('sip:carol@far.test', 5000)
  far.answer(await far.request('REFER', 2), 405)
  assert.deepEqual(await refused, { status: 405, reason: 'Method Not Allowed' })
  const dead = call.refer('sip:carol@far.test', 150)
  await far.request('REFER', 3)
  assert.equal((await dead).status, 408)
})

test('a peer that hangs up after 202 has taken the caller over', async (t) => {
  const { a, far, call, heard, ack } = await inCall(t)
  const outcome = call.refer('sip:carol@far.test', 5000)
  far.answer(await far.request('REFER'), 202)
  far.inside(a, ack, 'BYE', { cseq: 10 })
  assert.deepEqual(await outcome, { status: 202, reason: 'Accepted' })
  assert.equal((await heard.end()).why, 'bye')
  await idle(a)
})

test('events that nobody asked for are refused', async (t) => {
  const { a, far, ack, notify } = await inCall(t)
  notify(10, 'x', 'active', 'presence')
  await far.response(489, 'NOTIFY')
  notify(11, 'SIP/2.0 200 OK')
  await until('a second 489', () => far.responses(489).length > 1)
  far.inside(a, ack, 'SUBSCRIBE', { cseq: 12, headers: [['event', 'dialog']] })
  await far.response(489, 'SUBSCRIBE')
})

test('a REFER without one target is bad, and one that wants no reports gets none', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  far.ask(a, 'INVITE', { body: { type: 'application/sdp', content: sdp('offer') } })
  const call = await until('the call arrives', () => a.calls[0])
  const asked: string[] = []
  call.handle(
    told({
      onRefer(to, progress) {
        asked.push(to)
        setImmediate(() => progress(200, 'OK'))
        return true
      },
    }).handlers,
  )
  call.answer(sdp('answer'))
  const ok = await far.response(200, 'INVITE')
  far.inside(a, ok, 'ACK', { cseq: 1 })
  far.inside(a, ok, 'REFER', { cseq: 2 })
  await far.response(400, 'REFER')
  far.inside(a, ok, 'REFER', {
    cseq: 3,
    headers: [
      ['refer-to', '<sip:carol@far.test>'],
      ['refer-sub', 'false'],
    ],
  })
  const quiet = await far.response(202)
  assert.equal(quiet.headers.get('refer-sub'), 'false')
  far.inside(a, ok, 'REFER', { cseq: 4, headers: [['refer-to', 'sip:dave@far.test']] })
  const told3 = (request: SipRequest) => [request.headers.get('event'), request.body.toString().trim()]
  const first = await far.request('NOTIFY')
  assert.deepEqual(told3(first), ['refer;id=4', 'SIP/2.0 100 Trying'])
  far.answer(first, 200)
  const second = await far.request('NOTIFY', 1)
  assert.deepEqual(told3(second), ['refer;id=4', 'SIP/2.0 200 OK'])
  far.answer(second, 200)
  assert.deepEqual(asked, ['sip:carol@far.test', 'sip:dave@far.test'])
})
