import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRequest, responseTo } from '../message/build.ts'
import type { SipRequest } from '../message/message.ts'
import { answerChallenge, digestResponse, type NonceCounters, newNonceCounters } from './digest.ts'
import { type DigestServer, digestServer } from './digest-server.ts'
import { nonceCounts } from './nonce-counts.ts'

const here = '192.0.2.7'
const passwordOf = (username: string) => (username === 'alice' ? 'secret' : undefined)
const request = (uri = 'sip:ramal.example', method = 'REGISTER'): SipRequest =>
  newRequest({
    method,
    uri,
    from: '<sip:alice@ramal.example>;tag=1',
    to: '<sip:alice@ramal.example>',
    callId: '1',
    cseq: 1,
  })

/** The same request with our client's response to these challenges. */
function answered(
  challenges: string[],
  password = 'secret',
  options: { username?: string; memory?: NonceCounters; signed?: string; request?: SipRequest } = {},
): SipRequest {
  const asked = options.request ?? request()
  const response = responseTo(asked, 401, undefined, {
    headers: challenges.map((text) => ['www-authenticate', text] as const),
  })
  const credentials = { username: options.username ?? 'alice', password }
  const answer = answerChallenge(
    response,
    { ...asked, uri: options.signed ?? asked.uri },
    credentials,
    options.memory ?? newNonceCounters(),
  )
  assert.ok(answer)
  const next = { ...asked, headers: asked.headers.copy().add(answer.name, answer.value) }
  return next
}

const edit = (was: SipRequest, change: (value: string) => string): SipRequest => ({
  ...was,
  headers: was.headers.copy().set('authorization', change(was.headers.get('authorization') ?? '')),
})

const verdict = async (
  server: DigestServer,
  asked: SipRequest,
  source = here,
  find: Parameters<DigestServer['verify']>[2] = passwordOf,
) => {
  const found = await server.verify(asked, source, find)
  return found.ok ? found.username : found.why
}

test('each algorithm has its challenge, and each challenge its own nonce', () => {
  const server = digestServer({ realm: 'a "b"', algorithms: ['SHA-256', 'MD5'] })
  const challenges = server.challenge(request(), false, here)
  assert.match(challenges[0] ?? '', /^Digest realm="a \\"b\\"", nonce="[\w-]{40}", algorithm=SHA-256, qop="auth"$/)
  assert.match(challenges[1] ?? '', /algorithm=MD5, qop="auth"$/)
  assert.match(server.challenge(request(), true, here)[0] ?? '', /stale=true$/)
  const nonces = Array.from({ length: 500 }, () => server.challenge(request(), false, here)).flat()
  assert.equal(new Set(nonces).size, 1000)
})

for (const algorithm of ['SHA-256', 'MD5', 'SHA-256-sess', 'MD5-sess'] as const)
  test(`the right password is taken, a wrong one is not (${algorithm})`, async () => {
    const server = digestServer({ realm: 'r', algorithms: [algorithm] })
    assert.equal(await verdict(server, answered(server.challenge(request(), false, here))), 'alice')
    assert.equal(await verdict(server, answered(server.challenge(request(), false, here), 'guess')), 'wrong')
    const stranger = answered(server.challenge(request(), false, here), 'secret', { username: 'mallory' })
    assert.equal(await verdict(server, stranger), 'wrong')
    assert.equal(await verdict(server, stranger, here, async () => undefined), 'wrong')
  })

test('unless told otherwise, only what every phone knows is offered', () => {
  assert.deepEqual(
    digestServer({ realm: 'r' })
      .challenge(request())
      .map((text) => text.replace(/nonce="[^"]*"/, 'nonce=""')),
    ['Digest realm="r", nonce="", algorithm=MD5, qop="auth"'],
  )
})

test('nothing, or something for another realm or scheme, is missing', async () => {
  const server = digestServer({ realm: 'r' })
  assert.equal(await verdict(server, request()), 'missing')
  assert.equal(await verdict(server, answered(digestServer({ realm: 'other' }).challenge(request()))), 'missing')
  const basic = request()
  basic.headers.add('authorization', 'Basic YWxpY2U6c2VjcmV0')
  assert.equal(await verdict(server, basic), 'missing')
})

test('an answer counts once', async () => {
  const server = digestServer({ realm: 'r' })
  const memory = newNonceCounters()
  const challenges = server.challenge(request(), false, here)
  const first = answered(challenges, 'secret', { memory })
  const second = answered(challenges, 'secret', { memory })
  assert.equal(await verdict(server, first), 'alice')
  assert.equal(await verdict(server, first), 'replayed')
  assert.equal(await verdict(server, second), 'alice')
  assert.equal(await verdict(server, second), 'replayed')
  // Also when both are verified concurrently.
  const third = answered(challenges, 'secret', { memory })
  const both = await Promise.all([verdict(server, third), verdict(server, third)])
  assert.deepEqual(both.sort(), ['alice', 'replayed'])
})

test('a wrong answer uses up nothing', async () => {
  const server = digestServer({ realm: 'r' })
  const challenges = server.challenge(request(), false, here)
  assert.equal(await verdict(server, answered(challenges, 'guess')), 'wrong')
  assert.equal(await verdict(server, answered(challenges)), 'alice')
})

test('a nonce runs out, belongs to whom it was given, and cannot be concealed', async () => {
  let now = 1_000_000
  const server = digestServer({ realm: 'r', nonceLifetimeMs: 60_000, now: () => now })
  const mine = answered(server.challenge(request(), false, here))
  assert.equal(await verdict(server, mine, '192.0.2.8'), 'stale')
  now += 60_001
  assert.equal(await verdict(server, mine), 'stale')
  const forged = edit(answered(server.challenge(request(), false, here)), (value) =>
    value.replace(/nonce="..../, 'nonce="BBBB'),
  )
  assert.equal(await verdict(server, forged), 'stale')
  for (const nonce of ['x', 'A'.repeat(40), '=', 'é'])
    assert.equal(
      await verdict(
        server,
        edit(mine, (value) => value.replace(/nonce="[^"]*/, `nonce="${nonce}`)),
      ),
      'stale',
      nonce,
    )
  assert.equal(await verdict(digestServer({ realm: 'r' }), answered(server.challenge(request(), false, here))), 'stale')
})

test('without a source a nonce is for everybody; nodes with one secret know the same nonces', async () => {
  const secret = Buffer.alloc(32, 7)
  const [one, two] = [digestServer({ realm: 'r', secret }), digestServer({ realm: 'r', secret })]
  assert.equal(await verdict(two, answered(one.challenge(request()))), 'alice')
  assert.equal(await verdict(two, answered(one.challenge(request(), false, here))), 'alice')
})

test('what is not as it should be is malformed', async () => {
  const server = digestServer({ realm: 'r' })
  const broken: [RegExp, string][] = [
    [/username="[^"]*"/, 'username=""'],
    [/username="[^"]*"/, `username="${'a'.repeat(300)}"`],
    [/response="[^"]*"/, 'response="zz"'],
    [/response="[^"]*"/, 'response=""'],
    [/uri="[^"]*"/, 'uri="sip:evil.example"'],
    [/uri="[^"]*"/, 'uri="sip:bob@ramal.example"'],
    [/qop=auth/, 'qop=auth-int'],
    [/nc=00000001/, 'nc=00000000'],
    [/nc=00000001/, 'nc=xyz'],
    [/, cnonce="[^"]*"/, ''],
    [/algorithm=MD5/, 'algorithm=SHA-512'],
    [/algorithm=MD5/, 'algorithm=SHA-256'],
  ]
  for (const [from, to] of broken) {
    const asked = edit(answered(server.challenge(request(), false, here)), (value) => value.replace(from, to))
    assert.equal(await verdict(server, asked), 'malformed', to)
  }
})

test('the uri may differ as phones make it differ', async () => {
  const server = digestServer({ realm: 'r' })
  const cases: [method: string, uri: string, signed: string, ok: boolean][] = [
    ['REGISTER', 'sip:ramal.example:5070;transport=tcp', 'sip:ramal.example', true],
    ['REGISTER', 'sip:192.0.2.9:5070', 'sip:RAMAL.example', true],
    ['INVITE', 'sip:100@192.0.2.9;user=phone', 'sip:100@192.0.2.9:5060', true],
    ['INVITE', 'sip:100@192.0.2.9', 'sip:200@192.0.2.9', false],
    ['INVITE', 'sip:100@192.0.2.9', 'sip:100@evil.example', false],
    ['INVITE', 'sip:100@192.0.2.9', 'tel:100', false],
  ]
  for (const [method, uri, signed, ok] of cases) {
    const asked = answered(server.challenge(request(), false, here), 'secret', {
      signed,
      request: request(uri, method),
    })
    assert.equal(await verdict(server, asked), ok ? 'alice' : 'malformed', `${uri} signed as ${signed}`)
  }
})

test('a phone that knows no qop may use a nonce once', async () => {
  const server = digestServer({ realm: 'r' })
  const nonce = /nonce="([^"]*)"/.exec(server.challenge(request(), false, here)[0] ?? '')?.[1] ?? ''
  const sum = digestResponse({
    algorithm: 'MD5',
    username: 'alice',
    realm: 'r',
    password: 'secret',
    method: 'REGISTER',
    uri: 'sip:ramal.example',
    nonce,
  })
  const asked = request()
  asked.headers.add(
    'authorization',
    `Digest username="alice",realm="r",nonce="${nonce}",uri="sip:ramal.example",response="${sum.toUpperCase()}"`,
  )
  assert.equal(await verdict(server, asked), 'alice')
  assert.equal(await verdict(server, asked), 'replayed')
})

test('an error of the one who knows the passwords is not swallowed', async () => {
  const server = digestServer({ realm: 'r' })
  const fail = () => Promise.reject(new Error('no database'))
  await assert.rejects(server.verify(answered(server.challenge(request(), false, here)), here, fail), /no database/)
})

test('counts may come out of order within a window, each once', () => {
  const counts = nonceCounts()
  const use = (count: number) => counts.use('n', 1, count)
  assert.deepEqual([5, 3, 4, 3, 5, 40, 8, 9, 9, 41].map(use), [
    true,
    true,
    true,
    false,
    false,
    true,
    false,
    true,
    false,
    true,
  ])
  assert.equal(use(0xffff_ffff), true)
  assert.equal(use(0xffff_fff0), true)
  assert.equal(use(42), false)
})

test('a full table forgets the oldest, and what is forgotten is not new again', () => {
  const counts = nonceCounts(3)
  for (const at of [1, 2, 3, 4]) assert.equal(counts.use(`n${at}`, at, 1), true)
  assert.equal(counts.isForgotten('n1', 1), true)
  assert.equal(counts.use('n1', 1, 2), false)
  assert.equal(counts.isForgotten('n2', 2), false)
  assert.equal(counts.isForgotten('new', 5), false)
})

test('a nonce of before the start is stale, though it has the shared secret: its counts are not known', async () => {
  const secret = Buffer.alloc(32, 7)
  const clock = { now: 1_700_000_000_000 }
  const open = () => digestServer({ realm: 'r', secret, now: () => clock.now })
  const before = open()
  const old = answered(before.challenge(request(), false, here))
  clock.now += 1000
  const restarted = open()
  assert.deepEqual(await restarted.verify(old, here, passwordOf), { ok: false, why: 'stale' })
  const fresh = answered(before.challenge(request(), false, here))
  assert.deepEqual(await restarted.verify(fresh, here, passwordOf), { ok: true, username: 'alice' })
})
