import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FarSide, idle, openAgent, openFarSide, outbound, sdp, short, told } from '../../../test/sip-agents.ts'
import { until } from '../../../test/until.ts'
import { reportToOwner, runContained } from '../../base/errors/error-containment.ts'

const offer = { body: { type: 'application/sdp', content: sdp('offer') } }
const tagIn = (text: string | undefined) => /tag=([^;\s]+)/.exec(text ?? '')?.[1]

async function called(
  t: Parameters<typeof openAgent>[0],
  parts: Parameters<FarSide['ask']>[2] = offer,
  timers = short,
) {
  const a = await openAgent(t, { timers })
  const far = await openFarSide(t)
  const invite = far.ask(a, 'INVITE', parts)
  const call = await until('the call arrives', () => a.calls[0])
  const heard = told()
  call.handle(heard.handlers)
  return { a, far, invite, call, heard }
}

test('a call rings, with and without early media, and is answered under one tag', async (t) => {
  const { a, far, call, heard } = await called(t)
  assert.deepEqual([call.offer, call.state, call.direction], [sdp('offer'), 'ringing', 'inbound'])
  call.ring()
  const ringing = await far.response(180)
  call.ring(sdp('early'))
  const early = await far.response(183)
  assert.equal(early.body.toString(), sdp('early'))
  call.answer(sdp('answer'))
  const ok = await far.response(200)
  assert.equal(ok.body.toString(), sdp('answer'))
  assert.equal(new Set([ringing, early, ok].map(({ headers }) => tagIn(headers.get('to')))).size, 1)
  assert.deepEqual([call.state, heard.answered], ['established', []])
  far.inside(a, ok, 'ACK', { cseq: 1 })
  await until('the ACK is told', () => heard.answered.length === 1)
  far.inside(a, ok, 'BYE')
  await far.response(200, 'BYE')
  assert.deepEqual(heard.ends, [{ by: 'remote', why: 'bye', detail: undefined }])
  await idle(a)
  far.inside(a, ok, 'BYE', { cseq: 3 })
  await far.response(481, 'BYE')
})

test('the 200 is repeated at distances that double until the ACK comes', async (t) => {
  const { a, far, call } = await called(t, offer, { t1: 40, t2: 320, t4: 100 })
  call.answer(sdp('answer'))
  const again = await until('it is repeated', () => far.responses(200).length >= 4 && far.responses(200))
  // 40 + 80 + 160 ms if the intervals double, 120 ms in all if they do not.
  const [first, , , fourth] = again.map(({ atMs }) => atMs)
  assert.ok((fourth ?? 0) - (first ?? 0) > 200, `${again.map(({ atMs }) => atMs)}`)
  const { message } = again[0] as (typeof again)[0]
  far.inside(a, message, 'ACK', { cseq: 1 })
  far.inside(a, message, 'OPTIONS', { cseq: 2 })
  await until('OPTIONS is answered', () =>
    far.responses(200).some((one) => /OPTIONS/.test(one.message.headers.get('cseq') ?? '')),
  )
  const before = far.responses(200).length
  far.inside(a, message, 'INFO', { cseq: 3, body: { type: 'a/b', content: 'x' } })
  await far.response(415)
  assert.equal(far.responses(200).length, before)
})

test('without an ACK the call is lost: BYE goes out and the end is reported once', async (t) => {
  const { a, far, call, heard } = await called(t)
  call.answer(sdp('answer'))
  const bye = await far.request('BYE')
  far.answer(bye, 200)
  assert.deepEqual(await heard.end(), { by: 'system', why: 'lost', status: undefined, detail: 'no ACK came' })
  await idle(a)
  assert.deepEqual([heard.ends.length, heard.answered], [1, []])
})

test('a BYE of ours waits for the ACK', async (t) => {
  const { a, far, call, heard } = await called(t)
  call.answer(sdp('answer'))
  const ok = await far.response(200)
  call.hangUp()
  assert.deepEqual(heard.ends, [{ by: 'local', why: 'bye' }])
  await until('the 200 is repeated', () => far.responses(200).length > 1)
  assert.equal(far.requests('BYE').length, 0)
  far.inside(a, ok, 'ACK', { cseq: 1 })
  far.answer(await far.request('BYE'), 200)
  await idle(a)
})

test('an INVITE without an offer gets ours, and the ACK brings the answer', async (t) => {
  const { a, far, call, heard } = await called(t, {})
  assert.equal(call.offer, null)
  call.answer(sdp('our offer'))
  const ok = await far.response(200)
  assert.equal(ok.body.toString(), sdp('our offer'))
  far.inside(a, ok, 'ACK', { cseq: 1, body: { type: 'application/sdp', content: sdp('their answer') } })
  await until('the ACK is told', () => heard.answered.length === 1)
  assert.deepEqual(heard.answered, [sdp('their answer')])
})

test('a CANCEL ends the ringing with 487, and what comes too late has no effect', async (t) => {
  const { a, far, invite, call, heard } = await called(t)
  call.ring()
  await far.response(180)
  const cancel = { ...invite, method: 'CANCEL', headers: invite.headers.copy().set('cseq', '1 CANCEL') }
  cancel.headers.set('reason', 'SIP;cause=200;text="Call completed elsewhere"').remove('content-type')
  far.send({ ...cancel, body: Buffer.alloc(0) }, { port: Number(/:(\d+)$/.exec(a.uri())?.[1]) })
  await far.response(487)
  await far.response(200, 'CANCEL')
  const ending = { by: 'remote', why: 'canceled', detail: 'Call completed elsewhere (SIP 200)' }
  assert.deepEqual(heard.ends, [ending])
  call.answer(sdp('too late'))
  call.ring()
  call.hangUp()
  assert.deepEqual([heard.ends.length, call.state, a.ua.calls], [1, 'ended', 0])
})

test('a handler attached after the end still sees the end', async (t) => {
  const a = await openAgent(t, { onInvite: (call) => call.refuse(486) })
  const far = await openFarSide(t)
  far.ask(a, 'INVITE', offer)
  await far.response(486)
  const heard = told()
  a.calls[0]?.handle(heard.handlers)
  assert.deepEqual(await heard.end(), { by: 'local', why: 'refused', status: 486, detail: undefined })
})

test('a refusal carries the given status and headers', async (t) => {
  const { a, far, call, heard } = await called(t)
  call.refuse(302, 'Elsewhere', { contact: '<sip:other@far.test>' })
  const response = await far.response(302)
  assert.deepEqual([response.reason, response.headers.get('contact')], ['Elsewhere', '<sip:other@far.test>'])
  assert.deepEqual(heard.ends, [{ by: 'local', why: 'refused', status: 302, detail: 'Elsewhere' }])
  await idle(a)
})

test('hanging up a ringing call refuses it', async (t) => {
  const { far, call, heard } = await called(t)
  call.hangUp({ code: 21, text: 'no agent' })
  const response = await far.response(480)
  assert.match(response.headers.get('reason') ?? '', /cause=21/)
  assert.deepEqual(heard.ends, [{ by: 'local', why: 'refused', status: 480 }])
})

test('an ignored INVITE gets no response, not even 100', async (t) => {
  const a = await openAgent(t, { onInvite: (call) => call.ignore() })
  const far = await openFarSide(t)
  far.ask(a, 'INVITE', offer)
  await until('it arrives', () => a.calls.length > 0)
  far.ask(a, 'BYE')
  await far.response(481)
  await until('nothing is under way', () => a.ua.calls === 0)
  assert.deepEqual(
    far.arrivals.map(({ message }) => message.headers.get('cseq')),
    ['1 BYE'],
  )
})

test('with 100rel: reliable ringing, one at a time, and no 200 before the PRACK of an early SDP', async (t) => {
  const { a, far, call, heard } = await called(t, { ...offer, headers: [['require', '100rel']] })
  call.ring()
  const ringing = await far.response(180)
  call.ring(sdp('early'))
  assert.equal(ringing.headers.get('require'), '100rel')
  const rseq = Number(ringing.headers.get('rseq'))
  await until('180 is repeated', () => far.responses(180).length > 2)
  assert.equal(far.responses(183).length, 0)
  far.inside(a, ringing, 'PRACK', { cseq: 2, headers: [['rack', `${rseq + 7} 1 INVITE`]] })
  await far.response(481, 'PRACK')
  far.inside(a, ringing, 'PRACK', { cseq: 3, headers: [['rack', `${rseq} 1 INVITE`]] })
  await far.response(200, 'PRACK')
  const early = await far.response(183)
  assert.equal(early.headers.get('rseq'), `${rseq + 1}`)
  call.answer(sdp('answer'))
  await until('183 is repeated', () => far.responses(183).length > 1)
  assert.equal(far.responses(200).filter(({ message }) => /INVITE/.test(message.headers.get('cseq') ?? '')).length, 0)
  far.inside(a, early, 'PRACK', { cseq: 4, headers: [['rack', `${rseq + 1} 1 INVITE`]] })
  const ok = await far.response(200, 'INVITE')
  far.inside(a, ok, 'ACK', { cseq: 1 })
  await until('it is answered', () => heard.answered.length === 1)
})

test('without a PRACK the call is lost', async (t) => {
  const { a, far, call, heard } = await called(t, { ...offer, headers: [['require', '100rel']] })
  call.ring()
  await far.response(504)
  assert.deepEqual([(await heard.end()).why, heard.ends.length], ['lost', 1])
  await idle(a)
})

test('an offer of ours in a reliable 183 is answered in the PRACK', async (t) => {
  const { a, far, call, heard } = await called(t, { headers: [['require', '100rel']] })
  call.ring(sdp('our offer'))
  const early = await far.response(183)
  const rack: [string, string] = ['rack', `${early.headers.get('rseq')} 1 INVITE`]
  const answer = { type: 'application/sdp', content: sdp('their answer') }
  far.inside(a, early, 'PRACK', { cseq: 2, headers: [rack], body: answer })
  await far.response(200, 'PRACK')
  call.answer(sdp('our offer'))
  far.inside(a, await far.response(200, 'INVITE'), 'ACK', { cseq: 1 })
  await until('it is answered', () => heard.answered.length === 1)
  assert.deepEqual(heard.answered, [sdp('their answer')])
})

test('a caller may end the ringing by a BYE as well', async (t) => {
  const { a, far, call, heard } = await called(t)
  call.ring()
  far.inside(a, await far.response(180), 'BYE')
  await far.response(200, 'BYE')
  await far.response(487, 'INVITE')
  assert.deepEqual([(await heard.end()).why, a.ua.calls], ['canceled', 0])
})

test('before the answer an UPDATE with an offer must wait, and a second INVITE too', async (t) => {
  const { a, far, call } = await called(t)
  call.ring()
  const ringing = await far.response(180)
  far.inside(a, ringing, 'UPDATE', { cseq: 2, ...offer })
  assert.match((await far.response(500, 'UPDATE')).headers.get('retry-after') ?? '', /^\d+$/)
  far.inside(a, ringing, 'INVITE', { cseq: 3, ...offer })
  assert.match((await far.response(500, 'INVITE')).headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(call.state, 'ringing')
})

test('a PRACK that is overtaken by the 200 is answered all the same, once', async (t) => {
  const { a, far, call } = await called(t, { ...offer, headers: [['require', '100rel']] })
  call.ring()
  const ringing = await far.response(180)
  call.answer(sdp('answer'))
  const ok = await far.response(200, 'INVITE')
  const headers: [string, string][] = [['rack', `${ringing.headers.get('rseq')} 1 INVITE`]]
  far.inside(a, ringing, 'PRACK', { cseq: 2, headers })
  await far.response(200, 'PRACK')
  far.inside(a, ringing, 'PRACK', { cseq: 3, headers })
  await far.response(481, 'PRACK')
  const before = far.responses(180).length
  far.inside(a, ok, 'ACK', { cseq: 1 })
  far.inside(a, ok, 'BYE', { cseq: 4 })
  await far.response(200, 'BYE')
  assert.equal(far.responses(180).length, before)
})

test('an early session that both know of may be changed by UPDATE before the answer', async (t) => {
  const { a, far, call, heard } = await called(t, { ...offer, headers: [['require', '100rel']] })
  const asked: (string | null)[] = []
  call.handle({
    ...heard.handlers,
    onOffer(text) {
      asked.push(text)
      return { sdp: sdp('changed') }
    },
  })
  call.ring(sdp('early'))
  const early = await far.response(183)
  far.inside(a, early, 'PRACK', { cseq: 2, headers: [['rack', `${early.headers.get('rseq')} 1 INVITE`]] })
  await far.response(200, 'PRACK')
  far.inside(a, early, 'UPDATE', { cseq: 3, body: { type: 'application/sdp', content: sdp('hold') } })
  assert.equal((await far.response(200, 'UPDATE')).body.toString(), sdp('changed'))
  assert.deepEqual([asked, call.state], [[sdp('hold')], 'ringing'])
})

test('a caller without a Contact is answered where it was seen', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const model = far.ask(a, 'OPTIONS')
  model.headers
    .remove('contact')
    .set('cseq', '1 INVITE')
    .set('via', `${model.headers.get('via')}`.replace('z9hG4bK', 'z9hG4bKi'))
  far.send({ ...model, method: 'INVITE' }, { port: Number(/:(\d+)$/.exec(a.uri())?.[1]) })
  const call = await until('the call arrives', () => a.calls[0])
  call.answer(sdp('offer'))
  const ok = await far.response(200, 'INVITE')
  far.inside(a, ok, 'ACK', { cseq: 1 })
  call.hangUp()
  const bye = await far.request('BYE')
  assert.equal(bye.uri, `sip:127.0.0.1:${far.port};transport=udp`)
  far.answer(bye, 200)
  await idle(a)
})

test('a handler that throws harms neither its call nor the others', async (t) => {
  const a = await openAgent(t)
  const b = await openAgent(t)
  const broken = () => {
    throw new Error('broken')
  }
  const heard = told({ onRinging: broken, onAnswered: broken, onDigit: broken })
  const call = a.ua.invite(outbound(b.uri()), heard.handlers)
  const incoming = await until('the call arrives', () => b.calls[0])
  incoming.ring()
  incoming.answer(sdp('answer'))
  await until('it is up', () => call.state === 'established')
  assert.equal(await incoming.sendDigitByInfo('5', 100), true)
  call.hangUp()
  await idle(a, b)
  assert.deepEqual([a.faults.length, heard.ends.length], [3, 1])
})

test('what a handler of a call throws, at once or later, goes to the owner of the call', async (t) => {
  const [ofCall, ofNobody]: [unknown[], unknown[]] = [[], []]
  const a = await openAgent(t, {
    timers: short,
    onFault: (error) => void (reportToOwner(error) || ofNobody.push(error)),
  })
  const far = await openFarSide(t)
  far.ask(a, 'INVITE', offer)
  const call = await until('the call arrives', () => a.calls[0])
  const fail = (why: string) => {
    throw new Error(why)
  }
  const handlers = {
    onAnswered: () => fail('at once'),
    onOffer: async () => {
      await null
      return fail('later')
    },
    onEnd: () => {},
  }
  runContained(
    (error) => ofCall.push(error instanceof Error && error.message),
    () => call.handle(handlers),
  )
  call.answer(sdp('answer'))
  const ok = await far.response(200)
  far.inside(a, ok, 'ACK', { cseq: 1 })
  await until('the first is told', () => ofCall.length === 1)
  far.inside(a, ok, 'INVITE', { cseq: 2, ...offer })
  await far.response(500)
  await until('the second is told', () => ofCall.length === 2)
  assert.deepEqual([ofCall, ofNobody], [['at once', 'later'], []])
  call.hangUp()
})
