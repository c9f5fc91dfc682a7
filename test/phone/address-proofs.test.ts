// Proofs of carrier addresses: how they are obtained, that they survive a restart, how they are released, and trunks in
// a database from before proofs existed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { newId } from '../../src/base/ids.ts'
import type { Config } from '../../src/config/config.ts'
import type { Client } from '../app.ts'
import { agentOnTrunk, newNumber, type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { compiled } from '../service.ts'
import { until } from '../until.ts'

const run = promisify(execFile)

const envOf = ({ dataDir, database }: Config): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
})

const proved = (app: PhoneApp, address: string, client: Client) =>
  app.app.phone?.directory.provedUsers(address).has(client.userId)

async function answeredCall(app: PhoneApp, carrier: ByHand, uri: string): Promise<void> {
  const call = await carrier.call(app.sipPort, { uri })
  await call.answered()
  await call.bye()
}

/** The same platform after a restart. */
async function restarted(app: PhoneApp): Promise<PhoneApp> {
  for (const node of app.nodes) await node.close()
  return startPhoneApp(envOf(app.config))
}

async function askedBy(app: PhoneApp, { key }: Client, method: 'POST' | 'PATCH', url: string, body: object) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return app.anonymous({ method, url, headers, payload: JSON.stringify(body) })
}

test('a registration proves the address of its registrar, with a password and while it lasts', async (t) => {
  const app = await startPhoneApp()
  const registrar = await openByHand(t, '127.0.18.1')
  let isStrict = false
  registrar.onRequest = (request) => {
    if (request.method !== 'REGISTER') return
    if (isStrict && !request.headers.has('authorization'))
      return registrar.answer(request, 401, {
        headers: [['www-authenticate', 'Digest realm="r", nonce="n", qop="auth"']],
      })
    registrar.answer(request, 200, { headers: [['expires', request.headers.get('expires') ?? '60']] })
  }
  const account = { authMode: 'register', username: 'account', password: 'secret' }
  const trunk = { host: registrar.address, ...account }
  const { trunkId } = await agentOnTrunk(app, app.ana, registrar.port, { trunk })
  const statusIs = (wanted: string) =>
    until(`it is ${wanted}`, async () => (await app.ana.get(`/api/trunks/${trunkId}`)).json.status === wanted)
  await statusIs('registered')
  assert.equal(proved(app, registrar.address, app.ana), false, 'anybody could answer 200')
  isStrict = true
  await app.ana.patch(`/api/trunks/${trunkId}`, { registerExpires: 120 })
  await until('it is proved', () => proved(app, registrar.address, app.ana))
  await app.ana.patch(`/api/trunks/${trunkId}`, { isActive: false })
  await until('it is no longer', () => proved(app, registrar.address, app.ana) === false)
})

test('an acknowledged call proves its address, also after a restart, until the operator releases it', async (t) => {
  const before = await startPhoneApp()
  const carrier = await openByHand(t, '127.0.18.2')
  carrier.onRequest = (request) => request.method === 'INVITE' && carrier.answer(request, 486)
  const trunk = { host: '127.0.18.3', allowedAddresses: ['127.0.18.0/24'] }
  const ofAna = await agentOnTrunk(before, before.ana, carrier.port, { trunk })
  const ofBia = await agentOnTrunk(before, before.bia, carrier.port, {
    trunk: { host: carrier.address },
    type: 'outbound',
  })
  const unacknowledged = await carrier.call(before.sipPort, { uri: ofAna.number })
  await unacknowledged.final()
  assert.equal(proved(before, carrier.address, before.ana), false)
  unacknowledged.ack()
  await until('it is proved', () => proved(before, carrier.address, before.ana))
  await unacknowledged.bye()
  assert.equal(proved(before, '127.0.18.4', before.ana), false, 'the other addresses of the range are not')

  const app = await restarted(before)
  const callOfBia = async () => {
    const request = { agentId: ofBia.agentId, toNumber: newNumber() }
    const { callId } = (await askedBy(app, before.bia, 'POST', '/api/calls/outbound', request)).json
    const row = await until('it has ended', async () => {
      const headers = { 'x-api-key': before.bia.key }
      const { json } = await app.anonymous({ method: 'GET', url: `/api/calls/${callId}`, headers })
      return json.endedAt !== null && json
    })
    return row.endDetail ?? row.endReason
  }
  assert.match(await callOfBia(), /belongs to another account/)
  const release = (address: string) =>
    run(process.execPath, ['src/cli/main.ts', 'addresses', 'release', address], {
      env: { ...compiled, ...envOf(app.config) },
    })
  assert.match(
    (await release(`::ffff:${carrier.address}`)).stdout,
    new RegExp(`^released 127.0.18.2 from trunk ${ofAna.trunkId}`),
  )
  await assert.rejects(release(carrier.address), /no trunk has proved 127\.0\.18\.2/)
  await assert.rejects(release('127.0.18.0/24'), /is not an IP address/)
  await until('the phone has heard', () => proved(app, carrier.address, before.ana) === false)
  assert.match(await callOfBia(), /Busy|busy/)
})

test('trunks of a database of before keep working; owners above the limits keep them and cannot add', async (t) => {
  const before = await startPhoneApp()
  const carrier = await openByHand(t, '127.0.18.21')
  const { ana, bia } = before
  // Claimed first by another user.
  await agentOnTrunk(before, bia, carrier.port, { trunk: { host: '127.0.18.22', allowedAddresses: ['127.0.18.0/24'] } })
  const { number, trunkId, agentId } = await agentOnTrunk(before, ana, carrier.port, {
    trunk: { host: carrier.address },
  })
  const { db } = before.database
  const row = await db.selectFrom('trunks').selectAll().where('id', '=', trunkId).executeTakeFirstOrThrow()
  const settings = (from: number) =>
    JSON.stringify({ allowedAddresses: Array.from({ length: 5 }, (_, i) => `198.51.100.${from + i}`) })
  const ids = Array.from({ length: 60 }, () => newId('trk'))
  for (const [i, id] of ids.entries())
    await db
      .insertInto('trunks')
      .values({ ...row, id, name: `old ${i}`, host: null, addressClaims: '{}', settings: settings(i % 40) })
      .execute()
  await sql`drop index "calls_tests"`.execute(db)
  await sql`drop trigger "users_home"`.execute(db)
  for (const table of ['members', 'organizations', 'auditRows', 'auditBatches'] as const)
    await sql`drop table ${sql.table(table)}`.execute(db)
  for (const [table, column] of [
    ['trunks', 'addressProofs'],
    ['trunks', 'mayReachPrivate'],
    ['calls', 'isTest'],
    ['campaigns', 'resumedAt'],
    ['campaignListRows', 'line'],
    ['messages', 'author'],
    ['users', 'isPerson'],
    ['users', 'lastOrganizationId'],
    ['apiKeys', 'createdBy'],
    ['invitations', 'organizationId'],
    ['invitations', 'memberRole'],
  ] as const)
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db)
  await sql`delete from migrations where name >= '0042'`.execute(db)

  const app = await restarted(before)
  await answeredCall(app, carrier, number)
  const headers = { 'x-api-key': ana.key }
  const calls = (await app.anonymous({ method: 'GET', url: '/api/calls', headers })).json
  assert.deepEqual([calls.length, calls[0].toNumber, calls[0].trunkId], [1, number, trunkId])

  const url = `/api/trunks/${ids[0]}`
  const trunk = { name: 'new', host: 'carrier.example' }
  const refused = [
    await askedBy(app, ana, 'POST', '/api/trunks', trunk),
    await askedBy(app, ana, 'POST', `${url}/duplicate`, {}),
    await askedBy(app, ana, 'POST', `/api/agents/${agentId}/link-trunk`, { trunkId: 'new', trunkType: 'outbound' }),
    await askedBy(app, ana, 'PATCH', url, {
      allowedAddresses: ['1', '2', '3', '4', '5', '6'].map((n) => `198.51.100.${n}`),
    }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [409, 409, 409, 409],
  )
  const taken = [
    await askedBy(app, ana, 'PATCH', url, { name: 'renamed' }),
    await askedBy(app, ana, 'PATCH', url, { allowedAddresses: ['198.51.100.1'] }),
    await askedBy(app, bia, 'POST', '/api/trunks', trunk),
  ]
  assert.deepEqual(
    taken.map(({ status }) => status),
    [200, 200, 201],
  )
})
