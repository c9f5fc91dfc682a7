// Devices reached through a trunk: inbound routing when several share one address, and outbound routing.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { masterKeys } from '../../src/base/crypto/master-key.ts'
import { keyRing } from '../../src/base/crypto/secrets.ts'
import type { DeviceTrunk } from '../../src/features/devices/driver-port.ts'
import { deviceStates } from '../../src/features/devices/state-store.ts'
import { anAgent, type Client } from '../app.ts'
import { agentOnTrunk, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

const app = await startPhoneApp()
const { db } = app.database
const states = deviceStates(db, keyRing(masterKeys(app.config.masterKeys, app.config.dataDir)))

/** One address per gateway: tests must not share one. */
let gateways = 10
const openGateway = (t: TestContext) => openByHand(t, `127.0.3.${gateways++}`)

/** A device as its driver would create it: connected, with its trunk. No driver runs here. */
async function farDevice(client: Client, gateway: ByHand, more: object = {}, trunk: Partial<DeviceTrunk> = {}) {
  const agentId = (await client.post('/api/agents', anAgent)).json.id as string
  const { json } = await client.post('/api/gateway/devices', { phone: newNumber(), agentId, ...more })
  const far = { driver: 'remote', externalId: `far-${json.id}`, dueAt: null } as const
  await db.updateTable('devices').set(far).where('id', '=', json.id).execute()
  const way: DeviceTrunk = {
    host: gateway.address,
    port: gateway.port,
    transport: 'udp',
    username: `account${json.deviceId}`,
    password: 'far-password',
    realm: null,
    codecs: ['PCMU'],
    mediaEncryption: 'disabled',
    sessionTimers: false,
    allowedAddresses: [gateway.address],
    ...trunk,
  }
  await states.change(json.id, { status: 'connected', trunk: JSON.stringify(way) })
  await app.app.phone?.refresh()
  return { id: json.id as string, token: json.token as string, phone: json.phone as string, agentId, way }
}

const rowsOf = async (client: Client) => (await client.get('/api/calls')).json as Record<string, unknown>[]
const firstRow = (client: Client) => until('its row', async () => (await rowsOf(client))[0])

async function takenBy(gateway: ByHand, uri: string): Promise<number> {
  const call = await gateway.call(app.sipPort, { uri })
  const { status } = await call.final()
  if (status !== 200) return status
  call.ack()
  await call.tell('BYE')
  return status
}

test("calls through a device's trunk go to its agent, whatever was dialled", async (t) => {
  const gateway = await openGateway(t)
  const client = await app.newUser('ana')
  const device = await farDevice(client, gateway)
  assert.equal(await takenBy(gateway, '+4930123456'), 200)
  const row = await firstRow(client)
  assert.deepEqual(
    [row.deviceId, row.trunkId, row.agentId, row.channel, row.fromNumber, row.toNumber],
    [device.id, null, device.agentId, 'sip', '+5521988887777', device.phone],
  )
})

test('devices at one address are told apart by the called number or account', async (t) => {
  const gateway = await openGateway(t)
  const [ana, bia] = [await app.newUser('ana'), await app.newUser('bia')]
  const [one, other] = [await farDevice(ana, gateway), await farDevice(bia, gateway)]
  assert.equal(await takenBy(gateway, one.phone), 200)
  assert.equal(await takenBy(gateway, other.way.username as string), 200)
  assert.deepEqual([(await firstRow(ana)).deviceId, (await firstRow(bia)).deviceId], [one.id, other.id])
  assert.equal(await takenBy(gateway, '+4930123456'), 404, "nobody's call")
  assert.deepEqual([(await rowsOf(ana)).length, (await rowsOf(bia)).length], [1, 1], 'nobody is told of it')
})

test('a carrier at the same address keeps its numbers', async (t) => {
  const gateway = await openGateway(t)
  const client = await app.newUser('ana')
  const device = await farDevice(client, gateway)
  const { number, trunkId } = await agentOnTrunk(app, client, gateway.port, { trunk: { host: gateway.address } })
  assert.equal(await takenBy(gateway, number), 200)
  assert.deepEqual([(await firstRow(client)).trunkId, (await firstRow(client)).deviceId], [trunkId, null])
  assert.equal(await takenBy(gateway, device.phone), 200)
})

test('a trunk without addresses requires authentication', async (t) => {
  const gateway = await openGateway(t)
  const client = await app.newUser('ana')
  const device = await farDevice(client, gateway, {}, { allowedAddresses: [] })
  assert.equal(await takenBy(gateway, device.phone), 401)
  assert.deepEqual(await rowsOf(client), [])
})

test('116 an outbound call uses the trunk of the named device, and fails over to the next', async (t) => {
  const [dead, gateway] = [await openGateway(t), await openGateway(t)]
  const client = await app.newUser('ana')
  const first = await farDevice(client, dead)
  const second = await farDevice(client, gateway)
  dead.onRequest = (invite) => dead.answer(invite, 503)
  gateway.onRequest = (request) =>
    gateway.answer(request, 200, request.method === 'INVITE' ? { sdp: gateway.sdp('0') } : {})
  const order = { toNumber: '+5511987654321', agentId: first.agentId, deviceTokens: [first.token, second.token] }
  const { callId } = (await client.post('/api/gateway/calls/outbound', order)).json
  const invite = await gateway.request('INVITE')
  assert.match(invite.uri, /^sip:\+5511987654321@127\.0\.3\.\d+:\d+$/)
  assert.match(invite.headers.get('from') ?? '', new RegExp(`<sip:\\${second.phone}@`))
  await until('it is answered', async () => (await client.get(`/api/calls/${callId}`)).json.answeredAt)
  await client.post(`/api/calls/${callId}/hangup`)
  const row = await ended(client, callId)
  assert.deepEqual([row.deviceId, row.trunkId, row.fromNumber], [second.id, null, second.phone])
  assert.equal(dead.all('INVITE').length, 1)
})

test('108 a disconnected device carries no call, and its trunk cannot be used directly', async (t) => {
  const gateway = await openGateway(t)
  const client = await app.newUser('ana')
  const device = await farDevice(client, gateway, { name: 'hall' })
  await states.change(device.id, { status: 'disconnected', error: 'the gateway says so' })
  await app.app.phone?.refresh()
  const order = { toNumber: '+5511987654321', agentId: device.agentId }
  const named = (await client.post('/api/calls/outbound', { ...order, fromDeviceTokens: [device.token] })).json
  assert.equal((await ended(client, named.callId)).endDetail, 'hall is not connected: the gateway says so')
  const link = { trunkId: `device:${device.id}`, trunkType: 'outbound' }
  await client.post(`/api/agents/${device.agentId}/link-trunk`, link)
  await app.app.phone?.refresh()
  const linked = (await client.post('/api/calls/outbound', order)).json
  assert.equal((await ended(client, linked.callId)).endDetail, 'hall is not connected: the gateway says so')
  assert.deepEqual(gateway.all('INVITE'), [])
})

test('no registration is accepted for a device of another network', async (t) => {
  const gateway = await openGateway(t)
  const client = await app.newUser('ana')
  const device = await farDevice(client, gateway)
  const { sipUsername } = await db
    .selectFrom('devices')
    .select('sipUsername')
    .where('id', '=', device.id)
    .executeTakeFirstOrThrow()
  const phone = app.app.phone
  assert.equal(phone?.directory.device(sipUsername), undefined)
  assert.ok(phone?.directory.devicesOf(client.userId).some(({ id }) => id === device.id))
})
