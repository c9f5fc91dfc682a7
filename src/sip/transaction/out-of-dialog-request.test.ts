import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAgent, openFarSide } from '../../../test/sip-agents.ts'
import { replyTo } from '../agent-context.ts'
import { cseqOf } from '../dialog/dialog.ts'
import type { Hop } from '../message/message.ts'
import { parseAuth } from '../message/values.ts'
import type { Resolver } from '../transport/resolver.ts'

const options = (uri: string) => ({ method: 'OPTIONS', uri, from: 'sip:a@ramal.test', to: uri })
const credentials = { username: 'a', password: 'secret' }
const leadingTo = (hops: Hop[]): Resolver => ({ resolve: async () => hops, markDead() {}, markAlive() {} })

test('a request outside dialogs is answered by those above the other agent', async (t) => {
  const a = await openAgent(t)
  const b = await openAgent(t, {
    onRequest: (transaction) =>
      transaction.respond(replyTo('b', transaction.request, 200, { headers: [['x-echo', 'yes']] })),
  })
  const body = { type: 'text/plain', content: 'hello' }
  const outcome = await a.ua.request({ ...options(b.uri()), method: 'MESSAGE', body, headers: { 'x-note': 'one' } })
  assert.ok('response' in outcome)
  assert.deepEqual([outcome.response.status, outcome.response.headers.get('x-echo')], [200, 'yes'])
  const got = b.requests[0]?.request
  assert.deepEqual(
    [got?.body.toString(), got?.headers.get('x-note'), got?.headers.has('contact')],
    ['hello', 'one', false],
  )
})

test('a REGISTER tells where we are, keeps its Call-ID and answers a challenge with the next CSeq', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const asked = a.ua.request({
    ...options(far.uri),
    method: 'REGISTER',
    callId: 'mine',
    cseq: 7,
    contactUser: 'trunk',
    credentials,
  })
  const first = await far.request('REGISTER')
  const { port } = a.ua.stack.listeners[0] ?? { port: 0 }
  assert.equal(first.headers.get('contact'), `<sip:trunk@127.0.0.1:${port}>`)
  far.answer(first, 401, { headers: [['www-authenticate', 'Digest realm="r", nonce="n1", qop="auth"']] })
  const second = await far.request('REGISTER', 1)
  assert.deepEqual([second.headers.get('call-id'), cseqOf(first), cseqOf(second)], ['mine', 7, 8])
  assert.equal(first.headers.get('from'), second.headers.get('from'))
  far.answer(second, 200)
  const outcome = await asked
  assert.equal('response' in outcome && outcome.response.status, 200)
  // Its own Contact is kept as given: `*` unregisters.
  void a.ua.request({ ...options(far.uri), method: 'REGISTER', headers: { Contact: '*', expires: '0' } })
  assert.deepEqual((await far.request('REGISTER', 2)).headers.all('contact'), ['*'])
})

test('a stale nonce is answered once more, a wrong password not, and a nonce is counted over requests', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const ask = (nonce: string, more = ''): { headers: [string, string][] } => ({
    headers: [['www-authenticate', `Digest realm="r", nonce="${nonce}", qop="auth"${more}`]],
  })
  const asked = a.ua.request({ ...options(far.uri), credentials })
  far.answer(await far.request('OPTIONS'), 401, ask('n1'))
  far.answer(await far.request('OPTIONS', 1), 401, ask('n2', ', stale=true'))
  far.answer(await far.request('OPTIONS', 2), 401, ask('n3'))
  const outcome = await asked
  assert.equal('response' in outcome && outcome.response.status, 401)
  assert.equal(far.distinct('OPTIONS').length, 3)
  const again = a.ua.request({ ...options(far.uri), credentials })
  far.answer(await far.request('OPTIONS', 3), 401, ask('n2'))
  const counted = await far.request('OPTIONS', 4)
  assert.equal(parseAuth(counted.headers.get('authorization') ?? '')?.params.get('nc'), '00000002')
  far.answer(counted, 200)
  await again
})

test('the next place is asked when one is silent or says 503, within the whole time', async (t) => {
  const [silent, busy, good] = [await openFarSide(t), await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t, { resolver: leadingTo([silent.hop, busy.hop, good.hop]) })
  const asked = a.ua.request(options('sip:far.test'))
  busy.answer(await busy.request('OPTIONS'), 503)
  good.answer(await good.request('OPTIONS'), 200)
  const outcome = await asked
  assert.equal('flow' in outcome && outcome.flow.remote.port, good.port)
})

test('without an answer it fails in its time, and an abort ends it at once', async (t) => {
  const silent = await openFarSide(t)
  // With these timers a request would wait for an hour.
  const a = await openAgent(t, { timers: { t1: 60_000, t2: 480_000, t4: 600_000 } })
  const late = await a.ua.request({ ...options(silent.uri), timeoutMs: 120 })
  assert.deepEqual(late, { failure: 'timeout', detail: 'no answer in time' })
  const aborter = new AbortController()
  const asked = a.ua.request(options(silent.uri), aborter.signal)
  await silent.request('OPTIONS', 1)
  aborter.abort()
  assert.deepEqual(await asked, { failure: 'timeout', detail: 'aborted' })
  assert.deepEqual(await a.ua.request(options(silent.uri), aborter.signal), { failure: 'timeout', detail: 'aborted' })
  assert.equal(a.ua.stack.transactions, 0)
  const nowhere = await a.ua.request(options('tel:+5511'))
  assert.equal('failure' in nowhere && nowhere.failure, 'unresolved')
})
