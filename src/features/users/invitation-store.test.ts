// One-time links: joining, new passwords, single use, expiry, guessing.
import assert from 'node:assert/strict'
import { randomBytes, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { assertError, startTestApp, testApp } from '../../../test/app.ts'
import { browserOf, signedIn } from '../../../test/browser-client.ts'
import { everyRow } from '../../../test/every-row.ts'
import { DAY_MS } from '../../base/time/clock.ts'
import { invitationLinks } from './link-store.ts'
import { userPasswords } from './password-store.ts'

const password = 'correct horse battery'
const GONE = 'This link is not valid: it was used or revoked, or has expired'
const tokenOf = ({ path }: { path: string }) => path.replace('/invite#', '')
let addresses = 0
const anEmail = () => `bia${process.pid}.${++addresses}@example.com`

test('an invited person joins with the e-mail of the invitation, is signed in, and the link works once', async () => {
  const base = await testApp()
  const admin = await base.newUser('ada', 'admin')
  const email = anEmail()
  const made = (await admin.post('/api/invitations', { email: ` ${email.toUpperCase()}`, name: 'Bia', role: 'member' }))
    .json
  assert.deepEqual([made.email, made.role, made.isExpired], [email, 'member', false])
  assert.match(made.path, /^\/invite#[\w-]{43}$/)
  assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), DAY_MS)
  const token = tokenOf(made)
  const listed = await admin.get('/api/invitations')
  assert.ok(listed.text.includes(made.id) && !listed.text.includes(token))

  const browser = browserOf(base)
  const link = { kind: 'invitation', email, name: 'Bia', organization: null, isKnown: false }
  assert.deepEqual((await browser.post('/auth/invitation', { token })).json, link)
  assertError(await browser.post('/auth/invitation/accept', { token, password: 'short' }), 400, /^password must have/)
  const joined = await browser.post('/auth/invitation/accept', { token, name: 'Bia Nunes', password })
  assert.equal(joined.status, 200, joined.text)
  const { id } = joined.json.user
  assert.deepEqual(joined.json.user, { id, name: 'Bia Nunes', email, role: 'member' })
  assert.equal((await browser.get('/api/agents')).status, 200)
  assertError(await browser.get('/api/users'), 403)
  assertError(await browserOf(base).post('/auth/invitation', { token }), 404, GONE)
  assertError(await browserOf(base).post('/auth/invitation/accept', { token, password }), 404, GONE)
  assert.equal((await browserOf(base).post('/auth/login', { email, password })).status, 200)
  assertError(await admin.post('/api/invitations', { email }), 409, 'Another user signs in with this e-mail')

  const stored = JSON.stringify(await everyRow(base.database.db))
  assert.ok(!stored.includes(token), 'only a hash is stored')
  assert.ok(!base.logs().includes(token), 'the token is in no log')
  const events = await base.database.db.selectFrom('events').selectAll().where('userId', '=', admin.userId).execute()
  assert.deepEqual(
    events.map(({ type }) => type),
    ['user.invited', 'user.joined'],
  )
  assert.ok(!JSON.stringify(events).includes(token))
})

test('of many who accept one link at once, one joins', async () => {
  const base = await testApp()
  const { db } = base.database
  const admin = await base.newUser('ada', 'admin')
  const email = anEmail()
  const token = tokenOf((await admin.post('/api/invitations', { email })).json)
  const store = invitationLinks(db)
  const all = await Promise.allSettled(
    Array.from({ length: 5 }, () => store.join(token, { name: 'x', passwordHash: 'scrypt:x' })),
  )
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await db.selectFrom('users').select('id').where('email', '=', email).execute()).length, 1)
})

test('a link that expired, was renewed, revoked, replaced or changed is refused like one that never was', async (t) => {
  const base = await testApp()
  const admin = await base.newUser('ada', 'admin')
  const invite = async (email = anEmail()) => (await admin.post('/api/invitations', { email })).json
  const open = async (token: string) =>
    browserOf(base, 'http://localhost', `192.0.2.${++addresses}`).post('/auth/invitation', { token })

  let atMs = Date.now()
  const clock = t.mock.method(Date, 'now', () => atMs++) // so that no two readings are equal
  const expires = await invite()
  const started = new Date(expires.createdAt).getTime()
  clock.mock.mockImplementation(() => started + DAY_MS - 1000)
  assert.equal((await open(tokenOf(expires))).status, 200)
  clock.mock.mockImplementation(() => started + DAY_MS)
  assertError(await open(tokenOf(expires)), 404, GONE)
  const accept = { token: tokenOf(expires), password }
  assertError(await browserOf(base).post('/auth/invitation/accept', accept), 404, GONE)
  clock.mock.restore()

  const [renewed, revoked, email] = [await invite(), await invite(), anEmail()]
  const fresh = (await admin.post(`/api/invitations/${renewed.id}/renew`)).json
  assert.equal(fresh.id, renewed.id)
  await admin.delete(`/api/invitations/${revoked.id}`)
  assertError(await admin.delete(`/api/invitations/${revoked.id}`), 404, 'Invitation not found')
  const [replaced, second] = [await invite(email), await invite(email)]
  const good = tokenOf(second)
  const changed = `${good.slice(0, -2)}${good.endsWith('AA') ? 'BB' : 'AA'}`
  for (const token of [tokenOf(renewed), tokenOf(revoked), tokenOf(replaced), changed, 'x'.repeat(43), 'x', `${good}x`])
    assertError(await open(token), 404, GONE)
  for (const token of [tokenOf(fresh), good]) assert.equal((await open(token)).status, 200)
})

test('links of an administrator who was demoted or disabled stop working', async () => {
  const base = await testApp()
  const [admin, eve] = [await base.newUser('ada', 'admin'), await base.newUser('eve', 'admin')]
  for (const patch of [{ role: 'member' }, { isActive: false }]) {
    const { path } = (await eve.post('/api/invitations', { email: anEmail(), role: 'admin' })).json
    await admin.patch(`/api/users/${eve.userId}`, patch)
    assertError(await browserOf(base).post('/auth/invitation', { token: tokenOf({ path }) }), 404, GONE)
    await admin.patch(`/api/users/${eve.userId}`, { role: 'admin', isActive: true })
  }
})

test('guessing links is throttled by address; a good one is not counted', async () => {
  const base = await startTestApp()
  const admin = await base.newUser('ada', 'admin')
  const { path } = (await admin.post('/api/invitations', { email: anEmail() })).json
  const from = (address: string) => browserOf(base, 'http://localhost', address)
  for (let i = 0; i < 25; i++)
    assert.equal((await from('192.0.2.1').post('/auth/invitation', { token: tokenOf({ path }) })).status, 200)
  const wrong = () => from('192.0.2.1').post('/auth/invitation', { token: 'x'.repeat(43) })
  const many = await Promise.all(Array.from({ length: 30 }, wrong))
  assert.equal(many.filter(({ status }) => status === 404).length, 20)
  assert.match(String((await wrong()).headers['retry-after']), /^\d+$/)
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  assertError(await from('192.0.2.2').post('/auth/invitation', { token: tokenOf({ path }) }, foreign), 403, /Origin/)
})

test('a password link whose e-mail somebody else has got meanwhile is refused, and not used up', async () => {
  const base = await testApp()
  const admin = await base.newUser('ada', 'admin')
  const [email, other] = [anEmail(), anEmail()]
  const { path } = (await admin.post(`/api/users/${base.ana.userId}/password-link`, { email })).json
  const invited = (await admin.post('/api/invitations', { email })).json
  const joined = await browserOf(base).post('/auth/invitation/accept', { token: tokenOf(invited), password })
  const accept = () => browserOf(base).post('/auth/invitation/accept', { token: tokenOf({ path }), password })
  for (let i = 0; i < 2; i++) assertError(await accept(), 409, 'Another user signs in with this e-mail')
  const { db } = base.database
  await db.updateTable('users').set({ email: other }).where('id', '=', joined.json.user.id).execute()
  assert.equal((await accept()).status, 200)
  assert.equal((await browserOf(base).post('/auth/login', { email, password })).status, 200)
})

test('a password link sets a new password, ends every session, and keeps the second factor', async () => {
  const base = await testApp()
  const { db } = base.database
  const admin = await base.newUser('ada', 'admin')
  const url = `/api/users/${base.ana.userId}/password-link`
  assertError(await admin.post(url, {}), 409, /no e-mail address/)
  const email = anEmail()
  const first = (await admin.post(url, { email })).json
  const link = (await admin.post(url, { email })).json
  assert.equal(link.email, email)
  const session = await signedIn(base, base.ana.key)
  assertError(await browserOf(base).post('/auth/invitation', { token: tokenOf(first) }), 404, GONE)
  const browser = browserOf(base)
  const token = tokenOf(link)
  assert.equal((await browser.post('/auth/invitation', { token })).json.kind, 'password')
  const done = await browser.post('/auth/invitation/accept', { token, password })
  assert.deepEqual([done.status, done.json.user], [200, null])
  assertError(await session.get('/api/agents'), 401)
  assertError(await browser.post('/auth/invitation/accept', { token, password }), 404, GONE)
  assert.equal((await browser.post('/auth/login', { email, password })).status, 200)
  assert.equal((await base.ana.get('/api/agents')).status, 200, 'keys stay')

  const at = new Date().toISOString()
  const factor = { userId: base.ana.userId, secretSealed: 'x', createdAt: at, confirmedAt: at, lastStep: 0 }
  await db.insertInto('secondFactors').values(factor).execute()
  const again = tokenOf((await admin.post(url, {})).json)
  await browserOf(base).post('/auth/invitation/accept', { token: again, password: 'another horse battery' })
  assertError(
    await browserOf(base).post('/auth/login', { email, password: 'another horse battery' }),
    401,
    'A code is needed',
  )

  assertError(await admin.post(`/api/users/${admin.userId}/password-link`, { email: anEmail() }), 409, /your own/)
  const salt = randomBytes(16)
  const hash = `scrypt:1:8:1:${salt.toString('base64url')}:${scryptSync(password, salt, 32, { N: 2 }).toString('base64url')}`
  await userPasswords(db).set(base.bia.userId, anEmail(), hash)
  const stale = tokenOf((await admin.post(`/api/users/${base.bia.userId}/password-link`, {})).json)
  await admin.patch(`/api/users/${base.bia.userId}`, { isActive: false })
  assertError(await browserOf(base).post('/auth/invitation/accept', { token: stale, password }), 404, GONE)
  assertError(await admin.post(`/api/users/${base.bia.userId}/password-link`, {}), 409, 'This user is disabled')
})
