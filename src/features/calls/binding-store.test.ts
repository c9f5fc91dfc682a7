// Registrations as rows: stored by one node, checked and read by another.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, testConfig } from '../../../test/app.ts'
import { nowMs } from '../../base/time/clock.ts'
import { openDatabase } from '../../db/database.ts'
import { nodeRows } from '../../db/nodes.ts'
import { dbTime } from '../../db/time.ts'
import type { Binding } from '../../sip/registration/registrar.ts'
import { bindingStore } from './binding-store.ts'

const database = await openDatabase((await testConfig()).database, () => {})
atEnd(() => database.close())
const { db } = database
const AT = '2026-01-01T00:00:00.000Z'
await db
  .insertInto('users')
  .values({ id: 'usr_1', name: 'ana', email: null, role: 'admin', passwordHash: null, createdAt: AT })
  .execute()

/** With passwords in plain text. */
const storeOf = (name: string, processId: string) =>
  bindingStore({ db, node: { name, processId } }, (device) => device.sipPasswordSealed)
const [one, two] = [storeOf('one', 'p1'), storeOf('two', 'p2')]

let devices = 0
async function newDevice() {
  const id = `dev_${++devices}`
  const row = {
    id,
    userId: 'usr_1',
    deviceId: `d${devices}`,
    token: `t${devices}`,
    name: 'desk',
    status: 'waiting_qr',
    sipUsername: `u${devices}`,
    sipPasswordSealed: 'secret',
    driver: 'embedded',
    statusAt: AT,
    tries: 0,
    inboundEnabled: 1,
    outboundEnabled: 1,
    recordCalls: 0,
    provisioned: 0,
    createdAt: AT,
    updatedAt: AT,
  }
  await db
    .insertInto('devices')
    .values(row as never)
    .execute()
  return { deviceId: id, password: 'secret', credential: 'fingerprint' }
}

const bindingAt = (contact: string, more: Partial<Binding> = {}): Binding => ({
  contact,
  target: contact,
  params: new Map([
    ['q', '0.5'],
    ['ob', null],
  ]),
  callId: 'call',
  cseq: 2_147_483_650,
  registeredAt: nowMs(),
  expiresAt: nowMs() + 60_000,
  flow: {
    transport: 'udp',
    remote: { address: '192.0.2.1', port: 5062 },
    local: { address: '192.0.2.9', port: 5060 },
  },
  path: [],
  userAgent: 'Phone 1',
  ...more,
})

test('a stored binding is read by another node with its route, and is judged there', async () => {
  const device = await newDevice()
  const { version } = await two.bindingChanges(0)
  await one.changeBindings(device, () => [bindingAt('sip:a@1', { path: ['<sip:p;lr>'] })])
  const { changes, version: next } = await two.bindingChanges(version)
  assert.ok(next > version)
  const [change] = changes
  assert.deepEqual([change?.deviceId, change?.credential], [device.deviceId, 'fingerprint'])
  const { registeredAt, expiresAt, ...binding } = change?.binding ?? assert.fail()
  const { registeredAt: _, expiresAt: __, flow, ...stored } = bindingAt('sip:a@1', { path: ['<sip:p;lr>'] })
  assert.deepEqual(binding, { ...stored, flow: { ...flow, local: { address: '', port: 0 } }, origin: 'one' })
  assert.ok(Math.abs(expiresAt - registeredAt - 60_000) < 2000)
  await two.changeBindings(device, (seen) => {
    assert.deepEqual(
      seen.map(({ contact, callId, cseq }) => [contact, callId, cseq]),
      [['sip:a@1', 'call', 2_147_483_650]],
    )
    return undefined
  })
  await two.changeBindings(device, (seen) => seen)
  assert.deepEqual(await two.bindingChanges(next), { version: next, changes: [] }, 'nothing was written')
})

test('a removed binding is read as expired, and the device is no longer registered', async () => {
  const device = await newDevice()
  await one.changeBindings(device, () => [bindingAt('sip:a@1'), bindingAt('sip:a@2')])
  assert.equal(await two.isRegistered(device.deviceId, device.credential), true)
  const { version } = await one.bindingChanges(0)
  await two.changeBindings(device, (seen) => seen.filter(({ contact }) => contact === 'sip:a@2'))
  const { changes } = await one.bindingChanges(version)
  assert.deepEqual(
    changes.map(({ binding }) => [binding.contact, binding.expiresAt <= nowMs() + 1]),
    [['sip:a@1', true]],
  )
  await two.changeBindings(device, () => [])
  assert.equal(await one.isRegistered(device.deviceId, device.credential), false)
})

test('a changed password ends the old bindings, and the old password cannot make new ones', async () => {
  const device = await newDevice()
  await one.changeBindings(device, () => [bindingAt('sip:a@1')])
  await db.updateTable('devices').set({ sipPasswordSealed: 'new' }).where('id', '=', device.deviceId).execute()
  await two.changeBindings(device, () => assert.fail('it has another password by now'))
  const renewed = { ...device, password: 'new', credential: 'new fingerprint' }
  await two.changeBindings(renewed, (seen) => {
    assert.deepEqual(seen, [])
    return [bindingAt('sip:a@3')]
  })
  const live = await db
    .selectFrom('deviceBindings')
    .select(['contact', 'credential'])
    .where('deviceId', '=', device.deviceId)
  const rows = await live.where('expiresAt', '>', new Date(nowMs() + 1000).toISOString()).execute()
  assert.deepEqual(rows, [{ contact: 'sip:a@3', credential: 'new fingerprint' }])
})

test('nodes that register the same device at once judge one after the other', async () => {
  const device = await newDevice()
  const add = (store: typeof one, contact: string) =>
    store.changeBindings(device, (seen) => [...seen, bindingAt(contact)])
  await Promise.all([add(one, 'sip:a@1'), add(two, 'sip:a@2'), add(one, 'sip:a@3')])
  let seen: readonly Binding[] = []
  await one.changeBindings(device, (stored) => {
    seen = stored
    return undefined
  })
  assert.deepEqual(seen.map(({ contact }) => contact).sort(), ['sip:a@1', 'sip:a@2', 'sip:a@3'])
})

test('connections of dead processes are removed; UDP and proxies stay', async () => {
  const device = await newDevice()
  const report = { calls: 0, maxCalls: 1, busy: 0, address: null, isDraining: false }
  const live = nodeRows(db, { name: 'live', release: '1' })
  await live.enter(report)
  const tcp = { flow: { ...bindingAt('x').flow, transport: 'tcp' as const } }
  const dead = storeOf('dead', 'gone')
  const onLive = storeOf('live', live.processId)
  await dead.changeBindings(device, () => [
    bindingAt('sip:tcp@1', tcp),
    bindingAt('sip:udp@1'),
    bindingAt('sip:proxy@1', { ...tcp, path: ['<sip:p;lr>'] }),
  ])
  await onLive.changeBindings(device, (seen) => [...seen, bindingAt('sip:tcp@live', tcp)])
  await two.removeLostBindings()
  let contacts: string[] = []
  await one.changeBindings(device, (seen) => {
    contacts = seen.map(({ contact }) => contact).sort()
    return undefined
  })
  assert.deepEqual(contacts, ['sip:proxy@1', 'sip:tcp@live', 'sip:udp@1'])
})

test('at its start a node removes the connections of its own last process only', async () => {
  const device = await newDevice()
  const tcp = { flow: { ...bindingAt('x').flow, transport: 'tcp' as const } }
  // Its lease looks expired because the database has just come back.
  await storeOf('other', 'p9').changeBindings(device, () => [bindingAt('sip:tcp@other', tcp)])
  const last = storeOf('one', 'p0')
  await last.changeBindings(device, (seen) => [...seen, bindingAt('sip:tcp@one', tcp), bindingAt('sip:udp@one')])
  await one.removeLostBindings({ ofThisNode: true })
  let contacts: string[] = []
  await one.changeBindings(device, (seen) => {
    contacts = seen.map(({ contact }) => contact).sort()
    return undefined
  })
  assert.deepEqual(contacts, ['sip:tcp@other', 'sip:udp@one'])
})

test('a phone that changes its contact all the time leaves a bounded number of rows', async () => {
  const device = await newDevice()
  const contacts = (from: number) => Array.from({ length: 60 }, (_, i) => bindingAt(`sip:a@${from + i}`))
  const rows = () => db.selectFrom('deviceBindings').select('contact').where('deviceId', '=', device.deviceId).execute()
  for (const from of [100, 200, 300]) await one.changeBindings(device, () => contacts(from))
  await one.changeBindings(device, () => [])
  assert.equal((await rows()).length, 180, 'every node has time to read that they are removed')
  const minutesAgo = { expiresAt: dbTime(db, -120_000) }
  await db.updateTable('deviceBindings').set(minutesAgo).where('deviceId', '=', device.deviceId).execute()
  await one.changeBindings(device, () => [bindingAt('sip:a@new')])
  await one.changeBindings(device, () => [])
  const left = (await rows()).map(({ contact }) => contact)
  assert.equal(left.length, 101)
  assert.ok(left.includes('sip:a@new') && left.includes('sip:a@300') && !left.includes('sip:a@100'))
})
