import assert from 'node:assert/strict'
import { test } from 'node:test'
import { established, idle, openAgent, openFarSide, outbound, sdp, told } from '../../../test/sip-agents.ts'
import { virtualTimers } from '../../../test/sip-ends.ts'
import { until } from '../../../test/until.ts'
import { Headers } from '../message/headers.ts'
import { answerTimer, limitsAfter422, readTimer } from './session-timer.ts'

const seconds = (n: number) => ({ sessionLimits: { seconds: n, minSeconds: n } })
const offer = { body: { type: 'application/sdp', content: sdp('offer') } }

test('what is asked for decides who refreshes', () => {
  const limits = { seconds: 1800, minSeconds: 90 }
  const answer = (...list: [string, string][]) => answerTimer(new Headers(list), limits)
  const timer: [string, string] = ['supported', 'timer']
  assert.deepEqual(answer(timer), { kind: 'off' })
  assert.deepEqual(answer(timer, ['session-expires', '60']), { kind: 'too-small', minSeconds: 90 })
  assert.deepEqual(answer(timer, ['x', '600']), {
    kind: 'on',
    seconds: 600,
    refresher: 'uac',
    headers: [
      ['session-expires', '600;refresher=uac'],
      ['require', 'timer'],
    ],
  })
  assert.deepEqual(answer(timer, ['session-expires', '600 ; refresher=UAS']), {
    kind: 'on',
    seconds: 600,
    refresher: 'uas',
    headers: [['session-expires', '600;refresher=uas']],
  })
  // A proxy asked on behalf of a caller that does not support timers: we refresh, and the caller is not asked to.
  assert.deepEqual(answer(['session-expires', '60'], ['min-se', '300']), {
    kind: 'on',
    seconds: 300,
    refresher: 'uas',
    headers: [['session-expires', '300;refresher=uas']],
  })
  assert.equal(readTimer(new Headers([['session-expires', 'soon']])), null)
})

test('a 422 that asks for no more than we offered is of no use', () => {
  const refusal = (min: string) =>
    ({
      kind: 'response',
      status: 422,
      reason: '',
      headers: new Headers([['min-se', min]]),
      body: Buffer.alloc(0),
    }) as const
  const asked = { seconds: 1800, minSeconds: 90 }
  assert.deepEqual(limitsAfter422(refusal('120'), asked), { seconds: 1800, minSeconds: 120 })
  assert.equal(limitsAfter422(refusal('90'), asked), null)
  assert.equal(limitsAfter422(refusal('much'), asked), null)
})

test('the caller refreshes by UPDATE and the call goes on beyond its interval', async (t) => {
  const { pass } = virtualTimers(t)
  const call = { sessionTimers: true }
  const { a, b, caller, toldA, toldB } = await established(t, { a: seconds(3), b: seconds(3), call })
  assert.equal(b.sent(200)[0]?.headers.get('session-expires'), '3;refresher=uac')
  assert.equal(b.sent(200)[0]?.headers.get('require'), 'timer')
  for (const count of [1, 2, 3]) {
    pass(1500)
    await until('a refresh', () => b.got('UPDATE').length === count && a.got(200).length === 1 + count)
  }
  assert.deepEqual([toldA.ends, toldB.ends], [[], []])
  t.mock.reset()
  assert.equal(b.got('UPDATE')[0]?.headers.get('session-expires'), '3;refresher=uac')
  assert.equal(b.got('UPDATE')[0]?.body.length, 0)
  caller.hangUp()
  await idle(a, b)
  assert.equal(b.sent('UPDATE').length, 0, 'one side alone refreshes')
})

test('where UPDATE is not known, the same offer is sent again', async (t) => {
  const far = await openFarSide(t, (request, side) => {
    const headers: [string, string][] = [
      ['session-expires', '1;refresher=uac'],
      ['require', 'timer'],
    ]
    if (request.method === 'INVITE')
      side.answer(request, 200, { headers, sdp: sdp(side.distinct('INVITE').length > 2 ? 'moved' : 'x') })
  })
  const { pass } = virtualTimers(t)
  const a = await openAgent(t, seconds(1))
  const heard = told()
  a.ua.invite(outbound(far.uri, { sessionTimers: true }), heard.handlers)
  await until('it is answered', () => heard.answered.length === 1)
  pass(500)
  const again = await far.request('INVITE', 1)
  assert.equal(again.body.toString(), sdp('offer'))
  assert.equal(again.headers.get('session-expires'), '1;refresher=uac')
  await until('the refresh is answered', () => a.got(200).length === 2)
  pass(500)
  // A changed answer is reported.
  await until('the changed answer', () => heard.late.length > 0)
  assert.deepEqual([heard.late[0], heard.ends], [sdp('moved'), []])
  t.mock.reset()
})

test('a peer that should refresh and does not is lost', async (t) => {
  const a = await openAgent(t, seconds(1))
  const far = await openFarSide(t)
  far.ask(a, 'INVITE', {
    ...offer,
    headers: [
      ['supported', 'timer'],
      ['session-expires', '1;refresher=uac'],
    ],
  })
  const call = await until('the call arrives', () => a.calls[0])
  const heard = told()
  call.handle(heard.handlers)
  call.answer(sdp('answer'))
  const ok = await far.response(200, 'INVITE')
  assert.equal(ok.headers.get('session-expires'), '1;refresher=uac')
  far.inside(a, ok, 'ACK', { cseq: 1 })
  far.answer(await far.request('BYE'), 200)
  assert.deepEqual(await heard.end(), {
    by: 'system',
    why: 'lost',
    status: undefined,
    detail: 'the session timer ran out',
  })
  await idle(a)
})

test('a refresh that nobody answers means that the peer is lost', async (t) => {
  const a = await openAgent(t, { ...seconds(1), timers: { t1: 10, t2: 80, t4: 80 } })
  const far = await openFarSide(t)
  const headers: [string, string][] = [
    ['supported', 'timer'],
    ['session-expires', '1;refresher=uas'],
    ['allow', 'INVITE, UPDATE'],
  ]
  far.ask(a, 'INVITE', { ...offer, headers })
  const call = await until('the call arrives', () => a.calls[0])
  const heard = told()
  call.handle(heard.handlers)
  call.answer(sdp('answer'))
  far.inside(a, await far.response(200, 'INVITE'), 'ACK', { cseq: 1 })
  await far.request('UPDATE')
  assert.equal((await heard.end()).why, 'lost')
  assert.equal(heard.ends.length, 1)
})

test('a session interval below ours is refused with what we accept', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  far.ask(a, 'INVITE', {
    ...offer,
    headers: [
      ['supported', 'timer'],
      ['session-expires', '30'],
    ],
  })
  assert.equal((await far.response(422)).headers.get('min-se'), '90')
  assert.equal(a.calls.length, 0)
})
