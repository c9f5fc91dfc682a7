// Sign-in throttles: counts cannot be evicted, one network counts as one, and strangers cannot lock the owner out.
import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { assertError, startTestApp, type TestApp } from '../../../test/app.ts'
import { browserOf } from '../../../test/browser-client.ts'
import { peerNetworkOf } from '../../base/network/peer-network.ts'
import { memoryRateLimiter } from '../../http/rate-limit.ts'
import { userPasswords } from '../users/password-store.ts'
import { attempts } from './attempts.ts'

const email = 'ana@example.com'
const password = 'a good long password'

/** Cheap hashing: these tests count attempts, not time. */
async function withPassword({ database, ana }: TestApp): Promise<void> {
  const [salt, cost] = [Buffer.alloc(16, 7), { N: 2, r: 8, p: 1 }]
  const parts = [salt, scryptSync(password, salt, 32, cost)].map((bytes) => bytes.toString('base64url'))
  await userPasswords(database.db).set(ana.userId, email, ['scrypt:1:8:1', ...parts].join(':'))
}

const from = (base: TestApp, address: string, more: Record<string, string> = {}) => {
  const browser = browserOf(base, 'http://localhost', address)
  return (body: object) => browser.post('/auth/login', body, more)
}

test('the count of wrong passwords survives when strangers fill all windows', async () => {
  const limiter = memoryRateLimiter(undefined, 1000)
  const tries = attempts(limiter)
  const begin = (i: number, account: string) => tries.beginPassword(`192.0.2.${i}`, account, undefined)
  for (let i = 0; i < 10; i++) await begin(i, email)
  for (let i = 0; i < 10; i++) await tries.beginCode('usr_1')
  const strangers = Array.from(
    { length: 3000 },
    (_, i) => `2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`,
  )
  for (const ip of strangers) await limiter.of('hook').admit(peerNetworkOf(ip), 6000)
  for (const ip of strangers) await tries.beginPassword(ip, `stranger ${ip}`, undefined).catch(() => {})
  await assert.rejects(begin(1, email), /as this user/)
  await assert.rejects(tries.beginCode('usr_1'), /wrong codes/)
  await tries.beginCode('usr_2')
  await tries.beginPassword('192.0.2.1', email, 'a known device')
})

test('an IPv6 /64 counts as one address where no key is required', async () => {
  const base = await startTestApp()
  const ask = async (remoteAddress: string) =>
    (await base.anonymous({ method: 'GET', url: '/provision/x', remoteAddress })).status
  const statuses = []
  for (let i = 0; i < 21; i++) statuses.push(await ask(`2001:db8:5:6::${i.toString(16)}`))
  assert.deepEqual(statuses, [...Array(20).fill(404), 429])
  assert.equal(await ask('2001:db8:5:7::1'), 404)
})

test('with TRUST_PROXY=true the address is the one that the proxy saw, whatever the client writes before it', async () => {
  const base = await startTestApp({ TRUST_PROXY: 'true' })
  const statuses = []
  for (let i = 0; i < 21; i++) {
    const login = from(base, '127.0.0.1', { 'x-forwarded-for': `198.51.100.${i}, 203.0.113.9` })
    statuses.push((await login({ apiKey: 'wrong' })).status)
  }
  assert.deepEqual([statuses[19], statuses[20]], [401, 429])
  const other = from(base, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9, 203.0.113.10' })
  assertError(await other({ apiKey: 'wrong' }), 401)
  const two = await startTestApp({ TRUST_PROXY: '2' })
  const behind = from(two, '127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.0.0.1' })
  for (let i = 0; i < 20; i++) await behind({ apiKey: 'wrong' })
  assertError(await behind({ apiKey: 'wrong' }), 429)
})

test('a device on which the user has signed in before is not locked out by strangers, and has its own limit', async () => {
  const base = await startTestApp()
  await withPassword(base)
  const browser = browserOf(base, 'http://localhost', '198.51.100.1')
  const login = (given = password) => browser.post('/auth/login', { email, password: given })
  assert.equal((await login()).status, 200)
  await browser.post('/auth/logout')
  assert.deepEqual(Object.keys(browser.cookies), ['ramal_device'])
  for (let i = 0; i < 10; i++) await from(base, `192.0.2.${i}`)({ email, password: 'wrong password' })
  const stranger = from(base, '198.51.100.1')
  assertError(await stranger({ email, password }), 429, /as this user/)
  assert.equal((await login()).status, 200, 'the owner comes in')

  // One user's cookie gives no budget to another user; neither does a forged one.
  const bia = browserOf(base, 'http://localhost', '198.51.100.2')
  await bia.post('/auth/login', { apiKey: base.bia.key })
  assertError(await bia.post('/auth/login', { email, password }), 429)
  bia.cookies.ramal_device = `${'A'.repeat(16)}.${'A'.repeat(43)}`
  assertError(await bia.post('/auth/login', { email, password }), 429)

  for (let i = 0; i < 10; i++) assertError(await login('wrong password'), 401)
  assertError(await login(), 429, /on this device/)
})
