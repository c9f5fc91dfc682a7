// Tests of unsaved agent changes: validated as a PATCH, applied to one call or reply, not stored anywhere else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, type Client, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { toneAgent } from '../../../test/phone/talks.ts'
import { until } from '../../../test/until.ts'
import { type ChatRequest, startLlm } from '../../../test/vendors/llm.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { orderOf, webCaller } from '../../../test/web-caller.ts'
import { webPeer } from '../../../test/web-peer.ts'
import { withDraft } from './draft-schema.ts'

const tone = toneAgent()
let withTone: Promise<TestApp> | undefined
async function toneApp() {
  withTone ??= startTestApp({ ICE_SERVERS: '[]' }, { converse: tone.converse })
  const app = await withTone
  return { ...app, ana: await app.newUser('ana') }
}
const newAgent = async (client: Client, more: object = {}): Promise<string> =>
  (await client.post('/api/agents', { ...anAgent, ...more })).json.id
const startChat = async (client: Client, agentId: string): Promise<string> =>
  (await client.post('/api/conversations/start', { agentId })).json.id
const urlOf = (id: string, query = '?reply=true') => `/api/conversations/message/send/${id}${query}`
const draftsIn = ({ database }: TestApp) => database.db.selectFrom('callDrafts').selectAll().execute()

test('a draft is validated as a PATCH of the agent, on both routes', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const chat = await startChat(ana, agentId)
  const wrong: [object, RegExp][] = [
    [{ systemPrompt: ' ' }, /draft\.systemPrompt/],
    [{ direction: 'sideways' }, /draft\.direction/],
    [{ systemPrompt: 'x'.repeat(100_001) }, /draft\.systemPrompt/],
    [{ llmConfig: { a: 'x'.repeat(33_000) } }, /draft\.llmConfig/],
    [{ settings: { turn: { minPauseMs: 'soon' } } }, /draft\.settings/],
  ]
  for (const [draft, message] of wrong) {
    assertError(await ana.post('/api/web-calls', { agentId, draft }), 400, message)
    assertError(await ana.post(urlOf(chat), { type: 'user', content: 'Hi', draft }), 400, message)
  }
  assertError(await ana.post('/api/web-calls', { agentId, draft: { id: 'agt_x' } }), 400, /draft/)
  assertError(await ana.post('/api/web-calls', { agentId, draft: 'text' }), 400)
  assert.deepEqual((await ana.get(`/api/conversations/messages/${chat}`)).json, [])
})

test("a draft needs the scope agents, and another user's agent is a 404", async () => {
  const { ana, bia } = await testApp()
  const agentId = await newAgent(ana)
  const chat = await startChat(ana, agentId)
  const draft = { systemPrompt: 'Say anything.' }
  const caller = await ana.withKey({ scopes: ['calls', 'conversations'] })
  assertError(await caller.post('/api/web-calls', { agentId, draft }), 403, /scope agents/)
  assertError(await caller.post(urlOf(chat), { type: 'user', content: 'Hi', draft }), 403, /scope agents/)
  assertError(await caller.post(urlOf(chat, ''), { type: 'user', content: 'Hi', draft }), 403, /scope agents/)
  assert.equal((await caller.post('/api/web-calls', { agentId })).status, 201)
  const editor = await ana.withKey({ scopes: ['calls', 'agents'] })
  assert.equal((await editor.post('/api/web-calls', { agentId, draft })).status, 201)
  assertError(await bia.post('/api/web-calls', { agentId, draft }), 404, 'Agent not found')
  assertError(await bia.post(urlOf(chat), { type: 'user', content: 'Hi', draft }), 404)
})

test('a web call runs with the draft, is marked as a test, and leaves neither draft nor change behind', async () => {
  const app = await toneApp()
  const { ana } = app
  const agentId = await newAgent(ana, { settings: { recording: { enabled: true } } })
  const saved = (await ana.get(`/api/agents/${agentId}`)).json
  const draft = { systemPrompt: 'Draft.', settings: { recording: { enabled: false } } }
  const token = await orderOf(ana, agentId, { draft, metadata: { from: 'editor' } })
  assert.deepEqual(
    (await draftsIn(app)).map((row) => JSON.parse(row.draft)),
    [draft],
  )
  const caller = await webCaller(app, token)
  const talk = await tone.next()
  assert.deepEqual(talk.call.agent.draft, draft)
  assert.equal(talk.call.agent.recording, null, 'the draft records nothing')
  await until('the draft is gone', async () => (await draftsIn(app)).length === 0)
  const second = await webCaller(app, token)
  assert.deepEqual(await second.closed, { code: 4409, reason: 'This token was used before' })
  caller.tell({ type: 'hangup' })
  await caller.closed
  const record = (await ana.get(`/api/calls/${talk.call.callId}`)).json
  assert.deepEqual(record.metadata, { from: 'editor', isTest: true })
  assert.equal(record.isTest, true)
  assert.deepEqual((await ana.get(`/api/agents/${agentId}`)).json, saved)

  const later = await webCaller(app, await orderOf(ana, agentId))
  const plain = await tone.next()
  assert.equal(plain.call.agent.draft, undefined)
  assert.notEqual(plain.call.agent.recording, null)
  later.tell({ type: 'hangup' })
  await later.closed
})

test('the draft of a call over WebRTC; an inactive agent can be tested as active', async () => {
  const app = await toneApp()
  const { ana } = app
  const agentId = await newAgent(ana)
  await ana.patch(`/api/agents/${agentId}`, { isActive: false })
  assertError(await ana.post('/api/web-calls', { agentId, draft: { name: 'B' } }), 409, 'This agent is not active')
  const draft = { isActive: true, name: 'Draft' }
  const token = await orderOf(ana, agentId, { draft })
  const peer = await webPeer('opus', { hz: 1000 })
  atEnd(() => peer.close())
  const answer = await app.anonymous({
    method: 'POST',
    url: '/web-calls/webrtc',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ sdp: peer.offer }),
  })
  assert.equal(answer.status, 200, answer.text)
  await peer.accept(answer.json.sdp)
  const talk = await tone.next()
  assert.deepEqual([talk.call.agent.name, talk.call.agent.draft], ['Draft', draft])
  await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
  await peer.until('ended')
  assert.equal((await ana.get(`/api/agents/${agentId}`)).json.isActive, false)
})

test('of unused drafts a few are kept, until their tokens expire', async () => {
  const app = await toneApp()
  const { ana } = app
  const agentId = await newAgent(ana)
  const mine = async () => (await draftsIn(app)).filter(({ userId }) => userId === ana.userId)
  const first = await orderOf(ana, agentId, { draft: { name: 'first' } })
  for (let i = 0; i < 20; i++) await orderOf(ana, agentId, { draft: { name: `${i}` } })
  assert.equal((await mine()).length, 20)
  const refused = await (await webCaller(app, first)).closed
  assert.deepEqual(refused, { code: 4409, reason: 'The draft of this call is gone: request another token' })
  await app.database.db.updateTable('callDrafts').set({ expiresAt: '2020-01-01T00:00:00.000Z' }).execute()
  await orderOf(ana, agentId, { draft: { name: 'last' } })
  assert.deepEqual(
    (await mine()).map(({ draft }) => JSON.parse(draft)),
    [{ name: 'last' }],
  )
})

test('a reply uses the draft of its message, whole or streamed, and the next one the saved agent', async () => {
  const server = await startLlm({ answer: (request: ChatRequest) => ({ say: String(request.messages[0]?.content) }) })
  atEnd(() => server.stop())
  const app = await startTestApp({
    LLM_BASE_URL: `${server.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'small',
    LLM_MODELS: 'large',
  })
  const { ana } = app
  const agentId = await newAgent(ana, { systemPrompt: 'Saved {{a}}.', settings: { variables: { a: 'value' } } })
  const saved = (await ana.get(`/api/agents/${agentId}`)).json
  const chat = await startChat(ana, agentId)
  const ask = async (more: object, headers = {}) =>
    ana.post(urlOf(chat), { type: 'user', content: 'Hi', ...more }, headers)
  const draft = {
    systemPrompt: 'Draft {{a}}.',
    llmConfig: { model: 'large' },
    settings: { variables: { a: 'other' } },
  }
  assert.match((await ask({ draft })).json.reply.content, /Draft other\./)
  assert.equal(JSON.parse(String(server.asked.at(-1)?.body)).model, 'large')
  const streamed = await ask({ draft }, { accept: 'text/event-stream' })
  assert.match(streamed.text, /event: words\ndata: .*Draft/)
  assert.match(streamed.text, /"content":"Draft other\."/)
  const plain = (await ask({})).json
  assert.match(plain.reply.content, /Saved value\./)
  assert.ok(!('draft' in plain))
  assert.deepEqual((await ana.get(`/api/agents/${agentId}`)).json, saved)
})

test('a field that the draft leaves out stays as saved, and null empties it', () => {
  const agent = { id: 'agt_1', name: 'Ana', initialSpeech: 'Hello', settings: { interruptible: false } } as never
  assert.deepEqual(withDraft(agent, { initialSpeech: null, settings: { endPhrases: ['bye'] } }), {
    id: 'agt_1',
    name: 'Ana',
    initialSpeech: null,
    settings: { endPhrases: ['bye'] },
  })
  assert.equal(withDraft(agent, undefined), agent)
})
