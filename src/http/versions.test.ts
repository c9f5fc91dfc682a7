// ETag and If-Match on every record that users edit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, startTestApp, testApp } from '../../test/app.ts'
import { readIfMatch } from '../base/versions.ts'

/** For each resource: how to create a record, and two changes to it. */
const resources = () => [
  { url: '/api/agents', body: anAgent, changes: [{ name: 'Bia' }, { name: 'Cal' }] },
  { url: '/api/tools', body: { name: 'x', type: 'custom' }, changes: [{ name: 'y' }, { name: 'z' }] },
  { url: '/api/trunks', body: { name: 'x' }, changes: [{ name: 'y' }, { name: 'z' }] },
  {
    url: '/api/did',
    body: { phoneNumber: aNumber(), countryCode: '55' },
    changes: [{ status: 'inactive' }, { status: 'active' }],
  },
  { url: '/api/knowledge-bases', body: { name: 'x' }, changes: [{ name: 'y' }, { name: 'z' }] },
  {
    url: '/api/webhooks',
    body: { url: 'https://example.com/a' },
    changes: [{ description: 'y' }, { isActive: false }],
  },
  { url: '/api/gateway/devices', body: { name: 'x' }, changes: [{ name: 'y' }, { displayName: 'z' }] },
  { url: '/api/spreadsheets', body: { name: 'x', columns: ['a'] }, changes: [{ name: 'y' }, { name: 'z' }] },
]

const change = (client: Client, url: string, body: object | undefined, tag: string) =>
  body ? client.patch(url, body, { 'if-match': tag }) : client.delete(url, { 'if-match': tag })

test('a record has an ETag, and a change with a stale If-Match is a 412 that changes nothing', async () => {
  const { ana } = await testApp()
  for (const { url, body, changes } of resources()) {
    const [first = {}, second = {}] = changes
    const made = await ana.post(url, body)
    assert.equal(made.status, 201, `${url}: ${made.text}`)
    const one = `${url}/${made.json.id}`
    const tag = String((await ana.get(one)).headers.etag)
    assert.match(tag, /^"\d+"$/, url)
    assert.equal(made.headers.etag, tag, url)

    const changed = await change(ana, one, first, tag)
    assert.equal(changed.status, 200, `${url}: ${changed.text}`)
    const next = String(changed.headers.etag)
    assert.notEqual(next, tag, url)
    assert.equal((await ana.get(one)).headers.etag, next, url)

    for (const refused of [second, {}, undefined]) {
      const answer = await change(ana, one, refused, tag)
      assertError(answer, 412, /has changed since it was read/)
      assert.equal(answer.headers.etag, next, 'the current version')
    }
    const { json: current } = await ana.get(one)
    for (const [name, value] of Object.entries(first)) assert.deepEqual(current[name], value, `${url} ${name}`)

    assert.equal((await ana.patch(one, second)).status, 200, 'without the header nothing is checked')
    assert.equal((await change(ana, one, undefined, '*')).status, 200)
    assertError(await change(ana, one, undefined, '*'), 404)
  }
})

test('of concurrent changes with one If-Match exactly one is made', async () => {
  const { ana } = await testApp()
  for (const { url, body, changes } of resources()) {
    const { json, headers } = await ana.post(url, body)
    const one = `${url}/${json.id}`
    const tag = String(headers.etag)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => change(ana, one, changes[i % 2], tag)))
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [200, ...Array.from({ length: 11 }, () => 412)],
      `${url}: ${answers.map(({ text }) => text.slice(0, 80)).join('\n')}`,
    )
    const [made] = answers.filter(({ status }) => status === 200)
    assert.equal((await ana.get(one)).headers.etag, made?.headers.etag, url)
    const removals = await Promise.all(
      [tag, String(made?.headers.etag), tag].map((each) => change(ana, one, undefined, each)),
    )
    assert.equal(removals.filter(({ status }) => status === 200).length, 1, url)
  }
})

test('If-Match is read as RFC 9110 says', async () => {
  assert.equal(readIfMatch(undefined), undefined)
  assert.equal(readIfMatch(' * '), 'any')
  assert.deepEqual(readIfMatch('"3"'), [3])
  assert.deepEqual(readIfMatch('"1" ,, "a,b", "2"'), [1, 2], 'a tag may contain a comma')
  assert.deepEqual(readIfMatch('W/"3"'), [], 'a weak tag never matches')
  assert.deepEqual(readIfMatch('"03", "", "3.0", "*"'), [], 'nor does a tag that is not ours')
  assert.deepEqual(readIfMatch(''), [])
  for (const wrong of ['3', '"3', '"3" 4', '*, "3"', "'3'", 'w/"3"'])
    assert.throws(() => readIfMatch(wrong), /If-Match must be/)

  const { ana } = await testApp()
  const { json, headers } = await ana.post('/api/agents', anAgent)
  const one = `/api/agents/${json.id}`
  const tag = String(headers.etag)
  assertError(await change(ana, one, { name: 'Bia' }, `W/${tag}`), 412)
  assertError(await change(ana, one, { name: 'Bia' }, 'x'), 400, /If-Match must be/)
  assert.equal((await change(ana, one, { name: 'Bia' }, `"99", ${tag}`)).status, 200)
  assertError(await ana.patch(`/api/agents/toggle/${json.id}`, undefined, { 'if-match': tag }), 412)
})

test("another user's record is a 404, whatever If-Match says", async () => {
  const { ana, bia } = await testApp()
  for (const { url, body, changes } of resources()) {
    const { json } = await ana.post(url, body)
    for (const tag of ['"1"', '"2"', '*'])
      for (const each of [changes[0], undefined]) assertError(await change(bia, `${url}/${json.id}`, each, tag), 404)
  }
})

test('a status, a document or a row that changes is no change of the record', async () => {
  const { ana, database } = await testApp()
  const tagOf = async (url: string) => (await ana.get(url)).headers.etag
  const trunk = `/api/trunks/${(await ana.post('/api/trunks', { name: 'x', host: 'sip.example.com' })).json.id}`
  await database.db.updateTable('trunks').set({ status: 'registered' }).where('host', '=', 'sip.example.com').execute()
  assert.equal(await tagOf(trunk), '"1"')
  const base = `/api/knowledge-bases/${(await ana.post('/api/knowledge-bases', { name: 'x' })).json.id}`
  await ana.post(`${base}/documents`, { name: 'x', content: 'x' })
  assert.equal(await tagOf(base), '"1"')
  const sheet = `/api/spreadsheets/${(await ana.post('/api/spreadsheets', { name: 'x', columns: ['a'] })).json.id}`
  await ana.post(`${sheet}/rows`, { values: { a: 'x' } })
  assert.equal(await tagOf(sheet), '"1"')
})

test('a number or device that loses its agent has changed', async () => {
  const { ana } = await startTestApp()
  const agentId = (await ana.post('/api/agents', anAgent)).json.id
  const did = await ana.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId })
  const device = await ana.post('/api/gateway/devices', { agentId })
  await ana.delete(`/api/agents/${agentId}`)
  assertError(await change(ana, `/api/did/${did.json.id}`, { status: 'inactive' }, String(did.headers.etag)), 412)
  const own = `/api/gateway/devices/${device.json.id}`
  assertError(await change(ana, own, { name: 'y' }, String(device.headers.etag)), 412)
})

test('the OpenAPI document names ETag and If-Match on each of these records', async () => {
  const { app } = await testApp()
  const { paths } = app.http.swagger() as unknown as {
    paths: Record<string, Record<string, { parameters?: object[]; responses: Record<string, { headers?: object }> }>>
  }
  for (const { url } of resources()) {
    const one = paths[`${url}/{id}`] ?? {}
    assert.ok(
      'ETag' in (one.get?.responses['200']?.headers ?? {}),
      `${url}: ${JSON.stringify(one.get?.responses['200'])}`,
    )
    for (const method of ['patch', 'delete'])
      assert.ok(
        one[method]?.parameters?.some(
          (each) => 'name' in each && each.name === 'If-Match' && 'in' in each && each.in === 'header',
        ),
        `${method} ${url}`,
      )
  }
})
