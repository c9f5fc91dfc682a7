// Two processes on one PostgreSQL: one registers the trunks; when it dies or exits, the other takes over.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { SipRequest } from '../../src/sip/message/message.ts'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

if (usesPostgres)
  test('a trunk is registered by one process, by another within 15 s of its death, and by a third after a clean exit', async (t) => {
    const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: randomBytes(24).toString('hex') }
    const one = await startPhoneService(env)
    const two = await startPhoneService(env, { key: one.key })
    const registrar = await openByHand(t)
    registrar.onRequest = (request) => registrar.answer(request, 200, { headers: [['expires', '300']] })
    const account = { authMode: 'register', username: 'trunk7', password: 's3cret' }
    const trunk = (await one.post('/api/trunks', { name: 'c', host: '127.0.0.1', port: registrar.port, ...account }))
      .json
    /** REGISTERs by the port of their Contact, with their expiry. */
    const asked = () =>
      (registrar.all('REGISTER') as SipRequest[]).map((request) => {
        const contact = /<sip:([^@]+)@127\.0\.0\.1:(\d+)/.exec(request.headers.get('contact') ?? '')
        return { user: contact?.[1], port: Number(contact?.[2]), expires: Number(request.headers.get('expires')) }
      })
    await until('it is registered', async () => (await two.get(`/api/trunks/${trunk.id}`)).status === 'registered')
    const holder = asked()[0]?.port === one.sipPort ? one : two
    const other = holder === one ? two : one
    await until('the other knows the trunk too', async () => {
      registrar.ask(other.sipPort, 'OPTIONS')
      return registrar.all(200).length > 0
    })
    assert.deepEqual(new Set(asked().map(({ port }) => port)), new Set([holder.sipPort]))
    await holder.kill('SIGKILL')
    await until('the other registers it', () => asked().some(({ port }) => port === other.sipPort), 15_000)
    assert.equal(new Set(asked().map(({ user }) => user)).size, 1, 'both call it by the same name')
    // A clean exit unregisters and releases the lease at once.
    const third = await startPhoneService(env, { key: one.key })
    assert.ok(!asked().some(({ port }) => port === third.sipPort))
    await other.kill('SIGTERM')
    assert.deepEqual(
      asked()
        .filter(({ port }) => port === other.sipPort)
        .map(({ expires }) => expires),
      [300, 0],
    )
    await until('the third registers it', () => asked().some(({ port }) => port === third.sipPort), 5000)
    await third.kill('SIGTERM')
  })
