// Another user's id behaves exactly like an id that does not exist, wherever it is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../test/answers.ts'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../test/app.ts'
import { type Operation, operationsOf, urlOf } from '../../test/operations.ts'
import { aProvider, makeCallback, makeCampaignRecords, makeWebhook } from '../../test/records.ts'
import { scopeOf } from './scopes.ts'

/** One record of each type, and the path parameter that takes its id. */
async function belongings(client: Client) {
  const post = async (url: string, body?: unknown) => {
    const answer = await client.post(url, body)
    assert.ok(answer.status < 300, `${url}: ${answer.text}`)
    return answer.json
  }
  const agent = (await post('/api/agents', anAgent)).id
  const tool = (await post('/api/tools', { name: 'x', type: 'custom' })).id
  const trunk = (await post('/api/trunks', { name: 'x' })).id
  const did = (await post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId: agent })).id
  const device = await post('/api/gateway/devices', { agentId: agent })
  const conversation = (await post('/api/conversations/start', { agentId: agent })).id
  const call = (await post('/api/calls/outbound', { agentId: agent, toNumber: '+5511999990000' })).callId
  const key = (await post('/api/api-keys', { name: 'x' })).id
  const rehearsal = (await post('/api/rehearsals', { agentId: agent, steps: [] })).id
  const script = (await post('/api/rehearsal-scripts', { name: 'x', agentId: agent, script: {} })).id
  const sheet = (await post('/api/spreadsheets', { name: 'x', columns: ['x'] })).id
  const row = (await post(`/api/spreadsheets/${sheet}/rows`, { values: { x: 'x' } })).id
  const base = (await post('/api/knowledge-bases', { name: 'x' })).id
  const document = (await post(`/api/knowledge-bases/${base}/documents`, { name: 'x', content: 'x' })).id
  await post(`/api/conversations/message/send/${conversation}`, { type: 'user', content: 'x' })
  await post(`/api/tools/${tool}/agents/${agent}`)
  await post(`/api/agents/${agent}/link-trunk`, { trunkId: trunk, trunkType: 'inbound' })
  const { webhook, delivery } = await makeWebhook((await testApp()).database, client)
  const provider = (await post('/api/providers', aProvider)).id
  const widget = (await post('/api/widgets', { agentId: agent, name: 'x' })).id
  const callback = await makeCallback((await testApp()).database, client, { agent, conversation })
  const campaign = (await post('/api/campaigns', { name: 'x', agentId: agent })).id
  const ofCampaign = await makeCampaignRecords((await testApp()).database, client, campaign)
  const byWord: Record<string, string> = {
    campaigns: campaign,
    suppressions: ofCampaign.suppression,
    'suppression-lists': ofCampaign.suppressionList,
    'calling-rules': ofCampaign.callingRules,
    agents: agent,
    tools: tool,
    trunks: trunk,
    did,
    gateway: device.id,
    conversations: conversation,
    calls: call,
    callbacks: callback,
    'api-keys': key,
    rehearsals: rehearsal,
    'rehearsal-scripts': script,
    'knowledge-bases': base,
    spreadsheets: sheet,
    webhooks: webhook,
    providers: provider,
    widgets: widget,
  }
  const records = { agent, tool, trunk, did, device, conversation, call, key, base, document, sheet, row, delivery }
  return { ...records, contact: ofCampaign.contact, import: ofCampaign.import, byWord }
}
type Belongings = Awaited<ReturnType<typeof belongings>>

function pathOf(operation: Operation, own: Belongings): string {
  const id = own.byWord[operation.path.split('/')[2] ?? ''] ?? assert.fail(`${operation.title}: whose id is it?`)
  return urlOf(operation, {
    id,
    agentId: own.agent,
    trunkId: own.trunk,
    conversationId: own.conversation,
    sessionId: own.call,
    documentId: own.document,
    rowId: own.row,
    contactId: own.contact,
    importId: own.import,
    deliveryId: own.delivery,
  })
}

const nothing = {
  id: 'missing',
  agentId: 'missing',
  trunkId: 'missing',
  conversationId: 'missing',
  sessionId: 'missing',
  documentId: 'missing',
  rowId: 'missing',
  contactId: 'missing',
  importId: 'missing',
  deliveryId: 'missing',
}

function sent({ title, body }: Operation): { payload?: string; headers?: Record<string, string> } {
  const given = bodies[title] ?? (body ? {} : undefined)
  return given ? { payload: JSON.stringify(given), headers: { 'content-type': 'application/json' } } : {}
}

const bodies: Record<string, object> = {
  'PUT /api/did/{id}/answer-hook': { kind: 'url', url: 'https://example.com/' },
  'PUT /api/agents/{id}/answer-hook': { kind: 'url', url: 'https://example.com/' },
  'POST /api/knowledge-bases/{id}/documents': { name: 'x', content: 'x' },
  'PUT /api/knowledge-bases/{id}/documents/{documentId}': { name: 'x', content: 'x' },
  'POST /api/knowledge-bases/{id}/search': { query: 'x' },
  'POST /api/spreadsheets/{id}/rows': { values: {} },
  'PATCH /api/spreadsheets/{id}/rows/{rowId}': { values: {} },
  'POST /api/agents/{id}/link-trunk': { trunkId: 'x', trunkType: 'inbound' },
  'POST /api/calls/{id}/say': { text: 'x' },
  'POST /api/campaigns/{id}/contacts': { rows: [{ telefone: '+5511987654321' }] },
  'POST /api/campaigns/{id}/contacts/{contactId}/resolve': { resolution: 'retry' },
  'POST /api/calling-rules/{id}/ask': { phoneNumber: '+5511987654321' },
  'POST /api/conversations/message/send/{conversationId}': { type: 'user', content: 'x' },
}

const isForAdmins = ({ path }: Operation) => scopeOf(path) === 'admin'

/** Everything a user can see, except calls, which end by themselves. */
async function visible(client: Client, own: Belongings): Promise<unknown[]> {
  const urls = [
    '/api/agents',
    '/api/tools',
    '/api/trunks',
    '/api/did',
    '/api/gateway/devices',
    '/api/conversations',
    `/api/conversations/messages/${own.conversation}`,
    `/api/agents/${own.agent}/tools`,
    `/api/agents/${own.agent}/linked-trunks`,
    `/api/tools/${own.tool}`,
    '/api/gateway/sip/credentials',
    `/api/knowledge-bases/${own.base}`,
    `/api/spreadsheets/${own.sheet}`,
    '/api/webhooks',
    '/api/rehearsal-scripts',
    '/api/providers',
    '/api/widgets',
    '/api/campaigns',
    '/api/suppressions',
    '/api/suppression-lists',
    '/api/calling-rules',
    `/api/spreadsheets/${own.sheet}/rows`,
    `/api/knowledge-bases/${own.base}/documents/${own.document}`,
  ]
  const seen = []
  for (const url of urls) seen.push((await client.get(url)).json)
  const keys = (await client.get('/api/api-keys')).json as { id: string; isActive: boolean }[]
  seen.push(keys.map(({ id, isActive }) => ({ id, isActive })))
  return seen
}

function assertSame(foreign: Answer, missing: Answer, about: string): void {
  assert.equal(missing.status, 404, `${about}: ${missing.text}`)
  assert.equal(foreign.status, 404, `${about}: ${foreign.text}`)
  assertError(foreign, 404)
  assert.equal(foreign.text, missing.text, about)
  const names = (answer: Answer) => Object.keys(answer.headers).sort()
  assert.deepEqual(names(foreign), names(missing), about)
}

test("29 another user's id in a path gets the same response as a missing one, and changes nothing", async () => {
  const { app, ana, bia } = await testApp()
  const own = await belongings(ana)
  const before = await visible(ana, own)
  const all = operationsOf(app).filter(({ pathParameters }) => pathParameters.length > 0)
  const [forAdmins, withIds] = [all.filter(isForAdmins), all.filter((operation) => !isForAdmins(operation))]
  for (const operation of forAdmins)
    assertError(await bia.send({ method: operation.method, url: urlOf(operation, nothing), ...sent(operation) }), 403)
  assert.ok(withIds.length >= 20)
  for (const operation of withIds) {
    const ask = (url: string) =>
      operation.method === 'GET' || operation.method === 'DELETE'
        ? bia.send({ method: operation.method, url })
        : bia.send({ method: operation.method, url, ...sent(operation) })
    assertSame(await ask(pathOf(operation, own)), await ask(urlOf(operation, nothing)), operation.title)
    const head = await bia.send({ method: 'HEAD', url: pathOf(operation, own) })
    assert.ok(head.status === 404 || head.status === 405, `HEAD ${operation.path}`)
  }
  assert.deepEqual(await visible(ana, own), before)
  assert.equal((await ana.get(`/api/calls/${own.call}`)).status, 200)
})

test("29 another user's id in a body gets the same response as a missing one, and creates nothing", async () => {
  const { ana, bia } = await testApp()
  const [hers, mine] = [await belongings(ana), await belongings(bia)]
  const before = [await visible(ana, hers), await visible(bia, mine)]
  const toNumber = '+5511999990000'
  const tries: Record<string, (ids: { agent: string; conversation: string }) => Promise<Answer>> = {
    'a conversation': ({ agent }) => bia.post('/api/conversations/start', { agentId: agent }),
    'the end of a conversation': ({ conversation }) =>
      bia.post('/api/conversations/end', { conversationId: conversation }),
    'a number': ({ agent }) => bia.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId: agent }),
    'a binding': ({ agent }) => bia.patch(`/api/did/${mine.did}`, { agentId: agent, status: 'inactive' }),
    'a device': ({ agent }) => bia.post('/api/gateway/devices', { agentId: agent }),
    'a change of a device': ({ agent }) =>
      bia.patch(`/api/gateway/devices/${mine.device.id}`, { agentId: agent, name: 'x' }),
    'a rehearsal': ({ agent }) => bia.post('/api/rehearsals', { agentId: agent, steps: [] }),
    'a saved rehearsal': ({ agent }) => bia.post('/api/rehearsal-scripts', { name: 'x', agentId: agent, script: {} }),
    'a call': ({ agent }) => bia.post('/api/calls/outbound', { agentId: agent, toNumber }),
    'a widget': ({ agent }) => bia.post('/api/widgets', { agentId: agent, name: 'x' }),
    'a web call': ({ agent }) => bia.post('/api/web-calls', { agentId: agent }),
    'a call by a device': ({ agent }) => bia.post('/api/gateway/calls/outbound', { agentId: agent, toNumber }),
  }
  for (const [about, ask] of Object.entries(tries))
    assertSame(await ask(hers), await ask({ agent: 'missing', conversation: 'missing' }), about)
  assert.deepEqual([await visible(ana, hers), await visible(bia, mine)], before)
})

test('29 a link with one foreign id, on either side, is a 404', async () => {
  const { ana, bia } = await testApp()
  const [hers, mine] = [await belongings(ana), await belongings(bia)]
  const missing = await bia.post(`/api/tools/${mine.tool}/agents/missing`)
  assertSame(await bia.post(`/api/tools/${mine.tool}/agents/${hers.agent}`), missing, 'her agent')
  assertSame(
    await bia.post(`/api/tools/${hers.tool}/agents/${mine.agent}`),
    await bia.post(`/api/tools/missing/agents/${mine.agent}`),
    'her tool',
  )
  assertSame(
    await bia.delete(`/api/agents/${hers.agent}/link-trunk/${mine.trunk}`),
    await bia.delete(`/api/agents/missing/link-trunk/${mine.trunk}`),
    'her agent and my trunk',
  )
  assert.equal((await ana.get(`/api/agents/${hers.agent}/tools`)).json.length, 1)
})

test("29 another user's id in a query matches nothing", async () => {
  const { ana, bia } = await testApp()
  const hers = await belongings(ana)
  await belongings(bia)
  for (const url of ['/api/gateway/device-status', '/api/gateway/sip/credentials']) {
    const missing = await bia.get(`${url}?deviceId=missing`)
    for (const id of [hers.device.id, hers.device.deviceId, hers.device.token])
      assertSame(await bia.get(`${url}?deviceId=${id}`), missing, url)
  }
  const rotate = '/api/gateway/sip/credentials/rotate?deviceId='
  const before = (await ana.get('/api/gateway/sip/credentials')).json.password
  assertSame(await bia.post(`${rotate}${hers.device.id}`), await bia.post(`${rotate}missing`), 'rotate')
  assert.equal((await ana.get('/api/gateway/sip/credentials')).json.password, before)
  assert.deepEqual((await bia.get(`/api/calls?agentId=${hers.agent}`)).json, [])
})
