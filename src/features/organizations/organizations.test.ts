// Organizations: members and their roles, invitations, several organizations of one person, keys of removed members.
import assert from 'node:assert/strict'
import { randomBytes, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { anAgent, assertError, type Client, type TestApp, testApp } from '../../../test/app.ts'
import { type BrowserClient, browserOf, signedIn } from '../../../test/browser-client.ts'
import { sessionStore } from '../auth/session-store.ts'
import { userPasswords } from '../users/password-store.ts'
import { userActivity } from '../users/rows.ts'
import { userStore } from '../users/store.ts'

const password = 'correct horse battery'
/** Lowest cost, because these tests hash often. */
const salt = randomBytes(16)
const hash = `scrypt:1:8:1:${salt.toString('base64url')}:${scryptSync(password, salt, 32, { N: 2 }).toString('base64url')}`
let addresses = 0
const anEmail = () => `org${process.pid}.${++addresses}@example.com`
const tokenOf = ({ path }: { path: string }) => path.replace('/invite#', '')
const GONE = 'This link is not valid: it was used or revoked, or has expired'

/** A browser in which the person is signed in, with all their organizations. */
async function personIn(base: TestApp, personId: string): Promise<BrowserClient> {
  const browser = browserOf(base)
  browser.cookie = await sessionStore(base.database.db, false).create(personId, null, { device: null, address: null })
  await browser.get('/auth/session')
  return browser
}

const of = (client: Client, path = '') => `/api/organizations/${client.userId}${path}`

const invite = async (owner: Client, email: string, role = 'builder') => {
  const made = await owner.post(of(owner, '/invitations'), { email, role })
  assert.equal(made.status, 201, made.text)
  return made.json
}

test('an invited colleague joins, sees what the organization has, and has no organization of their own', async () => {
  const base = await testApp()
  const { ana } = base
  const agent = (await ana.post('/api/agents', anAgent)).json
  const email = anEmail()
  const made = await invite(ana, ` ${email.toUpperCase()}`)
  assert.deepEqual([made.email, made.role, made.isExpired], [email, 'builder', false])
  const listed = await ana.get(of(ana, '/invitations'))
  assert.ok(listed.text.includes(made.id) && !listed.text.includes(tokenOf(made)))

  const browser = browserOf(base)
  const token = tokenOf(made)
  const shown = (await browser.post('/auth/invitation', { token })).json
  assert.deepEqual([shown.kind, shown.email, shown.organization, shown.isKnown], ['member', email, 'ana', false])
  const joined = await browser.post('/auth/invitation/accept', { token, name: 'Bia Nunes', password })
  assert.equal(joined.status, 200, joined.text)
  assert.equal(joined.json.user.role, 'member')
  assert.equal(joined.json.organizationId, ana.userId)
  const [organization, ...others] = joined.json.organizations
  assert.deepEqual([organization.id, organization.name, organization.role, others], [ana.userId, 'ana', 'builder', []])
  assert.equal((await browser.get(`/api/agents/${agent.id}`)).json.name, agent.name)
  assertError(await browser.get('/api/api-keys'), 403, /^Your role in this organization \(builder\)/)
  assertError(await browserOf(base).post('/auth/invitation', { token }), 404, GONE)

  const members = (await ana.get(of(ana, '/members'))).json
  const byRole = members.map(({ name, role }: { name: string; role: string }) => [name, role])
  assert.deepEqual(
    byRole.sort(),
    [
      ['Bia Nunes', 'builder'],
      ['ana', 'owner'],
    ].sort(),
  )
})

test('a person with an account joins with it, and nobody else uses their invitation', async () => {
  const base = await testApp()
  const { ana, bia, database } = base
  const email = anEmail()
  await userPasswords(database.db).set(bia.userId, email, hash)
  const token = tokenOf(await invite(ana, email, 'attendant'))
  const stranger = browserOf(base)
  assert.equal((await stranger.post('/auth/invitation', { token })).json.isKnown, true)
  assertError(await stranger.post('/auth/invitation/accept', { token, password }), 401, 'Sign in first')
  const other = await personIn(base, (await base.newUser('eva')).userId)
  assertError(await other.post('/auth/invitation/accept', { token }), 403, /^This invitation is for another/)

  const browser = await personIn(base, bia.userId)
  const joined = await browser.post('/auth/invitation/accept', { token })
  assert.equal(joined.status, 200, joined.text)
  const names = joined.json.organizations.map(({ name }: { name: string }) => name)
  assert.deepEqual(names.sort(), ['ana', 'bia'])
  assertError(await browser.post('/auth/invitation/accept', { token }), 404, GONE)
  const again = await ana.post(of(ana, '/invitations'), { email, role: 'owner' })
  assertError(again, 409, 'This person is a member already')
})

test('each tab names its organization; without a name the one used last counts', async () => {
  const base = await testApp()
  const [hers, his] = [await base.newUser('ana'), await base.newUser('rui')]
  const agentOf = async (client: Client) => (await client.post('/api/agents', anAgent)).json.id as string
  const [herAgent, hisAgent] = [await agentOf(hers), await agentOf(his)]
  await base.database.db
    .insertInto('members')
    .values({
      organizationId: hers.userId,
      personId: his.personId,
      role: 'viewer',
      mayListen: 0,
      mayExport: 0,
      createdAt: '2026-11-19T00:00:00.000Z',
    })
    .execute()
  const browser = await personIn(base, his.personId)
  const inHers = { 'x-organization': hers.userId }
  assert.equal((await browser.get(`/api/agents/${hisAgent}`)).status, 200, 'his own comes first')
  assertError(await browser.get(`/api/agents/${herAgent}`), 404)
  assert.equal((await browser.get(`/api/agents/${herAgent}`, inHers)).status, 200)
  assert.equal((await browser.get(`/api/agents/${herAgent}?organization=${hers.userId}`)).status, 200)
  assertError(await browser.get(`/api/agents/${hisAgent}`, inHers), 404)
  assertError(await browser.post('/api/agents', anAgent, inHers), 403)

  assertError(await browser.post('/auth/organization', { organizationId: base.bia.userId }), 404)
  assert.equal((await browser.post('/auth/organization', { organizationId: hers.userId })).status, 200)
  const elsewhere = await personIn(base, his.personId)
  assert.equal((await elsewhere.get('/auth/session')).json.organizationId, hers.userId)
  assert.equal((await elsewhere.get(`/api/agents/${herAgent}`)).status, 200)

  // A session that a key opened stays where the key belongs.
  const withKey = await signedIn(base, his.key)
  assert.equal((await withKey.get('/auth/session')).json.organizations.length, 1)
  assert.equal((await withKey.get('/api/organizations')).json.length, 1)
  assertError(await withKey.get('/api/agents', inHers), 404, 'Organization not found')
})

test('only owners make, change and remove owners, and the last owner can neither leave nor be demoted', async () => {
  const base = await testApp()
  const { ana } = base
  const admin = await base.newMember(ana, 'admin')
  const viewer = await base.newMember(ana, 'viewer')
  const member = (client: Client) => of(ana, `/members/${client.personId}`)
  assertError(await ana.patch(member(ana), { role: 'admin' }), 409, /^An organization keeps an owner/)
  assertError(await ana.post(of(ana, '/leave')), 409, /^An organization keeps an owner/)
  assertError(await ana.delete(member(ana)), 409, /^An organization keeps an owner/)
  assertError(await admin.patch(member(viewer), { role: 'owner' }), 403, /^Only an owner/)
  assertError(await admin.patch(member(ana), { role: 'viewer' }), 403, /^Only an owner/)
  assertError(await admin.delete(member(ana)), 403, /^Only an owner/)
  assertError(await admin.post(of(ana, '/invitations'), { email: anEmail(), role: 'owner' }), 403, /^Only an owner/)
  assertError(await viewer.delete(member(admin)), 403)

  const raised = await admin.patch(member(viewer), { role: 'attendant', mayListen: true })
  assert.deepEqual([raised.json.role, raised.json.mayListen, raised.json.mayExport], ['attendant', true, false])
  assert.equal((await ana.patch(member(admin), { role: 'owner' })).status, 200)
  assert.equal((await ana.post(of(ana, '/leave'))).status, 200)
  assertError(await ana.get('/api/agents'), 401, /^The person who made this API key is no longer a member/)
  assert.equal((await admin.get('/api/agents')).status, 200)
})

test("an invitation ends with its inviter's right to invite", async () => {
  const base = await testApp()
  const { ana } = base
  const admin = await base.newMember(ana, 'admin')
  const token = tokenOf((await admin.post(of(ana, '/invitations'), { email: anEmail(), role: 'viewer' })).json)
  await ana.patch(of(ana, `/members/${admin.personId}`), { role: 'builder' })
  assertError(await browserOf(base).post('/auth/invitation', { token }), 404, GONE)
  const mine = await invite(ana, anEmail())
  const platform = await base.newUser('ada', 'admin')
  await platform.patch(`/api/users/${ana.personId}`, { role: 'member' })
  const renewed = await ana.post(of(ana, `/invitations/${mine.id}/renew`))
  assertError(await browserOf(base).post('/auth/invitation', { token: tokenOf(mine) }), 404, GONE)
  assert.equal((await browserOf(base).post('/auth/invitation', { token: tokenOf(renewed.json) })).status, 200)
  assert.equal((await ana.delete(of(ana, `/invitations/${mine.id}`))).status, 200)
  assertError(await browserOf(base).post('/auth/invitation', { token: tokenOf(renewed.json) }), 404, GONE)
})

test('a key has no more than its maker has now, stops with its maker, and works again when an owner adopts it', async () => {
  const base = await testApp()
  const { ana } = base
  const admin = await base.newMember(ana, 'admin')
  const scoped = await admin.withKey({ scopes: ['agents'] })
  const before = (await ana.get('/api/api-keys/makers')).json
  const stopped = before.find(({ personId }: { personId: string }) => personId === admin.personId)
  assert.equal(stopped.isMember, true)
  assert.equal((await scoped.post('/api/agents', anAgent)).status, 201)
  await ana.patch(of(ana, `/members/${admin.personId}`), { role: 'viewer' })
  assertError(await scoped.post('/api/agents', anAgent), 403, /viewer/)
  assert.equal((await scoped.get('/api/agents')).status, 200)
  assertError(await scoped.get('/api/tools'), 403, 'This key does not have the scope tools')

  await ana.delete(of(ana, `/members/${admin.personId}`))
  assertError(await scoped.get('/api/agents'), 401, /no longer a member of its organization; an owner can adopt it/)
  const keys = (await ana.get('/api/api-keys/makers')).json as { keyId: string; personId: string; isMember: boolean }[]
  const orphans = keys.filter(({ personId }) => personId === admin.personId)
  assert.ok(orphans.length === 2 && orphans.every(({ isMember }) => !isMember))
  assertError(await base.bia.post(`/api/api-keys/${orphans[0]?.keyId}/adopt`), 404)
  for (const { keyId } of orphans) assert.equal((await ana.post(`/api/api-keys/${keyId}/adopt`)).status, 200)
  assert.equal((await scoped.post('/api/agents', anAgent)).status, 201)
  assertError(await scoped.get('/api/tools'), 403, 'This key does not have the scope tools')
})

test('an administrator of the platform sees nothing of an organization, and creates organizations', async () => {
  const base = await testApp()
  const { ana } = base
  const admin = await base.newUser('ada', 'admin')
  const agent = (await ana.post('/api/agents', anAgent)).json.id
  assertError(await admin.get(`/api/agents/${agent}`), 404)
  assertError(await admin.get(of(ana)), 404, 'Organization not found')
  assertError(await admin.get(of(ana, '/members')), 404, 'Organization not found')
  assertError(await ana.post('/api/organizations', { name: 'Clínica' }), 403, 'Only an administrator may do this')
  const made = (await admin.post('/api/organizations', { name: ' Clínica ' })).json
  assert.deepEqual([made.name, made.role, made.isActive], ['Clínica', 'owner', true])
  assert.ok(!(await admin.get('/api/users')).text.includes(made.id), 'it is no user')
  assert.equal((await admin.get('/api/organizations')).json.length, 1, 'a key sees its own')
  const browser = await personIn(base, admin.personId)
  assert.equal((await browser.get('/api/organizations')).json.length, 2)
  const inIt = { 'x-organization': made.id }
  const created = await browser.post('/api/agents', anAgent, inIt)
  assert.equal(created.status, 201, created.text)
  assertError(await admin.get(`/api/agents/${created.json.id}`), 404)
})

test('an organization takes calls while one member is active, and keeps what a removed person made', async () => {
  const base = await testApp()
  const { db } = base.database
  const admin = await base.newUser('ada', 'admin')
  const founder = await base.newUser('ana')
  const owner = await base.newMember(founder, 'owner')
  const agent = (await founder.post('/api/agents', anAgent)).json.id
  const isActive = () => userActivity(db)(founder.userId)
  const setActive = (client: Client, isOn: boolean) => admin.patch(`/api/users/${client.personId}`, { isActive: isOn })
  await setActive(founder, false)
  assert.equal(await isActive(), true)
  assertError(await founder.get('/api/agents'), 401, 'The user of this API key is disabled')
  await setActive(owner, false)
  assert.equal(await isActive(), false)
  await setActive(owner, true)
  assert.equal(await isActive(), true)

  assert.equal(await userStore(db).remove(founder.personId), false, 'the organization stays')
  assert.equal((await owner.get(`/api/agents/${agent}`)).status, 200)
  assertError(await admin.get(`/api/users/${founder.personId}`), 404)
  await assert.rejects(userStore(db).remove(founder.personId), /User not found/)
  const second = await base.newMember(owner, 'viewer')
  await assert.rejects(userStore(db).remove(owner.personId), /only owner of ana, which has other members/)
  assert.equal((await second.get(`/api/agents/${agent}`)).status, 200)
})
