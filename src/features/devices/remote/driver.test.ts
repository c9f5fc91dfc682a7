import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { CALLS_TO, house, openRemote } from '../../../../test/remote-driver.ts'
import { until } from '../../../../test/until.ts'
import { ACCOUNT, type GatewayServiceOptions, startGatewayService } from '../../../../test/vendors/gateway-service.ts'
import type { Fault } from '../../../../test/vendors/server.ts'
import { DriverTrouble } from '../driver-port.ts'
import type { RemoteDriverTimes } from './driver.ts'

async function open(t: TestContext, options: GatewayServiceOptions = {}, times: Partial<RemoteDriverTimes> = {}) {
  const service = await startGatewayService(options)
  t.after(async () => {
    await service.stop()
    assert.deepEqual(service.violations, [], 'all that crossed is in the contract')
  })
  return { service, ...openRemote(t, service.url, house(), times) }
}

const phone = '+5511987654321'
const peer = '+5521999990000'

/** The DriverTrouble that the promise rejects with. */
async function trouble(what: Promise<unknown>): Promise<DriverTrouble> {
  const error = await what.then(
    () => assert.fail('it went well'),
    (reason) => reason,
  )
  assert.ok(error instanceof DriverTrouble, String(error))
  assert.ok(!error.message.includes(ACCOUNT.password), error.message)
  return error
}

test('a device lives: made, shown to be scanned, linked, reached, unlinked, removed', async (t) => {
  const { service, driver, signal, made } = await open(t)
  const device = await made()
  assert.deepEqual(await driver.look(device, signal), {
    status: 'waiting_qr',
    externalId: device.externalId,
    error: null,
  })
  const code = await driver.link(device, signal)
  assert.equal(code?.text, `FAR-LINK:${device.externalId}`)
  assert.ok(Date.parse(code?.expiresAt ?? '') > Date.now())

  service.link(device.externalId, phone)
  assert.deepEqual(await driver.look(device, signal), {
    status: 'connected',
    externalId: device.externalId,
    phone,
    error: null,
  })
  assert.equal(await driver.link(device, signal), null, 'nothing is to be scanned any more')
  assert.deepEqual(await driver.trunk(device, signal), {
    host: '127.0.0.1',
    port: 5999,
    transport: 'udp',
    username: `far-${device.externalId}`,
    password: `sip-${device.externalId}`,
    realm: null,
    codecs: ['PCMA', 'PCMU'],
    mediaEncryption: 'disabled',
    sessionTimers: false,
    allowedAddresses: [],
  })
  assert.equal(service.callsTo(device.externalId), CALLS_TO)
  assert.deepEqual(await driver.sendText(device, peer, 'Olá ☕', 'k1', signal), { ok: true, externalId: 'm1' })
  assert.deepEqual(service.sent(), [{ id: 'm1', to: peer, text: 'Olá ☕', deviceId: device.externalId }])

  assert.equal((await driver.unlink?.(device, signal))?.status, 'disconnected')
  const refused = await driver.sendText(device, peer, 'x', 'k2', signal)
  assert.deepEqual(refused, { ok: false, error: 'The device is not connected' })
  await driver.remove(device, signal)
  assert.deepEqual(service.devices(), [])
  await driver.remove(device, signal) // already removed: no error
  assert.equal((await driver.look(device, signal)).status, 'disconnected')
})

test('all that a SIP account may say is taken over', async (t) => {
  const said = { transport: 'tls', realm: 'far', codecs: ['opus'], mediaEncryption: 'required', sessionTimers: true }
  const account = { host: 'sip.far.example', port: 5061, username: 'u', password: 'p' }
  const { driver, signal, made } = await open(t, { sip: () => ({ ...account, ...said, addresses: ['192.0.2.0/28'] }) })
  const trunk = await driver.trunk(await made(), signal)
  assert.deepEqual(trunk, { ...account, ...said, allowedAddresses: ['192.0.2.0/28'] })
})

test('a device in error says why, without what could be taken for something else in a log', async (t) => {
  const { service, driver, signal, made } = await open(t)
  const device = await made()
  service.change(device.externalId, { status: 'error', error: 'Banned\r\nby \u202Ethe network' })
  assert.deepEqual(await driver.look(device, signal), {
    status: 'error',
    externalId: device.externalId,
    error: 'Banned by the network',
  })
})

test('two accounts know nothing of each other', async (t) => {
  const { service, driver, house, signal, made } = await open(t)
  service.addAccount('bia@gateway.example', 'other')
  house.accounts.set('bia', { email: 'bia@gateway.example', password: 'other' })
  const device = await made('ana')
  const stolen = { ...device, userId: 'bia' }
  assert.equal((await driver.look(stolen, signal)).status, 'disconnected')
  assert.equal((await trouble(driver.trunk(stolen, signal))).kind, 'refused')
})

test('a text that is too long for one message goes in several, each once', async (t) => {
  const { service, driver, signal, made } = await open(t)
  const device = await made()
  service.link(device.externalId, phone)
  const text = Array.from({ length: 900 }, (_, i) => `palavra${i}`).join(' ')
  service.failOn(/messages$/, 'reset', 1)
  assert.deepEqual(await driver.sendText(device, peer, text, 'long', signal), { ok: true, externalId: 'm1' })
  assert.equal(
    service
      .sent()
      .map((one) => one.text)
      .join(' '),
    text,
  )
  assert.equal(service.sent().length, 3)
})

const passing: [Fault, string][] = [
  ['broken', 'a 500'],
  ['silent', 'no answer'],
  ['stall', 'half an answer'],
  ['reset-at-once', 'a broken connection before the answer'],
  ['reset', 'a broken connection in the answer'],
  ['wrong', 'a page of a proxy'],
  ['mislabelled', 'half a JSON'],
  ['throttled', 'a 429'],
]

/** Only the request without a response waits for its time limit; the responses after it must arrive within theirs. */
const timesFor = (fault: Fault): Partial<RemoteDriverTimes> =>
  fault === 'silent' || fault === 'stall' ? { answerMs: 1500 } : {}

const side = { concurrency: 16 }
test('what passes is asked again: one device, one text', side, async (all) => {
  for (const [fault, words] of passing)
    all.test(`after ${words}`, async (t) => {
      const { service, driver, signal, made } = await open(t, {}, timesFor(fault))
      service.failOn(/^POST \/devices$/, fault, 1, '0')
      const device = await made()
      assert.equal(service.devices().length, 1)
      assert.ok(service.count(/^POST \/devices$/) >= 2)
      service.link(device.externalId, phone)
      service.failOn(/^POST .*\/messages$/, fault, 2, '0')
      assert.equal((await driver.sendText(device, peer, 'once', 'key-1', signal)).ok, true)
      assert.equal(service.sent().length, 1)
      assert.ok(service.count(/\/messages$/) >= 3)
      const keys = service.asked.filter(({ url }) => url.endsWith('/messages')).map((a) => a.headers['idempotency-key'])
      assert.deepEqual([...new Set(keys)], ['key-1'])
    })
})

const lasting: [Fault, DriverTrouble['kind'], RegExp, boolean][] = [
  ['broken', 'unavailable', /out of order \(500\)/, true],
  ['silent', 'timeout', /did not answer in time/, true],
  ['stall', 'timeout', /did not answer in time/, true],
  ['reset', 'unavailable', /connection .* broke/, true],
  ['wrong', 'protocol', /not JSON/, true],
  ['mislabelled', 'protocol', /not JSON/, true],
  ['throttled', 'unavailable', /asks us to wait 60 s/, false],
  ['unauthorized', 'unauthorized', /refuses the session/, false],
]

test('what does not pass is told in words, and whether the text may have left', side, async (all) => {
  for (const [fault, kind, words, isDoubtful] of lasting)
    all.test(fault, async (t) => {
      const { service, driver, signal, made, logs } = await open(t, {}, timesFor(fault))
      const device = await made()
      service.link(device.externalId, phone)
      service.failOn(/^GET \/devices\//, fault, Number.POSITIVE_INFINITY, '60')
      const error = await trouble(driver.look(device, signal))
      assert.equal(error.kind, kind)
      assert.match(error.message, words)
      service.healAll()
      if (fault === 'throttled') return
      service.failOn(/^POST .*\/messages$/, fault)
      const sent = await driver.sendText(device, peer, 'once', randomUUID(), signal)
      assert.ok(!sent.ok)
      assert.match(sent.error, words)
      assert.deepEqual([sent.isDoubtful ?? false, sent.mayRepeat ?? false], [isDoubtful, isDoubtful])
      assert.ok(service.sent().length <= 1)
      assert.ok(!logs().includes(ACCOUNT.password))
    })
})

test('an answer of another shape is no device', async (t) => {
  const { service, driver, signal, made } = await open(t)
  const device = await made()
  service.failOn(/^GET \/devices\//, 'empty', 1)
  const error = await trouble(driver.look(device, signal))
  assert.deepEqual([error.kind, error.message], ['protocol', 'The gateway service gave an answer that is not a device'])
})

test('who is asked to wait long does not ask meanwhile; who is asked to wait a moment waits', async (t) => {
  const { service, driver, signal, made } = await open(t)
  const device = await made()
  service.failOn(/^GET \/devices\//, 'throttled', 1, '1')
  const begin = performance.now()
  assert.equal((await driver.look(device, signal)).status, 'waiting_qr')
  assert.ok(performance.now() - begin >= 990, 'a second was asked for')
  service.failOn(/^GET \/devices\//, 'throttled', 1, '60')
  await trouble(driver.look(device, signal))
  const asked = service.asked.length
  assert.match((await trouble(driver.look(device, signal))).message, /wait 60 s/)
  assert.equal(service.asked.length, asked, 'it was left alone')
})

test('a service that is not there is said not to be, and nothing can have left', async (t) => {
  const { service, driver, signal, made } = await open(t)
  const device = await made()
  await service.stop()
  const error = await trouble(driver.look(device, signal))
  assert.deepEqual([error.kind, error.message], ['unavailable', 'The gateway service cannot be reached'])
  const sent = await driver.sendText(device, peer, 'x', 'k', signal)
  assert.deepEqual(sent, { ok: false, error: 'The gateway service cannot be reached' }, 'it cannot have left')
})

test('a device whose making was never answered is found by its key, and removed', async (t) => {
  const { service, driver, signal } = await open(t, {}, timesFor('stall'))
  const device = {
    id: randomUUID(),
    userId: 'ana',
    driver: 'remote' as const,
    name: null,
    phone: null,
    externalId: null,
  }
  service.failOn(/^POST \/devices$/, 'stall')
  await trouble(driver.create(device, signal))
  assert.equal(service.devices().length, 1, 'it is there, although nobody was told')
  assert.equal((await driver.look(device, signal)).externalId, service.devices()[0]?.id)
  await driver.remove(device, signal)
  assert.deepEqual(service.devices(), [])
})

test('who has left waits for nothing', async (t) => {
  const endless = 3_600_000
  const { service, driver, made } = await open(t, {}, { answerMs: endless, patienceMs: endless })
  const device = await made()
  service.failOn(/^GET \/devices\//, 'silent')
  const leave = new AbortController()
  const looking = trouble(driver.look(device, leave.signal))
  await until('it has asked', () => service.count(/^GET \/devices\//) === 1)
  leave.abort()
  assert.equal((await looking).kind, 'timeout')
  assert.equal(service.count(/^GET \/devices\//), 1)
})
