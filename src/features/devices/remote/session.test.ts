import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openRemote } from '../../../../test/remote-driver.ts'
import { until } from '../../../../test/until.ts'
import { ACCOUNT, type GatewayServiceOptions, startGatewayService } from '../../../../test/vendors/gateway-service.ts'
import type { RemoteDriverTimes } from './driver.ts'

async function open(t: TestContext, options: GatewayServiceOptions & Partial<RemoteDriverTimes> = {}) {
  const service = await startGatewayService(options)
  t.after(async () => {
    await service.stop()
    assert.deepEqual(service.violations, [])
  })
  const logins = () => service.count(/^POST \/session$/)
  const refreshes = () => service.count(/^POST \/session\/refresh$/)
  const { wrongMs = 60_000, ...times } = options
  return { service, logins, refreshes, ...openRemote(t, service.url, undefined, { ...times, wrongMs }) }
}

test('one session serves all; twenty who need one at once open one', async (t) => {
  const { driver, signal, made, logins, refreshes, house } = await open(t)
  const device = await made()
  await Promise.all(Array.from({ length: 20 }, () => driver.look(device, signal)))
  assert.deepEqual([logins(), refreshes()], [1, 0])
  assert.deepEqual(house.statuses, ['ana valid'])
})

/** From now on, a one-hour session has 13 to 14 seconds left. */
function comeToItsEnd(t: TestContext): void {
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 3_585_000)
}

test('it is refreshed before it runs out, once for all', async (t) => {
  const { driver, signal, made, logins, refreshes } = await open(t)
  const device = await made()
  const lookTenTimes = () => Promise.all(Array.from({ length: 10 }, () => driver.look(device, signal)))
  await lookTenTimes()
  assert.deepEqual([logins(), refreshes()], [1, 0])
  comeToItsEnd(t)
  await lookTenTimes()
  await lookTenTimes()
  assert.deepEqual([logins(), refreshes()], [1, 1])
})

test('the clock of the service may be another than ours', async (t) => {
  const { service, driver, signal, made, logins, refreshes } = await open(t)
  service.setClockMs(-7_200_000)
  const device = await made()
  for (let i = 0; i < 5; i++) await driver.look(device, signal)
  assert.deepEqual([logins(), refreshes()], [1, 0])
})

test('a session that is refused is opened anew once, by its refresh token, or else by the password', async (t) => {
  const { service, driver, signal, made, logins, refreshes } = await open(t)
  const device = await made()
  service.endSessions()
  await Promise.all(Array.from({ length: 10 }, () => driver.look(device, signal)))
  assert.deepEqual([logins(), refreshes()], [1, 1])
  service.endSessions(true)
  await Promise.all(Array.from({ length: 10 }, () => driver.look(device, signal)))
  assert.deepEqual([logins(), refreshes()], [2, 2])
})

test('a refresh whose answer was lost has spent its token: the password opens the next session', async (t) => {
  const { service, driver, signal, made, logins } = await open(t)
  const device = await made()
  service.endSessions()
  service.failOn(/refresh$/, 'reset', 1)
  assert.equal((await driver.look(device, signal)).status, 'waiting_qr')
  assert.equal(logins(), 2)
})

test('a refresh that fails before the end leaves the session that there is', async (t) => {
  const { service, driver, signal, made, refreshes } = await open(t)
  const device = await made()
  service.failOn(/^POST \/session/, 'throttled', Number.POSITIVE_INFINITY, '1')
  comeToItsEnd(t)
  assert.equal((await driver.look(device, signal)).status, 'waiting_qr')
  assert.ok(refreshes() > 0, 'it was to be refreshed')
})

test('a wrong password is said to be one, once, and not tried again until it is another', async (t) => {
  const { driver, house, signal, made, logins, logs } = await open(t)
  house.accounts.set('ana', { ...ACCOUNT, password: 'wrong-one-1' })
  for (let i = 0; i < 5; i++)
    await assert.rejects(made(), { kind: 'unauthorized', message: /refuses the saved email and password/ })
  assert.deepEqual([logins(), house.statuses], [1, ['ana invalid']])
  house.accounts.set('ana', ACCOUNT)
  const device = await made()
  assert.equal((await driver.look(device, signal)).status, 'waiting_qr')
  assert.deepEqual([logins(), house.statuses], [2, ['ana invalid', 'ana valid']])
  assert.ok(!logs().includes('wrong-one-1'))
})

test('a password that was refused is tried again after a while: it may be good by then', async (t) => {
  const { service, house, made } = await open(t, { wrongMs: 50 })
  house.accounts.set('ana', { email: 'new@gateway.example', password: 'soon' })
  await assert.rejects(made(), { kind: 'unauthorized' })
  service.addAccount('new@gateway.example', 'soon')
  await until('it opens', () => made().catch(() => undefined))
})

test('a password that was refused is used again as soon as it was found to be good', async (t) => {
  const { service, driver, house, signal, made } = await open(t)
  const account = { email: 'late@gateway.example', password: 'good-now' }
  house.accounts.set('ana', account)
  await assert.rejects(made(), { kind: 'unauthorized' })
  service.addAccount(account.email, account.password)
  await assert.rejects(made(), { kind: 'unauthorized' })
  assert.equal(await driver.checkAccount?.(account, signal), 'valid')
  await made()
})

test('another account that was saved is used at once; with none saved nothing is asked', async (t) => {
  const { service, driver, house, signal, made } = await open(t)
  const device = await made()
  service.addAccount('ana2@gateway.example', 'second')
  house.accounts.set('ana', { email: 'ana2@gateway.example', password: 'second' })
  assert.equal((await driver.look(device, signal)).status, 'disconnected', 'the device is not in this account')
  house.accounts.delete('ana')
  const asked = service.asked.length
  await assert.rejects(driver.look(device, signal), { kind: 'unauthorized', message: /No account .* is saved/ })
  assert.equal(service.asked.length, asked)
})

test('an account is checked: valid, invalid, or trouble', async (t) => {
  const { service, driver, signal } = await open(t, { answerMs: 1500 })
  assert.equal(await driver.checkAccount?.(ACCOUNT, signal), 'valid')
  assert.equal(await driver.checkAccount?.({ ...ACCOUNT, password: 'x' }, signal), 'invalid')
  for (const [fault, kind] of [
    ['broken', 'unavailable'],
    ['silent', 'timeout'],
    ['wrong', 'protocol'],
    ['empty', 'protocol'],
  ] as const) {
    service.failOn(/session$/, fault, 1)
    await assert.rejects(driver.checkAccount?.(ACCOUNT, signal) ?? assert.fail(), { kind })
  }
})

test('a text that waits for a session which cannot be had has not been sent', async (t) => {
  const { service, driver, signal, made } = await open(t)
  const device = await made()
  service.endSessions(true)
  service.failOn(/^POST \/session/, 'broken')
  const sent = await driver.sendText(device, '+5521999990000', 'x', 'k', signal)
  assert.deepEqual(sent, { ok: false, error: 'The gateway service is out of order (500)' })
})

test('a session that is none is not used', async (t) => {
  const { service, made } = await open(t)
  service.failOn(/session$/, 'empty')
  await assert.rejects(made(), { kind: 'protocol', message: /not a session/ })
})
