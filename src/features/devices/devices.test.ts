import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'

const url = '/api/gateway/devices'
const recordFields = [
  'id',
  'deviceUuid',
  'deviceId',
  'name',
  'token',
  'phone',
  'displayName',
  'driver',
  'status',
  'connected',
  'qrCode',
  'qrExpiresAt',
  'qrWarning',
  'agentId',
  'inboundEnabled',
  'outboundEnabled',
  'maxConcurrentCalls',
  'recordCalls',
  'webhookUrl',
  'sip',
  'lastSeenAt',
  'lastError',
  'createdAt',
  'updatedAt',
].sort()

/** Lists show no QR codes. */
const listed = (device: object) => ({ ...device, qrCode: null, qrExpiresAt: null, qrWarning: null })

test('114 every field of a new device is optional', async () => {
  const { ana } = await testApp()
  for (const body of [undefined, {}, { name: null, agentId: null, phone: null, inboundEnabled: null }]) {
    const { status, json } = await ana.post(url, body)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(json).sort(), recordFields)
    const { id, deviceUuid, deviceId, token, sip, qrCode, qrExpiresAt, qrWarning, createdAt, updatedAt, ...rest } = json
    assert.deepEqual(rest, {
      name: null,
      phone: null,
      displayName: null,
      driver: 'embedded',
      status: 'waiting_qr',
      connected: false,
      agentId: null,
      inboundEnabled: true,
      outboundEnabled: true,
      maxConcurrentCalls: null,
      recordCalls: true,
      webhookUrl: null,
      lastSeenAt: null,
      lastError: null,
    })
    assert.match(qrCode, /^data:image\/png;base64,/)
    assert.ok(Date.parse(qrExpiresAt) > Date.now())
    assert.match(qrWarning, /loopback/)
    assert.equal(deviceUuid, id)
    assert.equal(updatedAt, createdAt)
    assert.deepEqual(Object.keys(sip).sort(), ['domain', 'username'])
    assert.ok(token.length >= 16 && deviceId !== '')
  }
})

test('114 the response, the list and the detail show what a device was created with', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const given = {
    name: 'Reception',
    displayName: 'Front desk',
    agentId: agent.id,
    phone: '+5511987654321',
    inboundEnabled: false,
    outboundEnabled: false,
    maxConcurrentCalls: 3,
    recordCalls: false,
    webhookUrl: 'https://example.com/hook?x=1',
  }
  const { json: device } = await ana.post(url, { ...given, id: 'mine', token: 'mine', status: 'connected', sip: {} })
  assert.deepEqual({ ...device, ...given }, device)
  assert.notEqual(device.id, 'mine')
  assert.notEqual(device.token, 'mine')
  assert.equal(device.status, 'waiting_qr')
  assert.deepEqual((await ana.get(`${url}/${device.id}`)).json, device)
  assert.deepEqual((await ana.get(url)).json, [listed(device)])
})

test('114 invalid fields are refused, in POST and PATCH', async () => {
  const { ana } = await testApp()
  const { json: device } = await ana.post(url, { name: 'x' })
  const wrong = {
    name: [5, 'x'.repeat(256)],
    displayName: [5, 'x'.repeat(256)],
    agentId: [5, {}],
    phone: ['123', '11 98765-4321', 5511987654321, '+0123456789', ''],
    inboundEnabled: ['true', 1],
    outboundEnabled: ['false', 0],
    recordCalls: ['yes', 1],
    maxConcurrentCalls: [0, -1, 1.5, '2', 1001],
    webhookUrl: ['ftp://x.example', 'javascript:alert(1)', 'https://user:pass@x.example/', 'x', 5],
  }
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) {
      assertError(await ana.post(url, { [field]: value }), 400, new RegExp(field))
      assertError(await ana.patch(`${url}/${device.id}`, { [field]: value }), 400, new RegExp(field))
    }
  for (const field of ['inboundEnabled', 'outboundEnabled', 'recordCalls'])
    assertError(await ana.patch(`${url}/${device.id}`, { [field]: null }), 400, new RegExp(field))
  for (const body of [[], 'x', null]) assertError(await ana.post(url, body), 400)
  assert.deepEqual((await ana.get(url)).json, [listed(device)])
})

test("114 the list is newest first and contains one user's devices only", async () => {
  const { ana, bia } = await testApp()
  const made = []
  for (const name of ['a', 'b', 'c']) made.unshift(listed((await ana.post(url, { name })).json))
  assert.deepEqual((await ana.get(url)).json, made)
  assert.deepEqual((await bia.get(url)).json, [])
})

test('114 PATCH changes the fields that are sent, and null clears them', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: device } = await ana.post(url, { name: 'old', phone: '+5511987654321', maxConcurrentCalls: 2 })
  const one = `${url}/${device.id}`
  let before = device
  const changes = [
    { name: 'new' },
    { agentId: agent.id, inboundEnabled: false },
    { displayName: 'd', webhookUrl: 'http://hooks.example/x', recordCalls: false, outboundEnabled: false },
    { name: null, phone: null, maxConcurrentCalls: null, agentId: null, displayName: null, webhookUrl: null },
  ]
  for (const change of changes) {
    const { status, json } = await ana.patch(one, { ...change, id: 'x', token: 'x', deviceId: 'x', createdAt: 'x' })
    assert.equal(status, 200)
    assert.deepEqual(json, { ...before, ...change, updatedAt: json.updatedAt })
    assert.ok(json.updatedAt > before.updatedAt)
    assert.deepEqual((await ana.get(one)).json, json)
    before = json
  }
  const { status, json } = await ana.patch(one, {})
  assert.equal(status, 200)
  assert.deepEqual(json, before, 'an empty PATCH changes nothing')
})

test('114 concurrent changes of different fields are all kept', async () => {
  const { ana } = await testApp()
  const { json: device } = await ana.post(url)
  const changes = { name: 'n', displayName: 'd', phone: '+5511987654321', maxConcurrentCalls: 5, recordCalls: false }
  const sent = Object.entries(changes).map(([field, value]) => ana.patch(`${url}/${device.id}`, { [field]: value }))
  const answers = await Promise.all(sent)
  const { json } = await ana.get(`${url}/${device.id}`)
  assert.deepEqual({ ...json, ...changes }, json)
  assert.ok(answers.every((a) => a.status === 200 && a.json.updatedAt <= json.updatedAt))
})

test('114 a device can be disabled and enabled again', async () => {
  const { ana } = await testApp()
  const { json: device } = await ana.post(url)
  const one = `${url}/${device.id}`
  assert.equal((await ana.patch(one, { isDisabled: true })).json.status, 'disabled')
  assert.equal((await ana.patch(one, { isDisabled: false })).json.status, 'waiting_qr')
  assertError(await ana.patch(one, { isDisabled: 'yes' }), 400, /isDisabled/)
})

test('114 DELETE returns the device, which is then unknown', async () => {
  const { ana } = await testApp()
  const { json: device } = await ana.post(url, { name: 'gone' })
  const removed = await ana.delete(`${url}/${device.id}`)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, device)
  for (const answer of [
    await ana.get(`${url}/${device.id}`),
    await ana.patch(`${url}/${device.id}`, { name: 'x' }),
    await ana.delete(`${url}/${device.id}`),
  ])
    assertError(answer, 404, 'Device not found')
  assert.deepEqual((await ana.get(url)).json, [])
})

test('114 unknown ids are a 404, whatever they contain', async () => {
  const { ana } = await testApp()
  for (const id of ['x', '%00', '%F0%9F%98%80', 'x'.repeat(5000), "'%20or%201=1"]) {
    assertError(await ana.get(`${url}/${id}`), 404)
    assertError(await ana.patch(`${url}/${id}`, { name: 'x' }), 404)
    assertError(await ana.delete(`${url}/${id}`), 404)
  }
})

test("114 another user's device or agent counts as missing", async () => {
  const { ana, bia } = await testApp()
  const { json: device } = await ana.post(url, { name: 'of ana' })
  const { json: agentOfBia } = await bia.post('/api/agents', anAgent)
  for (const answer of [
    await bia.get(`${url}/${device.id}`),
    await bia.patch(`${url}/${device.id}`, { name: 'taken' }),
    await bia.patch(`${url}/${device.id}`, {}),
    await bia.delete(`${url}/${device.id}`),
  ])
    assertError(answer, 404, 'Device not found')
  for (const agentId of [agentOfBia.id, 'agt_unknown']) {
    assertError(await ana.post(url, { agentId }), 404, 'Agent not found')
    assertError(await ana.patch(`${url}/${device.id}`, { agentId, name: 'x' }), 404, 'Agent not found')
  }
  assert.deepEqual((await ana.get(url)).json, [listed(device)])
})

test('114 a device outlives its agent', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: device } = await ana.post(url, { agentId: agent.id })
  await ana.delete(`/api/agents/${agent.id}`)
  assert.equal((await ana.get(`${url}/${device.id}`)).json.agentId, null)
})

test('114 the token is shown, differs for each device, and grants no access by itself', async () => {
  const { ana, anonymous } = await testApp()
  const { json: one } = await ana.post(url)
  const { json: two } = await ana.post(url)
  assert.notEqual(one.token, two.token)
  const { json: list } = await ana.get(url)
  assert.deepEqual(
    list.map((d: { token: string }) => d.token),
    [two.token, one.token],
  )
  assertError(await anonymous({ url: '/api/agents', headers: { 'x-api-key': one.token } }), 401)
})

test('139 a client that knows only the spec gets a device by provisioning alone', async () => {
  const { ana } = await testApp()
  const { json: provisioned } = await ana.post('/api/gateway/provision-device')
  const { json: status } = await ana.get('/api/gateway/device-status')
  assert.equal(status.hasDevice, true)
  assert.equal(status.deviceId, provisioned.deviceId)
  assert.equal((await ana.get('/api/gateway/sip/credentials')).status, 200)
  const { json: device } = await ana.get(`${url}/${provisioned.deviceUuid}`)
  await ana.patch(`${url}/${device.id}`, { displayName: 'ours', recordCalls: false, webhookUrl: null })
  assert.deepEqual((await ana.get('/api/gateway/device-status')).json, status, 'our fields change nothing of it')
})
