// Sign-in with a password or a key, sign-out, password change, and throttling.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { browserOf, signedIn } from '../../../test/browser-client.ts'
import { passwordFault, passwordHasher } from '../../base/crypto/password-hash.ts'
import { peerNetworkOf } from '../../base/network/peer-network.ts'
import { shortAddress } from '../../base/network/short-address.ts'
import { memoryRateLimiter } from '../../http/rate-limit.ts'
import { userPasswords } from '../users/password-store.ts'
import { attempts } from './attempts.ts'

const hasher = passwordHasher()
const password = 'correct horse battery'
let kept: Promise<string> | undefined

/** Sets a user's password directly in the database. */
async function withPassword({ database }: TestApp, userId: string): Promise<string> {
  kept ??= hasher.hash(password)
  const email = `${userId}@example.com`
  await userPasswords(database.db).set(userId, email, await kept)
  return email
}

test('a user signs in with e-mail and password, whatever the case and spacing of the e-mail, and out again', async () => {
  const base = await testApp()
  const email = await withPassword(base, base.ana.userId)
  const browser = browserOf(base)
  const state = (await browser.post('/auth/login', { email: ` ${email.toUpperCase()}`, password })).json
  assert.deepEqual(state.user, { id: base.ana.userId, name: 'ana', email, role: 'member' })
  assert.deepEqual((await browser.get('/auth/session')).json, state)
  await base.ana.post('/api/agents', { name: '<img src=x onerror=alert(1)>', systemPrompt: 'x' })
  const agents = await browser.get('/api/agents')
  assert.equal(agents.json[0].name, '<img src=x onerror=alert(1)>')
  assert.match(String(agents.headers['content-type']), /^application\/json/)
  assert.equal(agents.headers['x-content-type-options'], 'nosniff')

  const { cookie } = browser
  const out = await browser.post('/auth/logout')
  assert.equal(out.json.user, null)
  assert.match(String(out.headers['set-cookie']), /^ramal_session=; .*Max-Age=0/)
  browser.cookie = cookie
  assertError(await browser.get('/api/agents'), 401, 'This session has ended: sign in again')
  assert.equal((await browser.get('/auth/session')).json.user, null)
  assert.equal((await browser.post('/auth/logout')).status, 200)
})

test('the session cookie is SameSite and HttpOnly, and Secure over HTTPS', async () => {
  const base = await startTestApp({ TRUST_PROXY: '127.0.0.1' })
  const apiKey = base.ana.key
  const plain = await browserOf(base).post('/auth/login', { apiKey })
  const cookiesOf = ({ headers }: { headers: object }) =>
    (headers as { 'set-cookie': string[] })['set-cookie'].map(String)
  const [value = '', ...flags] = cookiesOf(plain)[0]?.split('; ') ?? []
  assert.match(value, /^ramal_session=[\w-]{43}$/)
  assert.deepEqual(flags, ['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=2592000'])
  assert.equal(plain.headers['cache-control'], 'no-store')
  const proxied = await browserOf(base).post('/auth/login', { apiKey }, { 'x-forwarded-proto': 'https' })
  for (const line of cookiesOf(proxied)) assert.match(line, /^__Host-ramal_.*; Path=\/; .*; Secure$/)
  const behind = await browserOf(base, 'https://localhost').post('/auth/login', { apiKey })
  for (const line of cookiesOf(behind)) assert.match(line, /^__Host-ramal_.*; Secure$/)
})

test('a wrong password and an unknown e-mail get the same response', async () => {
  const base = await testApp()
  const email = await withPassword(base, base.ana.userId)
  const browser = browserOf(base)
  const tries = [
    { email, password: 'wrong wrong wrong' },
    { email: 'nobody@example.com', password },
    { email: 'no address at all', password },
    { email, password: '' },
  ]
  for (const body of tries) assertError(await browser.post('/auth/login', body), 401, 'Wrong e-mail or password')
  const none = [
    {},
    { email },
    { password },
    { email, password, apiKey: base.ana.key },
    { email: 5, password },
    undefined,
  ]
  for (const body of none) assertError(await browser.post('/auth/login', body), 400)
  assert.equal(browser.cookie, undefined)
  // For a user without a password, an empty one must not work.
  await base.database.db
    .updateTable('users')
    .set({ email: 'bia@example.com' })
    .where('id', '=', base.bia.userId)
    .execute()
  assertError(await browser.post('/auth/login', { email: 'bia@example.com', password: '' }), 401)
})

test('an unknown account takes the same time as a wrong password', async () => {
  kept ??= hasher.hash(password)
  const work = async (compared: string | null) => {
    const before = process.cpuUsage()
    assert.equal(await hasher.fits('wrong wrong wrong', compared), false)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  // The minimum of several runs, since other work in this process may interfere.
  let [wrong, nobody] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = 0; i < 3; i++) {
    wrong = Math.min(wrong, await work(await kept))
    nobody = Math.min(nobody, await work(null))
  }
  assert.ok(nobody > wrong / 3 && wrong > nobody / 3, `${wrong} and ${nobody} µs`)
})

test('a full-access key signs in; a scoped, wrong, expired or revoked one does not', async () => {
  const base = await testApp()
  const browser = browserOf(base)
  const narrow = await base.ana.withKey({ scopes: ['agents'] })
  assertError(await browser.post('/auth/login', { apiKey: narrow.key }), 403, 'This needs a key with full access')
  const revoked = await base.ana.withKey({ name: 'revoked' })
  const expired = await base.ana.withKey({ name: 'expired', expiresInDays: 1 })
  const keys = (await base.ana.get('/api/api-keys')).json as { id: string; name: string }[]
  const idOf = (name: string) => keys.find((key) => key.name === name)?.id ?? assert.fail()
  await base.ana.delete(`/api/api-keys/${idOf('revoked')}`)
  await base.database.db
    .updateTable('apiKeys')
    .set({ expiresAt: '2026-01-01T00:00:00.000Z' })
    .where('id', '=', idOf('expired'))
    .execute()
  for (const apiKey of [revoked.key, expired.key, `${base.ana.key}x`, '', 'x'])
    assertError(await browser.post('/auth/login', { apiKey }), 401, 'Invalid API key')
  assert.equal(browser.cookie, undefined)
  await signedIn(base, base.ana.key)
})

test('each sign-in creates a new session and ends the previous one', async () => {
  const base = await testApp()
  const browser = await signedIn(base, base.ana.key)
  const planted = browser.cookie
  await browser.post('/auth/login', { apiKey: base.bia.key })
  assert.notEqual(browser.cookie, planted)
  assert.equal((await browser.get('/auth/session')).json.user.id, base.bia.userId)
  browser.cookie = planted
  assertError(await browser.get('/api/agents'), 401)
  const made = 'A'.repeat(43)
  browser.cookie = made // never issued by the server
  await browser.post('/auth/login', { apiKey: base.ana.key })
  assert.notEqual(browser.cookie, made)
})

test('a password change needs the old password, and ends every other session of the user', async () => {
  const base = await testApp()
  const email = await withPassword(base, base.ana.userId)
  const browser = browserOf(base)
  await browser.post('/auth/login', { email, password })
  const other = await signedIn(base, base.ana.key)
  const bia = await signedIn(base, base.bia.key)
  const newPassword = 'a new one, with é'
  const change = (body: object) => browser.post('/auth/password', body)
  assertError(await browserOf(base).post('/auth/password', { currentPassword: password, newPassword }), 401)
  assertError(await change({ currentPassword: 'wrong wrong', newPassword }), 403, 'The current password is wrong')
  assertError(await change({ currentPassword: password, newPassword: 'short' }), 400, /^newPassword must have/)
  assertError(await bia.post('/auth/password', { currentPassword: password, newPassword }), 409)
  const before = browser.cookie
  assert.equal((await change({ currentPassword: password, newPassword })).json.user.email, email)
  assert.notEqual(browser.cookie, before)
  assert.equal((await browser.get('/api/agents')).status, 200)
  assertError(await other.get('/api/agents'), 401)
  assert.equal((await bia.get('/api/agents')).status, 200)
  assertError(await browserOf(base).post('/auth/login', { email, password }), 401)
  const decomposed = newPassword.normalize('NFD')
  assert.notEqual(decomposed, newPassword)
  assert.equal((await browserOf(base).post('/auth/login', { email, password: decomposed })).status, 200)
})

test('too many failed attempts from an address or for a user must wait; successful ones do not count', async () => {
  const base = await startTestApp()
  const wrong = (address: string) =>
    browserOf(base, 'http://localhost', address).post('/auth/login', { apiKey: 'wrong' })
  for (let i = 0; i < 25; i++) await signedIn(base, base.ana.key)
  const many = await Promise.all(Array.from({ length: 30 }, () => wrong('192.0.2.1')))
  assert.equal(many.filter(({ status }) => status === 401).length, 20, 'of many at once no more are let by')
  const refused = await wrong('192.0.2.1')
  assertError(refused, 429)
  assert.match(String(refused.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  assertError(await wrong('192.0.2.2'), 401)

  const limiter = memoryRateLimiter()
  const [one, other] = [attempts(limiter), attempts(limiter)] // two processes with one Redis
  for (let i = 0; i < 10; i++) await (i % 2 ? one : other).beginPassword(`192.0.2.${i}`, 'ana@example.com', undefined)
  await assert.rejects(one.beginPassword('192.0.2.77', 'ana@example.com', undefined), /as this user/)
  await (await one.beginPassword('192.0.2.77', 'bia@example.com', undefined))()
})

test('an IPv6 network counts as one address', () => {
  assert.equal(peerNetworkOf('192.0.2.1'), '192.0.2.1')
  assert.equal(peerNetworkOf('::ffff:192.0.2.1'), '192.0.2.1')
  for (const ip of ['2001:db8:1:2:3:4:5:6', '2001:0DB8:1:2::9', '2001:db8:1:2:ffff::'])
    assert.equal(peerNetworkOf(ip), '2001:db8:1:2::')
  assert.equal(peerNetworkOf('2001:db8::1'), '2001:db8:0:0::')
  assert.equal(peerNetworkOf('::1'), '0:0:0:0::')
  assert.equal(peerNetworkOf('fe80::1%eth0'), 'fe80:0:0:0::')
  assert.equal(shortAddress('203.0.113.7'), '203.0.113.0/24')
  assert.equal(shortAddress('::ffff:203.0.113.7'), '203.0.113.0/24')
  assert.equal(shortAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1::/48')
  assert.deepEqual(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map(shortAddress), ['127.0.0.1', '::1', '127.0.0.1'])
})

test('the length of a password is counted in composed characters', async () => {
  assert.equal(passwordFault('é'.repeat(10).normalize('NFD')), undefined)
  assert.equal(passwordFault('😀'.repeat(256)), undefined)
  assert.match(passwordFault('é'.repeat(9).normalize('NFD')) ?? '', /10 to 256/)
  assert.match(passwordFault('😀'.repeat(257)) ?? '', /10 to 256/)
})

test('too many concurrent sign-ins are refused with Retry-After', async () => {
  const crowd = passwordHasher()
  kept ??= hasher.hash(password)
  const cheap = (await kept).replace('scrypt:15:8:3', 'scrypt:1:8:1')
  const letIn = async (ips: string[]) => {
    const outcomes = await Promise.allSettled(ips.map((ip) => crowd.fits('x', cheap, ip)))
    return outcomes.map(({ status }) => status === 'fulfilled')
  }
  const everywhere = Array.from({ length: 40 }, (_, i) => `192.0.2.${i}`)
  assert.equal((await letIn(everywhere)).filter(Boolean).length, 20)
  const oneNetwork = Array.from({ length: 40 }, (_, i) => `2001:db8::${i}`)
  const outcomes = await letIn([...oneNetwork, '192.0.2.7'])
  assert.equal(outcomes.filter(Boolean).length, 6, 'a network has five places')
  assert.equal(outcomes.at(-1), true)
  assert.equal(await crowd.fits('x', cheap), false)
})
