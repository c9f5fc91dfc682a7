// @run sqlite
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { atEnd, testConfig } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { AppError } from '../../base/errors/errors.ts'
import { openDatabase } from '../../db/database.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { userStore } from '../users/store.ts'
import { type DeviceState, type DeviceTrunk, DriverTrouble, type GatewayDriver } from './driver-port.ts'
import { gatewayService } from './gateways.ts'
import { deviceStates } from './state-store.ts'
import { deviceStore } from './store.ts'

const secrets = keyRing(['x'.repeat(32)])
const { db, close } = await openDatabase((await testConfig()).database, () => {})
atEnd(close)
const states = deviceStates(db, secrets)
const devices = deviceStore(db, secrets, { domain: 'd', host: 'd', port: 5060, tlsPort: null })

const trunk: DeviceTrunk = {
  host: 'gw.example.org',
  port: 5061,
  transport: 'tls',
  username: 'u',
  password: 'canary-password',
  realm: null,
  codecs: ['PCMA'],
  mediaEncryption: 'required',
  sessionTimers: false,
  allowedAddresses: [],
}
const paces = { provisioning: 5, waiting_qr: 5, connected: 5, disconnected: 5, error: 5 }

/** A service with a fake driver, and a new device of that driver. */
async function aService(t: TestContext, driver: Partial<GatewayDriver>) {
  const { id: userId } = await userStore(db).create('ana')
  const { id } = await devices.create(userId, {}, 'remote')
  const far: GatewayDriver = {
    name: 'remote',
    create: async () => ({ status: 'waiting_qr', externalId: 'far-1' }),
    look: async () => ({ status: 'waiting_qr' }),
    link: async () => null,
    remove: async () => {},
    trunk: async () => trunk,
    sendText: async () => ({ ok: true, externalId: null }),
    ...driver,
  }
  const service = gatewayService({
    drivers: new Map([['remote', far]]),
    states,
    log: pino({ level: 'silent' }),
    paces,
    patienceMs: 1000,
  })
  const told: string[] = []
  t.after(states.onChange((row) => void (row.id === id && told.push(row.status))))
  const row = async () => (await states.row(id)) as DeviceRow
  // All services share the table: leftover rows or running work would affect the next test.
  let working: NodeJS.Timeout | undefined
  /** Starts polling; anything polled before is only the initial state. */
  const poll = () => {
    working = setInterval(() => void service.work().catch(() => {}), 10)
  }
  const stop = () => {
    clearInterval(working)
    service.close()
  }
  t.after(async () => {
    stop()
    await db.deleteFrom('devices').where('id', '=', id).execute()
  })
  return { service, id, row, told, poll, stop }
}

test('a device is made on the peer while its maker waits, then looked at until it is connected and reachable', async (t) => {
  const looks: (string | null)[] = []
  const { service, id, row, told, poll, stop } = await aService(t, {
    async look({ externalId }) {
      looks.push(externalId)
      return looks.length < 3 ? { status: 'waiting_qr' } : { status: 'connected', phone: '+5511911112222' }
    },
  })
  await service.settle(id)
  assert.deepEqual([(await row()).status, (await row()).externalId], ['waiting_qr', 'far-1'])
  poll()
  const connected = await until('it is connected', async () => (await row()).status === 'connected' && row())
  stop()
  assert.equal(looks[0], 'far-1')
  assert.equal(connected.phone, '+5511911112222')
  assert.deepEqual(JSON.parse(states.trunkOf(connected) ?? ''), trunk)
  assert.ok(!connected.trunkSealed?.includes('canary'), 'its password is sealed')
  assert.ok(connected.lastSeenAt)
  assert.deepEqual(told, ['waiting_qr', 'connected'])
})

test('a peer that is away is asked again until it is there, and the device says why it waits', async (t) => {
  let failures = 3
  const { service, id, row, told, poll } = await aService(t, {
    async create() {
      if (failures-- > 0) throw new DriverTrouble('unavailable', 'The gateway is away')
      return { status: 'waiting_qr', externalId: 'far-2' }
    },
  })
  await service.settle(id)
  const first = await row()
  assert.deepEqual([first.status, first.lastError, first.tries], ['provisioning', 'The gateway is away', 1])
  poll()
  const made = await until('it is made', async () => (await row()).status === 'waiting_qr' && row())
  assert.deepEqual([made.lastError, made.externalId], [null, 'far-2'])
  assert.deepEqual(told, ['provisioning', 'waiting_qr'])
})

test('a peer that says no is an error with its words, until it says yes', async (t) => {
  let isRight = false
  const { service, id, row, poll } = await aService(t, {
    async create() {
      if (!isRight) throw new DriverTrouble('unauthorized', 'The saved account is not valid there')
      return { status: 'waiting_qr', externalId: 'far-3' }
    },
  })
  await service.settle(id)
  const wrong = await row()
  assert.deepEqual([wrong.status, wrong.lastError], ['error', 'The saved account is not valid there'])
  isRight = true
  poll()
  await until('it is made after all', async () => (await row()).status === 'waiting_qr')
})

test('a connected device stays so through one failure, and does not through many', async (t) => {
  let failures = 0
  const { service, id, row, told, poll } = await aService(t, {
    async look() {
      if (failures-- > 0) throw new DriverTrouble('timeout', 'no answer')
      return { status: 'connected' }
    },
  })
  await service.settle(id)
  poll()
  await until('it is connected', async () => (await row()).status === 'connected')
  failures = 2
  await until('it was away', () => failures < 0)
  await until('nothing is wrong any more', async () => (await row()).lastError === null)
  assert.ok(!told.includes('error'))
  failures = 4
  await until('it is in error', () => told.includes('error'))
  await until('it is back', async () => (await row()).status === 'connected')
})

test('a device is not connected before calls can reach it', async (t) => {
  let failures = 2
  const { service, id, row, poll } = await aService(t, {
    create: async () => ({ status: 'connected', externalId: 'far-4' }),
    look: async () => ({ status: 'connected' }),
    async trunk() {
      if (failures-- > 0) throw new DriverTrouble('protocol', 'The gateway speaks in riddles')
      return trunk
    },
  })
  await service.settle(id)
  const first = await row()
  assert.deepEqual([first.status, first.lastError], ['error', 'The gateway speaks in riddles'])
  poll()
  await until('it is connected', async () => (await row()).status === 'connected')
})

test('a peer that never answers holds nobody for long', { timeout: 20_000 }, async (t) => {
  const never = () => new Promise<never>(() => {})
  const { service, id, row, poll } = await aService(t, { create: never, checkAccount: never, unlink: never })
  poll()
  await Promise.all([
    service.settle(id),
    service.checkAccount({ email: 'a@b', password: 'x' }).then((status) => assert.equal(status, undefined)),
    assert.rejects(service.unlink(await row()), (error) => error instanceof AppError && error.status === 504),
  ])
  assert.equal((await row()).status, 'provisioning')
})

test('a link code is asked for once while it holds', async (t) => {
  let asked = 0
  let lifeMs = 60_000
  const { service, id, row, poll } = await aService(t, {
    link: async () => ({ text: `code ${++asked}`, expiresAt: new Date(Date.now() + lifeMs).toISOString() }),
  })
  await service.settle(id)
  poll()
  const texts = []
  for (let i = 0; i < 3; i++) texts.push((await service.link(await row()))?.text)
  assert.deepEqual(texts, ['code 1', 'code 1', 'code 1'])
  await service.told(id, async () => ({ status: 'disconnected' }))
  lifeMs = 0
  assert.equal((await service.link(await row()))?.text, 'code 2')
  assert.equal((await service.link(await row()))?.text, 'code 3')
})

test('what a peer tells by itself is taken; of a disabled device nothing is', async (t) => {
  const { service, id, row, poll } = await aService(t, { look: async () => ({ status: 'connected' }) })
  await service.settle(id)
  poll()
  await service.told(id, async () => ({ status: 'connected' }))
  assert.equal((await row()).status, 'connected')
  assert.notEqual((await row()).trunkSealed, null)
  const { userId } = await row()
  await devices.update(userId, { id }, { isDisabled: true })
  await service.told(id, async () => ({ status: 'connected' }))
  assert.equal((await row()).status, 'disabled')
  await service.told('nobody', async () => ({ status: 'connected' }))
})

test('a state that was asked for before an unlink does not undo it, and is asked for again', async (t) => {
  const answers: PromiseWithResolvers<DeviceState>[] = []
  const { service, id, row, poll } = await aService(t, {
    look() {
      const answer = Promise.withResolvers<DeviceState>()
      answers.push(answer)
      return answer.promise
    },
    unlink: async () => ({ status: 'disconnected' }),
  })
  await service.settle(id)
  await states.change(id, { status: 'connected' })
  poll()
  await until('it is polled', () => answers.length === 1)
  const asked = Promise.withResolvers<DeviceState>()
  const isAsked = Promise.withResolvers<void>()
  const telling = service.told(id, () => {
    isAsked.resolve()
    return asked.promise
  })
  await isAsked.promise
  await service.unlink(await row())
  for (const answer of [asked, answers[0]]) answer?.resolve({ status: 'connected' })
  await telling
  await until('it is polled again', () => answers.length > 1)
  assert.equal((await row()).status, 'disconnected')
  answers[1]?.resolve({ status: 'connected' })
  await until('a newer state is taken', async () => (await row()).status === 'connected')
})

test('a saved account is checked where somebody can', async (t) => {
  const { service } = await aService(t, {
    checkAccount: async ({ password }) => {
      if (password === 'away') throw new DriverTrouble('unavailable', 'away')
      return password === 'right' ? 'valid' : 'invalid'
    },
  })
  const check = (password: string) => service.checkAccount({ email: 'a@b', password })
  assert.deepEqual([await check('right'), await check('wrong'), await check('away')], ['valid', 'invalid', undefined])
})
