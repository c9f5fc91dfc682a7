// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp, testApp } from '../../../test/app.ts'
import { everyRow } from '../../../test/every-row.ts'

const url = '/api/gateway/sip/credentials'

test('115 without a device there are no SIP credentials', async () => {
  const { ana } = await testApp()
  assertError(await ana.get(url), 404, 'Device not found')
  assertError(await ana.post(`${url}/rotate`), 404, 'Device not found')
  const { json: device } = await ana.post('/api/gateway/devices')
  await ana.patch(`/api/gateway/devices/${device.id}`, { isDisabled: true })
  assertError(await ana.get(url), 404, 'Device not found')
})

test('115 SIP credentials contain everything a phone needs to register', async () => {
  const { ana } = await startTestApp({ PUBLIC_URL: 'https://voice.example.com:8443/' })
  const { json: device } = await ana.post('/api/gateway/devices')
  const { status, json: sip } = await ana.get(url)
  assert.equal(status, 200)
  assert.equal(sip.username, device.sip.username)
  assert.ok(sip.password.length >= 20)
  assert.equal(sip.domain, 'voice.example.com')
  assert.equal(device.sip.domain, sip.domain)
  assert.equal(sip.uri, `sip:${sip.username}@voice.example.com`)
  assert.ok(Number.isInteger(sip.port) && sip.port > 0)
  assert.equal(sip.transport, 'udp')
  assert.ok(Number.isInteger(sip.expires) && sip.expires > 0)
  assert.ok(sip.transports.length > 0 && sip.codecs.length > 0)
})

test('115 SIP credentials stay the same until they are rotated', async () => {
  const { ana } = await testApp()
  await ana.post('/api/gateway/provision-device')
  const { json: first } = await ana.get(url)
  const [device] = (await ana.get('/api/gateway/devices')).json
  await ana.patch(`/api/gateway/devices/${device.id}`, { name: 'changed', phone: '+5511987654321' })
  await ana.post('/api/gateway/provision-device')
  assert.deepEqual((await ana.get(url)).json, first)
  const rotated = await ana.post(`${url}/rotate`)
  assert.equal(rotated.status, 200)
  assert.notEqual(rotated.json.password, first.password)
  assert.deepEqual({ ...rotated.json, password: first.password }, first, 'only the password is new')
  assert.deepEqual((await ana.get(url)).json, rotated.json)
  const { json: after } = await ana.get(`/api/gateway/devices/${device.id}`)
  assert.ok(after.updatedAt > device.updatedAt)
})

test('115 each device has its own credentials, and rotating one leaves the others unchanged', async () => {
  const { ana, bia } = await testApp()
  const { json: one } = await ana.post('/api/gateway/devices')
  const { json: two } = await ana.post('/api/gateway/devices')
  const of = async (id: string) => (await ana.get(`${url}?deviceId=${id}`)).json
  const [sipOne, sipTwo] = [await of(one.id), await of(two.id)]
  assert.notEqual(sipOne.username, sipTwo.username)
  assert.notEqual(sipOne.password, sipTwo.password)
  const { json: rotated } = await ana.post(`${url}/rotate?deviceId=${two.deviceId}`)
  assert.equal(rotated.username, sipTwo.username)
  assert.deepEqual(await of(one.id), sipOne)
  assert.deepEqual(await of(two.id), rotated)
  assertError(await bia.post(`${url}/rotate?deviceId=${two.id}`), 404, 'Device not found')
  assert.deepEqual(await of(two.id), rotated)
})

test('115 SIP credentials stay the same after a restart', async () => {
  const first = await startTestApp()
  await first.ana.post('/api/gateway/provision-device')
  const { json: before } = await first.ana.get(url)
  await first.app.close()
  const { database, dataDir } = first.config
  const again = await startTestApp({
    DATA_DIR: dataDir,
    ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
  })
  const { json: after } = await again.anonymous({ url, headers: { 'x-api-key': first.ana.key } })
  assert.deepEqual(after, before)
})

test('115 the password is stored encrypted and shown nowhere else', async () => {
  const { ana, database, logs } = await startTestApp()
  const { json: device } = await ana.post('/api/gateway/devices')
  const { json: first } = await ana.get(url)
  const { json: second } = await ana.post(`${url}/rotate`, undefined, { 'idempotency-key': 'rotate' })
  const elsewhere = [
    await ana.get('/api/gateway/devices'),
    await ana.get(`/api/gateway/devices/${device.id}`),
    await ana.patch(`/api/gateway/devices/${device.id}`, { name: 'x' }),
    await ana.get('/api/gateway/device-status'),
    await ana.post('/api/gateway/provision-device'),
    await ana.delete(`/api/gateway/devices/${device.id}`),
  ].map((answer) => answer.text)
  const rows = await everyRow(database.db)
  assert.ok(logs().includes(url))
  for (const { password } of [first, second])
    for (const text of [...elsewhere, rows, logs()]) assert.ok(!text.includes(password), text.slice(0, 200))
})

test('115 rotation applies to the named device, in the query or in the body', async () => {
  const { ana } = await testApp()
  const { json: first } = await ana.post('/api/gateway/devices')
  const { json: second } = await ana.post('/api/gateway/devices')
  const passwordOf = async (id: string) => (await ana.get(`${url}?deviceId=${id}`)).json.password
  const [firstBefore, secondBefore] = [await passwordOf(first.id), await passwordOf(second.id)]
  const { json: rotated } = await ana.post(`${url}/rotate`, { deviceId: second.id })
  assert.equal(rotated.username, second.sip.username)
  assert.equal(await passwordOf(first.id), firstBefore)
  assert.notEqual(await passwordOf(second.id), secondBefore)
  assertError(await ana.post(`${url}/rotate?deviceId=${first.id}`, { deviceId: second.id }), 400, /two devices/)
  assertError(await ana.post(`${url}/rotate`, { deviceId: 'missing' }), 404)
  assertError(await ana.post(`${url}/rotate`, { device: second.id }), 400, 'device is not known here')
  assert.equal((await ana.post(`${url}/rotate?deviceId=${first.id}`, { deviceId: first.id })).status, 200)
  assert.notEqual(await passwordOf(first.id), firstBefore)
  assert.equal((await ana.post(`${url}/rotate`)).json.username, first.sip.username, 'the default one without a name')
})
