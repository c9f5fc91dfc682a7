// Validation of a tool's URL, headers, authorization and body.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, testApp } from '../../../test/app.ts'

const url = '/api/tools'
const make = (client: Client, fields: object) => client.post(url, { name: 'x', type: 'api_request', ...fields })

async function takes(client: Client, field: string, values: unknown[]): Promise<void> {
  for (const value of values) {
    const { status, json, text } = await make(client, { [field]: value })
    assert.equal(status, 201, `${JSON.stringify(value).slice(0, 200)}: ${text}`)
    assert.equal(JSON.stringify(json[field]), JSON.stringify(value))
  }
}

async function refuses(client: Client, field: string, values: unknown[]): Promise<void> {
  const { json: tool } = await make(client, {})
  for (const value of values) {
    const why = JSON.stringify(value)?.slice(0, 200)
    for (const answer of [
      await make(client, { [field]: value }),
      await client.patch(`${url}/${tool.id}`, { [field]: value }),
    ]) {
      assert.equal(answer.status, 400, `${why}: ${answer.text.slice(0, 200)}`)
      assertError(answer, 400, new RegExp(field))
    }
  }
  assert.deepEqual((await client.get(`${url}/${tool.id}`)).json, tool, 'nothing of it was stored')
}

test('119 requestUrl is an absolute http or https URL, with placeholders anywhere but in its host', async () => {
  const { ana } = await testApp()
  await takes(ana, 'requestUrl', [
    'https://api.example.com',
    'HTTP://api.example.com:8080/v1/{a}/{b}?c={c}#{d}',
    'https://api.example.com?q={q}',
    'https://api.example.com/ação/{x}',
    `https://api.example.com/${'x'.repeat(2048 - 24)}`,
  ])
})

test('119 private hosts are accepted when a tool is created', async () => {
  const { ana } = await testApp()
  await takes(ana, 'requestUrl', [
    'http://localhost:8080/',
    'http://127.0.0.1/',
    'http://192.168.0.10/hook',
    'http://[::1]/',
    'http://169.254.169.254/latest',
  ])
})

test('119 any other requestUrl is rejected', async () => {
  const { ana } = await testApp()
  await refuses(ana, 'requestUrl', [
    '',
    ' ',
    '/orders',
    'api.example.com/orders',
    '//api.example.com/',
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'gopher://x/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'http:api.example.com',
    'http:/api.example.com',
    'http://',
    'https://?x=1',
    'http:///api.example.com/x',
    ' https://api.example.com/',
    'https://api.example.com/a b',
    'https://api.example.com/\r\nX: y',
    'https://api.example.com\\@evil.example/',
    'https://api.example.com:99999/',
    'https://[::1/',
    `https://api.example.com/${'x'.repeat(2048 - 23)}`,
    `https://api.example.com/${'é'.repeat(1500)}`,
    5,
    {},
    ['https://api.example.com'],
  ])
})

test('119 requestUrl has no braces in its scheme, host or port, not even encoded, and no user', async () => {
  const { ana } = await testApp()
  await refuses(ana, 'requestUrl', [
    '{scheme}://api.example.com/',
    'http{s}://api.example.com/',
    'https://{host}/x',
    'https://{sub}.example.com/',
    'https://api.example.com:{port}/',
    'https://api.example.com{rest}',
    'https:///{host}/x',
    'https:////{host}/x',
    'https://%7Bhost%7D/x',
    'https://\uff5bhost\uff5d/x',
    'https://user@api.example.com/',
    'https://user:secret@api.example.com/',
    'https://:secret@api.example.com/',
    'https://api.example.com@evil.example/',
    'https://{user}@api.example.com/',
  ])
})

test('120 headers are texts with names that HTTP allows', async () => {
  const { ana } = await testApp()
  await takes(ana, 'headers', [{}, { Accept: 'text/plain' }, { 'Content-Type': 'application/json; charset=utf-8' }])
  await refuses(ana, 'headers', [
    { 'X-A': 5 },
    { 'X-A': null },
    { 'X-A': ['a'] },
    { 'X-A': 'a\r\nX-B: b' },
    { 'X-A': 'a\nb' },
    { 'X-A': 'a\rb' },
    { 'X-A\r\nX-B': 'b' },
    { 'X A': 'b' },
    { 'X-A:': 'b' },
    { '': 'b' },
    { 'X-Á': 'b' },
    { 'X-A': 'x'.repeat(8193) },
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`X-${i}`, 'x'.repeat(1000)])),
    [],
    ['X-A: b'],
    'X-A: b',
    5,
  ])
})

test('120 hop-by-hop and connection headers cannot be set, in any letter case', async () => {
  const { ana } = await testApp()
  const names = ['Host', 'CONTENT-LENGTH', 'transfer-encoding', 'Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade']
  names.push('Proxy-Authorization', 'proxy-authenticate', 'Proxy-Connection')
  await refuses(
    ana,
    'headers',
    names.map((name) => ({ Accept: '*/*', [name]: 'x' })),
  )
})

test('120 authorization is an object with a type', async () => {
  const { ana } = await testApp()
  const { status, json } = await make(ana, { authorization: { type: 'none' } })
  assert.deepEqual([status, json.authorization], [201, { type: 'none' }])
  const wrong = [{}, { token: 'x' }, { type: 5 }, { type: null }, { type: '' }, 'bearer', [], 5]
  await refuses(ana, 'authorization', [...wrong, { type: 'x', blob: 'x'.repeat(32_768) }])
})

test('120 body is an object within its limits', async () => {
  const { ana } = await testApp()
  await takes(ana, 'body', [{}, { a: '{a}', b: [1, null, true, { c: 'x' }] }])
  await refuses(ana, 'body', ['{"a":1}', [], 5, true, { blob: 'x'.repeat(32_768) }, deep(11)])
})

test('120 key order is preserved', async () => {
  const { ana } = await testApp()
  const fields = {
    parameters: { type: 'object', properties: { z: { type: 'string' }, a: { type: 'number' }, m: {} }, required: [] },
    headers: { Accept: 'z', 'Accept-Language': 'a', 'Content-Type': 'm', 'Cache-Control': 'b' },
    authorization: { username: 'z', type: 'none', name: 'a' },
    body: { z: 1, a: { y: 1, b: 2 }, m: [{ q: 1, c: 2 }] },
    messages: { failed: 'z', start: 'a', complete: 'm' },
    config: { timeoutMs: 1000, retry: { type: 'fixed', maxRetries: 1, baseDelayMs: 1 }, maxResponseBytes: 10 },
  }
  const { json: made } = await make(ana, fields)
  const { json: read } = await ana.get(`${url}/${made.id}`)
  for (const [field, value] of Object.entries(fields))
    for (const tool of [made, read]) assert.equal(JSON.stringify(tool[field]), JSON.stringify(value), field)
})

/** An object nested this deep. */
function deep(levels: number): object {
  let value: object = {}
  for (let i = 1; i < levels; i++) value = { properties: value }
  return value
}
