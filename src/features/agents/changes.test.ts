// Changes to agents: PATCH and toggle, also concurrently.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

const full = {
  ...anAgent,
  description: 'Answers the phone',
  voiceId: 'v1',
  language: 'en',
  direction: 'inbound',
  ttsProvider: 'provider_b',
  initialSpeech: 'Alô?',
  llmConfig: { model: 'm', temperature: 1 },
  provider_aConfig: { model_id: 'x', voice_settings: { stability: 0.5 } },
  settings: { interruptible: false },
}

test('65 PATCH changes only the field sent, for each field', async () => {
  const { ana } = await testApp()
  const changes = {
    name: 'Bia',
    description: 'Another',
    systemPrompt: 'You are brief.',
    voiceId: 'v2',
    isActive: false,
    direction: 'outbound',
    language: 'es-419',
    ttsProvider: 'provider_c',
    initialSpeech: 'Oi',
    llmConfig: { top_p: 1 },
    provider_aConfig: { stability: 1 },
    settings: { endPhrases: ['tchau'] },
  }
  let { json: expected } = await ana.post('/api/agents', full)
  const url = `/api/agents/${expected.id}`
  const { json: other } = await ana.post('/api/agents', full)
  for (const [field, value] of Object.entries(changes)) {
    const { status, json } = await ana.patch(url, { [field]: value })
    assert.equal(status, 200)
    assert.ok(json.updatedAt > expected.updatedAt, `${json.updatedAt} after ${expected.updatedAt}`)
    expected = { ...expected, [field]: value, updatedAt: json.updatedAt }
    assert.deepEqual(json, expected)
    assert.deepEqual((await ana.get(url)).json, expected)
  }
  assert.deepEqual((await ana.get(`/api/agents/${other.id}`)).json, other)
})

test('65 several fields change in one PATCH, and a config is replaced whole, not merged', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', full)
  const change = { name: 'Bia', llmConfig: { temperature: 0 }, provider_aConfig: { voice_settings: {} } }
  const { json } = await ana.patch(`/api/agents/${agent.id}`, change)
  assert.deepEqual(json, { ...agent, ...change, updatedAt: json.updatedAt })
})

test('65 updatedAt increases with every change, even to the same value or within one millisecond', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  let last = agent.updatedAt
  for (let i = 0; i < 20; i++) {
    const { json } =
      i % 2 ? await ana.patch(`/api/agents/toggle/${agent.id}`) : await ana.patch(`/api/agents/${agent.id}`, anAgent)
    assert.ok(json.updatedAt > last, `${json.updatedAt} after ${last}`)
    assert.equal(json.createdAt, agent.createdAt)
    last = json.updatedAt
  }
})

test('65 concurrent changes all take effect, and updatedAt is that of the latest', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { name, systemPrompt, ...changes } = full
  const answers = await Promise.all(
    Object.entries(changes).map(([field, value]) => ana.patch(`/api/agents/${agent.id}`, { [field]: value })),
  )
  const updatedAt = answers
    .map((answer) => answer.json.updatedAt)
    .sort()
    .at(-1)
  assert.deepEqual((await ana.get(`/api/agents/${agent.id}`)).json, { ...agent, ...changes, updatedAt })
})

test('23, 65 PATCH with no fields, or with read-only or unknown ones, changes nothing, not even updatedAt', async () => {
  const { ana, bia } = await testApp()
  const { json: agent } = await ana.post('/api/agents', full)
  const url = `/api/agents/${agent.id}`
  const readOnly = { id: 'agt_x', createdAt: '2001-01-01T00:00:00.000Z', updatedAt: 5, userId: bia.userId, color: 1 }
  for (const body of [undefined, {}, readOnly]) {
    const { status, json } = await ana.patch(url, body)
    assert.equal(status, 200)
    assert.deepEqual(json, agent)
  }
  const { json } = await ana.patch(url, { ...readOnly, name: 'Bia' })
  assert.deepEqual(json, { ...agent, name: 'Bia', updatedAt: json.updatedAt })
  assert.deepEqual((await ana.get(url)).json, json)
  assert.deepEqual((await bia.get('/api/agents')).json, [])
})

test('23 null clears optional fields and is rejected for the rest', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', full)
  const url = `/api/agents/${agent.id}`
  for (const field of ['name', 'systemPrompt', 'isActive', 'direction', 'language', 'ttsProvider'])
    assertError(await ana.patch(url, { [field]: null }), 400, new RegExp(`^${field} must`))
  assert.deepEqual((await ana.get(url)).json, agent)
  const cleared = {
    description: null,
    voiceId: null,
    initialSpeech: null,
    llmConfig: null,
    provider_aConfig: null,
    settings: null,
  }
  for (const [field, value] of Object.entries(cleared))
    assert.equal((await ana.patch(url, { [field]: value })).json[field], null)
  const { json } = await ana.get(url)
  assert.deepEqual(json, { ...agent, ...cleared, updatedAt: json.updatedAt })
})

test('65 a PATCH with one invalid field changes nothing', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', full)
  const url = `/api/agents/${agent.id}`
  const wrong = { name: ' ', systemPrompt: '', direction: 'up', ttsProvider: 'x', language: 'x_y', description: 5 }
  for (const [field, value] of Object.entries(wrong))
    assertError(await ana.patch(url, { initialSpeech: 'new', [field]: value }), 400, new RegExp(`^${field} must`))
  assertError(await ana.patch(url, { name: 'x'.repeat(256), systemPrompt: '' }), 400, /name must.*systemPrompt must/)
  assert.deepEqual((await ana.get(url)).json, agent)
})

test('66 PATCH isActive sets the value sent', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const url = `/api/agents/${agent.id}`
  for (const isActive of [false, false, true, true, false]) {
    assert.equal((await ana.patch(url, { isActive })).json.isActive, isActive)
    assert.equal((await ana.get(url)).json.isActive, isActive)
  }
  for (const isActive of ['true', 1, 0, 'false', []])
    assertError(await ana.patch(url, { isActive }), 400, 'isActive must be boolean')
})

test('67 toggle flips isActive and nothing else; twice restores it', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', full)
  for (const isActive of [false, true, false]) {
    const { status, json } = await ana.patch(`/api/agents/toggle/${agent.id}`)
    assert.equal(status, 200)
    assert.deepEqual(json, { ...agent, isActive, updatedAt: json.updatedAt })
    assert.deepEqual((await ana.get(`/api/agents/${agent.id}`)).json, json)
  }
})

test('67 toggle ignores a body', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  let isActive = true
  for (const body of [{ isActive: true }, { isActive: 'x', name: 'Taken' }, {}, [], 'text', null]) {
    const { status, json } = await ana.patch(`/api/agents/toggle/${agent.id}`, body)
    isActive = !isActive
    assert.equal(status, 200)
    assert.deepEqual(json, { ...agent, isActive, updatedAt: json.updatedAt })
  }
})

test('67 concurrent toggles are all applied', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  for (const [count, isActive] of [
    [20, true],
    [21, false],
    [20, false],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: count }, () => ana.patch(`/api/agents/toggle/${agent.id}`)))
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal((await ana.get(`/api/agents/${agent.id}`)).json.isActive, isActive)
  }
})
