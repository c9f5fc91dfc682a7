import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type House, house, openRemote } from '../../../../test/remote-driver.ts'
import { until } from '../../../../test/until.ts'
import { startGatewayService } from '../../../../test/vendors/gateway-service.ts'
import type { Fault } from '../../../../test/vendors/server.ts'
import type { RemoteDriverTimes } from './driver.ts'

const peer = '+5521999990000'

async function open(t: TestContext, at: House = house(), times: Partial<RemoteDriverTimes> = {}) {
  const service = await startGatewayService()
  t.after(async () => {
    await service.stop()
    assert.deepEqual(service.violations, [])
  })
  const started = openRemote(t, service.url, at, times)
  started.driver.start()
  return { service, ...started }
}
const said = ({ texts }: House) => texts.map(({ text }) => text)
const numbered = (n: number) => Array.from({ length: n }, (_, i) => `text ${i + 1}`)

test('a text and a change are told as they come', async (t) => {
  const { service, house, made } = await open(t)
  const device = await made()
  service.link(device.externalId, '+5511987654321')
  const { state } = await until('it is told', () => house.states.find(({ state }) => state.status === 'connected'))
  assert.deepEqual(state, { status: 'connected', externalId: device.externalId, phone: '+5511987654321', error: null })
  service.textIn(device.externalId, peer, 'Olá ☕', 'far-1')
  const text = await until('it is received', () => house.texts[0])
  assert.deepEqual({ ...text, at: '' }, { deviceId: device.id, from: peer, text: 'Olá ☕', key: 'far-1', at: '' })
  assert.ok(Math.abs(Date.parse(text.at) - Date.now()) < 60_000)
})

const faults: Fault[] = ['broken', 'silent', 'stall', 'reset-at-once', 'reset', 'wrong', 'mislabelled', 'empty']

const isMute = (fault: Fault) => fault === 'silent' || fault === 'stall'

test('through every fault nothing is lost and nothing taken twice', { concurrency: 16 }, async (all) => {
  for (const fault of [...faults, 'unauthorized', 'throttled'] as Fault[])
    all.test(fault, async (t) => {
      const { service, house, made } = await open(t, undefined, {
        waitSeconds: 0,
        ...(isMute(fault) ? { answerMs: 500 } : {}),
      })
      const device = await made()
      service.failOn(/^GET \/events/, fault, 4, '0')
      for (const [i, text] of numbered(5).entries()) service.textIn(device.externalId, peer, text, `m${i}`)
      await until('all are received', () => house.texts.length >= 5)
      service.textIn(device.externalId, peer, 'after', 'm-after')
      await until('it goes on', () => said(house).includes('after'))
      assert.deepEqual(said(house), [...numbered(5), 'after'])
    })
})

test('what could not be kept is asked for again, and what was kept before it is not', async (t) => {
  const at = house()
  const { service, made } = await open(t, at)
  const device = await made()
  service.textIn(device.externalId, peer, 'text 1')
  await until('the first is kept', () => at.texts.length === 1)
  at.troubles = 3
  service.textIn(device.externalId, peer, 'text 2')
  service.textIn(device.externalId, peer, 'text 3')
  await until('all are kept', () => at.texts.length === 3)
  assert.deepEqual(said(at), numbered(3))
  assert.equal(at.troubles, 0)
})

test('the next start goes on after the last that was kept', async (t) => {
  const at = house()
  const { service, driver, made } = await open(t, at)
  const device = await made()
  service.textIn(device.externalId, peer, 'text 1')
  await until('its place is kept', () => at.places.get('ana')?.after === service.events.at(-1)?.id)
  await driver.close()
  service.textIn(device.externalId, peer, 'text 2')
  at.texts.length = 0
  const next = openRemote(t, service.url, at)
  next.driver.start()
  await until('the second is kept', () => at.texts.length > 0)
  assert.deepEqual(said(at), ['text 2'])
})

test('more than one answer holds, in order', async (t) => {
  const { service, house, made } = await open(t)
  const device = await made()
  for (const text of numbered(120)) service.textIn(device.externalId, peer, text)
  await until('all are kept', () => house.texts.length >= 120)
  assert.deepEqual(said(house), numbered(120))
})

test('events that the service has forgotten do not end it', async (t) => {
  const at = house()
  const first = await open(t, at)
  const device = await first.made()
  await until('it has a place', () => at.places.has('ana'))
  await first.driver.close()
  first.service.textIn(device.externalId, peer, 'forgotten')
  first.service.forgetEvents()
  first.service.textIn(device.externalId, peer, 'kept')
  const next = openRemote(t, first.service.url, at)
  next.driver.start()
  await until('it goes on', () => said(at).includes('kept'))
  assert.deepEqual(said(at), ['kept'])
  assert.match(next.logs(), /gateway events lost/)
})

test('what nobody knows, what cannot be read and what is of another user is passed over', async (t) => {
  const at = house()
  const { service, made, logs } = await open(t, at)
  const [device, other] = [await made(), await made()]
  at.devices.set(other.id, { ...other, userId: 'bia' }) // has no account at the service
  service.emit(device.externalId, 'presence', { presence: 'here' })
  service.emitWrong(device.externalId, 'message', { message: { id: 5 } })
  service.textIn(other.externalId, peer, 'of another')
  service.textIn(device.externalId, peer, 'mine')
  await until('mine is kept', () => at.texts.length > 0)
  assert.deepEqual(said(at), ['mine'])
  assert.match(logs(), /invalid gateway event ignored/)
})

test('another account has a place of its own', async (t) => {
  const at = house()
  const { service, made } = await open(t, at, { waitSeconds: 1, answerMs: 2000 })
  const device = await made()
  service.textIn(device.externalId, peer, 'first account')
  await until('it is kept', () => at.texts.length === 1)
  service.addAccount('second@gateway.example', 'p')
  at.accounts.set('ana', { email: 'second@gateway.example', password: 'p' })
  const next = await made()
  service.textIn(next.externalId, peer, 'second account')
  await until('it is kept too', () => at.texts.length === 2)
  await until('its place is kept', () => at.places.get('ana')?.email === 'second@gateway.example')
})

test('a service that is away is asked less and less often, and followed again when it is back', async (t) => {
  const { service, house, made } = await open(t, undefined, { pauseMs: 100, longestPauseMs: 400, repeatMs: 50 })
  const device = await made()
  service.failOn(/^GET \/events/, 'broken')
  await until('it was asked', () => service.count(/^GET \/events/) > 3)
  service.asked.length = 0
  const begin = performance.now()
  await until('it was asked six times more', () => service.count(/^GET \/events/) >= 6)
  assert.ok(performance.now() - begin > 600, 'three at a time, with longer and longer pauses')
  service.healAll()
  service.textIn(device.externalId, peer, 'back')
  await until('it is received', () => said(house).includes('back'))
})

test('whose devices are all gone is not followed any more', async (t) => {
  const { service, house, made } = await open(t, undefined, { waitSeconds: 1, answerMs: 2000 })
  const device = await made()
  await until('it is followed', () => service.count(/^GET \/events/) > 0)
  house.devices.delete(device.id)
  let quietSince = performance.now()
  await until('nobody asks any more', () => {
    if (service.busy() > 0) quietSince = performance.now()
    return performance.now() - quietSince > 300
  })
  service.textIn(device.externalId, peer, 'for nobody')
  assert.equal(service.busy(), 0)
  assert.deepEqual(house.texts, [])
})
