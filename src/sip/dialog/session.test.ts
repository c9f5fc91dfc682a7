import assert from 'node:assert/strict'
import { test } from 'node:test'
import { established, idle, openAgent, openFarSide, outbound, sdp, told } from '../../../test/sip-agents.ts'
import { until } from '../../../test/until.ts'
import { readInfoDigit } from './info-dtmf.ts'

const relay = 'application/dtmf-relay'

test('digits by INFO are read as phones and gateways write them', () => {
  assert.deepEqual(readInfoDigit(relay, 'Signal=5\r\nDuration=160\r\n'), { digit: '5', durationMs: 160 })
  assert.deepEqual(readInfoDigit(`${relay};charset=x`, 'Signal= *\nDuration= 90'), { digit: '*', durationMs: 90 })
  assert.deepEqual(readInfoDigit(relay, 'Signal=11'), { digit: '#', durationMs: 160 })
  assert.deepEqual(readInfoDigit(relay, 'signal=d\r\nduration=99999'), { digit: 'D', durationMs: 8000 })
  assert.deepEqual(readInfoDigit('Application/DTMF', ' 7\r\n'), { digit: '7', durationMs: 160 })
  for (const bad of ['', 'Signal=', 'Signal=99', 'Signal=x', 'Duration=100'])
    assert.equal(readInfoDigit(relay, bad), null)
  assert.equal(readInfoDigit('text/plain', 'Signal=5'), null)
})

test('digits go both ways by INFO', async (t) => {
  const { caller, called, toldA, toldB } = await established(t)
  assert.equal(await caller.sendDigitByInfo('5', 160), true)
  assert.equal(await called.sendDigitByInfo('#', 90), true)
  assert.deepEqual([toldA.digits, toldB.digits], [['# 90'], ['5 160']])
  caller.hangUp()
  assert.equal(await caller.sendDigitByInfo('1', 100), false)
})

async function inCall(t: Parameters<typeof openAgent>[0]) {
  const a = await openAgent(t)
  const far = await openFarSide(t, (request, side) => request.method === 'BYE' && side.answer(request, 200))
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  far.answer(await far.request('INVITE'), 200, { sdp: sdp('x') })
  await until('it is answered', () => heard.answered.length === 1)
  return { a, far, call, heard, ack: await far.request('ACK') }
}

test('inside a call, what is known is answered and the rest is refused by its name', async (t) => {
  const { a, far, call, heard, ack } = await inCall(t)
  let cseq = 10
  const inside = (method: string, type?: string, content = 'x', headers: [string, string][] = []) => {
    cseq += 1
    far.inside(a, ack, method, { cseq, headers, ...(type ? { body: { type, content } } : {}) })
    return until(`an answer to ${method}`, () =>
      far.arrivals.find(({ message }) => message.headers.get('cseq') === `${cseq} ${method}`),
    ).then(({ message }) => (message.kind === 'response' ? message : assert.fail()))
  }
  const options = await inside('OPTIONS')
  assert.equal(options.status, 200)
  assert.match(options.headers.get('allow') ?? '', /UPDATE/)
  assert.equal((await inside('MESSAGE', 'text/plain')).status, 200)
  const message = await inside('MESSAGE', 'text/html')
  assert.deepEqual([message.status, message.headers.get('accept')], [415, 'text/plain'])
  assert.equal((await inside('INFO', relay, 'Signal=4\r\nDuration=100')).status, 200)
  assert.equal((await inside('INFO')).status, 200)
  assert.equal((await inside('INFO', 'application/media_control+xml')).status, 415)
  assert.equal((await inside('INFO', relay, 'Signal=4', [['info-package', 'dtmf']])).status, 469)
  assert.deepEqual(heard.digits, ['4 100'])
  const publish = await inside('PUBLISH')
  assert.deepEqual([publish.status, publish.headers.has('allow')], [405, true])
  assert.equal((await inside('JUMP')).status, 501)
  assert.equal((await inside('PRACK', undefined, '', [['rack', '1 1 INVITE']])).status, 481)
  const required = await inside('INFO', undefined, '', [['require', 'magic']])
  assert.deepEqual([required.status, required.headers.get('unsupported')], [420, 'magic'])
  assert.equal(call.state, 'established')
})

test('a BYE says why in its Reason, the second is unknown, and nothing is reported after the end', async (t) => {
  const { a, far, heard, call, ack } = await inCall(t)
  far.inside(a, ack, 'BYE', { cseq: 2, headers: [['reason', 'Q.850;cause=31']] })
  assert.deepEqual(await heard.end(), { by: 'remote', why: 'bye', detail: 'Q.850 31' })
  far.inside(a, ack, 'BYE', { cseq: 3 })
  await far.response(481, 'BYE')
  far.inside(a, ack, 'INFO', { cseq: 4, body: { type: relay, content: 'Signal=1' } })
  await far.response(481, 'INFO')
  call.hangUp()
  assert.deepEqual([heard.ends.length, heard.digits, a.ua.calls, far.requests('BYE').length], [1, [], 0, 0])
})

test('two BYEs that cross both get 200', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri), heard.handlers)
  far.answer(await far.request('INVITE'), 200, { sdp: sdp('x') })
  await until('it is answered', () => heard.answered.length === 1)
  const ack = await far.request('ACK')
  call.hangUp()
  const bye = await far.request('BYE')
  far.inside(a, ack, 'BYE', { cseq: 2 })
  await far.response(200, 'BYE')
  far.answer(bye, 200)
  await idle(a)
  assert.deepEqual(heard.ends, [{ by: 'local', why: 'bye' }])
})

test('a digit that the peer has no call for means that the call is lost', async (t) => {
  const { a, far, call, heard } = await inCall(t)
  const sent = call.sendDigitByInfo('1', 100)
  far.answer(await far.request('INFO'), 481)
  assert.equal(await sent, false)
  assert.deepEqual([(await heard.end()).why, heard.ends[0]?.status], ['lost', 481])
  await idle(a)
})

test('when its connection breaks, a call over TCP goes on by another', async (t) => {
  const listeners = [{ transport: 'tcp' as const, host: '127.0.0.1', port: 0 }]
  const limits = { idleMs: 150 }
  const { a, b, caller, called, toldA } = await established(t, {
    a: { listeners, limits },
    b: { listeners, limits },
    transport: 'tcp',
  })
  await until('the connection is closed', () => a.ua.stack.connections === 0 && b.ua.stack.connections === 0)
  assert.equal(await caller.sendDigitByInfo('1', 100), true)
  assert.equal(await called.sendDigitByInfo('2', 100), true)
  assert.deepEqual(toldA.digits, ['2 100'])
  caller.hangUp()
  await idle(a, b)
})
