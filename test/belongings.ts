// One record of each type of a client, the path of an operation on it, and a body that the operation accepts: for tests
// that send every operation.
import assert from 'node:assert/strict'
import { newId } from '../src/base/ids.ts'
import { aNumber, anAgent, type Client, testApp } from './app.ts'
import { type Operation, urlOf } from './operations.ts'
import { aProvider, makeCallback, makeCampaignRecords, makeWebhook } from './records.ts'

/** One record of each type, and the path parameter that takes its id. */
export async function belongings(client: Client) {
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
    organizations: client.userId,
  }
  const { personId: member } = await (await testApp()).newMember(client, 'viewer')
  const invited = { email: `${newId('x')}@example.com`, role: 'viewer' }
  const invitation = (await post(`/api/organizations/${client.userId}/invitations`, invited)).id
  const records = {
    agent,
    tool,
    trunk,
    did,
    device,
    conversation,
    call,
    key,
    base,
    document,
    sheet,
    row,
    delivery,
    member,
    invitation,
  }
  return { ...records, contact: ofCampaign.contact, import: ofCampaign.import, byWord }
}
export type Belongings = Awaited<ReturnType<typeof belongings>>

export function pathOf(operation: Operation, own: Belongings): string {
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
    personId: own.member,
    invitationId: own.invitation,
  })
}

export function sent({ title, body }: Operation): { payload?: string; headers?: Record<string, string> } {
  const given = bodies[title] ?? (body ? {} : undefined)
  return given ? { payload: JSON.stringify(given), headers: { 'content-type': 'application/json' } } : {}
}

const bodies: Record<string, object> = {
  'POST /api/organizations/{id}/invitations': { email: 'x@example.com', role: 'viewer' },
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

/** Everything a user can see, except calls, which end by themselves. */
export async function visible(client: Client, own: Belongings): Promise<unknown[]> {
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
