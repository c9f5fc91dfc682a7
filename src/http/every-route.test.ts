// Rules for every endpoint, tested on every endpoint in the OpenAPI document: keys, paths, methods, ids.
import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import type { Answer } from '../../test/answers.ts'
import { assertError, testApp as startedApp, type TestApp } from '../../test/app.ts'
import { isStream, missingIds, type Operation, operationsOf, urlOf } from '../../test/operations.ts'

/** Ana is an administrator, because some endpoints reject others. */
const testApp = async (): Promise<TestApp> => {
  const base = await startedApp()
  return { ...base, ana: await base.newUser('ana', 'admin') }
}

const urlOfMissing = (operation: Operation) => urlOf(operation, missingIds)

/** A valid body that refers to no existing record. */
function bodyOf({ title, body }: Operation): Record<string, unknown> | undefined {
  if (!body) return undefined
  const samples: Record<string, unknown> = {
    name: 'x',
    systemPrompt: 'x',
    trunkId: 'x',
    content: 'x',
    agentId: 'missing',
    conversationId: 'missing',
    phoneNumber: '+5511999990000',
    countryCode: '55',
    toNumber: '+5511999990000',
    email: 'ana@example.com',
    password: 'x',
    text: 'x',
    query: 'x',
    number: '+5511999990000',
    columns: ['x'],
    script: {},
    callId: 'missing',
    values: {},
    url: 'http://127.0.0.1:1/',
    model: 'x',
    voiceId: '0190f3f6-0000-7000-8000-000000000000',
  }
  return Object.fromEntries(
    (body.required ?? []).map((name) => {
      const value = body.properties?.[name]?.enum?.[0] ?? samples[name]
      assert.ok(value !== undefined, `${title}: bodyOf needs a sample for ${name}`)
      return [name, value]
    }),
  )
}

const json = { 'content-type': 'application/json' }

function requestOf(operation: Operation, url = urlOfMissing(operation)) {
  const body = bodyOf(operation)
  return { method: operation.method, url, ...(body ? { headers: json, payload: JSON.stringify(body) } : {}) }
}

/** Asserts the contract's error shape and the headers that every response has. */
function assertRefused(answer: Answer, status: number, about: string): void {
  assert.equal(answer.status, status, `${about}: ${answer.text}`)
  assertError(answer, status)
  assert.equal(answer.json.error, STATUS_CODES[status], about)
  assert.equal(typeof answer.json.message, 'string', about)
  assert.notEqual(answer.json.message, '', about)
  assert.match(String(answer.headers['x-request-id']), /^[\w.-]{1,64}$/, about)
  assert.equal(answer.headers['cache-control'], 'no-store', about)
  assert.match(String(answer.headers['content-type']), /^application\/json/, about)
}

const operations = async (base: TestApp) => {
  const all = operationsOf(base.app)
  assert.ok(all.length >= 52)
  return all
}
/** Operations whose response ends by itself. */
const finite = async (base: TestApp) => (await operations(base)).filter((operation) => !isStream(operation))

test('5, 6, 7, 54 without a valid key every endpoint answers 401 Unauthorized', async () => {
  const base = await testApp()
  const { ana, anonymous } = base
  const good = ana.key
  const tries: Record<string, Record<string, string | string[]>> = {
    'no key': {},
    'an empty key': { 'x-api-key': '' },
    'a wrong key': { 'x-api-key': `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}` },
    'a key that nobody has': { 'x-api-key': 'k'.repeat(40) },
    'a key that is too long': { 'x-api-key': good + 'x'.repeat(600) },
    'the key twice': { 'x-api-key': [good, good] },
    'a bearer token': { authorization: `Bearer ${good}` },
    'basic authorization': { authorization: `Basic ${Buffer.from(`${good}:`).toString('base64')}` },
    'a cookie': { cookie: `api_key=${good}; x-api-key=${good}` },
  }
  for (const operation of await operations(base)) {
    const request = requestOf(operation)
    for (const [name, headers] of Object.entries(tries)) {
      const answer = await anonymous({ ...request, headers: { ...request.headers, ...headers } })
      assertRefused(answer, 401, `${operation.title} with ${name}`)
    }
    const inQuery = await anonymous({ ...request, url: `${request.url}?api_key=${good}&x-api-key=${good}` })
    assertRefused(inQuery, 401, `${operation.title} with the key in the query`)
  }
})

test('8, 40 revoked and expired keys are rejected everywhere', async () => {
  const base = await testApp()
  const { ana, database } = base
  const revoked = await ana.withKey({ name: 'revoked' })
  const expired = await ana.withKey({ name: 'expired', expiresInDays: 1 })
  const { json: list } = await ana.get('/api/api-keys')
  const idOf = (name: string) => list.find((key: { name: string }) => key.name === name).id
  await ana.delete(`/api/api-keys/${idOf('revoked')}`)
  await database.db
    .updateTable('apiKeys')
    .set({ expiresAt: new Date(Date.now() - 1).toISOString() })
    .where('id', '=', idOf('expired'))
    .execute()
  for (const operation of await operations(base)) {
    assertError(await revoked.send(requestOf(operation)), 401, 'This API key was revoked')
    assertError(await expired.send(requestOf(operation)), 401, 'This API key has expired')
  }
})

test('13 a key over its limit is refused on every endpoint, without side effects', async () => {
  const base = await testApp()
  const { ana } = base
  const limited = await ana.withKey({ rateLimit: 1 })
  await limited.get('/api/agents')
  for (const operation of await operations(base)) {
    const answer = await limited.send(requestOf(operation))
    assertRefused(answer, 429, operation.title)
    assert.match(String(answer.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/, operation.title)
    assert.equal(answer.headers['ratelimit-policy'], '"default";q=1;w=60')
    assert.match(String(answer.headers.ratelimit), /^"default";r=0;t=\d+$/)
  }
  for (const list of ['agents', 'did', 'tools', 'trunks', 'gateway/devices', 'conversations', 'calls'])
    assert.deepEqual((await ana.get(`/api/${list}`)).json, [], list)
  assertError(await ana.get('/api/gateway/credentials'), 404)
  assert.equal((await ana.get('/api/api-keys')).json.length, 2)
})

test('4 an impossible id is a 404 like any missing one', async () => {
  const base = await testApp()
  const { ana } = base
  const withIds = (await operations(base)).filter((operation) => operation.pathParameters.length > 0)
  assert.ok(withIds.length >= 20)
  const ids = ['missing', 'x'.repeat(5120), '\0', 'a\0b', '😀', '日本', '%', '../..', "' or 1=1 --", ' ', '{id}']
  for (const operation of withIds) {
    for (const id of ids) {
      const values = Object.fromEntries(operation.pathParameters.map((name) => [name, id]))
      const answer = await ana.send(requestOf(operation, urlOf(operation, values)))
      assertRefused(answer, 404, `${operation.title} with ${id.slice(0, 20)}`)
    }
    for (const raw of ['%zz', '%', '%c3%28', '%ff', 'a%2fb%', '%00%', '%ED%A0%80']) {
      const answer = await ana.send(requestOf(operation, operation.path.replaceAll(/\{[^}]+\}/g, raw)))
      assertRefused(answer, 404, `${operation.title} with ${raw}`)
    }
  }
})

test('4 a query text that no database could store is handled too', async () => {
  const base = await testApp()
  const { ana } = base
  for (const operation of await operations(base)) {
    for (const { name } of operation.query) {
      for (const value of ['%00', 'a%00b', '%ff', '%zz', '😀', 'x'.repeat(2000)]) {
        const url = `${urlOfMissing(operation)}?${name}=${encodeURI(value).replaceAll('%25', '%')}`
        const { status, text } = await ana.send(requestOf(operation, url))
        const isSilent = status === 503 && operation.path.startsWith('/api/tts/') // these tests have no speech engine
        assert.ok(status < 500 || isSilent, `${operation.title} ?${name}=${value.slice(0, 10)}: ${text}`)
      }
    }
  }
})

test('25 a trailing slash changes nothing', async () => {
  const base = await testApp()
  for (const operation of await finite(base)) {
    const ana = await base.newUser('ana')
    const plain = await ana.send(requestOf(operation))
    const bia = await base.newUser('bia')
    const slashed = await bia.send(requestOf(operation, `${urlOfMissing(operation)}/`))
    const repeated = operation.title === 'POST /api/did' ? 409 : plain.status // the number is taken now
    assert.equal(slashed.status, repeated, operation.title)
    if (plain.status >= 400 && repeated === plain.status) assert.deepEqual(slashed.json, plain.json, operation.title)
  }
})

test('1, 10, 25, 34 another case, a double slash, a version or a missing /api matches no route', async () => {
  const base = await testApp()
  const { ana, anonymous } = base
  for (const operation of await operations(base)) {
    const url = urlOfMissing(operation)
    const word = url.split('/')[2] ?? ''
    const wrong = [
      url.replace(word, word.toUpperCase()),
      url.replace(word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`),
      url.replace('/api/', '/api/v1/'),
      url.replace('/api/', '/api/v2/'),
      `${url}/nothing/is/here`,
      ...[...url.matchAll(/\//g)].slice(1).map(({ index }) => `${url.slice(0, index)}/${url.slice(index)}`),
      `${url}//`,
    ]
    for (const path of wrong) {
      assertRefused(await ana.send(requestOf(operation, path)), 404, `${operation.method} ${path}`)
      assertRefused(await anonymous(requestOf(operation, path)), 401, `${operation.method} ${path} without a key`)
    }
    const bare = url.replace('/api/', '/')
    assertRefused(await ana.send(requestOf(operation, bare)), 404, `${operation.method} ${bare}`)
  }
})

test('26 HEAD answers as GET does, without the body', async () => {
  const base = await testApp()
  const { ana } = base
  await ana.post('/api/agents', { name: 'x', systemPrompt: 'x' })
  for (const operation of (await finite(base)).filter(({ method }) => method === 'GET')) {
    const got = await ana.send(requestOf(operation))
    const head = await ana.send({ method: 'HEAD', url: urlOfMissing(operation) })
    assert.equal(head.status, got.status, operation.title)
    assert.equal(head.text, '', operation.title)
    for (const name of ['content-type', 'content-length', 'cache-control'])
      assert.equal(head.headers[name], got.headers[name], `${operation.title}: ${name}`)
  }
})

test('26 OPTIONS lists the methods without a key, and other methods are 405', async () => {
  const base = await testApp()
  const { ana, anonymous } = base
  const all = await operations(base)
  for (const path of new Set(all.map((operation) => operation.path))) {
    const here = all.filter((operation) => operation.path === path)
    const url = urlOfMissing(here[0] as Operation)
    const options = await anonymous({ method: 'OPTIONS', url, headers: { origin: 'https://example.com' } })
    assert.equal(options.status, 204, path)
    assert.equal(options.text, '')
    const cors = Object.keys(options.headers).filter((name) => name.startsWith('access-control'))
    assert.deepEqual(cors, [], path)
    const allow = String(options.headers.allow).split(', ')
    for (const { method } of here) assert.ok(allow.includes(method), `${method} ${path} is in Allow`)
    assert.equal(allow.includes('HEAD'), allow.includes('GET'), path)

    const others = ['PUT', 'TRACE', 'GET', 'POST', 'PATCH', 'DELETE'] as const
    for (const method of others.filter((name) => !allow.includes(name))) {
      const refused = await ana.send({ method, url } as never)
      assertRefused(refused, 405, `${method} ${path}`)
      assert.equal(refused.headers.allow, options.headers.allow, `${method} ${path}`)
      assertRefused(await anonymous({ method, url } as never), 401, `${method} ${path} without a key`)
    }
  }
  assertError(await anonymous({ method: 'OPTIONS', url: '/api/nothing' }), 401)
  assertError(await ana.send({ method: 'OPTIONS', url: '/api/nothing' }), 404)
})

test('3, 31 nothing may be cached, and every time is ISO 8601 in UTC with milliseconds', async () => {
  const base = await testApp()
  const { ana } = base
  const agentId = (await ana.post('/api/agents', { name: 'x', systemPrompt: 'x' })).json.id
  await ana.post('/api/tools', { name: 'x', type: 'custom' })
  await ana.post('/api/trunks', { name: 'x' })
  await ana.post('/api/gateway/devices', {})
  await ana.post('/api/gateway/credentials', { email: 'a@b', password: 'x' })
  await ana.post('/api/calls/outbound', { toNumber: '+5511999990000', agentId })
  const { id } = (await ana.post('/api/conversations/start', { agentId })).json
  await ana.post(`/api/conversations/message/send/${id}`, { type: 'user', content: 'x' })
  await ana.post('/api/conversations/end', { conversationId: id })
  let times = 0
  for (const operation of (await finite(base)).filter(({ method }) => method === 'GET')) {
    const answer = await ana.get(urlOf(operation, { ...missingIds, id: agentId, conversationId: id }))
    assert.equal(answer.headers['cache-control'], 'no-store', operation.title)
    for (const [, name, time] of answer.text.matchAll(/"(\w+At|timestamp)":"([^"]*)"/g)) {
      times++
      assert.match(time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, `${operation.title}: ${name}`)
    }
  }
  assert.ok(times >= 15, `${times} times were seen`)
})
