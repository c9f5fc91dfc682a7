// @run rest-nodes: as the other matrices, on one node in the gate.
// Every operation × every role × own and foreign organization × session and key: a member does what their role permits,
// and nothing in another organization.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../test/answers.ts'
import { assertError, type Client, type TestApp, testApp } from '../../test/app.ts'
import { type Belongings, belongings, pathOf, sent, visible } from '../../test/belongings.ts'
import { type BrowserClient, browserOf } from '../../test/browser-client.ts'
import { isStream, type Operation, operationsOf } from '../../test/operations.ts'
import { type MemberRole, memberRoles, type Permission, permissionsOf } from '../base/domain/organization-roles.ts'
import { sessionStore } from '../features/auth/session-store.ts'
import { permissionFor } from './permissions.ts'
import { scopeOf } from './scopes.ts'

type Asks = (operation: Operation, url: string, headers?: Record<string, string>) => Promise<Answer>

const withColons = (path: string) => path.replaceAll(/\{([^}]+)\}/g, ':$1')
const permissionOf = ({ method, path }: Operation) => permissionFor(method, withColons(path))
const isInPath = ({ path }: Operation) => path.startsWith('/api/organizations/{id}')

/** Signed in as the person, who is a member of two organizations: the client's, and their own. */
async function sessionOf(base: TestApp, { personId }: Client): Promise<BrowserClient> {
  const browser = browserOf(base)
  const from = { device: null, address: null }
  browser.cookie = await sessionStore(base.database.db, false).create(personId, null, from)
  assert.equal((await browser.get('/auth/session')).json.user.id, personId)
  return browser
}

const byKey =
  (client: Client): Asks =>
  (operation, url, headers) => {
    const { headers: type, ...body } = sent(operation)
    return client.send({ method: operation.method, url, ...body, headers: { ...type, ...headers } })
  }

const bySession =
  (browser: BrowserClient, organizationId: string): Asks =>
  (operation, url, headers) => {
    const { headers: type, ...body } = sent(operation)
    const page = {
      origin: 'http://localhost',
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': browser.csrfToken ?? '',
    }
    const all = { ...page, ...type, 'x-organization': organizationId, ...headers }
    return browser.send({ method: operation.method, url, ...body, headers: all })
  }

/** The operations of organizations; those of the platform's administrators have tests of their own. */
const operations = ({ app }: TestApp) => operationsOf(app).filter(({ path }) => scopeOf(withColons(path)) !== 'admin')

const assertMissingRole = (answer: Answer, about: string) => {
  assert.equal(answer.status, 403, `${about}: ${answer.text}`)
  assert.match(String(answer.headers['x-error-code']), /^role_missing;/, about)
}

async function matrix(base: TestApp, judge: (about: Judged) => Promise<void>): Promise<number> {
  const own = await belongings(base.ana)
  const foreign = await belongings(base.bia)
  const owner = byKey(base.ana)
  const members = await Promise.all(memberRoles.map((role) => base.newMember(base.ana, role)))
  const before = [await visible(base.ana, own), await visible(base.bia, foreign)]
  let judged = 0
  for (const [i, role] of memberRoles.entries()) {
    const member = members[i] as Client
    const browser = await sessionOf(base, member)
    const ways = { key: byKey(member), session: bySession(browser, base.ana.userId) }
    for (const [way, asks] of Object.entries(ways))
      for (const operation of operations(base)) {
        const permission = permissionOf(operation)
        const mayDo = permission === null || permissionsOf(role).has(permission)
        await judge({
          about: `${operation.title} as ${role} by ${way}`,
          asks,
          owner,
          operation,
          mayDo,
          own,
          foreign,
          way,
        })
        judged++
      }
  }
  assert.deepEqual([await visible(base.ana, own), await visible(base.bia, foreign)], before)
  return judged
}

type Judged = {
  about: string
  asks: Asks
  owner: Asks
  operation: Operation
  mayDo: boolean
  own: Belongings
  foreign: Belongings
  way: string
}

const urlIn = (operation: Operation, ids: Belongings) =>
  operation.pathParameters.length === 0 ? operation.path : pathOf(operation, ids)

test('a member does in their organization what their role permits, and gets 403 for the rest', async () => {
  const judged = await matrix(await testApp(), async ({ about, asks, owner, operation, mayDo, own }) => {
    const url = urlIn(operation, own)
    if (!mayDo) return assertMissingRole(await asks(operation, url), about)
    // What is permitted is only read here: writing would change what the next role finds.
    if (operation.method !== 'GET' || isStream(operation)) return
    const [answer, expected] = [await asks(operation, url), await owner(operation, url)]
    assert.equal(answer.status, expected.status, `${about}: ${answer.text}`)
  })
  assert.ok(judged > 1000, `${judged} were judged`)
})

test('29 a record of another organization is a 404 like a missing one, whatever the role', async () => {
  await matrix(await testApp(), async ({ about, asks, operation, mayDo, foreign }) => {
    if (operation.pathParameters.length === 0) return
    const answer = await asks(operation, pathOf(operation, foreign))
    if (!mayDo && !isInPath(operation)) return assertMissingRole(answer, about)
    assert.equal(answer.status, 404, `${about}: ${answer.text}`)
  })
})

test('another organization that a header or the query names is a 404, by session and by key', async () => {
  const base = await testApp()
  const named = base.bia.userId
  await matrix(base, async ({ about, asks, operation, foreign }) => {
    if (isInPath(operation)) return
    const url = urlIn(operation, foreign)
    assertError(await asks(operation, url, { 'x-organization': named }), 404, 'Organization not found')
    const inQuery = await asks(operation, `${url}?organization=${named}`, { 'x-organization': '' })
    assert.equal(inQuery.status, 404, about)
    assertError(inQuery, 404, 'Organization not found')
  })
})

test('every role has what the one below it has, and the kinds that the issue withholds are withheld', () => {
  const may = (role: MemberRole) => permissionsOf(role)
  for (const permission of may('admin')) assert.ok(may('owner').has(permission), permission)
  for (const role of ['builder', 'attendant', 'viewer'] as const)
    for (const permission of may(role)) assert.ok(may('admin').has(permission), `${role}: ${permission}`)
  const withheld: Permission[] = ['agents:read', 'keys:read', 'providers:read', 'recordings:read', 'exports:read']
  for (const permission of withheld) assert.ok(!may('attendant').has(permission), permission)
  assert.ok([...may('viewer')].every((permission) => permission.endsWith(':read')))
  assert.ok(permissionsOf('viewer', { mayListen: true, mayExport: false }).has('recordings:read'))
  assert.ok(!permissionsOf('viewer', { mayListen: true, mayExport: false }).has('exports:read'))
})

test('a route without a row in the role table fails at startup', () => {
  assert.throws(() => permissionFor('GET', '/api/tts-nobody-decided'), /No scope is decided|No role is decided/)
  assert.throws(() => permissionFor('POST', '/api/constructor'), /is decided/)
})
