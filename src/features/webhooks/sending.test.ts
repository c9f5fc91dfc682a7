// Deliveries to real servers on loopback: signatures, retries, dead deliveries, and claims by one process at a time.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { anAgent, assertError, atEnd, type Client, startTestApp } from '../../../test/app.ts'
import { makeWebhook } from '../../../test/records.ts'
import { until } from '../../../test/until.ts'
import { openWebServer, type WebHandler } from '../../../test/web-server.ts'
import { masterKeys } from '../../base/crypto/master-key.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { guardedHttp } from '../../base/outside/guarded-http.ts'
import type { Event } from '../events/schema.ts'
import { eventService } from '../events/service.ts'
import { deliveryStore } from './delivery-queue.ts'
import { webhookService } from './service.ts'

const url = '/api/webhooks'
const delaysMs = [30, 30, 30]
/** Tests that wait for a timeout use their own app. */
const times = { delaysMs, timeoutMs: 30_000 }
const app = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' }, { events: times })
const { db } = app.database
/** After a failure, nothing happens by itself for a minute. */
const slow = { delaysMs: [60_000, 60_000], timeoutMs: 30_000 }
const PAST = '2020-01-01T00:00:00.000Z'

const answer =
  (status: number, text = 'ok', headers = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, headers).end(text)

async function hooked(t: TestContext, name: string, handle: WebHandler, more: object = {}, at = app) {
  const client = await at.newUser(name)
  const agentId: string = (await client.post('/api/agents', anAgent)).json.id
  const server = await openWebServer(t, handle)
  const hook = (await client.post(url, { url: `${server.url}/in?token=hidden`, ...more })).json
  const conversationId: string = (await client.post('/api/conversations/start', { agentId })).json.id
  const say = (content: string) =>
    client.post(`/api/conversations/message/send/${conversationId}`, { type: 'user', content })
  return { client, agentId, server, hook, conversationId, say }
}
const deliveriesOf = async (client: Client, hook: { id: string }, query = '') =>
  (await client.get(`${url}/${hook.id}/deliveries${query}`)).json
const settled = (client: Client, hook: { id: string }, status: string, count = 1) =>
  until(
    `${count} are ${status}`,
    async () => {
      const all = await deliveriesOf(client, hook, `?status=${status}`)
      return all.length >= count && all
    },
    60_000,
  )

test('an event is posted once with a signature that the official package verifies, and the delivery is listed', async (t) => {
  const { client, server, hook, conversationId, say } = await hooked(t, 'signed', answer(200, 'thanks'))
  await settled(client, hook, 'delivered')
  await say('segredo')
  await settled(client, hook, 'delivered', 2)
  assert.equal(server.asked.length, 2)
  const [, second] = server.asked
  assert.ok(second)
  assert.deepEqual([second.method, second.url], ['POST', '/in?token=hidden'])
  assert.equal(second.headers['content-type'], 'application/json')
  const event = new Webhook(hook.secret).verify(second.body, second.headers as Record<string, string>) as Event
  const { id, type, sequence, data } = event
  assert.deepEqual([id, type, sequence], [second.headers['webhook-id'], 'conversation.message', 2])
  assert.equal(data.conversationId, conversationId)
  assert.throws(() => new Webhook(hook.secret).verify(`${second.body}x`, second.headers as Record<string, string>))
  const [newest, first] = await deliveriesOf(client, hook)
  assert.deepEqual([newest.eventType, first.eventType], ['conversation.message', 'conversation.started'])
  const { eventId, status, attempts, statusCode, error, response, nextAttemptAt, deliveredAt, durationMs } = newest
  assert.deepEqual([eventId, status, attempts, statusCode, error], [id, 'delivered', 1, 200, null])
  assert.deepEqual([response, nextAttemptAt], ['thanks', null])
  assert.ok(deliveredAt && Number.isInteger(durationMs))
  assert.ok(!app.logs().includes('segredo') && !app.logs().includes(hook.secret))
})

test('a failed delivery is retried under the same id until it is accepted', async (t) => {
  let tries = 0
  const flaky: WebHandler = (_, response) => answer(++tries < 3 ? 500 : 204)(_, response)
  const { client, server, hook } = await hooked(t, 'again', flaky)
  const [delivery] = await settled(client, hook, 'delivered')
  assert.deepEqual([delivery.attempts, delivery.statusCode, server.asked.length], [3, 204, 3])
  const ids = new Set(server.asked.map(({ headers }) => headers['webhook-id']))
  assert.deepEqual([...ids], [delivery.eventId])
  assert.equal(new Set(server.asked.map(({ body }) => body)).size, 1)
  for (const { body, headers } of server.asked) new Webhook(hook.secret).verify(body, headers as Record<string, string>)
})

test('after the last attempt a delivery is dead, and can be redelivered by hand', async (t) => {
  let status = 503
  const { client, server, hook } = await hooked(t, 'dead', (_, response) => answer(status, 'busy')(_, response))
  const [dead] = await settled(client, hook, 'dead')
  assert.equal(server.asked.length, delaysMs.length + 1)
  assert.deepEqual([dead.attempts, dead.error, dead.response], [4, 'It answered 503', 'busy'])
  status = 200
  const again = await client.post(`${url}/${hook.id}/deliveries/${dead.id}/redeliver`)
  assert.deepEqual([again.status, again.json.status, again.json.attempts], [200, 'pending', 0])
  const [done] = await settled(client, hook, 'delivered')
  assert.deepEqual([done.id, done.attempts], [dead.id, 1])
  assert.equal(server.asked.at(-1)?.headers['webhook-id'], server.asked[0]?.headers['webhook-id'])
  assertError(await client.post(`${url}/${hook.id}/deliveries/x/redeliver`), 404, 'Delivery not found')
})

test('a 410 Gone deactivates a webhook; once reactivated it gets new events only', async (t) => {
  let status = 410
  const { client, server, hook, say } = await hooked(t, 'gone', (_, response) => answer(status)(_, response))
  await settled(client, hook, 'dead')
  await until('it is off', async () => !(await client.get(`${url}/${hook.id}`)).json.isActive)
  await say('while it is off')
  status = 200
  assert.equal((await client.patch(`${url}/${hook.id}`, { isActive: true })).json.isActive, true)
  await say('now')
  await settled(client, hook, 'delivered')
  assert.equal(server.asked.length, 2)
  assert.match(server.asked[1]?.body ?? '', /"content":"now"/)
})

test('a receiver that times out, redirects or is unreachable fails the delivery; the error does not contain its address', async (t) => {
  const hasty = await startTestApp(
    { ALLOWED_NETWORKS: '127.0.0.0/8' },
    { events: { delaysMs: [60_000], timeoutMs: 300 } },
  )
  const silent = await hooked(t, 'silent', () => {}, {}, hasty)
  const [late] = await settled(silent.client, silent.hook, 'failed')
  assert.deepEqual([late.statusCode, late.error], [null, 'It did not answer in time'])

  const target = await openWebServer(t, answer(200))
  const patient = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' }, { events: slow })
  const moved = await hooked(t, 'moved', answer(307, '', { location: `${target.url}/x` }), {}, patient)
  const [redirected] = await settled(moved.client, moved.hook, 'failed')
  assert.deepEqual([redirected.statusCode, redirected.error], [307, 'It answered 307'])
  assert.equal(target.asked.length, 0)

  const client = await app.newUser('away')
  const away = (await client.post(url, { url: target.url })).json
  // Creation rejects this port; the webhook is from before that check.
  const address = 'http://127.0.0.1:1/hidden-path?token=hidden'
  await app.database.db.updateTable('webhooks').set({ url: address }).where('id', '=', away.id).execute()
  const agentId = (await client.post('/api/agents', anAgent)).json.id
  await client.post('/api/conversations/start', { agentId })
  const [unreached] = await settled(client, away, 'dead')
  assert.equal(unreached.statusCode, null)
  assert.ok(unreached.error && !JSON.stringify(unreached).includes('hidden'))
  assert.ok(!app.logs().includes('hidden-path'))
})

test('private networks are not reached, neither by a delivery nor by a test', async () => {
  const guarded = await startTestApp({}, { events: times })
  const { ana } = guarded
  const { id } = (await ana.post(url, { url: 'http://localhost/', isActive: false })).json
  assertError(await ana.post(url, { url: 'https://hook.example:4190/' }), 400, /port 4190 may not be called/)
  const stored = ['http://127.0.0.1:8080/', 'http://2130706433/', 'http://169.254.169.254/latest']
  for (const address of ['http://localhost/', ...stored]) {
    // Rejected on creation; a webhook from before that check is stored.
    if (address !== 'http://localhost/') assertError(await ana.post(url, { url: address }), 400, /may not reach/)
    await guarded.database.db.updateTable('webhooks').set({ url: address }).where('id', '=', id).execute()
    const { json } = await ana.post(`${url}/${id}/test`)
    assert.deepEqual([json.isDelivered, json.statusCode, json.response], [false, null, null])
    assert.match(json.error, /may not reach|no address|could not be reached/)
  }
})

test('a test sends an event now, is listed as a delivery, and returns the response, truncated and masked', async (t) => {
  let told = ''
  const client = await app.newUser('tested')
  const server = await openWebServer(t, (_, response) => answer(202, told)(_, response))
  const hook = (await client.post(url, { url: server.url, isActive: false })).json
  told = `${hook.secret} and ${'x'.repeat(100_000)}\0`
  const { status, json } = await client.post(`${url}/${hook.id}/test`)
  assert.deepEqual([status, json.isDelivered, json.statusCode, json.error], [200, true, 202, null])
  assert.match(json.response, /^\*\*\* and x+$/)
  assert.ok(json.response.length <= 1000)
  const [asked] = server.asked
  assert.ok(asked)
  const event = new Webhook(hook.secret).verify(asked.body, asked.headers as Record<string, string>)
  assert.deepEqual((event as { type: string }).type, 'webhook.test')
  const [listed] = await deliveriesOf(client, hook)
  assert.deepEqual(
    [listed.eventId, listed.eventType, listed.status, listed.attempts, listed.statusCode, listed.response],
    [json.eventId, 'webhook.test', 'delivered', 1, 202, json.response],
  )
  told = ''
})

test('during a rotation both secrets are valid; only the new one is returned', async (t) => {
  const { client, server, hook, say } = await hooked(t, 'rotated', answer(200))
  await settled(client, hook, 'delivered')
  const next = (await client.post(`${url}/${hook.id}/rotate-secret`)).json
  assert.notEqual(next.secret, hook.secret)
  await say('x')
  await settled(client, hook, 'delivered', 2)
  const last = server.asked.at(-1)
  assert.ok(last)
  for (const { secret } of [hook, next]) new Webhook(secret).verify(last.body, last.headers as Record<string, string>)
  await db.updateTable('webhooks').set({ oldSecretUntil: PAST }).where('id', '=', hook.id).execute()
  await say('y')
  await settled(client, hook, 'delivered', 3)
  const after = server.asked.at(-1)
  assert.ok(after)
  new Webhook(next.secret).verify(after.body, after.headers as Record<string, string>)
  assert.throws(() => new Webhook(hook.secret).verify(after.body, after.headers as Record<string, string>))
})

test('a webhook gets only the types and agents it subscribes to', async (t) => {
  const all = await hooked(t, 'filters', answer(200), { events: ['conversation.ended'] })
  const { client, server, hook, agentId, conversationId, say } = all
  const other = (await client.post('/api/agents', anAgent)).json.id
  const only = (await client.post(url, { url: `${server.url}/agent`, agentIds: [other] })).json
  await say('x')
  const talk = (await client.post('/api/conversations/start', { agentId: other })).json.id
  await client.post('/api/conversations/end', { conversationId })
  await settled(client, hook, 'delivered')
  await settled(client, only, 'delivered')
  const types = (list: { eventType: string }[]) => list.map(({ eventType }) => eventType)
  assert.deepEqual(types(await deliveriesOf(client, hook)), ['conversation.ended'])
  assert.deepEqual(types(await deliveriesOf(client, only)), ['conversation.started'])
  const posted = server.asked.find((asked) => asked.url === '/agent')
  assert.equal(JSON.parse(posted?.body ?? '{}').data.conversationId, talk)
  assert.notEqual(other, agentId)
})

test('the events of one conversation are delivered in order, even with several deliveries in parallel', async (t) => {
  const slowFirst: WebHandler = async (asked, response) => {
    await sleep(JSON.parse(asked.body).sequence % 2 === 0 ? 30 : 1)
    response.end('ok')
  }
  const { client, server, hook, say } = await hooked(t, 'ordered', slowFirst)
  for (let i = 0; i < 12; i++) await say(String(i))
  await settled(client, hook, 'delivered', 13)
  const sequences = server.asked.map(({ body }) => JSON.parse(body).sequence)
  assert.deepEqual(
    sequences,
    Array.from({ length: 13 }, (_, i) => i + 1),
  )
})

test('a dead endpoint does not hold up the others', async (t) => {
  const { client, agentId, server } = await hooked(t, 'neighbours', answer(200))
  const silent = await openWebServer(t, () => {})
  const dead = (await client.post(url, { url: silent.url })).json
  const begun = server.asked.length
  for (let i = 0; i < 12; i++) await client.post('/api/conversations/start', { agentId })
  await until('the other has all', () => server.asked.length >= begun + 12)
  await until('some wait at the dead one', () => silent.asked.length > 0)
  assert.ok(silent.asked.length <= 4, `${silent.asked.length} requests wait at the dead one`)
  const left = await deliveriesOf(client, dead)
  assert.ok(left.length > 0)
  assert.ok(left.every(({ status }: { status: string }) => status === 'pending' || status === 'delivering'))
  await client.delete(`${url}/${dead.id}`)
})

test('a delivery claimed by a crashed process is sent again, under the same id', async (t) => {
  const client = await app.newUser('crash')
  const server = await openWebServer(t, answer(200))
  const agentId = (await client.post('/api/agents', anAgent)).json.id
  await client.post('/api/conversations/start', { agentId })
  // Inactive, so that only the test claims it, like a process that is then killed.
  const { webhook: id, delivery } = await makeWebhook(app.database, client)
  assert.equal((await client.post(`${url}/${id}/deliveries/${delivery}/redeliver`)).json.status, 'pending')
  const deliveries = deliveryStore(db)
  const taken = await deliveries.claim(id, 60_000)
  assert.equal(taken?.id, delivery)
  assert.equal(await deliveries.claim(id, 60_000), undefined, 'while it is ours nobody else gets it')
  await db.updateTable('webhookDeliveries').set({ dueAt: PAST }).where('id', '=', delivery).execute() // lease expired
  await client.patch(`${url}/${id}`, { url: server.url, isActive: true })
  const [done] = await settled(client, { id }, 'delivered')
  assert.deepEqual([done.id, done.attempts, server.asked.length], [delivery, 2, 1])
  assert.equal(server.asked[0]?.headers['webhook-id'], taken.eventId)
  // The first process resumes after all, and its result is ignored.
  const tried = { statusCode: 500, error: 'x', response: null, durationMs: 1 }
  await deliveries.finish(taken, { status: 'dead', retryAfterMs: null }, tried)
  assert.equal((await deliveriesOf(client, { id }))[0].status, 'delivered')
})

test('with several processes each delivery is sent by one', async (t) => {
  const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'] })
  const secrets = keyRing(masterKeys(app.config.masterKeys, app.config.dataDir))
  const log = { warn: () => {} } as never
  const parts = { db, secrets, http, log, times, eventOf: eventService(db).eventOf }
  const [one, two] = [webhookService(parts), webhookService(parts)]
  atEnd(async () => {
    await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()])
    await http.close()
  })
  const { client, agentId, server, hook } = await hooked(t, 'two processes', async (_, response) => {
    await sleep(5)
    response.end('ok')
  })
  const start = async () => {
    for (let i = 0; i < 10; i++) assert.equal((await client.post('/api/conversations/start', { agentId })).status, 201)
  }
  await Promise.all([start(), start(), start(), start(), start(), start()])
  await settled(client, hook, 'delivered', 61)
  const ids = server.asked.map(({ headers }) => headers['webhook-id'])
  assert.deepEqual([ids.length, new Set(ids).size], [61, 61])
  assert.deepEqual(
    (await deliveriesOf(client, hook)).map(({ attempts }: { attempts: number }) => attempts),
    Array(61).fill(1),
  )
})

test('a removed event is neither delivered nor redelivered', async (t) => {
  const patient = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' }, { events: slow })
  const { client, server, hook, conversationId } = await hooked(t, 'removed', answer(500), {}, patient)
  const [failed] = await settled(client, hook, 'failed')
  await patient.database.db.deleteFrom('conversations').where('id', '=', conversationId).execute()
  await patient.database.db.updateTable('webhookDeliveries').set({ dueAt: PAST }).execute() // next attempt due
  const [dead] = await settled(client, hook, 'dead')
  assert.equal(dead.error, 'The event is no longer stored')
  assert.equal(server.asked.length, 1)
  const again = await client.post(`${url}/${hook.id}/deliveries/${failed.id}/redeliver`)
  assertError(again, 409, /no longer stored/)
})

test("device events are posted to the device's webhookUrl, and none of another device", async (t) => {
  const client = await app.newUser('device hook')
  const server = await openWebServer(t, answer(200))
  const devices = '/api/gateway/devices'
  const { id } = (await client.post(devices, { webhookUrl: server.url })).json
  await client.post(devices, {})
  const [hook] = (await client.get(url)).json
  const { secret } = (await client.post(`${url}/${hook.id}/rotate-secret`)).json
  await client.patch(`${devices}/${id}`, { isDisabled: true })
  const all = await settled(client, hook, 'delivered', 2)
  assert.equal(all.length, 2)
  const last = server.asked.at(-1)
  assert.ok(last)
  const event = new Webhook(secret).verify(last.body, last.headers as Record<string, string>) as {
    type: string
    data: { deviceId: string; device: { status: string } }
  }
  assert.deepEqual([event.type, event.data.deviceId], ['device.status_changed', id])
  assert.equal(event.data.device.status, 'disabled')
})
