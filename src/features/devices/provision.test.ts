import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, testApp } from '../../../test/app.ts'

const provision = (client: Client) => client.post('/api/gateway/provision-device')
const status = async (client: Client, query = '') => (await client.get(`/api/gateway/device-status${query}`)).json
const devices = async (client: Client) => (await client.get('/api/gateway/devices')).json

test('104 provisioning without a device creates one with SIP routes', async () => {
  const { ana, bia } = await testApp()
  const answer = await provision(ana)
  assert.equal(answer.status, 201)
  assert.deepEqual(Object.keys(answer.json).sort(), ['alreadyExisted', 'deviceId', 'deviceUuid'])
  assert.equal(answer.json.alreadyExisted, false)
  const { json: device } = await ana.get(`/api/gateway/devices/${answer.json.deviceUuid}`)
  assert.equal(device.inboundEnabled, true)
  assert.equal(device.outboundEnabled, true)
  const { json: sip } = await ana.get('/api/gateway/sip/credentials')
  assert.deepEqual(device.sip, { username: sip.username, domain: sip.domain })
  assert.deepEqual(await devices(bia), [], "another user's list does not show it")
})

test('105 provisioning again returns the same device, unchanged', async () => {
  const { ana } = await testApp()
  const { json: first } = await provision(ana)
  const [before] = await devices(ana)
  const again = await provision(ana)
  assert.equal(again.status, 200)
  assert.deepEqual(again.json, { ...first, alreadyExisted: true })
  assert.deepEqual(await devices(ana), [before])
})

test('105 deviceUuid is the id in the list, deviceId is short and readable', async () => {
  const { ana } = await testApp()
  const { json } = await provision(ana)
  const [device] = await devices(ana)
  assert.equal(device.id, json.deviceUuid)
  assert.equal(device.deviceUuid, json.deviceUuid)
  assert.equal(device.deviceId, json.deviceId)
  assert.match(json.deviceUuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.match(json.deviceId, /^[a-z0-9-]{4,16}$/)
})

test('105 twenty concurrent provisions create one device', async () => {
  const { ana, bia } = await testApp()
  const all = await Promise.all(Array.from({ length: 40 }, (_, i) => provision(i % 2 === 0 ? ana : bia)))
  for (const answers of [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)]) {
    assert.equal(new Set(answers.map((a) => a.json.deviceUuid)).size, 1)
    assert.equal(new Set(answers.map((a) => a.json.deviceId)).size, 1)
    assert.equal(answers.filter((a) => a.status === 201 && a.json.alreadyExisted === false).length, 1)
    assert.equal(answers.filter((a) => a.status === 200 && a.json.alreadyExisted === true).length, 19)
  }
  assert.equal((await devices(ana)).length, 1)
  assert.equal((await devices(bia)).length, 1)
  assert.notEqual(all[0]?.json.deviceUuid, all[1]?.json.deviceUuid)
})

test('105 with any enabled device provisioning returns true: the oldest is the default', async () => {
  const { ana } = await testApp()
  const { json: oldest } = await ana.post('/api/gateway/devices', { name: 'first' })
  await ana.post('/api/gateway/devices', { name: 'second' })
  const answer = await provision(ana)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json, { deviceUuid: oldest.id, deviceId: oldest.deviceId, alreadyExisted: true })
  assert.equal((await status(ana)).deviceId, oldest.deviceId)
  assert.equal((await ana.get('/api/gateway/sip/credentials')).json.username, oldest.sip.username)
})

test('105 the device that provisioning created is the default, even with older ones', async () => {
  const { ana } = await testApp()
  const { json: older } = await ana.post('/api/gateway/devices', { name: 'older' })
  await ana.patch(`/api/gateway/devices/${older.id}`, { isDisabled: true })
  const { json: provisioned } = await provision(ana)
  assert.equal(provisioned.alreadyExisted, false)
  await ana.patch(`/api/gateway/devices/${older.id}`, { isDisabled: false })
  assert.equal((await status(ana)).deviceId, provisioned.deviceId)
  assert.equal((await provision(ana)).json.deviceUuid, provisioned.deviceUuid)
})

test('105 a disabled device is not the default; it is found only by its name', async () => {
  const { ana } = await testApp()
  const { json: provisioned } = await provision(ana)
  const { json: other } = await ana.post('/api/gateway/devices', { name: 'other' })
  await ana.patch(`/api/gateway/devices/${provisioned.deviceUuid}`, { isDisabled: true })
  assert.equal((await status(ana)).deviceId, other.deviceId)
  assert.equal((await provision(ana)).json.deviceUuid, other.id)
  assert.equal((await ana.get('/api/gateway/sip/credentials')).json.username, other.sip.username)
  const named = await status(ana, `?deviceId=${provisioned.deviceId}`)
  assert.deepEqual([named.hasDevice, named.connected, named.status], [true, false, 'disabled'])
})

test("105 ?deviceId= selects one of the user's devices by its id or short id", async () => {
  const { ana, bia } = await testApp()
  await provision(ana)
  const { json: second } = await ana.post('/api/gateway/devices', { phone: '+5511987654321' })
  for (const name of [second.id, second.deviceId]) {
    const picked = await status(ana, `?deviceId=${name}`)
    assert.equal(picked.deviceId, second.deviceId)
    assert.equal(picked.phone, '+5511987654321')
    const sip = await ana.get(`/api/gateway/sip/credentials?deviceId=${name}`)
    assert.equal(sip.json.username, second.sip.username)
    for (const path of ['device-status', 'sip/credentials'])
      assert.equal((await bia.get(`/api/gateway/${path}?deviceId=${name}`)).status, 404)
  }
  for (const name of ['nobody', '%00', '%F0%9F%98%80', 'x'.repeat(5000)])
    for (const path of ['device-status', 'sip/credentials'])
      assert.equal((await ana.get(`/api/gateway/${path}?deviceId=${name}`)).status, 404, name.slice(0, 20))
})

test('106 after the device is deleted, provisioning creates a new one', async () => {
  const { ana } = await testApp()
  const { json: first } = await provision(ana)
  assert.equal((await ana.delete(`/api/gateway/devices/${first.deviceUuid}`)).status, 200)
  const again = await provision(ana)
  assert.equal(again.status, 201)
  assert.equal(again.json.alreadyExisted, false)
  assert.notEqual(again.json.deviceUuid, first.deviceUuid)
  assert.notEqual(again.json.deviceId, first.deviceId)
  assert.equal((await devices(ana)).length, 1)
})

test('107 without a device the status says so', async () => {
  const { ana } = await testApp()
  const answer = await ana.get('/api/gateway/device-status')
  assert.equal(answer.status, 200)
  const none = { hasDevice: false, connected: false, phone: null, deviceId: null, status: 'none' }
  assert.deepEqual(answer.json, none)
  const { json: device } = await provision(ana)
  await ana.patch(`/api/gateway/devices/${device.deviceUuid}`, { isDisabled: true })
  assert.deepEqual(await status(ana), none, 'a disabled device is no default one')
})

test('107 the status of a device has five fields and follows the device', async () => {
  const { ana, database } = await testApp()
  const { json: device } = await provision(ana)
  const fresh = { hasDevice: true, connected: false, phone: null, deviceId: device.deviceId }
  assert.deepEqual(await status(ana), { ...fresh, status: 'waiting_qr' })
  for (const word of ['waiting_qr', 'connected', 'disconnected', 'error'] as const) {
    await database.db.updateTable('devices').set({ status: word }).where('id', '=', device.deviceUuid).execute()
    assert.deepEqual(await status(ana), { ...fresh, connected: word === 'connected', status: word })
    const { json: shown } = await ana.get(`/api/gateway/devices/${device.deviceUuid}`)
    assert.deepEqual([shown.status, shown.connected], [word, word === 'connected'])
  }
})

test('107 the phone is null until it is set on the device', async () => {
  const { ana } = await testApp()
  const { json: device } = await provision(ana)
  assert.equal((await status(ana)).phone, null)
  await ana.patch(`/api/gateway/devices/${device.deviceUuid}`, { phone: '+5511912345678' })
  assert.equal((await status(ana)).phone, '+5511912345678')
  await ana.patch(`/api/gateway/devices/${device.deviceUuid}`, { phone: null })
  assert.equal((await status(ana)).phone, null)
})
