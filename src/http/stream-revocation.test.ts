// Open streams and sockets are closed when their key or session ends, in whichever process; other responses are not.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import websocket from '@fastify/websocket'
import fastify from 'fastify'
import { WebSocket } from 'ws'
import { atEnd, startTestApp } from '../../test/app.ts'
import { signedIn } from '../../test/browser-client.ts'
import { until } from '../../test/until.ts'
import { permissionsOf } from '../base/domain/organization-roles.ts'
import { toIso } from '../base/time/clock.ts'
import { sessionStore } from '../features/auth/session-store.ts'
import type { KeyGrant } from './auth.ts'
import { streamRevocation } from './stream-revocation.ts'

/** A request with a streaming response. */
async function follow(url: string, headers: Record<string, string>) {
  const request = get(url, { headers, agent: false })
  atEnd(() => request.destroy())
  request.on('error', () => {})
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  answer.on('error', () => {}).resume()
  return { isCut: () => answer.destroyed && !answer.complete }
}

test('streams are closed within seconds after their session or key ends or its role changes; others go on', async () => {
  const base = await startTestApp()
  const { db } = base.database
  const url = await base.app.listen()
  const device = (await base.ana.post('/api/gateway/devices', { deviceId: 'one' })).json
  const deviceEvents = `/api/gateway/devices/${device.uuid ?? device.id}/events`
  const open = (path: string, cookie: string) => follow(`${url}${path}`, { cookie: `ramal_session=${cookie}` })
  const [leaves, revoked, elsewhere, expires, stays] = [
    await signedIn(base, base.ana.key),
    await signedIn(base, base.ana.key),
    await signedIn(base, base.ana.key),
    await signedIn(base, base.ana.key),
    await signedIn(base, base.ana.key),
  ]
  const key = await base.ana.withKey({ name: 'lost' })
  const dead = await base.ana.withKey({ name: 'dead', expiresInDays: 1 })
  const [lowered, removed] = [await base.newMember(base.ana, 'admin'), await base.newMember(base.ana, 'viewer')]
  const ofKey = (client: typeof key) => follow(`${url}/api/events`, { 'x-api-key': client.key })
  const ending = [
    await open('/api/events', leaves.cookie),
    await open('/api/events', revoked.cookie),
    await open(deviceEvents, revoked.cookie),
    await open('/api/events', elsewhere.cookie),
    await open('/api/events', expires.cookie),
    await ofKey(key),
    await ofKey(dead),
    await ofKey(lowered),
    await ofKey(removed),
  ]
  const staying = [await open('/api/events', stays.cookie), await ofKey(base.ana)]
  const idOf = async (browser: typeof leaves) =>
    (await browser.get('/auth/sessions')).json.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id

  await stays.delete(`/auth/sessions/${await idOf(revoked)}`)
  await sessionStore(db, false).end(elsewhere.cookie) // as another process would
  const past = { expiresAt: toIso(Date.now() - 1) }
  await db
    .updateTable('sessions')
    .set(past)
    .where('id', '=', await idOf(expires))
    .execute()
  await db.updateTable('apiKeys').set(past).where('name', '=', 'dead').execute()
  const keys = (await base.ana.get('/api/api-keys')).json as { id: string; name: string }[]
  await base.ana.delete(`/api/api-keys/${keys.find(({ name }) => name === 'lost')?.id}`)
  await leaves.post('/auth/logout')
  const members = `/api/organizations/${base.ana.userId}/members`
  await base.ana.patch(`${members}/${lowered.personId}`, { role: 'viewer' })
  await base.ana.delete(`${members}/${removed.personId}`)
  await until('all are cut', () => ending.every(({ isCut }) => isCut()))
  assert.ok(staying.every(({ isCut }) => !isCut()))
})

const rights = permissionsOf('viewer')

test('a socket is closed with its code, a stream is aborted, and a response that has not started is completed', async () => {
  let isGood = true
  const open = streamRevocation(async (asked) => asked.map(() => (isGood ? rights : undefined)))
  const app = fastify()
  atEnd(() => app.close())
  await app.register(websocket)
  app.decorateRequest('grant', null)
  open.watch(app)
  app.addHook('onRequest', async (req, reply) => {
    req.grant = { id: 'ses_1', userId: 'usr_1', may: rights } as KeyGrant
    open.begin(req, reply)
  })
  const endless = new Readable({ read() {} })
  endless.push('begun')
  let answer: (text: string) => void = () => {}
  await app.register(async (inner) => {
    inner.get('/socket', { websocket: true }, () => {})
    inner.get('/stream', (_req, reply) => reply.send(endless))
    inner.get('/late', () => new Promise<string>((resolve) => (answer = resolve)))
    inner.get('/quick', () => 'done')
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`)
  await once(socket, 'open')
  const closed = once(socket, 'close')
  const stream = await follow(`${url}/stream`, {})
  const late = fetch(`${url}/late`)
  assert.equal(await (await fetch(`${url}/quick`)).text(), 'done')
  await until('the quick one is over', () => open.size === 3)
  await open.look()
  assert.equal(open.size, 3)
  assert.ok(!stream.isCut())
  isGood = false
  await open.look()
  const [code, reason] = await closed
  assert.deepEqual([code, String(reason)], [4401, 'This session or API key has ended, or its rights have changed'])
  await until('the stream is cut, and its source let go', () => stream.isCut() && endless.destroyed)
  answer('still answered')
  assert.equal(await (await late).text(), 'still answered')
  await until('nothing is left', () => open.size === 0)
})
