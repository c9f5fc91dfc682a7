import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { anAgent, assertError, testApp } from '../../../test/app.ts'
import { everyRow } from '../../../test/every-row.ts'
import { newSecret, signedHeaders } from '../../base/crypto/webhook-signature.ts'

const url = '/api/webhooks'
const aHook = { url: 'https://hooks.example.com/ramal?token=x' }
const fields = [
  'agentIds',
  'createdAt',
  'description',
  'deviceId',
  'events',
  'id',
  'isActive',
  'updatedAt',
  'url',
] as const

test('our signatures verify with Standard Webhooks, and no others do', () => {
  const [secret, other] = [newSecret(), newSecret()]
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const body = '{"é":"\\u0000 ✓"}'
  const headers = signedHeaders([secret], { id: 'evt_1', timestampSeconds, body })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
  assert.equal(headers['webhook-signature'], new Webhook(secret).sign('evt_1', new Date(timestampSeconds * 1000), body))
  assert.throws(() => new Webhook(other).verify(body, headers))
  assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' }))
  const both = signedHeaders([other, secret], { id: 'evt_1', timestampSeconds, body })
  for (const each of [secret, other]) assert.ok(new Webhook(each).verify(body, both))
  const old = signedHeaders([secret], { id: 'evt_1', timestampSeconds: timestampSeconds - 3600, body })
  assert.throws(() => new Webhook(secret).verify(body, old), 'an old one cannot be played back')
})

test('a webhook is created, read, listed, changed and removed; its secret is returned once and stored sealed', async () => {
  const { ana, database } = await testApp()
  const made = await ana.post(url, aHook)
  assert.equal(made.status, 201)
  const { secret, ...hook } = made.json
  assert.match(secret, /^whsec_/)
  assert.deepEqual(Object.keys(hook).sort(), [...fields])
  assert.deepEqual(
    [hook.events, hook.agentIds, hook.isActive, hook.description, hook.deviceId],
    [['*'], null, true, null, null],
  )
  assert.deepEqual((await ana.get(`${url}/${hook.id}`)).json, hook)
  assert.deepEqual((await ana.get(url)).json, [hook])
  assert.ok(!(await everyRow(database.db)).includes(secret.slice(6)))
  const change = { events: ['call.ended', 'call.ended', 'call.failed'], description: 'CRM', isActive: false }
  const changed = (await ana.patch(`${url}/${hook.id}`, change)).json
  assert.deepEqual(
    [changed.events, changed.description, changed.isActive],
    [['call.ended', 'call.failed'], 'CRM', false],
  )
  assert.ok(changed.updatedAt > hook.updatedAt)
  assert.deepEqual((await ana.patch(`${url}/${hook.id}`, {})).json, changed)
  assert.deepEqual((await ana.delete(`${url}/${hook.id}`)).json, changed)
  assertError(await ana.get(`${url}/${hook.id}`), 404, 'Webhook not found')
})

test("the URL is http or https without credentials, types must exist, agents must be the user's own", async () => {
  const { ana, bia } = await testApp()
  for (const wrong of ['x', 'ftp://a.example/', 'https://u:p@a.example/', 'https://', 'https:///x', 'https://a b/', 5])
    assertError(await ana.post(url, { url: wrong }), 400)
  assertError(await ana.post(url, { url: `https://a.example/${'x'.repeat(2048)}` }), 400)
  for (const events of [[], ['call'], ['call.*'], 'call.ended', [5], ['webhook.test']])
    assertError(await ana.post(url, { ...aHook, events }), 400)
  const hers = (await bia.post('/api/agents', anAgent)).json.id
  assertError(await ana.post(url, { ...aHook, agentIds: [hers] }), 404, 'Agent not found')
  assertError(await ana.post(url, { ...aHook, agentIds: [] }), 400)
  const own = (await ana.post('/api/agents', anAgent)).json.id
  const { id } = (await ana.post(url, { ...aHook, agentIds: [own] })).json
  assertError(await ana.patch(`${url}/${id}`, { agentIds: [own, hers] }), 404, 'Agent not found')
  assert.deepEqual((await ana.get(`${url}/${id}`)).json.agentIds, [own])
  assert.equal((await ana.patch(`${url}/${id}`, { agentIds: null })).json.agentIds, null)
})

test('51 webhooks need full access, and other users cannot reach them', async () => {
  const { ana, bia } = await testApp()
  const { id } = (await ana.post(url, aHook)).json
  const calls = await ana.withKey({ scopes: ['calls', 'agents', 'conversations'] })
  for (const path of [url, `${url}/${id}`, `${url}/${id}/deliveries`]) {
    assertError(await calls.get(path), 403)
    if (path !== url) assertError(await bia.get(path), 404, 'Webhook not found')
  }
  for (const path of ['test', 'rotate-secret', 'deliveries/x/redeliver'])
    assertError(await bia.post(`${url}/${id}/${path}`), 404, 'Webhook not found')
  assert.deepEqual((await bia.get(url)).json, [])
})

test('the number of webhooks per user is limited', async () => {
  const { ana } = await testApp()
  for (let i = 0; i < 50; i++) assert.equal((await ana.post(url, { ...aHook, isActive: false })).status, 201)
  assertError(await ana.post(url, aHook), 409, 'No more than 50 webhooks')
})

test('the webhookUrl of a device is a webhook that follows the device', async () => {
  const { ana } = await testApp()
  const devices = '/api/gateway/devices'
  const { id } = (await ana.post(devices, { name: 'desk', webhookUrl: 'https://a.example/one' })).json
  const [hook, ...others] = (await ana.get(url)).json
  assert.deepEqual(others, [])
  assert.deepEqual(
    [hook.url, hook.deviceId, hook.events, hook.description],
    ['https://a.example/one', id, ['device.status_changed', 'device.text_received'], 'Device desk'],
  )
  const told = (await ana.post(`${url}/${hook.id}/rotate-secret`)).json
  assert.match(told.secret, /^whsec_/)
  await ana.patch(`${devices}/${id}`, { webhookUrl: 'https://a.example/two' })
  const moved = (await ana.get(`${url}/${hook.id}`)).json
  assert.equal(moved.url, 'https://a.example/two')
  assertError(await ana.patch(`${url}/${hook.id}`, { url: 'https://b.example/' }), 409, /follows the webhookUrl/)
  assertError(await ana.delete(`${url}/${hook.id}`), 409, /follows the webhookUrl/)
  assert.equal((await ana.patch(`${url}/${hook.id}`, { isActive: false })).json.isActive, false)
  await ana.patch(`${devices}/${id}`, { webhookUrl: null })
  assert.deepEqual((await ana.get(url)).json, [])
  await ana.patch(`${devices}/${id}`, { webhookUrl: 'https://a.example/three' })
  await ana.delete(`${devices}/${id}`)
  assert.deepEqual((await ana.get(url)).json, [])
})
