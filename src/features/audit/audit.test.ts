// What a row of the audit log holds, who reads it, and what never is in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, type TestApp, testApp } from '../../../test/app.ts'
import { browserOf } from '../../../test/browser-client.ts'
import { makeRecords } from '../../../test/records.ts'
import { until } from '../../../test/until.ts'
import { passwordHasher } from '../../base/crypto/password-hash.ts'
import { audit } from '../../db/audit.ts'
import { purger } from '../../db/purge.ts'
import { userPasswords } from '../users/password-store.ts'
import { userStore } from '../users/store.ts'
import type { AuditEntry } from './schema.ts'

const listOf = async (client: Client, query = ''): Promise<AuditEntry[]> =>
  (await client.get(`/api/audit${query}`)).json

const keyIdOf = async ({ database }: TestApp, { userId }: Client) => {
  const keys = database.db.selectFrom('apiKeys').select('id').where('userId', '=', userId).orderBy('id')
  return (await keys.executeTakeFirstOrThrow()).id
}

test('a change has who made it, from where, and the old and new values of what is shown', async () => {
  const base = await testApp()
  const { ana } = base
  const { id } = (await ana.post('/api/agents', { ...anAgent, llmConfig: { apiKey: 'hidden' } })).json
  const systemPrompt = `You are kind. ${'Very. '.repeat(100)}`
  const patch = { name: 'Bia', systemPrompt, llmConfig: { apiKey: 'also hidden' } }
  const sent = { method: 'PATCH', url: `/api/agents/${id}`, payload: JSON.stringify(patch) } as const
  const headers = { 'content-type': 'application/json' }
  assert.equal((await ana.send({ ...sent, headers, remoteAddress: '198.51.100.77' })).status, 200)
  const [changed, created] = await listOf(ana)
  assert.equal(created?.action, 'agent.created')
  assert.equal(changed?.action, 'agent.updated')
  assert.equal(changed.recordId, id)
  assert.equal(changed.personId, ana.personId)
  assert.equal(changed.personName, 'ana')
  assert.equal(changed.credentialId, await keyIdOf(base, ana))
  assert.equal(changed.address, '198.51.100.0/24')
  const by = new Map(changed.changes.map((change) => [change.field, change]))
  assert.deepEqual(by.get('name'), { field: 'name', from: 'Ana', to: 'Bia' })
  assert.deepEqual(by.get('llmConfig'), { field: 'llmConfig' })
  const prompt = by.get('systemPrompt') as { from: string; to: { text: string; length: number; sha256: string } }
  assert.equal(prompt.from, anAgent.systemPrompt)
  assert.deepEqual([prompt.to.text.length, prompt.to.length], [300, systemPrompt.length])
  assert.match(prompt.to.sha256, /^[0-9a-f]{64}$/)
})

test('a change that changes nothing, is refused or is rolled back leaves no row', async () => {
  const { ana, database } = await testApp()
  const { id } = (await ana.post('/api/agents', anAgent)).json
  const url = `/api/agents/${id}`
  assert.equal((await ana.patch(url, { name: anAgent.name })).status, 200)
  assert.equal((await ana.patch(url, { name: 'B' }, { 'if-match': '"99"' })).status, 412)
  const actor = { personId: ana.personId, credentialId: null, address: null }
  const work = database.db.inTransaction(async (trx) => {
    await audit(trx, { kind: 'agent', action: 'lost', userId: ana.userId, id }, actor)
    throw new Error('rolled back')
  })
  await assert.rejects(work, /rolled back/)
  assert.deepEqual(
    (await listOf(ana)).map(({ action }) => action),
    ['agent.created'],
  )
})

test('an effect of a repeated Idempotency-Key is in the log once', async () => {
  const { ana } = await testApp()
  const key = { 'idempotency-key': 'once' }
  for (let i = 0; i < 2; i++) assert.equal((await ana.post('/api/agents', anAgent, key)).status, 201)
  assert.equal((await listOf(ana)).length, 1)
})

test('no secret, and nothing about a caller, is in the audit log', async () => {
  const base = await testApp()
  const admin = await base.newUser('root', 'admin')
  const records = await makeRecords(base, admin)
  const { db } = base.database
  await admin.patch(`/api/trunks/${records.trunk}`, { password: 'another-secret' })
  await admin.patch(`/api/providers/${records.provider}`, { apiKey: 'sk-another-secret' })
  await admin.post('/api/suppressions', { phoneNumber: '+5511987650001', note: 'a secret of theirs' })
  await admin.patch(`/api/callbacks/${records.callback}`, { note: 'a secret', status: 'done' })
  const call = await db.selectFrom('calls').select('toNumber').where('id', '=', records.call).executeTakeFirstOrThrow()
  const devices = await db.selectFrom('devices').selectAll().where('userId', '=', admin.userId).execute()
  const rows = await db.selectFrom('auditRows').selectAll().where('userId', '=', admin.userId).execute()
  assert.ok(rows.length > 20, `${rows.length} rows`)
  const shown = (changes: string | null) =>
    (JSON.parse(changes ?? '[]') as { field: string }[]).filter(({ field }) => field !== 'name')
  // Names are shown: the names of these records are `a secret`.
  const text = rows.map((row) => JSON.stringify({ ...row, changes: shown(row.changes) })).join('\n')
  const hidden = [call.toNumber, '+5511987650001', admin.key, records.deviceToken]
  for (const { sipPasswordSealed, token } of devices) hidden.push(sipPasswordSealed, token)
  for (const secret of ['another-secret', 'a secret', 'a-secret', ...hidden])
    assert.ok(!text.includes(String(secret)), `${secret} is in the audit log`)
  assert.ok(text.includes('"field":"password"'), 'the names of secret fields are there')
})

test('sign-ins, failed ones and sign-outs are in the log, without what was typed', async () => {
  const base = await testApp()
  const { ana, database } = base
  const email = `${ana.userId}@example.com`
  const passwords = userPasswords(database.db)
  await passwords.set(ana.userId, email, await passwordHasher().hash('correct horse battery'))
  const browser = browserOf(base, 'http://localhost', '203.0.113.9')
  const typed = 'what I use elsewhere'
  assert.equal((await browser.post('/auth/login', { email, password: typed })).status, 401)
  const count = async () => (await listOf(ana, '?kind=session')).length
  await until('the failed sign-in is noted', async () => (await count()) === 1)
  assert.equal((await browser.post('/auth/login', { email, password: 'correct horse battery' })).status, 200)
  await browser.post('/auth/logout')
  assert.equal((await browser.post('/auth/login', { email: 'nobody@example.com', password: typed })).status, 401)
  const entries = (await listOf(ana, '?kind=session')).reverse()
  assert.deepEqual(
    entries.map(({ action, personId, address }) => [action, personId, address]),
    ['session.refused', 'session.started', 'session.ended'].map((each) => [each, ana.userId, '203.0.113.0/24']),
  )
  assert.deepEqual(entries[0]?.changes, [{ field: 'reason', from: null, to: 'password' }])
  assert.match(String(entries[1]?.credentialId), /^ses_/)
  assert.ok(!JSON.stringify(entries).includes(typed))
})

test('the list is filtered and paged, and shows one organization to its owner and administrators only', async () => {
  const base = await testApp()
  const { ana, bia } = base
  const { id } = (await ana.post('/api/agents', anAgent)).json
  await ana.patch(`/api/agents/${id}`, { name: 'B' })
  await ana.post('/api/tools', { name: 'x', type: 'custom' })
  await bia.post('/api/agents', anAgent)
  const actions = async (query: string) => (await listOf(ana, query)).map(({ action }) => action)
  assert.deepEqual(await actions(''), ['tool.created', 'agent.updated', 'agent.created'])
  assert.deepEqual(await actions(`?recordId=${id}`), ['agent.updated', 'agent.created'])
  assert.deepEqual(await actions('?kind=tool'), ['tool.created'])
  assert.deepEqual(await actions('?action=agent.updated'), ['agent.updated'])
  assert.deepEqual(await actions(`?personId=${bia.personId}`), [])
  assert.deepEqual(await actions('?from=2999-01-01T00:00:00Z'), [])
  assert.equal((await actions('?to=2999-01-01T00:00:00%2B03:00')).length, 3)
  const first = await ana.get('/api/audit?limit=2')
  const [, next = ''] = /<([^>]+)>/.exec(String(first.headers.link)) ?? []
  assert.deepEqual(
    (await ana.get(next)).json.map(({ action }: AuditEntry) => action),
    ['agent.created'],
  )
  for (const role of ['builder', 'attendant', 'viewer'] as const)
    assertError(await (await base.newMember(ana, role)).get('/api/audit'), 403)
  assert.equal((await listOf(await base.newMember(ana, 'admin'))).length, 3)
})

test('the export needs the permission for exports and for the log, and is noted itself', async () => {
  const base = await testApp()
  const { ana } = base
  await ana.post('/api/agents', { ...anAgent, name: '=cmd()' })
  const csv = await ana.get('/api/audit/export')
  assert.match(String(csv.headers['content-type']), /^text\/csv/)
  assert.match(csv.text, /agent\.created/)
  const lines = (await ana.get('/api/audit/export?format=ndjson&kind=agent')).text.trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).action),
    ['agent.created'],
  )
  const exporting = await base.newMember(ana, 'viewer', { mayExport: true })
  assertError(await exporting.get('/api/audit/export'), 403)
  assert.equal((await listOf(ana, '?action=audit.exported')).length, 2)
})

test('erasing a caller leaves the log as it is; removing the organization removes it', async () => {
  const { ana, database } = await testApp()
  await ana.post('/api/agents', anAgent)
  const before = await listOf(ana)
  assert.equal((await ana.post('/api/conversations/forget', { number: '+5511987650002' })).status, 200)
  assert.deepEqual((await listOf(ana)).slice(1), before)
  await userStore(database.db).remove(ana.userId)
  await purger(database.db, 'here').user(ana.userId)
  const left = database.db.selectFrom('auditRows').select('id').where('userId', '=', ana.userId)
  assert.deepEqual(await left.execute(), [])
})
