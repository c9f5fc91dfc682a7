// Agents: create, read and list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

test("55 a user's list contains only their own agents", async () => {
  const { ana, bia } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  assert.deepEqual((await ana.get('/api/agents')).json, [agent])
  assert.deepEqual((await bia.get('/api/agents')).json, [])
})

test('55 the list is newest first, even within one millisecond', async () => {
  const { ana } = await testApp()
  const made: string[] = []
  for (let i = 0; i < 10; i++) made.push((await ana.post('/api/agents', anAgent)).json.id)
  const { json: list } = await ana.get('/api/agents')
  assert.deepEqual(
    list.map((agent: { id: string }) => agent.id),
    made.toReversed(),
  )
})

test('56 an agent is read by its id', async () => {
  const { ana, bia } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const read = await ana.get(`/api/agents/${agent.id}`)
  assert.equal(read.status, 200)
  assert.deepEqual(read.json, agent)
  assertError(await bia.get(`/api/agents/${agent.id}`), 404, 'Agent not found')
  assertError(await ana.get('/api/agents/agt_none'), 404, 'Agent not found')
})

test('57 name and systemPrompt are required', async () => {
  const { ana } = await testApp()
  assertError(await ana.post('/api/agents', { systemPrompt: 'x' }), 400, 'name is required')
  assertError(await ana.post('/api/agents', { name: 'x' }), 400, 'systemPrompt is required')
  assertError(await ana.post('/api/agents', {}), 400, /name is required.*systemPrompt is required/)
  for (const field of ['name', 'systemPrompt'])
    for (const value of [null, '', ' \n\t', 5, true, ['x'], {}])
      assertError(await ana.post('/api/agents', { ...anAgent, [field]: value }), 400, new RegExp(`^${field} must`))
  assert.deepEqual((await ana.get('/api/agents')).json, [])
})

test('57 texts are accepted up to their limits and rejected above them', async () => {
  const { ana } = await testApp()
  const limits = { name: 255, systemPrompt: 100_000, description: 2000, voiceId: 255, initialSpeech: 5000 }
  for (const [field, limit] of Object.entries(limits)) {
    const text = 'á'.repeat(limit)
    const made = await ana.post('/api/agents', { ...anAgent, [field]: text })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.json[field], text)
    assertError(await ana.post('/api/agents', { ...anAgent, [field]: `${text}x` }), 400, new RegExp(`^${field} must`))
  }
})

test('58, 59, 60, 61 omitted or null fields get their defaults', async () => {
  const { ana } = await testApp()
  const defaults = { language: 'pt-BR', direction: 'both', ttsProvider: 'provider_a' }
  const nothing = {
    description: null,
    voiceId: null,
    initialSpeech: null,
    llmConfig: null,
    provider_aConfig: null,
    settings: null,
  }
  const nulls = { ...nothing, language: null, direction: null, ttsProvider: null }
  for (const body of [anAgent, { ...anAgent, ...nulls }]) {
    const { status, json } = await ana.post('/api/agents', body)
    const { id, createdAt, updatedAt, ...rest } = json
    assert.equal(status, 201)
    assert.deepEqual(rest, { ...anAgent, ...nothing, ...defaults, isActive: true })
  }
})

test('59, 60 direction and ttsProvider accept only their listed values', async () => {
  const { ana } = await testApp()
  const values = {
    direction: ['inbound', 'outbound', 'both'],
    ttsProvider: ['provider_a', 'provider_b', 'provider_c'],
  }
  for (const [field, allowed] of Object.entries(values)) {
    for (const value of allowed) {
      const { json } = await ana.post('/api/agents', { ...anAgent, [field]: value })
      assert.equal(json[field], value)
      assert.equal((await ana.get(`/api/agents/${json.id}`)).json[field], value)
    }
    for (const value of ['', 'none', allowed[0]?.toUpperCase(), 1, true, [allowed[0]]])
      assertError(await ana.post('/api/agents', { ...anAgent, [field]: value }), 400, new RegExp(`^${field} must`))
  }
})

test('61 isActive in a POST is ignored, whatever its value', async () => {
  const { ana } = await testApp()
  for (const isActive of [false, 'no', null, 0]) {
    const { status, json } = await ana.post('/api/agents', { ...anAgent, isActive })
    assert.equal(status, 201)
    assert.equal(json.isActive, true)
  }
})

test('63 the list, a single agent and the POST response contain the same record, with configs and settings', async () => {
  const { ana } = await testApp()
  const full = {
    ...anAgent,
    description: 'Answers the phone',
    voiceId: 'no such voice: not checked here',
    language: 'en',
    direction: 'inbound',
    ttsProvider: 'provider_b',
    initialSpeech: 'Alô?',
    llmConfig: { model: 'm', temperature: 0.5 },
    provider_aConfig: { model_id: 'x', voice_settings: { stability: 0.5 } },
    settings: { interruptible: false },
  }
  const { json: made } = await ana.post('/api/agents', full)
  const { id, createdAt, updatedAt, ...rest } = made
  assert.deepEqual(rest, { ...full, isActive: true })
  assert.ok(typeof id === 'string' && id !== '')
  assert.deepEqual((await ana.get(`/api/agents/${id}`)).json, made)
  assert.deepEqual((await ana.get('/api/agents')).json, [made])
})

test('64 POST answers 201 with the agent; updatedAt = createdAt, in UTC with milliseconds', async () => {
  const { ana } = await testApp()
  const before = new Date().toISOString()
  const { status, json } = await ana.post('/api/agents', { ...anAgent, id: 'agt_mine', createdAt: '2001-01-01' })
  assert.equal(status, 201)
  assert.notEqual(json.id, 'agt_mine')
  assert.equal(json.updatedAt, json.createdAt)
  assert.match(json.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(json.createdAt >= before && json.createdAt <= new Date().toISOString())
})

test("68 an agent that is missing or another user's is a 404 on every route, and nothing changes", async () => {
  const { ana, bia } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  for (const [client, id] of [[ana, 'agt_none'] as const, [bia, agent.id as string] as const]) {
    assertError(await client.patch(`/api/agents/${id}`, { name: 'Taken' }), 404, 'Agent not found')
    assertError(await client.patch(`/api/agents/${id}`, {}), 404, 'Agent not found')
    assertError(await client.patch(`/api/agents/toggle/${id}`), 404, 'Agent not found')
    assertError(await client.delete(`/api/agents/${id}`), 404, 'Agent not found')
    assertError(await client.get(`/api/agents/${id}/tools`), 404, 'Agent not found')
  }
  assert.deepEqual((await ana.get(`/api/agents/${agent.id}`)).json, agent)
})

test('69 PATCH /api/agents/toggle addresses an agent whose id is "toggle"', async () => {
  const { ana } = await testApp()
  await ana.post('/api/agents', anAgent)
  assertError(await ana.patch('/api/agents/toggle', { name: 'x' }), 404, 'Agent not found')
  assertError(await ana.patch('/api/agents/toggle'), 404, 'Agent not found')
})

test('77 the tools of an agent look as in /api/tools, including inactive ones', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const tools = `/api/agents/${agent.id}/tools`
  assert.deepEqual((await ana.get(tools)).json, [])
  const { json: on } = await ana.post('/api/tools', { name: 'on', type: 'end_call' })
  const { json: off } = await ana.post('/api/tools', { name: 'off', type: 'dtmf' })
  await ana.post('/api/tools', { name: 'of nobody', type: 'dtmf' })
  for (const tool of [on, off]) await ana.post(`/api/tools/${tool.id}/agents/${agent.id}`)
  await ana.patch(`/api/tools/${off.id}`, { isActive: false })
  const { status, json: listed } = await ana.get(tools)
  assert.equal(status, 200)
  const { json: all } = await ana.get('/api/tools')
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  const ours = all.filter((tool: { name: string }) => tool.name !== 'of nobody')
  assert.deepEqual(listed.toSorted(byId), ours.toSorted(byId))
  assert.deepEqual(listed.map((tool: { isActive: boolean }) => tool.isActive).sort(), [false, true])
})

test('78 an inactive agent makes no calls, but a conversation may start', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  await ana.patch(`/api/agents/${agent.id}`, { isActive: false })
  const call = { toNumber: '+5511999990000', agentId: agent.id }
  assertError(await ana.post('/api/calls/outbound', call), 409, 'This agent is not active')
  assertError(await ana.post('/api/gateway/calls/outbound', call), 409, 'This agent is not active')
  assert.deepEqual((await ana.get('/api/calls')).json, [])
  const started = await ana.post('/api/conversations/start', { agentId: agent.id })
  assert.equal(started.status, 201)
  assert.equal(started.json.status, 'active')
  await ana.patch(`/api/agents/toggle/${agent.id}`)
  assert.equal((await ana.post('/api/calls/outbound', call)).status, 201)
})
