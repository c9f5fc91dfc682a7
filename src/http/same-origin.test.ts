// CSRF protection: the cookie alone changes nothing; the page's own origin and CSRF token are required.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import WebSocket from 'ws'
import { anAgent, assertError, startTestApp, testApp } from '../../test/app.ts'
import { browserOf, signedIn } from '../../test/browser-client.ts'
import { ownOrigins, sessionCookieOf } from './same-origin.ts'

test('54 a change with the cookie needs the CSRF token of that session', async () => {
  const base = await testApp()
  const [ana, bia, second] = [
    await signedIn(base, base.ana.key),
    await signedIn(base, base.bia.key),
    await signedIn(base, base.ana.key),
  ]
  const csrf = String(ana.csrfToken)
  const tries = ['', 'x', csrf.slice(1), `${csrf}x`, String(bia.csrfToken), String(second.csrfToken), ana.cookie]
  for (const token of tries) {
    const headers = { 'x-csrf-token': token }
    const refused = await ana.post('/api/agents', anAgent, headers)
    assertError(refused, 403, /X-Csrf-Token/)
    assert.equal(refused.json.error, 'Forbidden')
    assertError(await ana.delete('/api/agents/agt_x', headers), 403)
    assertError(await ana.post('/auth/logout', undefined, headers), 403)
    assertError(await ana.post('/auth/password', { currentPassword: 'x', newPassword: 'x' }, headers), 403)
  }
  const bare = {
    method: 'POST',
    url: '/api/agents',
    headers: { origin: 'http://localhost' },
    payload: anAgent,
  } as const
  assertError(await ana.send(bare), 403)
  assert.deepEqual((await base.ana.get('/api/agents')).json, [])
  assert.equal((await ana.post('/api/agents', anAgent)).status, 201)
  assert.equal((await ana.get('/auth/session')).json.csrfToken, csrf)
})

test('54 a change with the cookie needs our own origin; with a key it needs none', async () => {
  const base = await testApp()
  const ana = await signedIn(base, base.ana.key)
  const token = { 'x-csrf-token': String(ana.csrfToken), 'content-type': 'application/json' }
  const send = (headers: Record<string, string>) =>
    ana.send({
      method: 'POST',
      url: '/api/agents',
      headers: { ...token, ...headers },
      payload: JSON.stringify(anAgent),
    })
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:8080' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'http://evil.example/http://localhost' },
    { origin: 'ftp://localhost' },
    { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'http://voice.example.com', 'x-forwarded-host': 'voice.example.com' }, // no proxy is trusted here
  ]
  for (const headers of foreign) assertError(await send(headers), 403, /Origin/)
  assert.deepEqual((await base.ana.get('/api/agents')).json, [])
  const own: Record<string, string>[] = [{ origin: 'http://localhost' }, { 'sec-fetch-site': 'same-origin' }]
  for (const headers of own) assert.equal((await send(headers)).status, 201)
  assertError(await ana.get('/api/agents', { 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal((await ana.send({ method: 'GET', url: '/api/agents' })).status, 200)
  assert.equal((await base.ana.post('/api/agents', anAgent, { origin: 'http://evil.example' })).status, 201)
})

test('no other page can sign a browser in or out', async () => {
  const base = await testApp()
  const ana = await signedIn(base, base.ana.key)
  const foreign = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
  assertError(await ana.post('/auth/login', { apiKey: base.bia.key }, foreign), 403)
  assertError(await ana.post('/auth/logout', undefined, foreign), 403)
  const form = { 'content-type': 'text/plain', origin: 'http://localhost' }
  const payload = JSON.stringify({ apiKey: base.bia.key })
  assertError(await ana.send({ method: 'POST', url: '/auth/login', headers: form, payload }), 415)
  assert.equal((await ana.get('/auth/session')).json.user.id, base.ana.userId)
})

test('the origin is compared with the Host, the public URL, and what a trusted proxy reports', () => {
  const asked = (headers: Record<string, string>) => ({ headers, host: headers.host }) as unknown as FastifyRequest
  const plain = ownOrigins(null)
  const outside = ownOrigins('https://voice.example.com')
  assert.equal(plain(asked({ host: 'voice.example.com', origin: 'https://voice.example.com' })), 'yes')
  assert.equal(plain(asked({ host: 'voice.example.com:443', origin: 'https://voice.example.com' })), 'yes')
  assert.equal(plain(asked({ host: '[::1]:3000', origin: 'http://[::1]:3000' })), 'yes')
  assert.equal(plain(asked({ host: '127.0.0.1:3000', origin: 'https://voice.example.com' })), 'no')
  assert.equal(outside(asked({ host: '127.0.0.1:3000', origin: 'https://voice.example.com' })), 'yes')
  assert.equal(plain(asked({ host: 'x y', origin: 'http://x y' })), 'no')
  assert.equal(plain(asked({ host: 'localhost' })), 'unknown')
})

test('behind a trusted proxy the forwarded host counts', async () => {
  const base = await startTestApp({ TRUST_PROXY: '127.0.0.1' })
  const ana = browserOf(base)
  const proxied = { origin: 'https://voice.example.com', 'x-forwarded-host': 'voice.example.com' }
  await ana.post('/auth/login', { apiKey: base.ana.key }, proxied)
  assert.equal((await ana.post('/api/agents', anAgent, proxied)).status, 201)
})

test('54 a WebSocket with the cookie opens only for our own pages', async () => {
  const base = await startTestApp()
  const address = await base.app.listen()
  const { host } = new URL(address)
  const { cookie } = await signedIn(base, base.ana.key)
  /** 101, or the status of the rejection. */
  const open = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`ws://${host}/api/agents`, { headers })
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (req, response) => {
        resolve(response.statusCode ?? 0)
        req.destroy()
      })
      socket.once('error', reject)
    })
  const session = { cookie: `ramal_session=${cookie}` }
  assert.equal(await open({ ...session, origin: address }), 101)
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', 'file://'])
    assert.equal(await open({ ...session, origin }), 403)
  assert.equal(await open(session), 403)
  assert.equal(await open({ cookie: `ramal_session=${'A'.repeat(43)}`, origin: address }), 401)
  assert.equal(await open({ origin: address }), 401)
  assert.equal(await open({ 'x-api-key': base.ana.key, origin: 'http://evil.example' }), 101)
})

const asked = (cookie: string | undefined, protocol: 'http' | 'https' = 'http', origin?: string) =>
  ({ headers: { cookie, origin }, protocol }) as never

test('the cookie is found among others, and only under its full name', () => {
  assert.equal(sessionCookieOf(asked('a=1; ramal_session=abc; b=2')), 'abc')
  assert.equal(sessionCookieOf(asked('ramal_session=abc')), 'abc')
  for (const none of [undefined, '', 'ramal_session', 'ramal_session=', 'a=ramal_session=abc', 'xramal_session=abc'])
    assert.equal(sessionCookieOf(asked(none)), undefined)
})

test('over HTTPS a session cookie without the __Host- prefix, which a sibling domain could plant, is ignored', async () => {
  const both = 'ramal_session=planted; __Host-ramal_session=own'
  assert.equal(sessionCookieOf(asked(both, 'https')), 'own')
  assert.equal(sessionCookieOf(asked(both)), 'own')
  assert.equal(sessionCookieOf(asked('ramal_session=planted', 'https')), undefined)
  assert.equal(sessionCookieOf(asked('ramal_session=planted', 'http', 'https://voice.example.com')), undefined)
  const base = await startTestApp({ TRUST_PROXY: 'true' })
  const https = { 'x-forwarded-proto': 'https' }
  const browser = browserOf(base)
  await browser.post('/auth/login', { apiKey: base.ana.key }, https)
  assert.equal((await browser.get('/api/agents', https)).status, 200)
  const { cookie } = browser
  browser.cookie = cookie // under the name without the prefix
  assertError(await browser.get('/api/agents', https), 401, 'The X-Api-Key header is missing')
})
