import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { aRun, aTool, loopbackTools, runTool } from '../../../test/tool-runs.ts'
import { openWebServer, sendJson } from '../../../test/web-server.ts'
import { apiRequest } from '../api-request.ts'
import { type Authorization, authorizationProblem } from './authorization.ts'
import { tokenSource } from './oauth.ts'

/** A server that echoes every request and issues tokens at /token. */
async function open(t: TestContext, lifeSeconds: unknown = 3600) {
  const isValid = { token: '' }
  const server = await openWebServer(t, ({ url, headers, body }, response) => {
    if (url === '/token') {
      isValid.token = `opaque-token-${server.asked.filter((asked) => asked.url === '/token').length}`
      return sendJson(response, { access_token: isValid.token, token_type: 'Bearer', expires_in: lifeSeconds })
    }
    if (isValid.token !== '' && headers.authorization !== `Bearer ${isValid.token}`)
      return sendJson(response, { error: `not ${headers.authorization}` }, 401)
    sendJson(response, { url, headers, body })
  })
  const tools = loopbackTools(t)
  const kind = apiRequest(tools)
  const ask = (authorization: Authorization, more = {}) =>
    runTool(kind, aTool({ requestUrl: `${server.url}/x?a=1`, authorization, ...more }), aRun())
  const tokensAsked = () => server.asked.filter(({ url }) => url === '/token')
  return { server, tools, ask, isValid, tokensAsked }
}

test('each authorization type is sent in its place and never returned', async (t) => {
  const { server, ask } = await open(t)
  const kinds: [Authorization, string, string][] = [
    [{ type: 'none' }, 'authorization', 'undefined'],
    [{ type: 'bearer', token: 'planted-1' }, 'authorization', 'Bearer planted-1'],
    [{ type: 'basic', username: 'ana', password: 'planted-2' }, 'authorization', `Basic ${btoa('ana:planted-2')}`],
    [{ type: 'api_key', name: 'X-Key', value: 'planted-3' }, 'x-key', 'planted-3'],
    [
      { type: 'api_key', in: 'header', name: 'authorization', prefix: 'Token', value: 'planted-4' },
      'authorization',
      'Token planted-4',
    ],
    [{ type: 'custom_header', headerName: 'X-Other', value: 'planted-5 "&' }, 'x-other', 'planted-5 "&'],
  ]
  for (const [authorization, header, value] of kinds) {
    const outcome = await ask(authorization)
    assert.ok(outcome.ok)
    assert.equal(String(server.asked.at(-1)?.headers[header]), value)
    assert.doesNotMatch(outcome.text, /planted|YW5h/, outcome.text)
  }
  const inQuery = await ask({ type: 'api_key', in: 'query', name: 'key', value: 'planted-6 &?' })
  assert.equal(server.asked.at(-1)?.url, '/x?a=1&key=planted-6%20%26%3F')
  assert.ok(inQuery.ok)
  assert.doesNotMatch(inQuery.text, /planted/)
})

test('a secret echoed in a refusal is masked in every encoding', async (t) => {
  const secret = 'pl"anted/s3cret'
  const shapes = [secret, encodeURIComponent(secret), btoa(secret)]
  const server = await openWebServer(t, (_asked, response) =>
    sendJson(response, { message: shapes, echo: secret }, 403),
  )
  const tool = aTool({ requestUrl: server.url, authorization: { type: 'bearer', token: secret } })
  const outcome = await runTool(apiRequest(loopbackTools(t)), tool, aRun())
  assert.ok(!outcome.ok)
  assert.match(outcome.error, /status 403/)
  assert.doesNotMatch(outcome.error, /anted|s3cret|cGwi/)
})

test('HMAC covers the timestamp and the body', async (t) => {
  const { server, ask } = await open(t)
  await ask(
    { type: 'hmac', secret: 'planted-key', headerName: 'X-Sig', prefix: 'sha256=' },
    { method: 'POST', body: { a: 'é' } },
  )
  const { headers, body } = server.asked[0] ?? assert.fail()
  const timestamp = String(headers['x-timestamp'])
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60)
  const expected = createHmac('sha256', 'planted-key').update(`${timestamp}.${body}`).digest('hex')
  assert.equal(headers['x-sig'], `sha256=${expected}`)
})

test('a token is fetched once for concurrent requests and cached', async (t) => {
  const { server, ask, tokensAsked } = await open(t)
  const authorization = {
    type: 'oauth2_client_credentials',
    tokenUrl: `${server.url}/token`,
    clientId: 'id:1',
    clientSecret: 'planted secret',
    scope: 'read write',
  }
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => ask(authorization)))
  assert.ok(outcomes.every(({ ok }) => ok))
  assert.doesNotMatch(JSON.stringify(outcomes), /opaque-token/)
  await ask(authorization)
  assert.equal(tokensAsked().length, 1)
  const [first] = tokensAsked()
  assert.equal(first?.body, 'grant_type=client_credentials&scope=read+write')
  assert.equal(first?.headers.authorization, `Basic ${btoa('id%3A1:planted%20secret')}`)
  await ask({ ...authorization, in: 'body', audience: 'x' })
  assert.equal(
    tokensAsked()[1]?.body,
    'grant_type=client_credentials&scope=read+write&audience=x&client_id=id%3A1&client_secret=planted+secret',
  )
})

test('a refused token is renewed once and the request is sent again', async (t) => {
  const { server, ask, isValid, tokensAsked } = await open(t)
  const authorization = {
    type: 'oauth2_client_credentials',
    tokenUrl: `${server.url}/token`,
    clientId: 'a',
    clientSecret: 'b',
  }
  assert.ok((await ask(authorization)).ok)
  isValid.token = 'revoked'
  const again = await ask(authorization, { method: 'POST' })
  assert.ok(again.ok, JSON.stringify(again))
  assert.equal(tokensAsked().length, 2)
  const refusing = await openWebServer(t, (_asked, response) => sendJson(response, {}, 401))
  const outcome = await ask(authorization, { requestUrl: refusing.url })
  assert.ok(!outcome.ok)
  assert.equal(refusing.asked.length, 2)
})

test('a token is renewed before it expires', async (t) => {
  const { server, tools, tokensAsked } = await open(t, '600')
  let nowMs = 0
  const tokens = tokenSource(tools.http, () => nowMs)
  const credentials = { tokenUrl: `${server.url}/token`, clientId: 'a', clientSecret: 'b', in: 'body' } as const
  assert.equal(await tokens.token(credentials), 'opaque-token-1')
  nowMs = 569_000
  assert.equal(await tokens.token(credentials), 'opaque-token-1')
  nowMs = 571_000
  assert.equal(await tokens.token(credentials), 'opaque-token-2')
  assert.equal(tokensAsked().length, 2)
})

test('a failing token server is reported with its reason but no secret, and asked again next time', async (t) => {
  let status = 400
  let refusal: object = { error: 'planted-secret' }
  const server = await openWebServer(t, ({ url }, response) => {
    if (url !== '/token') return sendJson(response, { ok: true })
    sendJson(response, { ...refusal, access_token: 'fine' }, status)
  })
  const credentials = { tokenUrl: `${server.url}/token`, clientId: 'planted-id', clientSecret: 'planted-secret' }
  const authorization = { type: 'oauth2_client_credentials', ...credentials }
  const kind = apiRequest(loopbackTools(t))
  const ask = () => runTool(kind, aTool({ requestUrl: server.url, method: 'POST', authorization }), aRun())
  const told = (words: string) => ({ ok: false, error: `the token server answered with status 400${words}` })
  assert.deepEqual(await ask(), told(''))
  assert.equal(server.asked.length, 1)
  refusal = { error: 'invalid_client', error_description: 'planted-secret is wrong' }
  assert.deepEqual(await ask(), told(' (invalid_client)'), 'a secret is not repeated')
  refusal = { error: 'invalid_client', error_description: 'Unknown client' }
  assert.deepEqual(await ask(), told(' (invalid_client: Unknown client)'))
  refusal = { error: 'invalid_client', error_description: 'Bad: Basic cGxhbnRlZC1pZDpwbGFudGVk' }
  assert.deepEqual(await ask(), told(' (invalid_client)'), 'nor what looks like one')
  refusal = { error: '<b>planted</b>' }
  assert.deepEqual(await ask(), told(''))
  status = 200
  assert.ok((await ask()).ok)
  const elsewhere = { ...authorization, tokenUrl: 'http://169.254.169.254/token' }
  const refused = await runTool(kind, aTool({ requestUrl: server.url, authorization: elsewhere }), aRun())
  assert.deepEqual(refused, { ok: false, error: '169.254.169.254 is in a network that tools may not reach' })
})

test('an incomplete or unknown authorization is a problem with a message', () => {
  const wrong: Authorization[] = [
    { type: 'digest' },
    { type: 'bearer' },
    { type: 'bearer', token: 5 },
    { type: 'basic', password: 'x' },
    { type: 'api_key', value: 'x' },
    { type: 'api_key', name: 'X Y', value: 'x' },
    { type: 'custom_header', name: 'X-A' },
    { type: 'oauth2_client_credentials', tokenUrl: '/x', clientId: 'a', clientSecret: 'b' },
    { type: 'hmac', secret: 'x', algorithm: 'md5' },
    { type: 'hmac' },
  ]
  for (const authorization of wrong) assert.match(authorizationProblem(authorization) ?? '', /^authorization/)
  assert.equal(authorizationProblem(null), null)
})
