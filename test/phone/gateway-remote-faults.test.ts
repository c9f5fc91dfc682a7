// Devices at a failing gateway service: errors are reported, and nothing is created, sent or processed twice, or lost.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { anAgent, assertError, startTestApp } from '../app.ts'
import { until } from '../until.ts'
import { ACCOUNT, startGatewayService } from '../vendors/gateway-service.ts'
import type { Fault } from '../vendors/server.ts'

const PHONE = '+5511987654321'
const peer = '+5521999990000'
const devices = '/api/gateway/devices'
const quick = { provisioning: 100, waiting_qr: 300, connected: 300, disconnected: 300, error: 300, textPauseMs: 50 }

async function open(t: TestContext) {
  const service = await startGatewayService()
  t.after(async () => {
    await service.stop()
    assert.deepEqual(service.violations, [])
  })
  const env = { GATEWAY_DRIVER: 'remote', GATEWAY_URL: service.url }
  const { ana, app, config } = await startTestApp(env, { gateway: quick })
  const device = async () => (await ana.get(devices)).json[0]
  const is = (what: string, look: (record: Awaited<ReturnType<typeof device>>) => boolean) =>
    until(what, async () => {
      const record = await device()
      return look(record) && record
    })
  const { dataDir, database } = config
  const again = { ...env, DATA_DIR: dataDir, ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}) }
  return { service, ana, app, device, is, again }
}

const words: [Fault, RegExp][] = [
  ['broken', /out of order \(500\)/],
  ['throttled', /asks us to wait 30 s/],
  ['reset', /connection .* broke/],
  ['wrong', /not JSON/],
  ['silent', /in time/],
]

describe('a gateway service in trouble', { concurrency: 4 }, () => {
  test('111 the service decides whether an account is valid, and a device waits for a valid one', async (t) => {
    const { service, ana, is } = await open(t)
    const saved = await ana.post('/api/gateway/credentials', { ...ACCOUNT, password: 'not-it-5512' })
    assert.equal(saved.json.status, 'invalid')
    await ana.post('/api/gateway/provision-device')
    await is('it says why', ({ lastError }) => /refuses the saved email and password/.test(lastError))
    assert.equal((await ana.get('/api/gateway/device-status')).json.connected, false)
    const { json } = await ana.post('/api/gateway/credentials', ACCOUNT)
    assert.deepEqual([json.status, json.lastVerifiedAt !== null], ['valid', true])
    const device = await is('it is made', ({ status }) => status === 'waiting_qr')
    assert.deepEqual([device.lastError, service.devices().length], [null, 1])
    service.failOn(/session$/, 'broken', 1)
    assert.equal((await ana.post('/api/gateway/credentials', ACCOUNT)).json.status, 'unverified', 'nobody could say')
  })

  test('a device without an account reports what is missing', async (t) => {
    const { ana, is, service } = await open(t)
    await ana.post('/api/gateway/provision-device')
    await is('it says so', ({ lastError }) => /No account of the gateway service is saved/.test(lastError))
    assert.equal(service.asked.length, 0)
  })

  for (const [fault, why] of words)
    test(`after ${fault} a device that could not be created says why, and is created once afterwards`, async (t) => {
      const { service, ana, is } = await open(t)
      await ana.post('/api/gateway/credentials', ACCOUNT)
      // Throttled with a Retry-After of 30 s: the test does not wait for the retry.
      service.failOn(/^POST \/devices$/, fault, fault === 'throttled' ? 1 : Number.POSITIVE_INFINITY, '30')
      await ana.post('/api/gateway/provision-device')
      const waiting = await is('it says why', ({ lastError }) => why.test(lastError ?? ''))
      assert.ok(!waiting.connected && waiting.qrCode === null)
      service.healAll()
      if (fault === 'throttled') return
      await is('it is made', ({ status }) => status === 'waiting_qr')
      assert.equal(service.devices().length, 1)
    })

  test('a short outage of the service disconnects no device; a long one does, until it is back', async (t) => {
    const { service, ana, is } = await open(t)
    await ana.post('/api/gateway/credentials', ACCOUNT)
    await ana.post('/api/gateway/provision-device')
    service.link(service.devices()[0]?.id ?? '', PHONE)
    await is('it is connected', ({ connected }) => connected)
    service.failOn(/^GET \/devices/, 'broken')
    const troubled = await is('there is trouble', ({ lastError }) => lastError !== null)
    assert.equal(troubled.status, 'connected')
    await is('it is too long', ({ status }) => status === 'error')
    service.healAll()
    const back = await is('it is back', ({ connected }) => connected)
    assert.equal(back.lastError, null)
  })

  test('a reply that the service could not accept is sent later, once', async (t) => {
    const { service, ana } = await open(t)
    await ana.post('/api/gateway/credentials', ACCOUNT)
    const { json: agent } = await ana.post('/api/agents', { ...anAgent, systemPrompt: 'We open at nine.' })
    await ana.post(devices, { agentId: agent.id })
    const far = service.devices()[0]?.id ?? ''
    service.link(far, PHONE)
    service.failOn(/messages$/, 'broken', 3)
    service.failOn(/messages$/, 'reset', 4)
    service.textIn(far, peer, 'When do you open?')
    await until('it is sent', () => service.sent().length > 0)
    await until('it is asked for the last time', () => service.count(/messages$/) > 7)
    assert.deepEqual(
      service.sent().map(({ to, text }) => [to, /nine/.test(text)]),
      [[peer, true]],
    )
  })

  test('events from before a restart are processed at the next start, once', async (t) => {
    const { service, ana, app, again } = await open(t)
    await ana.post('/api/gateway/credentials', ACCOUNT)
    await ana.post('/api/gateway/provision-device')
    const far = service.devices()[0]?.id ?? ''
    service.textIn(far, peer, 'one', 'm1')
    const kept = async (database: typeof app.database) =>
      (await database.db.selectFrom('deviceTexts').select('text').orderBy('id').execute()).map(({ text }) => text)
    await until('it is kept', async () => (await kept(app.database)).length === 1)
    await until('so is its place', async () =>
      (await app.database.db.selectFrom('meta').selectAll().execute()).some(({ value }) =>
        value.includes(service.events.at(-1)?.id ?? '-'),
      ),
    )
    await app.close()
    service.textIn(far, peer, 'two', 'm2')
    service.asked.length = 0
    const next = await startTestApp(again, { gateway: quick })
    await until('it is kept too', async () => (await kept(next.database)).length === 2)
    assert.deepEqual(await kept(next.database), ['one', 'two'])
    assert.match(service.asked.find(({ url }) => url.startsWith('/events'))?.url ?? '', /after=/)
  })

  test('a device is not deleted here before it is deleted remotely, unless forced', async (t) => {
    const { service, ana, device } = await open(t)
    await ana.post('/api/gateway/credentials', ACCOUNT)
    await ana.post('/api/gateway/provision-device')
    const { id } = await device()
    service.failOn(/^DELETE/, 'broken')
    assertError(await ana.delete(`${devices}/${id}`), 503, /out of order/)
    assert.equal((await device()).id, id)
    const { json: other } = await ana.post(devices, {})
    assert.equal((await ana.delete(`${devices}/${other.id}?force=true`)).status, 200)
    assert.equal(service.devices().length, 2, 'it stays there')
    service.healAll()
    service.failOn(/^DELETE/, 'reset', 1)
    assert.equal((await ana.delete(`${devices}/${id}`)).status, 200, 'what was lost is its answer')
    assert.deepEqual(
      service.devices().map(({ reference }) => reference),
      [other.id],
    )
  })

  test('a device removed remotely reports it, and is recreated when disabled and enabled', async (t) => {
    const { service, ana, is } = await open(t)
    await ana.post('/api/gateway/credentials', ACCOUNT)
    await ana.post('/api/gateway/provision-device')
    const before = service.devices()[0]?.id ?? ''
    service.remove(before)
    const { id } = await is('it is gone', ({ status }) => status === 'disconnected')
    const { json } = await ana.get(`${devices}/${id}`)
    assert.match(json.lastError, /does not know this device/)
    assertError(await ana.get(`${devices}/${id}/qr`), 502, /does not know the device/)
    await ana.patch(`${devices}/${id}`, { isDisabled: true })
    await ana.patch(`${devices}/${id}`, { isDisabled: false })
    await is('it waits again', ({ status }) => status === 'waiting_qr')
    assert.notEqual(service.devices()[0]?.id, before)
  })
})
