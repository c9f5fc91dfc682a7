// A tool's secrets belong to the address they were given for: a changed address does not get them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, startTestApp } from '../app.ts'
import { onLoopback, startCounterpart } from './counterpart.ts'

const MASK = '********'
let started: ReturnType<typeof startTestApp> | undefined
async function desk() {
  started ??= startTestApp(onLoopback)
  const app = await started
  const token = () => ({ body: JSON.stringify({ access_token: 'a-good-token', expires_in: 3600 }) })
  const [own, other, tokens, otherTokens] = await Promise.all([
    startCounterpart(),
    startCounterpart(),
    startCounterpart(token),
    startCounterpart(token),
  ])
  return { ana: await app.newUser('ana'), own, other, tokens, otherTokens }
}

const make = async (client: Client, fields: object) => {
  const { json, status, text } = await client.post('/api/tools', { name: 'x', type: 'api_request', ...fields })
  assert.equal(status, 201, text)
  const one = `/api/tools/${json.id}`
  return {
    run: () => client.post(`${one}/test`, {}),
    async patch(fields: object) {
      const answer = await client.patch(one, fields)
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    },
    get: async () => (await client.get(one)).json,
  }
}

const again = /cannot be used: .*send the secret again/

test('122 a changed address keeps the stored secrets, but they are not sent there until they are set again', async () => {
  const { ana, own, other } = await desk()
  const headers = { 'X-Key': 'planted-header', Accept: 'text/plain' }
  const tool = await make(ana, { requestUrl: `${own.url}/a/{x}?y={y}`, headers, parameters: fixed })
  assert.equal((await tool.run()).json.status, 'done')
  await tool.patch({ requestUrl: `${own.url}/b` }) // the same origin
  assert.equal((await tool.run()).json.status, 'done')
  const moved = await tool.patch({ requestUrl: `${other.url}/a` })
  assert.deepEqual(moved.headers, { ...headers, 'X-Key': MASK }, 'the secret is kept')
  assertError(await tool.run(), 409, again)
  await tool.patch({ ...(await tool.get()), name: 'renamed' }) // sends the whole record back, as the page does
  assertError(await tool.run(), 409, again)
  assert.equal(other.received.length, 0)
  await tool.patch({ requestUrl: own.url }) // back to the original address
  assert.equal((await tool.run()).json.status, 'done')
  await tool.patch({ requestUrl: other.url, headers: { 'X-Key': 'planted-anew' } })
  assert.equal((await tool.run()).json.status, 'done')
  assert.deepEqual(
    other.received.map(({ headers }) => headers['x-key']),
    ['planted-anew'],
  )
})
const fixed = {
  type: 'object',
  properties: { x: { type: 'string', default: '1' }, y: { type: 'string', default: '2' } },
}

test('setting one of several secrets again does not release the others', async () => {
  const { ana, own, other } = await desk()
  const tool = await make(ana, { requestUrl: own.url, headers: { 'X-A': 'planted-a', 'X-B': 'planted-b' } })
  await tool.patch({ requestUrl: other.url, headers: { 'X-A': 'planted-new', 'X-B': MASK } })
  assertError(await tool.run(), 409, /send all of them again/)
  await tool.patch({ requestUrl: own.url })
  assertError(await tool.run(), 409, /send all of them again/)
  assert.equal(own.received.length + other.received.length, 0)
  await tool.patch({ headers: { 'X-A': 'planted-new', 'X-B': 'planted-b' } })
  assert.equal((await tool.run()).json.status, 'done')
})

test('an authorization is bound to its address, its type, its position and its token server', async () => {
  const { ana, own, other, tokens, otherTokens } = await desk()
  const bearer = { type: 'bearer', token: 'planted-token' }
  const oauth = {
    type: 'oauth2_client_credentials',
    tokenUrl: `${tokens.url}/token`,
    clientId: 'c',
    clientSecret: 'planted-client',
  }
  const key = { type: 'api_key', name: 'X-Key', in: 'header', value: 'planted-key' }
  const attacks: [authorization: object, change: object][] = [
    [bearer, { requestUrl: other.url }],
    [oauth, { requestUrl: other.url }],
    [bearer, { authorization: { type: 'api_key', in: 'query', name: 'k', token: MASK } }],
    [key, { authorization: { ...key, in: 'query', value: MASK } }],
    [key, { authorization: { ...key, name: 'User-Agent', value: MASK } }],
    [oauth, { authorization: { ...oauth, tokenUrl: `${otherTokens.url}/token`, clientSecret: MASK } }],
  ]
  for (const [authorization, change] of attacks) {
    const what = JSON.stringify(change)
    const tool = await make(ana, { requestUrl: own.url, authorization })
    assert.equal((await tool.run()).json.status, 'done', what)
    await tool.patch(change)
    const before = own.received.length
    const answer = await tool.run()
    assert.equal(answer.status, 409, what)
    assertError(answer, 409, again)
    assert.equal(own.received.length, before, what)
  }
  assert.equal(other.received.length + otherTokens.received.length, 0)
  const tool = await make(ana, { requestUrl: own.url, authorization: oauth })
  await tool.patch({ authorization: { ...oauth, tokenUrl: `${tokens.url}/other-path`, clientSecret: MASK } })
  assert.equal((await tool.run()).json.status, 'done', 'the same token server')
  await tool.patch({ authorization: { ...oauth, tokenUrl: `${otherTokens.url}/token` } })
  assert.equal((await tool.run()).json.status, 'done', 'given anew')
})

test('every tool type with a secret withholds it from another address', async () => {
  const { ana, other } = await desk()
  const google = { type: 'google_refresh_token', clientId: 'c', clientSecret: 'planted-1', refreshToken: 'planted-2' }
  const basic = { type: 'basic', username: 'ana', password: 'planted-password' }
  const bearer = { type: 'bearer', token: 'xoxb-planted' }
  const tools: object[] = [
    { type: 'calendar', config: { provider: 'google' }, authorization: google },
    { type: 'calendar', requestUrl: 'https://calendar.example/', authorization: basic },
    { type: 'spreadsheet', config: { provider: 'google', spreadsheetId: 's' }, authorization: google },
    { type: 'chat_workspace', config: { channel: 'c' }, authorization: bearer },
    { type: 'mcp', requestUrl: 'https://mcp.example/', authorization: bearer },
    { type: 'mcp', requestUrl: 'https://mcp.example/', headers: { 'X-Key': 'planted-header' } },
    { type: 'custom', requestUrl: 'https://crm.example/', authorization: bearer },
    { type: 'custom', authorization: bearer },
    { type: 'send_text', config: { deviceId: 'd' }, headers: { 'X-Key': 'planted-header' } },
  ]
  for (const fields of tools) {
    const tool = await make(ana, fields)
    await tool.patch({ requestUrl: other.url })
    assertError(await tool.run(), 409, again)
    await tool.patch({ requestUrl: other.url, type: 'api_request', config: null })
    assertError(await tool.run(), 409, again)
  }
  assert.equal(other.received.length, 0)
})
