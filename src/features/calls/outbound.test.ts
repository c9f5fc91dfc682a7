import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, startTestApp, testApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'

const url = '/api/calls/outbound'
const viaGateway = '/api/gateway/calls/outbound'
const makeAgent = async (client: Client, more: object = {}): Promise<string> =>
  (await client.post('/api/agents', { ...anAgent, ...more })).json.id
const callsOf = async (client: Client) => (await client.get('/api/calls')).json

/** The call's record once it has ended. */
const ended = (client: Client, callId: string) =>
  until('the call has ended', async () => {
    const { json } = await client.get(`/api/calls/${callId}`)
    return json.endedAt !== null && json
  })

test('116, 127 starting a call returns 201, true, its id and `initiating`, on both routes', async () => {
  const { ana } = await testApp()
  const agentId = await makeAgent(ana)
  for (const path of [url, viaGateway]) {
    const { status, json } = await ana.post(path, { toNumber: aNumber(), agentId })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(json).sort(), ['callId', 'status', 'success'])
    assert.equal(json.success, true)
    assert.equal(json.status, 'initiating')
    assert.ok(typeof json.callId === 'string' && json.callId !== '')
    assert.equal((await ana.get(`/api/calls/${json.callId}`)).status, 200)
  }
})

test('116, 127 toNumber and agentId are required', async () => {
  const { ana } = await testApp()
  const agentId = await makeAgent(ana)
  for (const path of [url, viaGateway]) {
    assertError(await ana.post(path, { agentId }), 400, 'toNumber is required')
    assertError(await ana.post(path, { toNumber: aNumber() }), 400, 'agentId is required')
    assertError(await ana.post(path), 400, /toNumber is required; agentId is required/)
    for (const wrong of [5, null, {}, [agentId]])
      assertError(await ana.post(path, { toNumber: aNumber(), agentId: wrong }), 400, /agentId/)
  }
  assert.deepEqual(await callsOf(ana), [])
})

test('116, 127 a number that is not E.164 is a 400', async () => {
  const { ana } = await testApp()
  const agentId = await makeAgent(ana)
  const wrong = [
    '',
    '5511987654321',
    '11987654321',
    '+0511987654321',
    '+55 11 98765-4321',
    '+55119876543210000',
    '+123456',
  ]
  wrong.push('+5511987654321\r\nContact: x', '+5511987654321\n', 'sip:evil@example.com', '+5511987654321;lr', '*67190')
  wrong.push('+５５１１９８７６５４３２１', '+5511987654321@evil.example', 'tel:+5511987654321')
  for (const path of [url, viaGateway])
    for (const toNumber of [...wrong, 5511987654321, null, ['+5511987654321']])
      assertError(await ana.post(path, { toNumber, agentId }), 400, /toNumber/)
  assert.deepEqual(await callsOf(ana), [])
})

test("116, 127 an unknown agent, or another user's, is a 404", async () => {
  const { ana, bia } = await testApp()
  const agentOfBia = await makeAgent(bia)
  for (const path of [url, viaGateway])
    for (const agentId of ['agt_none', agentOfBia, 'x'.repeat(5000), '😀'])
      assertError(await ana.post(path, { toNumber: aNumber(), agentId }), 404, 'Agent not found')
  assert.deepEqual(await callsOf(ana), [])
  assert.deepEqual(await callsOf(bia), [])
})

test('127 an inactive or inbound-only agent is a 409', async () => {
  const { ana } = await testApp()
  const inbound = await makeAgent(ana, { direction: 'inbound' })
  const inactive = await makeAgent(ana)
  await ana.patch(`/api/agents/${inactive}`, { isActive: false })
  for (const path of [url, viaGateway])
    for (const agentId of [inbound, inactive])
      assertError(await ana.post(path, { toNumber: aNumber(), agentId }), 409, /agent/)
  assert.deepEqual(await callsOf(ana), [])
  await ana.patch(`/api/agents/${inactive}`, { isActive: true })
  await ana.patch(`/api/agents/${inbound}`, { direction: 'outbound' })
  for (const agentId of [inbound, inactive])
    assert.equal((await ana.post(url, { toNumber: aNumber(), agentId })).status, 201)
})

test('127 with no trunk or device to carry it, the call starts and then fails, with the reason stored', async () => {
  const { ana } = await testApp()
  const agentId = await makeAgent(ana)
  const toNumber = aNumber()
  const { json: started } = await ana.post(url, { toNumber, agentId })
  const { startedAt, endedAt, endDetail, nodeId, ...call } = await ended(ana, started.callId)
  assert.deepEqual(call, {
    id: started.callId,
    callId: started.callId,
    sessionId: started.callId,
    conversationId: null,
    agentId,
    direction: 'outbound',
    status: 'failed',
    fromNumber: null,
    toNumber,
    trunkId: null,
    deviceId: null,
    channel: 'sip',
    ringingAt: null,
    answeredAt: null,
    durationSeconds: null,
    metadata: null,
    endReason: 'trunk_unavailable',
    sipCode: null,
    hangupBy: 'system',
    answeredBy: null,
    variables: null,
    hasRecording: false,
    recordingStatus: 'none',
    recordingError: null,
    isTest: false,
  })
  assert.match(endDetail, /no trunk or device/)
  assert.ok(endedAt >= startedAt)
  assert.match(nodeId, /^[\w.-]+$/)
})

test('127 a denied prefix is a 403, by default premium and satellite numbers', async () => {
  const { ana } = await testApp()
  const agentId = await makeAgent(ana)
  for (const path of [url, viaGateway])
    for (const toNumber of ['+881612345678', '+8821234567', '+97912345678', '+19005551234'])
      assertError(await ana.post(path, { toNumber, agentId }), 403)
  assert.deepEqual(await callsOf(ana), [])
})

test('127 the operator configures the denied prefixes', async () => {
  const { ana } = await startTestApp({ DENIED_PREFIXES: '+44, +5511' })
  const agentId = await makeAgent(ana)
  for (const toNumber of ['+447911123456', '+5511987654321'])
    assertError(await ana.post(url, { toNumber, agentId }), 403)
  for (const toNumber of ['+5521987654321', '+881612345678', '+14155552671'])
    assert.equal((await ana.post(url, { toNumber, agentId })).status, 201)
})

test('127 variables and metadata are stored with the call', async () => {
  const { ana } = await testApp()
  const agentId = await makeAgent(ana)
  const variables = { nome: 'Zé 😀', a: '', 'with space': '{{nested}}' }
  const metadata = { z: 1, a: { deep: [true, null, 'x'] } }
  for (const path of [url, viaGateway]) {
    const { json } = await ana.post(path, { toNumber: aNumber(), agentId, variables, metadata })
    const { json: call } = await ana.get(`/api/calls/${json.callId}`)
    assert.equal(JSON.stringify(call.variables), JSON.stringify(variables))
    assert.equal(JSON.stringify(call.metadata), JSON.stringify(metadata))
  }
})

test('127 variables are strings, metadata is an object, both within limits', async () => {
  const { ana } = await testApp()
  const call = { toNumber: aNumber(), agentId: await makeAgent(ana) }
  const big = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`v${i}`, 'x'.repeat(4000)]))
  for (const variables of [{ a: 5 }, { a: null }, { a: {} }, [], 'x', { a: 'x'.repeat(5001) }, big])
    assertError(await ana.post(url, { ...call, variables }), 400, /variables/)
  let deep: object = {}
  for (let i = 0; i < 10; i++) deep = { deep }
  for (const metadata of ['x', [], 5, { blob: 'x'.repeat(32_768) }, deep])
    assertError(await ana.post(url, { ...call, metadata }), 400, /metadata/)
  assert.equal((await ana.post(url, { ...call, variables: null, metadata: null })).status, 201)
})

test('116, 127 device tokens are a list of strings, stored in order and resolved only when dialling', async () => {
  const { ana, database } = await testApp()
  const agentId = await makeAgent(ana)
  const { json: device } = await ana.post('/api/gateway/devices')
  const names = [device.token, device.deviceUuid, device.deviceId, 'a token of nobody']
  for (const [path, field] of [
    [url, 'fromDeviceTokens'],
    [viaGateway, 'deviceTokens'],
  ] as const) {
    const { status, json } = await ana.post(path, { toNumber: aNumber(), agentId, [field]: names })
    assert.equal(status, 201)
    const row = database.db.selectFrom('calls').select('deviceTokens').where('id', '=', json.callId)
    assert.deepEqual(JSON.parse((await row.executeTakeFirstOrThrow()).deviceTokens ?? ''), names)
    for (const fine of [[], null])
      assert.equal((await ana.post(path, { toNumber: aNumber(), agentId, [field]: fine })).status, 201)
    for (const wrong of [device.token, [5], [null], [''], {}, 5])
      assertError(await ana.post(path, { toNumber: aNumber(), agentId, [field]: wrong }), 400, new RegExp(field))
  }
})

test('139 our own fields leave the response for a call as the spec defines it', async () => {
  const { ana } = await testApp()
  const call = { toNumber: aNumber(), agentId: await makeAgent(ana) }
  const { json: plain } = await ana.post(url, call)
  const { json: ours } = await ana.post(url, { ...call, variables: { a: 'b' }, metadata: { c: 1 }, unknown: 'x' })
  assert.deepEqual({ ...ours, callId: '' }, { ...plain, callId: '' })
  const { json: record } = await ana.get(`/api/calls/${ours.callId}`)
  assert.equal('unknown' in record, false)
})

test('a key with only the scope gateway calls through devices, never through trunks', async () => {
  const { ana, database } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const order = async (client: Client, more: object = {}) => {
    const body = { toNumber: '+5511987654321', agentId: agent.id, ...more }
    const { status, json } = await client.post('/api/gateway/calls/outbound', body)
    assert.equal(status, 201)
    const row = database.db.selectFrom('calls').select('deviceTokens').where('id', '=', json.callId)
    return JSON.parse((await row.executeTakeFirstOrThrow()).deviceTokens ?? 'null')
  }
  const narrow = await ana.withKey({ scopes: ['gateway'] })
  assert.deepEqual(await order(narrow), ['none'], 'no device is found by this name')
  const { json: device } = await ana.post('/api/gateway/devices', {})
  for (const more of [{}, { deviceTokens: [] }, { deviceTokens: null }])
    assert.deepEqual(await order(narrow, more), [device.id])
  assert.deepEqual(await order(narrow, { deviceTokens: [device.token] }), [device.token])
  assert.equal(await order(await ana.withKey({ scopes: ['gateway', 'calls'] })), null)
  assert.equal(await order(ana), null)
})
