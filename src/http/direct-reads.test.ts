// Direct reads give the response that Fastify gives, and leave everything unusual to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../test/app.ts'
import { plainHeaders } from './direct-reads.ts'

test('direct reads: headers that only Fastify handles', () => {
  const plain = ['Host', 'a', 'X-Api-Key', 'secret', 'X-Request-Id', 'r1']
  assert.deepEqual(plainHeaders(plain), { key: 'secret', requestId: 'r1' })
  assert.equal(plainHeaders(['X-Api-Key', 'secret']), undefined, 'no host')
  assert.equal(plainHeaders(['Host', 'a']), undefined, 'no key')
  for (const more of [
    ['x-api-key', 'other'],
    ['x-request-id', 'r2'],
    ['Content-Length', '2'],
    ['Transfer-Encoding', 'chunked'],
    ['Expect', '100-continue'],
  ])
    assert.equal(plainHeaders([...plain, ...more]), undefined, more[0])
})

/** What differs between two requests of any kind. */
function comparable({ status, text, headers }: { status: number; text: string; headers: object }) {
  const { date, 'x-request-id': _id, ratelimit, ...same } = headers as Record<string, string>
  const steady = text.replace(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":"then"')
  return { status, text: steady, names: Object.keys(headers), same }
}
const remaining = ({ headers }: { headers: object }) =>
  Number(/;r=(\d+);/.exec(String((headers as Record<string, string>).ratelimit))?.[1])

test('direct reads: the same response as through Fastify, which a query string leads to', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', { ...anAgent, name: 'Recepção ☎', settings: { a: [1] } })
  for (const url of ['/api/agents', `/api/agents/${agent.id}`, '/api/conversations']) {
    const before = await ana.get(`${url}?`)
    const direct = await ana.get(url)
    const again = await ana.get(url)
    assert.deepEqual(comparable(direct), comparable(before), url)
    assert.deepEqual(comparable(again), comparable(before), url)
    assert.equal(remaining(again), remaining(before) - 2, 'each request counts once')
  }
})

test('direct reads: a change is seen at once, and a record of someone else is not', async () => {
  const { ana, bia } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const one = `/api/agents/${agent.id}`
  for (const name of ['first', 'second']) {
    await ana.patch(one, { name })
    for (const read of [await ana.get(one), await ana.get(one)]) assert.equal(read.json.name, name)
    await bia.get('/api/agents') // her key is cached, and the record is in memory
    const before = await bia.get('/api/agents')
    const refused = await bia.get(one)
    assertError(refused, 404, 'Agent not found')
    assert.equal(remaining(refused), remaining(before) - 1, 'a request that Fastify answers after all counts once')
  }
  await ana.delete(one)
  assertError(await ana.get(one), 404, 'Agent not found')
})

test('direct reads: every list gives the response that Fastify gives', async () => {
  const { ana, app } = await testApp()
  await ana.post('/api/agents', anAgent)
  const { paths = {} } = app.http.swagger() as { paths?: Record<string, { get?: Operation }> }
  const isList = (url: string) =>
    paths[url]?.get?.responses?.['200']?.content?.['application/json']?.schema?.type === 'array'
  const urls = Object.keys(paths).filter((url) => url.startsWith('/api/') && !url.includes('{') && isList(url))
  assert.ok(urls.length > 10, `${urls.length} lists`)
  for (const url of urls) {
    const direct = await ana.get(url)
    assert.deepEqual(comparable(direct), comparable(await ana.get(`${url}?`)), url)
  }
})

type Operation = { responses?: Record<string, { content?: Record<string, { schema?: { type?: string } }> }> }
