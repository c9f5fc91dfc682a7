// Every operation that changes a record leaves exactly one row in the audit log; no read leaves one, but downloads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, type Client, type TestApp, testApp, usesPostgres } from '../../../test/app.ts'
import { type Belongings, belongings, pathOf, sent } from '../../../test/belongings.ts'
import { isStream, type Operation, operationsOf } from '../../../test/operations.ts'
import { makeRecords } from '../../../test/records.ts'
import { newId } from '../../base/ids.ts'

type Body = (own: Belongings) => object
const aMobile = '+5511987654321'
const named = { name: 'changed' }
const agentOf: Body = (own) => ({ name: 'x', agentId: own.agent })

/** A body with which each operation changes something. */
const bodies: Record<string, Body> = {
  'POST /api/did': () => ({ phoneNumber: aNumber(), countryCode: '55' }),
  'PATCH /api/did/{id}': () => ({ status: 'inactive' }),
  'POST /api/organizations': () => named,
  'PATCH /api/organizations/{id}': () => named,
  'PATCH /api/organizations/{id}/members/{personId}': () => ({ role: 'builder' }),
  'POST /api/api-keys': () => named,
  'POST /api/providers': () => ({ vendor: 'openai-compatible', baseUrl: 'https://m.invalid/v1', model: 'm' }),
  'PATCH /api/providers/{id}': () => named,
  'POST /api/knowledge-bases': () => named,
  'PATCH /api/knowledge-bases/{id}': () => named,
  'POST /api/suppressions': () => ({ phoneNumber: aMobile }),
  'POST /api/suppressions/check': () => ({ phoneNumber: aMobile }),
  'POST /api/suppression-lists': () => named,
  'PATCH /api/suppression-lists/{id}': () => named,
  'POST /api/calling-rules': () => ({ name: 'x', copyOf: 'br-strict' }),
  'PATCH /api/calling-rules/{id}': () => named,
  'POST /api/conversations/start': agentOf,
  'POST /api/conversations/end': (own) => ({ conversationId: own.conversation }),
  'POST /api/conversations/forget': () => ({ number: aNumber() }),
  'POST /api/tools': () => ({ name: 'x', type: 'custom' }),
  'PATCH /api/tools/{id}': () => named,
  'POST /api/widgets': agentOf,
  'PATCH /api/widgets/{id}': () => named,
  'POST /api/calls/outbound': ({ agent: agentId }) => ({ agentId, toNumber: aNumber() }),
  'POST /api/gateway/calls/outbound': ({ agent: agentId }) => ({ agentId, toNumber: aNumber() }),
  'POST /api/agents': () => ({ name: 'x', systemPrompt: 'x' }),
  'PATCH /api/agents/{id}': () => named,
  'PATCH /api/callbacks/{id}': () => ({ status: 'done' }),
  'POST /api/spreadsheets': () => ({ name: 'x', columns: ['x'] }),
  'PATCH /api/spreadsheets/{id}': () => named,
  'POST /api/campaigns': agentOf,
  'PATCH /api/campaigns/{id}': () => named,
  'POST /api/rehearsals': ({ agent: agentId }) => ({ agentId, steps: [] }),
  'POST /api/rehearsal-scripts': ({ agent: agentId }) => ({ name: 'x', agentId, script: {} }),
  'PATCH /api/users/{id}': () => ({ role: 'admin' }),
  'POST /api/users/{id}/password-link': () => ({ email: `${newId('x')}@example.com` }),
  'POST /api/invitations': () => ({ email: `${newId('x')}@example.com` }),
  'POST /api/webhooks': () => ({ url: 'http://hooks.invalid/y' }),
  'PATCH /api/webhooks/{id}': () => ({ description: 'changed' }),
  'POST /api/gateway/credentials': () => ({ email: 'a@example.com', password: 'x' }),
  'PATCH /api/gateway/devices/{id}': () => named,
  'POST /api/trunks': () => named,
  'PATCH /api/trunks/{id}': () => named,
}

/** These succeed and leave no row. */
const exceptions: Record<string, string> = {
  'POST /api/providers/{id}/test': 'asks a vendor, changes nothing',
  'POST /api/knowledge-bases/{id}/search': 'a search',
  'POST /api/did/{id}/answer-hook/test': 'asks the hook, changes nothing',
  'POST /api/agents/{id}/answer-hook/test': 'asks the hook, changes nothing',
  'POST /api/suppressions/check': 'a question',
  'POST /api/calling-rules/{id}/ask': 'a question',
  'POST /api/campaigns/{id}/preview': 'a dry run',
  'POST /api/conversations/start': 'a conversation has its own record: who said what in it',
  'POST /api/conversations/message/send/{conversationId}': 'a message of a conversation',
  'POST /api/conversations/end': 'the end of a conversation',
  'POST /api/conversations/{id}/analyse': 'repeats what the platform does by itself',
  'POST /api/rehearsals': 'a rehearsal is a test and keeps its own record',
  'POST /api/rehearsals/{id}/stop': 'a rehearsal',
  'DELETE /api/rehearsals/{id}': 'a rehearsal',
  'POST /api/rehearsal-scripts': 'a rehearsal',
  'PATCH /api/rehearsal-scripts/{id}': 'a rehearsal',
  'POST /api/rehearsal-scripts/{id}/runs': 'a rehearsal',
  'DELETE /api/rehearsal-scripts/{id}': 'a rehearsal',
  ...(usesPostgres ? {} : { 'PATCH /api/settings/addresses': 'sent without a change: with one, the server restarts' }),
  'POST /api/webhooks/{id}/test': 'sends a test event',
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': 'sends an event again',
  'POST /api/gateway/provision-device': 'returns the device that exists',
  'POST /api/tools/{id}/agents/{agentId}': 'linked already; the link has a test below',
}

/** These need a live call, a vendor, a phone or a running campaign. */
const notHere = new Set([
  ...['POST /api/organizations/{id}/leave', 'POST /api/users/{id}/remove-second-factor', 'POST /api/web-calls'],
  ...['POST /api/tts/provider_b/stream', 'POST /api/tts/provider_c/stream', 'POST /api/trunks/{id}/doctor'],
  ...['POST /api/providers/draft/test', 'POST /api/providers/draft/models', 'POST /api/providers/draft/voices'],
  ...['POST /api/tools/{id}/test', 'POST /api/rehearsal-scripts/from-call'],
  ...['POST /api/calls/{id}/hangup', 'POST /api/calls/{id}/say', 'POST /api/calls/{id}/transfer'],
  ...['POST /api/campaigns/{id}/start', 'POST /api/campaigns/{id}/pause', 'POST /api/campaigns/{id}/resume'],
])
if (usesPostgres) notHere.add('PATCH /api/settings/addresses')
/** The phone of an embedded device is unlinked by a new password. */
const twoRows = new Set(['POST /api/gateway/devices/{id}/unlink'])

/** In the order of a record's life: what others remove with them comes before those. */
const late = ['/cancel', '/rows/{rowId}', '/api/callbacks/{id}', '/content', '/link-trunk/{trunkId}']
function order(a: Operation, b: Operation): number {
  const rank = ({ method, path }: Operation) => {
    if (method !== 'DELETE' && !/cancel|content/.test(path)) return -1
    const place = late.findIndex((end) => path.endsWith(end))
    return place !== -1 ? place : path === '/api/agents/{id}' ? late.length + 1 : late.length
  }
  return rank(a) - rank(b) || (a.method === 'DELETE' ? b.path.length - a.path.length : 0)
}

const files: Record<string, string> = {
  'PUT /api/spreadsheets/{id}/content': 'x\ny\n',
  'PUT /api/suppression-lists/{id}/content': `${aMobile}\n`,
}

function send(client: Client, operation: Operation, own: Belongings) {
  const { method, title, path } = operation
  const url = operation.pathParameters.length === 0 ? path : pathOf(operation, own)
  const file = files[title]
  if (file) return client.send({ method, url, payload: file, headers: { 'content-type': 'text/csv' } })
  const body = bodies[title]?.(own)
  const given = body
    ? { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : sent(operation)
  return client.send({ method, url, ...given })
}

async function rowsIn({ database: { db } }: TestApp): Promise<{ id: string; action: string; userId: string }[]> {
  return db.selectFrom('auditRows').select(['id', 'action', 'userId']).orderBy('id').execute()
}

test('every operation that changes a record leaves exactly one row in the audit log, and no other does', async () => {
  const base = await testApp()
  const admin = await base.newUser('root', 'admin')
  const own = await belongings(admin)
  const { userId: colleague } = await base.newUser('colleague')
  const { json: invited } = await admin.post('/api/invitations', { email: `${newId('x')}@example.com` })
  Object.assign(own.byWord, { users: colleague, invitations: invited.id })
  const operations = operationsOf(base.app).filter(({ method }) => method !== 'GET')
  const wrong: string[] = []
  let audited = 0
  for (const operation of operations.sort(order)) {
    const { title } = operation
    const before = await rowsIn(base)
    const answer = await send(admin, operation, own)
    const actions = (await rowsIn(base)).slice(before.length).map(({ action }) => action)
    const about = `${title}: ${answer.status} ${answer.text.slice(0, 200)} left ${actions}`
    const expected = title in exceptions || notHere.has(title) ? 0 : twoRows.has(title) ? 2 : 1
    if (actions.length !== expected || answer.status < 300 === notHere.has(title)) wrong.push(about)
    audited += actions.length
  }
  assert.deepEqual(wrong, [])
  assert.ok(audited > 60, `${audited} operations were audited`)
})

test('reads leave no row, but a download of a recording and exports do', async () => {
  const base = await testApp()
  const records = await makeRecords(base, base.ana)
  const own = await belongings(base.bia)
  const before = (await rowsIn(base)).length
  const reads = operationsOf(base.app).filter((each) => each.method === 'GET' && !isStream(each))
  for (const operation of reads) {
    const isKnown = operation.pathParameters.length === 0 || (operation.path.split('/')[2] ?? '') in own.byWord
    if (isKnown) await send(base.bia, operation, own)
  }
  const list = (await base.ana.get('/api/calls')).json as { id: string }[]
  assert.ok(list.some(({ id }) => id === records.call))
  assert.equal((await base.ana.get(`/api/gateway/calls/recordings/${records.call}`)).status, 200)
  const actions = (await rowsIn(base)).slice(before).map(({ action }) => action)
  const expected = ['audit.exported', 'call.recording_downloaded', 'campaign.results_exported', 'spreadsheet.exported']
  assert.deepEqual(actions.sort(), expected)
})
