// Rules for every request body, tested on every endpoint in the OpenAPI document that accepts one.
// @run rest-nodes
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertError, type Client, testApp as startedApp, type TestApp } from '../../test/app.ts'
import { isStream, type Operation, operationsOf, type Schema, urlOfMissing } from '../../test/operations.ts'

/** Ana is an administrator, because some endpoints reject others. */
const testApp = async (): Promise<TestApp> => {
  const base = await startedApp()
  return { ...base, ana: await base.newUser('ana', 'admin') }
}

const fixture = new URL('../../test/fixtures/spec-endpoints.json', import.meta.url)
const nameless = (route: string) => route.replaceAll(/:\w+|\{[^}]+\}/g, ':')
const spec = new Set<string>(
  JSON.parse(readFileSync(fixture, 'utf8')).map((each: { method: string; path: string }) =>
    nameless(`${each.method} ${each.path}`),
  ),
)

function withBodies({ app }: TestApp): Operation[] {
  const all = operationsOf(app).filter((operation) => operation.body)
  assert.ok(all.length >= 18)
  return all
}

const sender =
  (client: Client) =>
  (operation: Operation, payload: string | Buffer, contentType = 'application/json', more: object = {}) =>
    client.send({
      method: operation.method,
      url: urlOfMissing(operation, client),
      headers: { 'content-type': contentType, ...more },
      payload,
    })

test('15 a body that is not a JSON object is a 400', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  const malformed = [
    '{',
    '{"name":}',
    "{'name':1}",
    'name=x',
    '{} {}',
    '[1,',
    '\ufeff{}',
    'NaN',
    '{"a":1e999}',
    '{"a":01}',
  ]
  const notObjects = ['[]', '[{"name":"x"}]', '"text"', 'null', '5', 'true']
  for (const operation of withBodies(base)) {
    for (const text of [...malformed, ...notObjects]) {
      const answer = await send(operation, text)
      assert.equal(answer.status, 400, `${operation.title} with ${text}: ${answer.text}`)
      assertError(answer, 400)
    }
  }
})

test('15 a missing body counts as an empty object: each required field is named', async () => {
  const base = await testApp()
  for (const operation of withBodies(base)) {
    const required = operation.body?.required ?? []
    if (required.length === 0) continue
    const url = urlOfMissing(operation, base.ana)
    const said = required.map((name) => `${name} is required`).join('; ')
    const { method } = operation
    assertError(await base.ana.send({ method, url }), 400, said)
    assertError(await base.ana.send({ method, url, headers: { 'content-type': 'application/json' } }), 400, said)
    assertError(await sender(base.ana)(operation, '{}'), 400, said)
  }
})

test('16 a body must be uncompressed JSON in UTF-8', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  const others = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/jsonp', 'nonsense']
  for (const operation of withBodies(base)) {
    const wrong = [...others, 'application/x-www-form-urlencoded', 'application/json; charset=latin1']
    for (const type of wrong.filter((each) => !operation.mediaTypes.includes(each)))
      assertError(await send(operation, '{"name":"x"}', type), 415)
    assertError(await send(operation, '{}', 'application/json', { 'content-encoding': 'gzip' }), 415)
    for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'APPLICATION/JSON'])
      assert.notEqual((await send(operation, '{}', type)).status, 415, `${operation.title} with ${type}`)
    const untyped = {
      method: operation.method,
      url: urlOfMissing(operation, base.ana),
      payload: Buffer.from('{"name":"x"}'),
    }
    assertError(await base.ana.send(untyped), 415)
  }
})

test('16 without a body the content type does not matter', async () => {
  const { app, ana } = await testApp()
  const bodiless = operationsOf(app).filter((operation) => !operation.body && !isStream(operation))
  for (const operation of bodiless) {
    const request = { method: operation.method, url: urlOfMissing(operation, ana) }
    const plain = await ana.send(request)
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const typed = await ana.send({ ...request, headers: { 'content-type': type } })
      assert.ok(typed.status !== 415 && typed.status !== 400, `${operation.title} with ${type}: ${typed.text}`)
      if (plain.status >= 400) assert.deepEqual(typed.json, plain.json, operation.title)
    }
  }
})

test('17 a body of more than 1 MB is a 413, before the key is checked', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  const filled = (bytes: number) => `{"unknown":"${'x'.repeat(bytes - 14)}"}`
  assert.equal(filled(100).length, 100)
  for (const operation of withBodies(base)) {
    assertError(await send(operation, filled(1_048_577)), 413, 'The body is larger than 1048576 bytes')
    const anonymous = { method: operation.method, url: urlOfMissing(operation, base.ana), payload: filled(1_048_577) }
    assertError(await base.anonymous(anonymous), 413)
    assert.notEqual((await send(operation, filled(1_048_576))).status, 413, operation.title)
  }
})

test('17 text that cannot be stored is a 400, anywhere in the body', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  const bad = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ud83d \\ude00']
  for (const operation of withBodies(base)) {
    for (const name of Object.keys(operation.body?.properties ?? {})) {
      for (const text of bad) assertError(await send(operation, `{"${name}":"${text}"}`), 400, /cannot be stored/)
      assertError(await send(operation, `{"${name}":{"deep":["x",{"${bad[0]}":1}]}}`), 400, /cannot be stored/)
    }
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]])
      assertError(await send(operation, Buffer.from([0x22, ...bytes, 0x22])), 400, /not valid UTF-8/)
  }
})

test('17 a body that is nested too deeply, or contains __proto__, is a 400', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  for (const operation of withBodies(base)) {
    assertError(await send(operation, `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`), 400, /nested deeper/)
    assertError(await send(operation, `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), 400)
    assertError(await send(operation, `{"a":[${'1,'.repeat(1000)}1]}`), 400, /more than 1000/)
    assertError(await send(operation, '{"__proto__":{"isAdmin":true}}'), 400)
    assertError(await send(operation, '{"a":{"__proto__":{}}}'), 400)
  }
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
})

/** Values of other types that a coercing parser would convert. */
function wrongValues(schema: Schema): unknown[] {
  const types = [schema.type ?? []].flat()
  const isNullable = types.includes('null')
  const never = isNullable ? [] : [null]
  if (types.includes('string')) return [5, true, ['x'], {}, ...never]
  if (types.includes('number') || types.includes('integer')) return ['1', true, [1], {}, ...never]
  if (types.includes('boolean')) return ['true', 1, 0, '', [], ...never]
  if (types.includes('array')) return ['x', {}, 5, ...never]
  if (types.includes('object')) return ['x', [], 5, '{}', ...never]
  return []
}

test('18, 22 no field is coerced from one type to another', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  let tried = 0
  for (const operation of withBodies(base)) {
    const { properties = {}, required = [] } = operation.body ?? {}
    for (const [name, schema] of Object.entries(properties)) {
      for (const value of wrongValues(schema)) {
        const answer = await send(operation, JSON.stringify({ [name]: value }))
        const about = `${operation.title} with ${name}: ${JSON.stringify(value)}`
        assert.equal(answer.status, 400, `${about}: ${answer.text}`)
        assert.match(answer.json.message, new RegExp(`(^|; )${name} must`), about)
        tried++
      }
      if (required.includes(name))
        assertError(await send(operation, JSON.stringify({ [name]: null })), 400, new RegExp(`${name} must be`))
    }
  }
  assert.ok(tried > 300, `${tried} wrong values were tried`)
})

test('19 unknown fields are ignored by the endpoints of the spec, and rejected by name everywhere else', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  const counts = { spec: 0, ours: 0 }
  for (const operation of operationsOf(base.app)) {
    if (!['POST', 'PUT', 'PATCH'].includes(operation.method) || isStream(operation)) continue
    const isSpec = spec.has(nameless(`${operation.method} ${operation.path}`))
    const answer = await send(operation, '{"evnts":["call.ended"]}')
    const isRefused = answer.status === 400 && /(^|; )evnts is not known here(; |$)/.test(answer.json.message)
    assert.equal(isRefused, !isSpec, `${operation.title}: ${answer.status} ${answer.text}`)
    counts[isSpec ? 'spec' : 'ours']++
  }
  assert.ok(counts.spec >= 18 && counts.ours >= 25, JSON.stringify(counts))
})

test('an opaque pattern is described in words', async () => {
  const { ana } = await testApp()
  assertError(
    await ana.post('/api/webhooks', { url: 'example.com/hook' }),
    400,
    /^url must be an http or https address/,
  )
  const call = { toNumber: '123', agentId: 'missing' }
  assertError(await ana.post('/api/calls/outbound', call), 400, /^toNumber must be a full number .* \+5511987654321$/)
})

test('5 all faults of a body are reported together, in one message', async () => {
  const { ana } = await testApp()
  const answer = await ana.post('/api/agents', { name: '', direction: 'up', language: 5 })
  assertError(answer, 400)
  const told = answer.json.message.split('; ').sort()
  assert.deepEqual(told, [
    'direction must be one of inbound, outbound, both',
    'language must be string or null',
    'name must not be empty',
    'systemPrompt is required',
  ])
})

test('15, 18, 29 fields are validated before the records they name are looked up', async () => {
  const base = await testApp()
  const send = sender(base.ana)
  for (const operation of withBodies(base).filter(({ pathParameters }) => pathParameters.length > 0)) {
    const [name, schema] = Object.entries(operation.body?.properties ?? {})[0] ?? []
    assert.ok(name && schema)
    assertError(await send(operation, JSON.stringify({ [name]: wrongValues(schema)[0] })), 400)
  }
})
