import assert from 'node:assert/strict'
import { test } from 'node:test'
import { established, idle, openAgent, openFarSide, outbound, sdp, told } from '../../../test/sip-agents.ts'
import { until } from '../../../test/until.ts'
import type { CallHandlers, OfferAnswer } from './call.ts'

const body = (name: string) => ({ body: { type: 'application/sdp', content: sdp(name) } })

/** The hand-driven peer has called us, and we have answered. */
async function inCall(t: Parameters<typeof openAgent>[0], handlers: Partial<CallHandlers> = {}) {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told(handlers)
  far.ask(a, 'INVITE', body('offer'))
  const call = await until('the call arrives', () => a.calls[0])
  call.handle(heard.handlers)
  call.answer(sdp('answer'))
  const ok = await far.response(200, 'INVITE')
  far.inside(a, ok, 'ACK', { cseq: 1 })
  await until('it is answered', () => heard.answered.length === 1)
  return { a, far, call, heard, ok }
}

test('both sides may offer anew, and a refusal leaves the session as it was', async (t) => {
  const asked: (string | null)[] = []
  const onOffer = (offer: string | null): OfferAnswer => {
    asked.push(offer)
    return offer?.includes('bad') ? { refuse: 488, reason: 'No Common Codec' } : { sdp: sdp('agreed') }
  }
  const { a, b, caller, called, toldA, toldB } = await established(t, {}, { a: { onOffer }, b: { onOffer } })
  assert.deepEqual(await caller.reoffer(sdp('hold')), { sdp: sdp('agreed') })
  assert.deepEqual(await called.reoffer(sdp('resume')), { sdp: sdp('agreed') })
  assert.deepEqual(await caller.reoffer(sdp('bad')), { refuse: 488, reason: 'No Common Codec' })
  assert.deepEqual([caller.state, called.state], ['established', 'established'])
  assert.deepEqual(await called.reoffer(sdp('again')), { sdp: sdp('agreed') })
  assert.deepEqual(asked, [sdp('hold'), sdp('resume'), sdp('bad'), sdp('again')])
  caller.hangUp()
  await idle(a, b)
  assert.deepEqual([toldA.ends.length, toldB.ends.length], [1, 1])
})

test('what a handler throws when it is asked for an answer is reported, and the offer is refused', async (t) => {
  const { a, far, call, ok } = await inCall(t, {
    onOffer: () => {
      throw new Error('no codec')
    },
  })
  far.inside(a, ok, 'INVITE', { cseq: 2, ...body('hold') })
  await far.response(500)
  far.inside(a, ok, 'UPDATE', { cseq: 3, ...body('hold') })
  await until('the UPDATE is refused too', () =>
    far.responses(500).some(({ message }) => message.headers.get('cseq') === '3 UPDATE'),
  )
  assert.deepEqual(a.faults.map(String), ['Error: no codec', 'Error: no codec'])
  assert.equal(call.state, 'established')
  far.inside(a, ok, 'BYE', { cseq: 4 })
  await idle(a)
})

test('with nobody to ask, only what is agreed already is agreed again', async (t) => {
  const { a, far, ok } = await inCall(t)
  far.inside(a, ok, 'INVITE', { cseq: 2, ...body('something else') })
  await far.response(488)
  far.inside(a, ok, 'INVITE', { cseq: 3, ...body('offer') })
  const same = await until('the second 200', () =>
    far.responses(200).find(({ message }) => message.headers.get('cseq') === '3 INVITE'),
  )
  assert.equal(same.message.body.toString(), sdp('answer'))
  far.inside(a, ok, 'ACK', { cseq: 3 })
})

test('an empty re-INVITE asks for our offer, and its ACK brings the answer', async (t) => {
  const { a, far, heard, ok } = await inCall(t, { onOffer: (offer) => ({ sdp: sdp(`ours after ${offer}`) }) })
  far.inside(a, ok, 'INVITE', { cseq: 2 })
  const reply = await until('our offer', () =>
    far.responses(200).find(({ message }) => message.body.toString() === sdp('ours after null')),
  )
  // Our offer is still pending, so another one is rejected.
  far.inside(a, ok, 'UPDATE', { cseq: 3, ...body('crossing') })
  await far.response(491, 'UPDATE')
  far.inside(a, reply.message, 'ACK', { cseq: 2, ...body('theirs') })
  await until('the late answer', () => heard.late.length === 1)
  assert.deepEqual(heard.late, [sdp('theirs')])
})

test('an UPDATE offers too, and an empty one changes nothing', async (t) => {
  const { a, far, ok } = await inCall(t, { onOffer: (offer) => ({ sdp: sdp(`ours after ${offer?.length}`) }) })
  far.inside(a, ok, 'UPDATE', { cseq: 2 })
  assert.equal((await far.response(200, 'UPDATE')).body.length, 0)
  far.inside(a, ok, 'UPDATE', { cseq: 3, ...body('new') })
  const second = await until('its answer', () =>
    far.responses(200).find(({ message }) => message.headers.get('cseq') === '3 UPDATE'),
  )
  assert.equal(second.message.body.toString(), sdp(`ours after ${sdp('new').length}`))
})

test('an INVITE over another that is not answered yet gets 500 and a time to wait', async (t) => {
  const { promise, resolve } = Promise.withResolvers<OfferAnswer>()
  const { a, far, ok } = await inCall(t, { onOffer: () => promise })
  far.inside(a, ok, 'INVITE', { cseq: 2, ...body('slow') })
  await far.response(100)
  far.inside(a, ok, 'INVITE', { cseq: 3, ...body('fast') })
  assert.match((await far.response(500, 'INVITE')).headers.get('retry-after') ?? '', /^([0-9]|10)$/)
  far.inside(a, ok, 'UPDATE', { cseq: 4, ...body('fast') })
  await far.response(500, 'UPDATE')
  resolve({ sdp: sdp('done') })
  await until('the first is answered', () => far.responses(200).some(({ message }) => message.body.includes('done')))
  far.inside(a, ok, 'ACK', { cseq: 2 })
})

test('a re-INVITE that is cancelled ends with 487 and the call goes on', async (t) => {
  const { a, far, call, ok } = await inCall(t, { onOffer: () => new Promise<OfferAnswer>(() => {}) })
  const invite = far.inside(a, ok, 'INVITE', { cseq: 2, ...body('slow') })
  await far.response(100)
  const cancel = {
    ...invite,
    method: 'CANCEL',
    headers: invite.headers.copy().set('cseq', '2 CANCEL').remove('content-type'),
  }
  far.send({ ...cancel, body: Buffer.alloc(0) }, { port: Number(/:(\d+)$/.exec(a.uri())?.[1]) })
  await far.response(487, 'INVITE')
  assert.equal(call.state, 'established')
  far.inside(a, ok, 'BYE', { cseq: 3 })
  await far.response(200, 'BYE')
})

test('a re-INVITE under way when the call ends is answered with 487', async (t) => {
  const { a, far, ok } = await inCall(t, { onOffer: () => new Promise<OfferAnswer>(() => {}) })
  far.inside(a, ok, 'INVITE', { cseq: 2, ...body('slow') })
  await far.response(100)
  far.inside(a, ok, 'BYE', { cseq: 3 })
  await far.response(200, 'BYE')
  await far.response(487, 'INVITE')
  await idle(a)
})

test('when both offer at once, both get 491, wait by chance and succeed', async (t) => {
  const onOffer = (offer: string | null): OfferAnswer => ({ sdp: sdp(`yes to ${offer?.slice(-8).trim()}`) })
  const { a, b, caller, called } = await established(t, {}, { a: { onOffer }, b: { onOffer } })
  const answers = await Promise.all([caller.reoffer(sdp('from-a')), called.reoffer(sdp('from-b'))])
  assert.deepEqual(answers, [{ sdp: sdp('yes to from-a') }, { sdp: sdp('yes to from-b') }])
  assert.ok(a.sent(491).length + b.sent(491).length > 0, 'they did cross')
})

test('a 491 without end is given up, and offers wait for each other', async (t) => {
  const far = await openFarSide(t, (request, side) => {
    if (request.method !== 'INVITE') return
    side.answer(request, request.headers.get('to')?.includes('tag=') ? 491 : 200, { sdp: sdp('x') })
  })
  // Shorter timers: the wait after a glare is derived from T1.
  const a = await openAgent(t, { timers: { t1: 10, t2: 80, t4: 80 } })
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  await until('it is answered', () => heard.answered.length === 1)
  const answers = await Promise.all([call.reoffer(sdp('one')), call.reoffer(sdp('two'))])
  assert.deepEqual(
    answers.map((answer) => 'refuse' in answer && answer.refuse),
    [491, 491],
  )
  assert.equal(far.distinct('INVITE').length, 17)
})

test('a 481 to our offer means that the call is lost', async (t) => {
  const far = await openFarSide(t, (request, side) => {
    if (request.method === 'BYE') return side.answer(request, 481)
    if (request.method !== 'INVITE') return
    side.answer(request, request.headers.get('to')?.includes('tag=') ? 481 : 200, { sdp: sdp('x') })
  })
  const a = await openAgent(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  await until('it is answered', () => heard.answered.length === 1)
  assert.deepEqual(await call.reoffer(sdp('new')), { refuse: 481, reason: 'Call/Transaction Does Not Exist' })
  assert.deepEqual([(await heard.end()).why, heard.ends[0]?.status], ['lost', 481])
  assert.deepEqual(await call.reoffer(sdp('more')), { refuse: 481, reason: 'no session' })
  await far.request('BYE')
  await idle(a)
})

test('the peer may move: the next request goes to its new Contact', async (t) => {
  const { a, far, call, ok } = await inCall(t)
  const other = await openFarSide(t)
  far.inside(a, ok, 'UPDATE', { cseq: 2, headers: [] })
  await far.response(200, 'UPDATE')
  const moved = far.ask(a, 'OPTIONS')
  moved.headers
    .set('from', ok.headers.get('from') ?? '')
    .set('to', ok.headers.get('to') ?? '')
    .set('call-id', ok.headers.get('call-id') ?? '')
    .set('cseq', '3 UPDATE')
    .set('contact', other.contact)
    .set('via', `${moved.headers.get('via')}`.replace('z9hG4bK', 'z9hG4bKm'))
  far.send({ ...moved, method: 'UPDATE' }, { port: Number(/:(\d+)$/.exec(a.uri())?.[1]) })
  await until('the second 200', () =>
    far.responses(200).find(({ message }) => message.headers.get('cseq') === '3 UPDATE'),
  )
  call.hangUp()
  const bye = await other.request('BYE')
  assert.equal(bye.uri, other.contact.slice(1, -1))
  other.answer(bye, 200)
  await idle(a)
})

test('the ACK of our offer goes to the Contact of its 200', async (t) => {
  const other = await openFarSide(t)
  const far = await openFarSide(t, (request, side) => {
    const isAgain = request.headers.get('to')?.includes('tag=')
    const contact = isAgain ? other.contact : side.contact
    if (request.method === 'INVITE') side.answer(request, 200, { sdp: sdp('x'), contact })
  })
  const a = await openAgent(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  await until('it is answered', () => heard.answered.length === 1)
  assert.deepEqual(await call.reoffer(sdp('new')), { sdp: sdp('x') })
  const ack = await other.request('ACK')
  assert.deepEqual([ack.uri, ack.headers.get('cseq')], [other.contact.slice(1, -1), '2 ACK'])
  call.hangUp()
  other.answer(await other.request('BYE'), 200)
  await idle(a)
})

test('a request older than the last is out of order', async (t) => {
  const { a, far, call, ok } = await inCall(t)
  far.inside(a, ok, 'OPTIONS', { cseq: 10 })
  await far.response(200, 'OPTIONS')
  far.inside(a, ok, 'INFO', { cseq: 9 })
  await far.response(500, 'INFO')
  assert.equal(call.state, 'established')
})
