// Tools: create, read, change, list and delete.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

const url = '/api/tools'
const types = [
  'custom',
  'api_request',
  'dtmf',
  'end_call',
  'transfer_call',
  'send_text',
  'query',
  'calendar',
  'spreadsheet',
  'chat_workspace',
  'mcp',
]
const listed = ['id', 'name', 'description', 'type', 'method', 'requestUrl', 'isActive', 'createdAt'].sort()
const single = [...listed, 'parameters', 'headers', 'authorization', 'body', 'messages', 'config', 'updatedAt'].sort()

test('118 name and type are required', async () => {
  const { ana } = await testApp()
  assertError(await ana.post(url, { type: 'dtmf' }), 400, 'name is required')
  assertError(await ana.post(url, { name: 'x' }), 400, 'type is required')
  assertError(await ana.post(url), 400, /name is required; type is required/)
  for (const name of ['', '  ', null, 5, ['x'], 'x'.repeat(256)])
    assertError(await ana.post(url, { name, type: 'dtmf' }), 400, /name/)
  for (const type of ['', 'DTMF', 'webhook', 'constructor', '__proto__', 'toString', null, 1, ['dtmf']])
    assertError(await ana.post(url, { name: 'x', type }), 400, /type/)
  assert.deepEqual((await ana.get(url)).json, [])
})

test('118 each of the eleven types can be created, and is active', async () => {
  const { ana } = await testApp()
  for (const type of types) {
    const { status, json } = await ana.post(url, { name: `a ${type}`, type, isActive: false, id: 'mine' })
    assert.equal(status, 201)
    assert.equal(json.type, type)
    assert.equal(json.isActive, true)
    assert.notEqual(json.id, 'mine')
  }
  const { json: list } = await ana.get(url)
  assert.deepEqual(
    list.map((tool: { type: string }) => tool.type),
    types.toReversed(),
  )
})

test('119 the method is one of six, case-insensitive, and stored in upper case', async () => {
  const { ana } = await testApp()
  for (const method of ['get', 'POST', 'Put', 'pATCH', 'delete', 'HEAD']) {
    const { status, json } = await ana.post(url, { name: 'x', type: 'api_request', method })
    assert.equal(status, 201)
    assert.equal(json.method, method.toUpperCase())
    assert.equal((await ana.get(`${url}/${json.id}`)).json.method, method.toUpperCase())
    const { json: patched } = await ana.patch(`${url}/${json.id}`, { method: 'pAtCh' })
    assert.equal(patched.method, 'PATCH')
  }
  for (const method of ['', 'TRACE', 'CONNECT', 'OPTIONS', 'GETT', 'GET ', 'GET\n', 'get,post', 5, ['GET']])
    assertError(await ana.post(url, { name: 'x', type: 'api_request', method }), 400, /method/)
})

test('119 an api_request can be created without method and requestUrl', async () => {
  const { ana } = await testApp()
  const { status, json } = await ana.post(url, { name: 'x', type: 'api_request' })
  assert.equal(status, 201)
  assert.deepEqual([json.method, json.requestUrl], [null, null])
})

test('121 list items have exactly eight fields; a single tool has the others too', async () => {
  const { ana, bia } = await testApp()
  const { json: tool } = await ana.post(url, { name: 'x', type: 'custom', description: 'when asked' })
  const { json: list } = await ana.get(url)
  assert.equal(list.length, 1)
  assert.deepEqual(Object.keys(list[0]).sort(), listed)
  assert.deepEqual(Object.keys(tool).sort(), single)
  for (const field of listed) assert.deepEqual(list[0][field], tool[field])
  assert.deepEqual((await ana.get(`${url}/${tool.id}`)).json, tool)
  const { json: agent } = await ana.post('/api/agents', anAgent)
  await ana.post(`${url}/${tool.id}/agents/${agent.id}`)
  assert.deepEqual((await ana.get(`/api/agents/${agent.id}/tools`)).json, list, 'the list of an agent looks the same')
  assert.deepEqual((await bia.get(url)).json, [])
})

test('123 PATCH changes the fields sent and nothing else', async () => {
  const { ana } = await testApp()
  const { json: tool } = await ana.post(url, { name: 'x', type: 'custom', description: 'd', method: 'POST' })
  const one = `${url}/${tool.id}`
  let before = tool
  const changes = [
    { name: 'y' },
    { isActive: false },
    { isActive: true, description: 'e' },
    { type: 'api_request', requestUrl: 'https://api.example.com/{id}' },
    { parameters: { type: 'object' }, body: { a: '{a}' }, messages: { start: 'One moment' } },
    { config: { timeoutMs: 5000 } },
    { description: null, method: null, requestUrl: null, parameters: null, body: null, messages: null, config: null },
  ]
  for (const change of changes) {
    const { status, json } = await ana.patch(one, { ...change, id: 'x', createdAt: 'x', userId: 'x' })
    assert.equal(status, 200, JSON.stringify(json))
    assert.deepEqual(json, { ...before, ...change, updatedAt: json.updatedAt })
    assert.ok(json.updatedAt > before.updatedAt)
    assert.deepEqual((await ana.get(one)).json, json)
    before = json
  }
  const empty = await ana.patch(one, {})
  assert.equal(empty.status, 200)
  assert.deepEqual(empty.json, before)
  for (const change of [{ name: null }, { type: null }, { isActive: null }, { isActive: 'no' }, { name: ' ' }])
    assertError(await ana.patch(one, change), 400)
  assert.deepEqual((await ana.get(one)).json, before)
})

test('123 concurrent changes of different fields all take effect', async () => {
  const { ana } = await testApp()
  for (let round = 0; round < 5; round++) {
    const { json: tool } = await ana.post(url, { name: 'x', type: 'api_request' })
    const changes = {
      name: 'new',
      description: 'new',
      method: 'PUT',
      requestUrl: 'https://new.example.com/',
      parameters: { type: 'object' },
      body: { new: true },
      messages: { start: 'new' },
      config: { timeoutMs: 1000 },
      isActive: false,
    }
    const sent = Object.entries(changes).map(([field, value]) => ana.patch(`${url}/${tool.id}`, { [field]: value }))
    for (const { status } of await Promise.all(sent)) assert.equal(status, 200)
    const { json } = await ana.get(`${url}/${tool.id}`)
    assert.deepEqual({ ...json, ...changes }, json)
  }
})

test('123 an inactive tool stays in the lists, marked as inactive', async () => {
  const { ana } = await testApp()
  const { json: tool } = await ana.post(url, { name: 'x', type: 'dtmf' })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  await ana.post(`${url}/${tool.id}/agents/${agent.id}`)
  await ana.patch(`${url}/${tool.id}`, { isActive: false })
  assert.equal((await ana.get(url)).json[0].isActive, false)
  assert.equal((await ana.get(`/api/agents/${agent.id}/tools`)).json[0].isActive, false)
})

test('124 DELETE returns the tool and removes its links; agents stay', async () => {
  const { ana } = await testApp()
  const { json: tool } = await ana.post(url, { name: 'x', type: 'dtmf' })
  const { json: kept } = await ana.post(url, { name: 'kept', type: 'dtmf' })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  for (const { id } of [tool, kept]) await ana.post(`${url}/${id}/agents/${agent.id}`)
  const removed = await ana.delete(`${url}/${tool.id}`)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, tool)
  assert.deepEqual(
    (await ana.get(`/api/agents/${agent.id}/tools`)).json.map((t: { id: string }) => t.id),
    [kept.id],
  )
  for (const answer of [
    await ana.get(`${url}/${tool.id}`),
    await ana.patch(`${url}/${tool.id}`, { name: 'y' }),
    await ana.patch(`${url}/${tool.id}`, {}),
    await ana.delete(`${url}/${tool.id}`),
    await ana.post(`${url}/${tool.id}/agents/${agent.id}`),
    await ana.delete(`${url}/${tool.id}/agents/${agent.id}`),
  ])
    assertError(answer, 404, 'Tool not found')
  assert.equal((await ana.get(`/api/agents/${agent.id}`)).status, 200)
})

test("124 another user's tool is treated as missing", async () => {
  const { ana, bia } = await testApp()
  const { json: tool } = await ana.post(url, { name: 'x', type: 'dtmf' })
  for (const answer of [
    await bia.get(`${url}/${tool.id}`),
    await bia.patch(`${url}/${tool.id}`, { name: 'taken' }),
    await bia.delete(`${url}/${tool.id}`),
  ])
    assertError(answer, 404, 'Tool not found')
  for (const id of ['x', '%00', '%F0%9F%98%80', 'x'.repeat(5000)]) assertError(await ana.get(`${url}/${id}`), 404)
  assert.deepEqual((await ana.get(`${url}/${tool.id}`)).json, tool)
})

test('139 a client that knows only the spec can set and read every field of a tool', async () => {
  const { ana } = await testApp()
  const given = {
    name: 'Orders',
    type: 'api_request',
    description: 'Looks up an order',
    method: 'POST',
    requestUrl: 'https://api.example.com/orders/{orderId}',
    parameters: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] },
    headers: { Accept: 'application/json' },
    authorization: { type: 'none' },
    body: { order: '{orderId}' },
    messages: { start: 'One moment', complete: 'Here it is', failed: 'Sorry', delayed: 'Still looking' },
  }
  const { json: tool } = await ana.post(url, given)
  assert.deepEqual({ ...tool, ...given }, tool)
  const { json: withOurs } = await ana.post(url, { ...given, config: { timeoutMs: 1000 } })
  for (const field of Object.keys(given)) assert.deepEqual(withOurs[field], tool[field])
})
