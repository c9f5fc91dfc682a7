import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRequest, responseTo } from '../message/build.ts'
import type { SipRequest } from '../message/message.ts'
import { parseAuth } from '../message/values.ts'
import { answerChallenge, type DigestAlgorithm, digestResponse, newNonceCounters } from './digest.ts'

const request = (): SipRequest =>
  newRequest({
    method: 'REGISTER',
    uri: 'sip:carrier.example',
    from: '<sip:a@b>;tag=1',
    to: '<sip:a@b>',
    callId: '1',
    cseq: 1,
  })
const ours = { username: 'alice', password: 'secret' }
const refusal = (status: number, ...challenges: string[]) =>
  responseTo(request(), status, undefined, {
    headers: challenges.map((text) => [status === 407 ? 'proxy-authenticate' : 'www-authenticate', text] as const),
  })

const answer = (
  challenges: string[],
  memory = newNonceCounters(),
  credentials: Parameters<typeof answerChallenge>[2] = ours,
) => answerChallenge(refusal(401, ...challenges), request(), credentials, memory)
const params = (value: string | undefined) => parseAuth(value ?? '')?.params ?? new Map<string, string>()

/** Checks the digest against the one a server would compute from what was sent. */
function assertRight(value: string | undefined, password = 'secret'): void {
  const sent = params(value)
  const text = (name: string) => sent.get(name) ?? ''
  const sum = digestResponse({
    algorithm: (sent.get('algorithm') ?? 'MD5') as DigestAlgorithm,
    username: text('username'),
    realm: text('realm'),
    password,
    method: 'REGISTER',
    uri: text('uri'),
    nonce: text('nonce'),
    cnonce: text('cnonce'),
    ...(sent.has('qop') && { qop: { nc: text('nc'), cnonce: text('cnonce') } }),
  })
  assert.equal(text('response'), sum)
}

test('the hashes match RFC 2617 and RFC 7616', () => {
  const old = {
    username: 'Mufasa',
    realm: 'testrealm@host.com',
    password: 'Circle Of Life',
    method: 'GET',
    uri: '/dir/index.html',
    nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
  }
  assert.equal(
    digestResponse({ ...old, algorithm: 'MD5', qop: { nc: '00000001', cnonce: '0a4f113b' } }),
    '6629fae49393a05397450978507c4ef1',
  )
  assert.equal(digestResponse({ ...old, algorithm: 'MD5' }), '670fd8c2df070c60b045671b8b24ff02')
  const now = {
    ...old,
    realm: 'http-auth@example.org',
    password: 'Circle of Life',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    qop: { nc: '00000001', cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
  }
  assert.equal(digestResponse({ ...now, algorithm: 'MD5' }), '8ca523f5e9506fed4657c9700eebdbec')
  assert.equal(
    digestResponse({ ...now, algorithm: 'SHA-256' }),
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  )
})

test('a challenge without qop is answered in the old way', () => {
  const found = answer(['Digest realm="r", nonce="n"'])
  assert.equal(found?.name, 'authorization')
  assert.deepEqual([...params(found?.value).keys()], ['username', 'realm', 'nonce', 'uri', 'response'])
  assertRight(found?.value)
})

for (const algorithm of ['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'])
  test(`${algorithm} with qop, and without`, () => {
    const found = answer([`Digest realm="r", nonce="n", algorithm=${algorithm}, qop="auth-int,auth", opaque="o\\"p"`])
    const sent = params(found?.value)
    assert.deepEqual(
      [sent.get('qop'), sent.get('nc'), sent.get('algorithm'), sent.get('opaque')],
      ['auth', '00000001', algorithm, 'o"p'],
    )
    assertRight(found?.value)
    assertRight(answer([`Digest realm="r", nonce="n", algorithm=${algorithm}`])?.value)
  })

test('the strongest that we know is answered, wherever it stands', () => {
  const md5 = 'Digest realm="r", nonce="m", algorithm=MD5'
  const sha = 'Digest realm="r", nonce="s", algorithm=sha-256, qop="auth"'
  const unknown = 'Digest realm="r", nonce="u", algorithm=SHA-1024'
  for (const challenges of [
    [md5, sha, unknown],
    [unknown, sha, md5],
    [`${md5}, ${sha}, ${unknown}`],
    ['Basic realm="r"', `${unknown}, ${sha}`],
  ]) {
    const found = answer(challenges)
    assert.equal(params(found?.value).get('nonce'), 's')
    assertRight(found?.value)
  }
})

test('unsupported challenges get no credentials', () => {
  for (const challenge of [
    'Basic realm="r"',
    'Digest realm="r", nonce="n", qop="auth-int"',
    'Digest realm="r", nonce="n", algorithm=X',
    'Digest nonce="n"',
    'Digest realm="r"',
    'rubbish',
    '',
  ])
    assert.equal(answer([challenge]), null, challenge)
  assert.equal(answer([]), null)
})

test('only the realm that the password is for gets an answer', () => {
  const challenges = ['Digest realm="evil", nonce="e", algorithm=SHA-256', 'Digest realm="good", nonce="g"']
  assert.equal(params(answer(challenges, undefined, { ...ours, realm: 'good' })?.value).get('nonce'), 'g')
  assert.equal(answer(challenges, undefined, { ...ours, realm: 'other' }), null)
})

test('a proxy is answered in its own header', () => {
  const found = answerChallenge(refusal(407, 'Digest realm="r", nonce="n"'), request(), ours, newNonceCounters())
  assert.equal(found?.name, 'proxy-authorization')
})

test('each use of a nonce is counted', () => {
  const memory = newNonceCounters()
  const counts = [1, 2, 3].map(() =>
    params(answer(['Digest realm="r", nonce="n", qop="auth"'], memory)?.value).get('nc'),
  )
  assert.deepEqual(counts, ['00000001', '00000002', '00000003'])
  assert.equal(params(answer(['Digest realm="r", nonce="other", qop="auth"'], memory)?.value).get('nc'), '00000001')
})

test('a name with quotes, line ends and accents cannot break out, and is summed as it is', () => {
  const found = answer(['Digest realm="r \\"x\\"", nonce="n"'], undefined, {
    username: 'josé "x"\r\nEvil: 1',
    password: 'sé',
  })
  assert.doesNotMatch(found?.value ?? '', /[\r\n]/)
  assert.equal(params(found?.value).get('realm'), 'r "x"')
  assertRight(
    answer(['Digest realm="r"', 'Digest realm="é", nonce="n"'], undefined, { username: 'josé', password: 'sé' })?.value,
    'sé',
  )
})
