// One user's full set of records, for tests that need a record of every kind.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../src/base/ids.ts'
import { now } from '../src/base/time/clock.ts'
import type { Database } from '../src/db/database.ts'
import { tableKeys } from '../src/db/table-keys.ts'
import type { Tables } from '../src/db/tables.ts'
import { builtInPacks } from '../src/rule-packs/packs.ts'
import type { Answer } from './answers.ts'
import { aNumber, anAgent, type Client, type TestApp } from './app.ts'
import { putContact } from './campaign-rows.ts'
import type { Operation } from './operations.ts'

export type Kind =
  | 'agent'
  | 'conversation'
  | 'did'
  | 'trunk'
  | 'tool'
  | 'device'
  | 'call'
  | 'callback'
  | 'key'
  | 'rehearsal'
  | 'knowledgeBase'
  | 'document'
  | 'spreadsheet'
  | 'row'
  | 'webhook'
  | 'delivery'
  | 'provider'
  | 'widget'
  | 'script'
  | 'user'
  | 'invitation'
  | 'campaign'
  | 'contact'
  | 'import'
  | 'suppression'
  | 'suppressionList'
  | 'callingRules'
  | 'organization'
  | 'member'
  | 'memberInvitation'
type NewUser = { newUser: (name: string) => Promise<Client> }
export type Records = Record<Kind, string> & { deviceId: string; deviceToken: string; recording: string }

/** The kind of record that a path parameter names, keyed by the segment before it. Add every new segment here. */
const kindAfter: Record<string, Kind> = {
  'api-keys': 'key',
  agents: 'agent',
  toggle: 'agent',
  'link-trunk': 'trunk',
  conversations: 'conversation',
  messages: 'conversation',
  send: 'conversation',
  did: 'did',
  trunks: 'trunk',
  devices: 'device',
  tools: 'tool',
  rehearsals: 'rehearsal',
  'knowledge-bases': 'knowledgeBase',
  documents: 'document',
  spreadsheets: 'spreadsheet',
  rows: 'row',
  webhooks: 'webhook',
  deliveries: 'delivery',
  providers: 'provider',
  widgets: 'widget',
  'rehearsal-scripts': 'script',
  users: 'user',
  invitations: 'invitation',
  calls: 'call',
  callbacks: 'callback',
  recordings: 'call',
  campaigns: 'campaign',
  contacts: 'contact',
  imports: 'import',
  suppressions: 'suppression',
  'suppression-lists': 'suppressionList',
  'calling-rules': 'callingRules',
  organizations: 'organization',
  members: 'member',
}
/** The kind of record that a body or query field names; null: no record. */
export const kindOfField: Record<string, Kind | null> = {
  agentId: 'agent',
  conversationId: 'conversation',
  trunkId: 'trunk',
  deviceId: 'device',
  callId: 'call',
  personId: 'member',
  recordId: 'agent',
  voiceId: null,
  modelId: null,
  callerId: null,
  spreadsheetId: 'spreadsheet',
  contactId: 'contact',
  listId: 'suppressionList',
  rulesId: null, // also names built-in rule packs; an unknown one is a 400
}

/** The kind of record that each path parameter names. */
export function kindsOf(operation: Operation): [name: string, kind: Kind][] {
  const parts = operation.path.split('/')
  return operation.pathParameters.map((name) => {
    const kind = name === 'invitationId' ? 'memberInvitation' : kindAfter[parts[parts.indexOf(`{${name}}`) - 1] ?? '']
    assert.ok(kind, `${operation.title}: it is not decided what {${name}} names`)
    return [name, kind]
  })
}

const made = async (answer: Promise<Answer>) => {
  const { status, json, text } = await answer
  assert.ok(status === 200 || status === 201, text)
  return json
}

/**
 * An agent with a conversation and its message, a number, a linked trunk with a number, a tool, a device, a recorded
 * call, a key.
 */
export async function makeRecords(
  { database, config, newUser, newMember }: TestApp & NewUser,
  user: Client,
): Promise<Records> {
  const { id: agent } = await made(user.post('/api/agents', anAgent))
  const { id: conversation } = await made(user.post('/api/conversations/start', { agentId: agent, title: 'secret' }))
  await made(user.post(`/api/conversations/message/send/${conversation}`, { type: 'user', content: 'a secret' }))
  const { id: did } = await made(user.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', agentId: agent }))
  const { id: trunk } = await made(user.post('/api/trunks', { name: 'line', host: 'sip.example.com', password: 'x' }))
  const link = { trunkId: trunk, trunkType: 'inbound', phoneNumber: aNumber() }
  await made(user.post(`/api/agents/${agent}/link-trunk`, link))
  const headers = { 'X-Token': 'a secret' }
  const { id: tool } = await made(user.post('/api/tools', { name: 'look', type: 'api_request', headers }))
  await made(user.post(`/api/tools/${tool}/agents/${agent}`))
  const device = await made(user.post('/api/gateway/devices', { name: 'phone', agentId: agent }))
  await made(user.post('/api/gateway/credentials', { email: 'someone@example.com', password: 'a secret' }))
  const { callId: call } = await made(user.post('/api/calls/outbound', { toNumber: aNumber(), agentId: agent }))
  const { id: key } = await made(user.post('/api/api-keys', { name: 'second' }))
  const { id: knowledgeBase } = await made(user.post('/api/knowledge-bases', { name: 'guide' }))
  const documents = `/api/knowledge-bases/${knowledgeBase}/documents`
  const { id: document } = await made(user.post(documents, { name: 'page', content: 'A secret of the house.' }))
  await untilEnded(user, call)
  const { id: spreadsheet } = await made(user.post('/api/spreadsheets', { name: 'list', columns: ['Name'] }))
  const { id: row } = await made(user.post(`/api/spreadsheets/${spreadsheet}/rows`, { values: { Name: 'a secret' } }))
  const { id: rehearsal } = await made(user.post('/api/rehearsals', { agentId: agent, steps: [{ says: 'a secret' }] }))

  const script = { name: 'a secret', agentId: agent, script: { steps: [{ says: 'a secret' }] } }
  const { id: scriptId } = await made(user.post('/api/rehearsal-scripts', script))
  const { userId: colleague } = await newUser('colleague')
  // Members may not invite: for them this creates none.
  const invited = await user.post('/api/invitations', { email: `${newId('x')}@example.com` })
  const { personId: member } = await newMember(user, 'viewer')
  const invitations = `/api/organizations/${user.userId}/invitations`
  const asked = { email: `${newId('x')}@example.com`, role: 'viewer' }
  const { id: memberInvitation } = await made(user.post(invitations, asked))
  const { id: provider } = await made(user.post('/api/providers', aProvider))

  const hook = { kind: 'url', url: 'https://example.com/a-secret' }
  await made(user.put(`/api/did/${did}/answer-hook`, hook))
  await made(user.put(`/api/agents/${agent}/answer-hook`, hook))
  const { webhook, delivery } = await makeWebhook(database, user)
  const { id: widget } = await made(user.post('/api/widgets', { agentId: agent, name: 'a secret' }))

  const callback = await makeCallback(database, user, { agent, conversation })
  const { id: campaign } = await made(user.post('/api/campaigns', { name: 'a secret', agentId: agent }))
  const ofCampaign = await makeCampaignRecords(database, user, campaign)

  const recording = join(config.dataDir, 'recordings', `${call}.wav`)
  mkdirSync(join(config.dataDir, 'recordings'), { recursive: true })
  writeFileSync(recording, 'RIFF')
  await database.db
    .updateTable('calls')
    .set({ recording: `${call}.wav` })
    .where('id', '=', call)
    .execute()
  const { id, deviceId, token: deviceToken } = device
  return {
    agent,
    conversation,
    did,
    trunk,
    tool,
    device: id,
    call,
    callback,
    organization: user.userId,
    member,
    memberInvitation,
    key,
    rehearsal,
    knowledgeBase,
    document,
    spreadsheet,
    row,
    webhook,
    delivery,
    provider,
    widget,
    script: scriptId,
    user: colleague,
    invitation: invited.json.id ?? 'inv_missing',
    campaign,
    ...ofCampaign,
    deviceId,
    deviceToken,
    recording,
  }
}

/** A contact in doubt, which can be resolved, with its import, a suppressed number, a list and a rule pack. */
export async function makeCampaignRecords({ db }: Database, { userId }: Client, campaignId: string) {
  const at = now()
  const times = { createdAt: at, updatedAt: at }
  const ids = {
    contact: newId('cct'),
    import: newId('imp'),
    suppression: newId('sup'),
    suppressionList: newId('spl'),
    callingRules: newId('crl'),
  }
  const number = { phoneNumber: aNumber(), numberHash: 'a secret' }
  await putContact(db, { ...number, id: ids.contact, userId, campaignId, status: 'in_doubt', hashNumber: String })
  await db
    .insertInto('campaignImports')
    .values({
      id: ids.import,
      userId,
      campaignId,
      status: 'completed',
      error: null,
      rows: 1,
      accepted: 1,
      merged: 0,
      rejected: 0,
      suppressed: 0,
      createdAt: at,
      endedAt: at,
      leaseUntil: at,
      firstNumber: 1,
    })
    .execute()
  const listed = { sector: null, effectiveAt: at, version: 0, lastVersion: 0, importUntil: null }
  const empty = { entryCount: 0, importedAt: null }
  await db
    .insertInto('suppressionLists')
    .values({ id: ids.suppressionList, userId, name: 'a secret', ...listed, ...empty, ...times })
    .execute()
  const reason = { reason: 'manual', note: 'a secret', campaignId: null, callId: null } as const
  await db
    .insertInto('suppressions')
    .values({ id: ids.suppression, userId, listId: null, listVersion: 0, ...number, ...reason, createdAt: at })
    .execute()
  const [pack] = builtInPacks()
  await db
    .insertInto('callingRules')
    .values({ id: ids.callingRules, userId, name: 'a secret', pack: JSON.stringify(pack), version: 1, ...times })
    .execute()
  return ids
}

/** Callback requests cannot be posted: the message taker stores them. */
export async function makeCallback(
  { db }: Database,
  { userId }: Client,
  { agent, conversation }: { agent: string; conversation: string },
): Promise<string> {
  const id = newId('cbk')
  await db
    .insertInto('callbacks')
    .values({
      id,
      userId,
      agentId: agent,
      callId: null,
      conversationId: conversation,
      reason: 'no_model',
      status: 'open',
      name: 'a secret',
      phoneNumber: aNumber(),
      matter: 'a secret',
      note: null,
      dueAt: null,
      createdAt: now(),
      updatedAt: now(),
    })
    .execute()
  return id
}

/** Not the default account, so that the rule-based agent still answers. */
export const aProvider = {
  vendor: 'openai-compatible',
  baseUrl: 'https://models.invalid/v1',
  model: 'm',
  apiKey: 'sk-a-secret-of-the-account',
  isDefault: false,
}

/** An inactive webhook, which does not change by itself, with one finished delivery. */
export async function makeWebhook({ db }: Database, user: Client): Promise<{ webhook: string; delivery: string }> {
  const { id: webhook } = await made(user.post('/api/webhooks', { url: 'http://hooks.invalid/x', isActive: false }))
  const { userId } = user
  const event = db.selectFrom('events').selectAll().where('userId', '=', userId).orderBy('sequence').limit(1)
  const { id: eventId, type: eventType } = await event.executeTakeFirstOrThrow()
  const delivery = newId('dlv')
  await db
    .insertInto('webhookDeliveries')
    .values({
      id: delivery,
      userId,
      webhookId: webhook,
      eventId,
      eventType,
      status: 'dead',
      attempts: 7,
      orderKey: null,
      dueAt: null,
      statusCode: 500,
      error: 'It answered 500',
      response: '',
      durationMs: 5,
      createdAt: now(),
      lastAttemptAt: now(),
      deliveredAt: null,
    })
    .execute()
  return { webhook, delivery }
}

async function untilEnded(user: Client, call: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await user.get(`/api/calls/${call}`)).json.endedAt !== null) return
    await sleep(25)
  }
  assert.fail('the call did not end')
}

type Row = Record<string, unknown>

/** The rows of a set as text: equal texts mean that no record of it changed. Records added later are left out. */
export async function rowsOf({ db }: Database, records: Records): Promise<string> {
  const ids = Object.values(records)
  const lines: string[] = []
  for (const [table, keys] of Object.entries(tableKeys) as [keyof Tables, readonly string[]][]) {
    if (keys.at(-1) !== 'id') continue
    const named = db.selectFrom(table as 'agents').selectAll()
    for (const { lastUsedAt, ...row } of (await named.where('id', 'in', ids).execute()) as unknown as Row[])
      lines.push(`${table} ${JSON.stringify(row)}`)
  }
  return lines.sort().join('\n')
}

/**
 * Every row of a user as text: equal texts mean equal rows. A key's lastUsedAt is left out because it is written
 * asynchronously.
 */
export async function dumpOf({ db }: Database, userId: string): Promise<string> {
  const rows = async (table: keyof Tables) => (await db.selectFrom(table).selectAll().execute()) as unknown as Row[]
  const own: Record<string, Row[]> = {}
  for (const table of Object.keys(tableKeys) as (keyof Tables)[]) {
    const all = await rows(table)
    if (table === 'users') own[table] = all.filter((row) => row.id === userId)
    else if (all.some((row) => 'userId' in row)) own[table] = all.filter((row) => row.userId === userId)
    else own[table] = all.filter((row) => isBelow(row, own))
  }
  const lines = Object.entries(own).flatMap(([table, found]) =>
    found.map(({ lastUsedAt, ...row }) => `${table} ${JSON.stringify(row)}`),
  )
  return lines.sort().join('\n')
}

/** A row without a userId belongs to the owner of its parent. */
const parents: Record<string, string> = {
  conversationId: 'conversations',
  linkId: 'trunkLinks',
  documentId: 'knowledgeDocuments',
  spreadsheetId: 'spreadsheets',
  toolId: 'tools',
  keyId: 'apiKeys',
  widgetId: 'widgets',
}
const isBelow = (row: Row, own: Record<string, Row[]>) =>
  Object.entries(parents).some(([column, table]) => column in row && own[table]?.some((p) => p.id === row[column]))
