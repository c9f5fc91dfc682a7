import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp } from '../../../test/app.ts'
import { followEvents } from '../../../test/phone/event-stream.ts'
import { until } from '../../../test/until.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { deviceStates } from './state-store.ts'

const url = '/api/gateway/devices'
const app = await startTestApp({}, { gateway: { heartbeatMs: 50 } })
const base = await app.app.listen()
const statuses = (events: { status: string }[]) => events.map(({ status }) => status)

test('a client gets the current status, then each change in order, and the removal of the device', async (t) => {
  const { ana } = app
  const { json: device } = await ana.post(url)
  const one = `${url}/${device.id}`
  const stream = await followEvents(t, `${base}${one}/events`, ana.key)
  const other = await followEvents(t, `${base}${one}/events`, ana.key)
  assert.deepEqual(statuses(stream.events), ['waiting_qr'])
  assert.equal((await ana.post(`${one}/unlink`)).status, 200)
  await ana.get(`${one}/qr`)
  await ana.patch(one, { isDisabled: true })
  await ana.patch(one, { isDisabled: false })
  const order = ['waiting_qr', 'disconnected', 'waiting_qr', 'disabled']
  const hasAll = ({ events }: typeof stream) => events.length >= 5 && events.at(-1)?.status === 'waiting_qr'
  await until('all was told to both', () => hasAll(stream) && hasAll(other))
  assert.deepEqual(statuses(stream.events).slice(0, 4), order)
  assert.deepEqual(stream.events, other.events)
  const times = stream.events.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
  await until('it is told that somebody is there', () => stream.text().includes('\n: still here\n\n'))
  await ana.delete(one)
  await until('it is over', () => stream.isOver())
  assert.equal(stream.events.at(-1)?.name, 'removed')
})

test('changes by another process are sent too, and an older one never after a newer', async (t) => {
  const { ana, database } = app
  const { json: device } = await ana.post(url)
  const stream = await followEvents(t, `${base}${url}/${device.id}/events`, ana.key)
  const write = (set: object) => database.db.updateTable('devices').set(set).where('id', '=', device.id).execute()
  await write({ status: 'connected', statusAt: nowAfter(now()) })
  await until('it is told', () => stream.events.length === 2)
  assert.deepEqual(statuses(stream.events), ['waiting_qr', 'connected'])
  await write({ status: 'error', statusAt: '2020-01-01T00:00:00.000Z' })
  await ana.post(`${url}/${device.id}/unlink`)
  await until('it is told', () => stream.events.length === 3)
  assert.deepEqual(statuses(stream.events), ['waiting_qr', 'connected', 'disconnected'])
})

test('the number of streams per user is limited; closing one makes room', async (t) => {
  const client = await app.newUser('many')
  const { json: device } = await client.post(url)
  const path = `${url}/${device.id}/events`
  const streams = []
  for (let i = 0; i < 50; i++) streams.push(await followEvents(t, `${base}${path}`, client.key))
  assertError(await client.get(path), 429, /listening/)
  streams[0]?.leave()
  await until('there is room', async () => {
    const answer = await fetch(`${base}${path}`, { headers: { 'x-api-key': client.key } })
    await answer.body?.cancel()
    return answer.status === 200
  })
})

test('streams end when the service stops', async (t) => {
  const other = await startTestApp()
  const at = await other.app.listen()
  const { json: device } = await other.ana.post(url)
  const stream = await followEvents(t, `${at}${url}/${device.id}/events`, other.ana.key)
  await other.app.close()
  await until('it is over', () => stream.isOver())
})

test('a device without a heartbeat is disconnected, as after a crash; one with a heartbeat stays connected', async () => {
  const { ana, database } = app
  const states = deviceStates(database.db, keyRing(['x'.repeat(32)]))
  const [lost, held, other] = await Promise.all([ana.post(url), ana.post(url), ana.post(url)])
  const ids = [lost, held, other].map(({ json }) => json.id as string)
  const long = { status: 'connected', lastSeenAt: '2020-01-01T00:00:00.000Z' } as const
  await database.db.updateTable('devices').set(long).where('id', 'in', ids.slice(0, 2)).execute()
  await states.stillThere(ids.slice(1), 30_000)
  const now = await Promise.all(ids.map(async (id) => (await ana.get(`${url}/${id}`)).json.status))
  assert.deepEqual(now, ['disconnected', 'connected', 'connected'])
  await states.seen(ids[0] as string, false)
  await states.seen(ids[1] as string, false)
  assert.equal((await ana.get(`${url}/${ids[1]}`)).json.status, 'disconnected')
})
