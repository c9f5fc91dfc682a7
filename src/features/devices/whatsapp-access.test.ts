// The operator's WhatsApp account on a platform with several users: who may use its number.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertError, atEnd, type Client, startTestApp, type TestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import {
  APP_SECRET,
  NUMBER_ID,
  startWhatsapp,
  TOKEN,
  VERIFY_TOKEN,
  webhook,
  written,
} from '../../../test/vendors/whatsapp.ts'
import { migrate } from '../../db/migrate.ts'

const devices = '/api/gateway/devices'
const whatsapp = { driver: 'whatsapp' }
const numbers = ['+5511987654321']
const paces = { connected: 50, disconnected: 50, error: 50, provisioning: 50 }
/** For tests that write a device's state: polling must not overwrite it meanwhile. */
const atEase = {}

async function start(env: Record<string, string> = {}, gateway: Partial<typeof paces> = paces) {
  const meta = await startWhatsapp()
  atEnd(meta.stop)
  const base = await startTestApp(
    {
      WHATSAPP_TOKEN: TOKEN,
      WHATSAPP_PHONE_NUMBER_ID: NUMBER_ID,
      WHATSAPP_API_URL: `${meta.url}/v24.0`,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      ...env,
    },
    { gateway },
  )
  return { ...base, meta, admin: await base.newUser('admin', 'admin') }
}

async function sendsText(client: Client) {
  const config = { channel: 'whatsapp', allowedNumbers: numbers }
  const { json: tool } = await client.post('/api/tools', { name: 'write', type: 'send_text', config })
  return (await client.post(`/api/tools/${tool.id}/test`, { arguments: { to: numbers[0], text: 'Olá' } })).json
}

const setDevice = (base: TestApp, id: string, set: object) =>
  base.database.db.updateTable('devices').set(set).where('id', '=', id).execute()

test("a member can neither create a device on the operator's account nor send through it; an administrator can", async () => {
  const { ana, admin, meta } = await start()
  assertError(await ana.post(devices, whatsapp), 403, /WHATSAPP_USERS/)
  assert.deepEqual((await ana.get(devices)).json, [])
  assert.deepEqual((await ana.get('/api/platform')).json.gatewayDrivers, ['embedded'])
  assert.equal((await sendsText(ana)).status, 'failed')
  assert.deepEqual([meta.sent.length, meta.calling.size], [0, 0])
  assert.equal((await admin.post(devices, whatsapp)).json.status, 'connected')
  assert.deepEqual((await admin.get('/api/platform')).json.gatewayDrivers, ['embedded', 'whatsapp'])
  assert.equal((await sendsText(admin)).status, 'done')
  assert.equal(meta.sent.length, 1)
})

test('with GATEWAY_DRIVER whatsapp a member is not provisioned, unless listed in WHATSAPP_USERS', async () => {
  const named = { GATEWAY_DRIVER: 'whatsapp', WHATSAPP_USERS: 'Bia@example.com, usr_x' }
  const { ana, bia, database } = await start(named)
  assertError(await ana.post('/api/gateway/provision-device'), 403)
  assert.equal((await ana.post(devices, { driver: 'embedded' })).status, 201)
  assert.equal((await ana.post('/api/gateway/provision-device')).status, 200, 'the device that she has')
  await database.db.updateTable('users').set({ email: 'bia@example.com' }).where('id', '=', bia.userId).execute()
  assert.equal((await bia.post('/api/gateway/provision-device')).status, 201)
  assert.equal((await bia.get('/api/gateway/device-status')).json.status, 'connected')
})

test('a device that was refused the number does not get it when it becomes free, only when it is enabled again', async () => {
  const base = await start()
  const { admin, meta } = base
  const { json: first } = await admin.post(devices, whatsapp)
  const { json: second } = await admin.post(devices, whatsapp)
  assert.deepEqual([first.status, second.status], ['connected', 'error'])
  assert.match(second.lastError, /another device/)
  assert.equal((await admin.delete(`${devices}/${first.id}`)).status, 200)
  const third = (await admin.post(devices, { ...whatsapp, name: 'third' })).json
  await until('the third was looked at again', async () => {
    const before = meta.asked.length
    return (await until('a look', async () => meta.asked.length > before + 1)) && true
  })
  assert.equal((await admin.get(`${devices}/${second.id}`)).json.status, 'error')
  assert.equal((await admin.get(`${devices}/${third.id}`)).json.status, 'connected')
  await admin.delete(`${devices}/${third.id}`)
  assert.equal((await admin.patch(`${devices}/${second.id}`, { isDisabled: false })).json.status, 'connected')
})

test('of two devices that claim one number at once, one gets it', async () => {
  const { admin, newUser, database } = await start()
  const other = await newUser('other', 'admin')
  const made = await Promise.all([admin, other, admin, other].map((client) => client.post(devices, whatsapp)))
  assert.equal(made.filter(({ json }) => json.status === 'connected').length, 1)
  const rows = await database.db.selectFrom('devices').select('id').where('externalId', '=', NUMBER_ID).execute()
  assert.equal(rows.length, 1)
})

test('a member who had the number loses it with its texts and calls, and an administrator can claim it', async () => {
  const base = await start({}, atEase)
  const { ana, admin, meta, anonymous, newUser } = base
  const { json: owned } = await admin.post(devices, whatsapp)
  // As stored by an older version: a member's device has the number.
  await setDevice(base, owned.id, { userId: ana.userId, trunkSealed: null, dueAt: null, status: 'connected' })
  const { body, headers } = webhook(written('5511987654321', 'Oi'))
  assert.equal((await anonymous({ method: 'POST', url: '/hooks/whatsapp', payload: body, headers })).status, 200)
  assert.deepEqual(await base.database.db.selectFrom('deviceTexts').selectAll().execute(), [])
  assert.equal((await sendsText(ana)).status, 'failed')
  assert.equal(meta.sent.length, 0)
  const maria = await newUser('maria', 'admin')
  assert.equal((await maria.post(devices, whatsapp)).json.status, 'connected')
  const { json: lost } = await ana.get(`${devices}/${owned.id}`)
  assert.deepEqual([lost.status, /administrators/.test(lost.lastError)], ['error', true])
  assertError(await ana.get(`/api/gateway/sip/credentials?deviceId=${owned.id}`), 409)
  assert.equal((await sendsText(maria)).status, 'done')
})

test('a device that is not connected sends no text', async () => {
  const base = await start({}, atEase)
  const { admin, meta } = base
  const { json: device } = await admin.post(devices, whatsapp)
  for (const [status, expected] of [
    ['error', 'failed'],
    ['disconnected', 'failed'],
    ['connected', 'done'],
  ] as const) {
    await setDevice(base, device.id, { status, dueAt: null })
    assert.equal((await sendsText(admin)).status, expected, status)
  }
  assert.equal(meta.sent.length, 1)
})

test('of several devices that an older version gave one number, the migration leaves it to an administrator', async () => {
  const base = await start()
  const { db, shared } = base.database
  const made: string[] = []
  for (const client of [base.ana, base.admin, base.bia]) made.push((await client.post(devices, {})).json.id)
  await sql`drop index "devices_whatsapp_number"`.execute(db)
  await sql`drop table usages`.execute(db)
  await sql`drop table "toolTests"`.execute(db)
  await sql`drop table "spentTokens"`.execute(db)
  await sql`delete from migrations where name in ('0016-budgets', '0025-external-ids')`.execute(db)
  await db
    .updateTable('devices')
    .set({ driver: 'whatsapp', externalId: '111', status: 'connected', dueAt: null })
    .execute()
  for (const table of ['devices', 'deviceTexts'])
    await db.schema.alterTable(table).renameColumn('externalId', 'farId').execute()
  await migrate(db, shared)
  const rows = await db.selectFrom('devices').select(['id', 'externalId', 'status']).orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ id, externalId, status }) => [made.indexOf(id), externalId, status]),
    [
      [0, null, 'error'],
      [1, '111', 'connected'],
      [2, null, 'error'],
    ],
  )
})
