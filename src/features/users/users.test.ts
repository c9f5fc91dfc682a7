// User management: administrators list, change, disable and reset users; members may not.
import assert from 'node:assert/strict'
import { randomBytes, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { assertError, atEnd, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { browserOf, signedIn } from '../../../test/browser-client.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { addressOf, orderOf } from '../../../test/web-caller.ts'
import { accountStore } from './account-store.ts'
import { userPasswords } from './password-store.ts'
import { userActivity } from './rows.ts'
import { userStore } from './store.ts'

const password = 'correct horse battery'
/** Lowest cost, because these tests hash often. */
const salt = randomBytes(16)
const hash = `scrypt:1:8:1:${salt.toString('base64url')}:${scryptSync(password, salt, 32, { N: 2 }).toString('base64url')}`

async function withPassword({ database }: TestApp, userId: string): Promise<string> {
  const email = `${userId}@example.com`
  await userPasswords(database.db).set(userId, email, hash)
  return email
}

const eventTypesOf = async ({ database }: TestApp, userId: string) => {
  const rows = await database.db
    .selectFrom('events')
    .select('type')
    .where('userId', '=', userId)
    .orderBy('sequence')
    .execute()
  return rows.map(({ type }) => type)
}

test('an administrator sees every user with role, second factor and last sign-in; a member and a scoped key see none', async () => {
  const base = await testApp()
  const admin = await base.newUser('ada', 'admin')
  const email = await withPassword(base, base.ana.userId)
  const listed = async () =>
    (await admin.get('/api/users')).json.find(({ id }: { id: string }) => id === base.ana.userId)
  const { createdAt, ...before } = await listed()
  const state = { isActive: true, hasPassword: true, hasSecondFactor: false, lastSignInAt: null }
  assert.deepEqual(before, { id: base.ana.userId, name: 'ana', email, role: 'member', ...state })
  await browserOf(base).post('/auth/login', { email, password })
  assert.ok((await listed()).lastSignInAt >= createdAt)
  assert.equal((await admin.get(`/api/users/${base.ana.userId}`)).json.email, email)
  assert.ok(!(await admin.get('/api/users')).text.includes('scrypt'))

  const scoped = await admin.withKey({ scopes: ['agents'] })
  const tries = [
    ['GET', '/api/users'],
    ['GET', `/api/users/${base.ana.userId}`],
    ['PATCH', `/api/users/${base.bia.userId}`],
    ['POST', `/api/users/${base.bia.userId}/password-link`],
    ['POST', `/api/users/${base.bia.userId}/remove-second-factor`],
    ['GET', '/api/invitations'],
    ['POST', '/api/invitations'],
    ['POST', '/api/invitations/inv_x/renew'],
    ['DELETE', '/api/invitations/inv_x'],
  ] as const
  for (const [method, url] of tries) {
    assertError(await base.ana.send({ method, url }), 403, 'Only an administrator may do this')
    assertError(await scoped.send({ method, url }), 403, 'This needs a key with full access')
  }
})

test('a role takes effect at once, and is announced to every administrator', async () => {
  const base = await testApp()
  const [admin, other] = [await base.newUser('ada', 'admin'), await base.newUser('eva', 'admin')]
  const change = (role: string) => admin.patch(`/api/users/${base.ana.userId}`, { role })
  assertError(await base.ana.get('/api/settings'), 403)
  assert.equal((await change('admin')).json.role, 'admin')
  assert.equal((await base.ana.get('/api/settings')).status, 200)
  assert.equal((await change('member')).json.role, 'member')
  assertError(await base.ana.get('/api/settings'), 403)
  assertError(await change('owner'), 400)
  for (const { userId } of [admin, other])
    assert.deepEqual((await eventTypesOf(base, userId)).slice(-2), ['user.role_changed', 'user.role_changed'])
  assert.deepEqual(await eventTypesOf(base, base.bia.userId), [])
})

test('disabling a user ends sessions, keys, streams and calls at once; enabling lets the keys work again', async () => {
  const base = await startTestApp()
  const { db } = base.database
  const admin = await base.newUser('ada', 'admin')
  const email = await withPassword(base, base.ana.userId)
  const browser = browserOf(base)
  await browser.post('/auth/login', { email, password })
  const byKey = await signedIn(base, base.ana.key)
  const agentId = (await base.ana.post('/api/agents', { name: 'x', systemPrompt: 'x' })).json.id
  const call = await putCall(db, { userId: base.ana.userId, agentId, ...goingOn })
  const token = await orderOf(base.ana, agentId)
  const request = get(`${await addressOf(base)}/api/events`, { headers: { 'x-api-key': base.ana.key }, agent: false })
  atEnd(() => request.destroy())
  request.on('error', () => {})
  const [stream] = (await once(request, 'response')) as [IncomingMessage]
  stream.on('error', () => {}).resume()
  assert.equal(await userActivity(db)(base.ana.userId), true)

  const disabled = await admin.patch(`/api/users/${base.ana.userId}`, { isActive: false })
  assert.deepEqual([disabled.status, disabled.json.isActive], [200, false])
  assertError(await base.ana.get('/api/agents'), 401, 'The user of this API key is disabled')
  for (const one of [browser, byKey]) assertError(await one.get('/api/agents'), 401)
  assertError(await browserOf(base).post('/auth/login', { apiKey: base.ana.key }), 401, 'Invalid API key')
  assertError(await browserOf(base).post('/auth/login', { email, password }), 403, /disabled/)
  assertError(await browserOf(base).post('/auth/login', { email, password: 'wrong wrong' }), 401)
  const ended = await db.selectFrom('calls').select(['status', 'hangupBy']).where('id', '=', call.id).executeTakeFirst()
  assert.deepEqual(ended, { status: 'completed', hangupBy: 'system' })
  await until('the stream is cut', () => stream.destroyed && !stream.complete)
  assert.equal(await userActivity(db)(base.ana.userId), false)
  const offer = { token, sdp: 'v=0\r\n' }
  assert.ok((await base.anonymous({ method: 'POST', url: '/web-calls/webrtc', payload: offer })).status >= 400)
  assert.equal((await db.selectFrom('calls').select('id').where('userId', '=', base.ana.userId).execute()).length, 1)

  await admin.patch(`/api/users/${base.ana.userId}`, { isActive: true })
  assert.equal((await base.ana.get('/api/agents')).status, 200)
  assertError(await browser.get('/api/agents'), 401)
  assert.deepEqual((await eventTypesOf(base, admin.userId)).slice(-2), ['user.disabled', 'user.enabled'])
  assert.match(base.logs(), /user changed/)
})

test('administrators who disable or demote one another at once leave one; nobody does it to themself', async () => {
  const base = await startTestApp()
  const users = userStore(base.database.db)
  const accounts = accountStore(base.database.db)
  for (const name of ['b', 'c', 'd', 'e']) await users.create(name, null, 'admin')
  const all = (await users.list()).filter(({ role }) => role === 'admin')
  const nextOf = (i: number) => all[(i + 1) % all.length]?.id ?? assert.fail()
  const results = await Promise.allSettled(
    all.map(({ id }, i) => accounts.change(id, nextOf(i), i % 2 ? { role: 'member' } : { isActive: false })),
  )
  const left = (await accounts.page({ limit: 50 })).filter(({ role, disabledAt }) => role === 'admin' && !disabledAt)
  assert.ok(left.length >= 1, `${left.length} are left`)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, all.length - left.length)
  for (const each of results)
    if (each.status === 'rejected') assert.match(String(each.reason), /Only an administrator may do this/)
  const survivor = left[0]?.id ?? assert.fail()
  await assert.rejects(accounts.change(survivor, survivor, { isActive: false }), /yourself/)
  await assert.rejects(accounts.change(survivor, survivor, { role: 'member' }), /yourself/)
  for (const { id } of left.slice(1)) await accounts.change(survivor, id, { isActive: false })
  await assert.rejects(users.setRole(survivor, 'member'), /only administrator/)
  await assert.rejects(
    accounts.change(nextOf(all.findIndex(({ id }) => id === survivor)), survivor, { isActive: false }),
  )
})

test('an administrator removes a second factor of another, which ends their sessions', async () => {
  const base = await testApp()
  const admin = await base.newUser('ada', 'admin')
  const url = `/api/users/${base.ana.userId}/remove-second-factor`
  assertError(await admin.post(url), 409, 'This user has no second factor')
  const at = new Date().toISOString()
  const row = { userId: base.ana.userId, secretSealed: 'x', createdAt: at, confirmedAt: at, lastStep: 0 }
  await base.database.db.insertInto('secondFactors').values(row).execute()
  const browser = await signedIn(base, base.ana.key)
  assert.equal((await admin.get(`/api/users/${base.ana.userId}`)).json.hasSecondFactor, true)
  assert.equal((await admin.post(url)).json.hasSecondFactor, false)
  assertError(await browser.get('/api/agents'), 401)
  assertError(await admin.post(`/api/users/${admin.userId}/remove-second-factor`), 409, /your own/)
})
