import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idle, openAgent, openFarSide, outbound, sdp, told } from '../../../test/sip-agents.ts'
import { until } from '../../../test/until.ts'
import type { Hop, SipRequest } from '../message/message.ts'
import { parseAuth } from '../message/values.ts'
import type { Resolver } from '../transport/resolver.ts'
import { cseqOf } from './dialog.ts'

const secret = { username: 'agent', password: 'secret' }

/** Every name resolves to these hops. */
const leadingTo = (hops: Hop[]): Resolver & { dead: Hop[]; alive: Hop[] } => {
  const [dead, alive]: [Hop[], Hop[]] = [[], []]
  return {
    dead,
    alive,
    resolve: async () => hops,
    markDead: (hop) => void dead.push(hop),
    markAlive: (hop) => void alive.push(hop),
  }
}

test('a silent target fails over to the next, and a late answer is cancelled', async (t) => {
  const [silent, good] = [await openFarSide(t), await openFarSide(t)]
  const resolver = leadingTo([silent.hop, good.hop])
  // Long enough for the second to answer, and then for the first to answer late.
  const a = await openAgent(t, { resolver, timers: { t1: 200, t2: 800, t4: 100 } })
  const heard = told()
  const call = a.ua.invite(outbound('sip:bob@far.test', { firstResponseTimeoutMs: 2000 }), heard.handlers)
  const [first, second] = [await silent.request('INVITE'), await good.request('INVITE')]
  assert.deepEqual(
    [first.headers.get('call-id'), cseqOf(first) + 1, first.uri],
    [second.headers.get('call-id'), cseqOf(second), second.uri],
  )
  assert.deepEqual(resolver.dead, [silent.hop])
  silent.answer(first, 180)
  silent.answer(await silent.request('CANCEL'), 200)
  silent.answer(first, 200, { toTag: 'late', sdp: sdp('late') })
  await silent.request('ACK')
  await silent.request('BYE')
  good.answer(second, 200, { sdp: sdp('good') })
  await until('it is answered', () => heard.answered.length === 1)
  assert.deepEqual([heard.answered, heard.ringing, call.state], [[sdp('good')], [], 'established'])
  assert.deepEqual(resolver.alive, [good.hop])
})

test('a 503 fails over to the next target, whose refusal counts', async (t) => {
  const [busy, good] = [await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t, { resolver: leadingTo([busy.hop, good.hop]) })
  const heard = told()
  a.ua.invite(outbound('sip:bob@far.test'), heard.handlers)
  busy.answer(await busy.request('INVITE'), 503)
  good.answer(await good.request('INVITE'), 486)
  assert.deepEqual(await heard.end(), { by: 'remote', why: 'refused', status: 486, detail: 'Busy Here' })
})

test('any other refusal ends the call at the first target', async (t) => {
  const [busy, good] = [await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t, { resolver: leadingTo([busy.hop, good.hop]) })
  const heard = told()
  a.ua.invite(outbound('sip:bob@far.test'), heard.handlers)
  busy.answer(await busy.request('INVITE'), 500)
  assert.equal((await heard.end()).status, 500)
  assert.equal(good.arrivals.length, 0)
})

test('a broken transport fails over at once', async (t) => {
  const good = await openFarSide(t)
  const nobody: Hop = { transport: 'tcp', address: '127.0.0.1', port: 1 }
  const a = await openAgent(t, { resolver: leadingTo([nobody, good.hop]) })
  const heard = told()
  a.ua.invite(outbound('sip:bob@far.test'), heard.handlers)
  good.answer(await good.request('INVITE'), 603)
  assert.equal((await heard.end()).status, 603)
})

test('when nobody answers at all the call is unreachable, whatever ran out first', async (t) => {
  const silent = await openFarSide(t)
  const a = await openAgent(t, { resolver: leadingTo([silent.hop]) })
  for (const more of [{ firstResponseTimeoutMs: 60 }, { ringTimeoutMs: 60 }, {}]) {
    const heard = told()
    a.ua.invite(outbound('sip:bob@far.test', more), heard.handlers)
    const { by, why, status } = await heard.end()
    assert.deepEqual([by, why, status], ['system', 'unreachable', undefined])
  }
  const nowhere = await openAgent(t, { resolver: leadingTo([]) })
  const heard = told()
  nowhere.ua.invite(outbound('sip:bob@far.test'), heard.handlers)
  assert.deepEqual(await heard.end(), {
    by: 'system',
    why: 'unreachable',
    detail: 'the name leads to no address',
  })
  await idle(nowhere)
})

const mayFollow = async () => true

test('a redirect leads only where the caller of the stack allows, and nowhere by default', async (t) => {
  const [first, second, third] = [await openFarSide(t), await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t)
  const contact = `<${second.uri}>;q=0.9, <${third.uri}>;q=0.1`
  const asked: string[] = []
  const onlyThird = async (uri: string) => {
    asked.push(uri)
    return uri === third.uri
  }
  for (const [n, more] of [{}, { mayFollow: onlyThird }].entries()) {
    const heard = told()
    a.ua.invite(outbound(first.uri, more), heard.handlers)
    first.answer(await first.request('INVITE', n), 302, { contact })
    if (n === 1) third.answer(await third.request('INVITE'), 486)
    assert.equal((await heard.end()).status, n === 0 ? 302 : 486)
  }
  assert.deepEqual(asked, [second.uri, third.uri])
  assert.equal(second.arrivals.length, 0)
})

test('a forbidden target is never contacted, neither for the INVITE nor later in the call', async (t) => {
  const [far, inside] = [await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t)
  const refusal = ({ port }: Hop) => (port === inside.port ? `port ${port} is not for you` : undefined)
  const refused = told()
  a.ua.invite(outbound(inside.uri, { refusal }), refused.handlers)
  assert.deepEqual(await refused.end(), {
    by: 'system',
    why: 'unreachable',
    detail: `port ${inside.port} is not for you`,
  })
  const heard = told()
  const call = a.ua.invite(outbound(far.uri, { refusal }), heard.handlers)
  far.answer(await far.request('INVITE'), 200, { sdp: sdp('far'), contact: `<${inside.uri}>` })
  await far.request('ACK')
  call.hangUp()
  far.answer(await far.request('BYE'), 200)
  assert.equal(inside.arrivals.length, 0)
})

test('a redirect is followed by its weights, without circles, and not to another scheme', async (t) => {
  const [first, second, third] = [await openFarSide(t), await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t)
  const heard = told()
  a.ua.invite(outbound(first.uri, { mayFollow }), heard.handlers)
  const contact = `<https://far.test>;q=1, <${second.uri}>;q=0.2, <tel:+551199>, <${third.uri}>;q=0.8`
  first.answer(await first.request('INVITE'), 302, { contact })
  third.answer(await third.request('INVITE'), 301, { contact: `<${first.uri}>` })
  const last = await second.request('INVITE')
  assert.equal(last.uri, second.uri)
  second.answer(last, 200, { sdp: sdp('second') })
  await until('it is answered', () => heard.answered.length === 1)
  assert.equal(first.distinct('INVITE').length, 1)
})

test('redirects come to an end', async (t) => {
  let port = 0
  const far = await openFarSide(t, (request, side) => {
    if (request.method !== 'INVITE') return
    const [, n = '0'] = /sip:bob(\d*)@/.exec(request.uri) ?? []
    side.answer(request, 302, { contact: `<sip:bob${Number(n) + 1}@127.0.0.1:${port}>` })
  })
  port = far.port
  const a = await openAgent(t)
  const heard = told()
  a.ua.invite(outbound(far.uri, { mayFollow }), heard.handlers)
  assert.equal((await heard.end()).status, 302)
  assert.equal(new Set(far.requests('INVITE').map(({ message }) => message.uri)).size, 5)
})

/** The challenge of a peer (401) or a proxy (407). */
const challenge = (status: 401 | 407, nonce: string, more = ''): { headers: [string, string][] } => ({
  headers: [
    [
      status === 401 ? 'www-authenticate' : 'proxy-authenticate',
      `Digest realm="r${status}", nonce="${nonce}", qop="auth"${more}`,
    ],
  ],
})

const answersOf = ({ headers }: SipRequest) =>
  [...headers.all('proxy-authorization'), ...headers.all('authorization')].map((text) => {
    const params = parseAuth(text)?.params
    return `${params?.get('realm')} ${params?.get('nonce')} ${params?.get('nc')}`
  })

test('proxy and peer may both challenge; the ACK carries the credentials', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  const call = a.ua.invite(outbound(far.uri, { credentials: secret }), heard.handlers)
  const invites: SipRequest[] = [await far.request('INVITE')]
  far.answer(invites[0] as SipRequest, 407, challenge(407, 'n1'))
  invites.push(await far.request('INVITE', 1))
  far.answer(invites[1] as SipRequest, 401, challenge(401, 'n2'))
  invites.push(await far.request('INVITE', 2))
  assert.deepEqual(invites.map(answersOf), [[], ['r407 n1 00000001'], ['r407 n1 00000002', 'r401 n2 00000001']])
  assert.deepEqual(invites.map(cseqOf), [1, 2, 3])
  assert.equal(new Set(invites.map(({ headers }) => headers.get('from'))).size, 1)
  far.answer(invites[2] as SipRequest, 200, { sdp: sdp('x') })
  await until('it is answered', () => heard.answered.length === 1)
  const ack = await until('the ACK', () => far.requests('ACK').find(({ message }) => cseqOf(message) === 3))
  assert.deepEqual(answersOf(ack.message), answersOf(invites[2] as SipRequest))
  call.hangUp()
  const bye = await far.request('BYE')
  far.answer(bye, 407, challenge(407, 'n3'))
  const again = await far.request('BYE', 1)
  assert.deepEqual([answersOf(again), cseqOf(again)], [['r407 n3 00000001'], cseqOf(bye) + 1])
  far.answer(again, 200)
  await idle(a)
})

test('a stale nonce is answered once more; a wrong password is not tried again', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  a.ua.invite(outbound(far.uri, { credentials: secret }), heard.handlers)
  far.answer(await far.request('INVITE'), 401, challenge(401, 'n1'))
  far.answer(await far.request('INVITE', 1), 401, challenge(401, 'n2', ', stale=true'))
  far.answer(await far.request('INVITE', 2), 401, challenge(401, 'n3', ', stale=true'))
  assert.deepEqual(await heard.end(), { by: 'remote', why: 'refused', status: 401, detail: 'Unauthorized' })
  const wrong = told()
  a.ua.invite(outbound(far.uri, { credentials: secret }), wrong.handlers)
  far.answer(await far.request('INVITE', 3), 401, challenge(401, 'n4'))
  far.answer(await far.request('INVITE', 4), 401, challenge(401, 'n5'))
  assert.equal((await wrong.end()).status, 401)
  const other = told()
  const elsewhere = { ...secret, realm: 'another' }
  a.ua.invite(outbound(far.uri, { credentials: elsewhere }), other.handlers)
  far.answer(await far.request('INVITE', 5), 401, challenge(401, 'n6'))
  assert.equal((await other.end()).status, 401)
  await idle(a)
})

test('the next target may challenge with its own nonce', async (t) => {
  const [busy, good] = [await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t, { resolver: leadingTo([busy.hop, good.hop]) })
  const heard = told()
  a.ua.invite(outbound('sip:bob@far.test', { credentials: secret }), heard.handlers)
  busy.answer(await busy.request('INVITE'), 401, challenge(401, 'n1'))
  busy.answer(await busy.request('INVITE', 1), 503)
  const fresh = await good.request('INVITE')
  assert.deepEqual(answersOf(fresh), [])
  good.answer(fresh, 401, challenge(401, 'n2'))
  const answered = await good.request('INVITE', 1)
  assert.deepEqual(answersOf(answered), ['r401 n2 00000001'])
  good.answer(answered, 486)
  assert.equal((await heard.end()).status, 486)
})

test('of the addresses of a redirect the next is tried when one is busy, but not after a 6xx', async (t) => {
  const [first, second, third] = [await openFarSide(t), await openFarSide(t), await openFarSide(t)]
  const a = await openAgent(t)
  for (const [n, status] of [486, 603].entries()) {
    const heard = told()
    a.ua.invite(outbound(first.uri, { mayFollow }), heard.handlers)
    const contact = `<${second.uri}>;q=0.9, <${third.uri}>;q=0.1`
    first.answer(await first.request('INVITE', n), 302, { contact })
    second.answer(await second.request('INVITE', n), status)
    if (status < 600) third.answer(await third.request('INVITE', n), 404)
    assert.equal((await heard.end()).status, status < 600 ? 404 : 603)
  }
  assert.equal(third.distinct('INVITE').length, 1)
})

test('a session interval that is too small is raised as the peer wants', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const heard = told()
  a.ua.invite(outbound(far.uri, { sessionTimers: true }), heard.handlers)
  const first = await far.request('INVITE')
  assert.deepEqual([first.headers.get('session-expires'), first.headers.get('min-se')], ['1800', '90'])
  far.answer(first, 422, { headers: [['min-se', '3600']] })
  const second = await far.request('INVITE', 1)
  assert.deepEqual([second.headers.get('session-expires'), second.headers.get('min-se')], ['3600', '3600'])
  far.answer(second, 422, { headers: [['min-se', '3600']] })
  assert.equal((await heard.end()).status, 422)
})

test('a proxy that is named as the route stands in Route; another route is only where to send', async (t) => {
  const a = await openAgent(t)
  const far = await openFarSide(t)
  const proxy = `sip:127.0.0.1:${far.port}`
  for (const [n, route] of [`${proxy};lr`, proxy].entries()) {
    const heard = told()
    a.ua.invite(outbound('sip:bob@far.test', { route }), heard.handlers)
    const invite = await far.request('INVITE', n)
    assert.deepEqual([invite.uri, invite.headers.all('route')], ['sip:bob@far.test', n === 0 ? [`<${route}>`] : []])
    far.answer(invite, 404)
    await heard.end()
  }
})
