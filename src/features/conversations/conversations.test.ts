import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

const newAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id
const start = async (client: Client, agentId: string, title?: string) =>
  (await client.post('/api/conversations/start', { agentId, title })).json
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test("79 start needs the agentId of one of the user's agents", async () => {
  const { ana, bia } = await testApp()
  const [foreign, own] = [await newAgent(bia), await newAgent(ana)]
  assertError(await ana.post('/api/conversations/start', {}), 400, 'agentId is required')
  assertError(await ana.post('/api/conversations/start'), 400, 'agentId is required')
  for (const agentId of [null, 5, true, [own], {}])
    assertError(await ana.post('/api/conversations/start', { agentId }), 400, /^agentId must/)
  for (const agentId of ['agt_none', '', '😀', 'x'.repeat(5000), foreign])
    assertError(await ana.post('/api/conversations/start', { agentId }), 404, 'Agent not found')
  assert.deepEqual((await ana.get('/api/conversations')).json, [])
  assert.deepEqual((await bia.get('/api/conversations')).json, [])
})

test('79 title is optional: stored as sent, null when omitted or null', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const longest = 'á'.repeat(255)
  for (const title of ['Reserva 😀', longest, '']) {
    const { status, json } = await ana.post('/api/conversations/start', { agentId, title })
    assert.equal(status, 201)
    assert.equal(json.title, title)
    assert.equal((await ana.get(`/api/conversations/${json.id}`)).json.title, title)
  }
  for (const body of [{ agentId }, { agentId, title: null }])
    assert.equal((await ana.post('/api/conversations/start', body)).json.title, null)
  for (const title of [`${longest}x`, 5, false, ['x']])
    assertError(await ana.post('/api/conversations/start', { agentId, title }), 400, /^title must/)
})

test('80 start returns 201 with an active conversation that starts now and has no end', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const before = new Date().toISOString()
  const sent = { agentId, title: 'Hi', id: 'cnv_mine', status: 'ended', endedAt: before }
  const { status, json } = await ana.post('/api/conversations/start', sent)
  const { id, startedAt, ...rest } = json
  assert.equal(status, 201)
  const ours = { variables: null, analysis: null, analysisStatus: null }
  assert.deepEqual(rest, { agentId, title: 'Hi', status: 'active', endedAt: null, ...ours })
  assert.ok(typeof id === 'string' && id !== '' && id !== 'cnv_mine')
  assert.ok(startedAt >= before && startedAt <= new Date().toISOString())
})

test('80 an agent may have many conversations at once', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const started = await Promise.all(Array.from({ length: 10 }, () => start(ana, agentId)))
  assert.equal(new Set(idsOf(started)).size, 10)
  assert.ok(started.every((conversation) => conversation.status === 'active'))
  assert.deepEqual(idsOf((await ana.get('/api/conversations')).json).sort(), idsOf(started).sort())
})

test('81 the list has the conversations of its user, newest first, and each can be read by its id', async () => {
  const { ana, bia } = await testApp()
  const [first, second] = [await newAgent(ana), await newAgent(ana)]
  const made = [await start(ana, first, 'a'), await start(ana, second, 'b'), await start(ana, first, 'c')]
  const other = await start(bia, await newAgent(bia))
  assert.deepEqual((await ana.get('/api/conversations')).json, made.toReversed())
  assert.deepEqual((await bia.get('/api/conversations')).json, [other])
  for (const conversation of made) {
    const read = await ana.get(`/api/conversations/${conversation.id}`)
    assert.equal(read.status, 200)
    assert.deepEqual(read.json, conversation)
    assertError(await bia.get(`/api/conversations/${conversation.id}`), 404, 'Conversation not found')
  }
  assertError(await ana.get('/api/conversations/cnv_none'), 404, 'Conversation not found')
})

test('82 end needs conversationId, and returns 200 with the ended conversation', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const [conversation, other] = [await start(ana, agentId, 'Hi'), await start(ana, agentId)]
  assertError(await ana.post('/api/conversations/end', {}), 400, 'conversationId is required')
  assertError(await ana.post('/api/conversations/end'), 400, 'conversationId is required')
  for (const conversationId of [null, 5, [conversation.id], {}])
    assertError(await ana.post('/api/conversations/end', { conversationId }), 400, /^conversationId must/)
  const ended = await ana.post('/api/conversations/end', { conversationId: conversation.id })
  assert.equal(ended.status, 200)
  const { endedAt } = ended.json
  assert.deepEqual(ended.json, { ...conversation, status: 'ended', endedAt, analysisStatus: 'skipped' })
  assert.ok(endedAt >= conversation.startedAt && endedAt <= new Date().toISOString())
  assert.deepEqual((await ana.get(`/api/conversations/${conversation.id}`)).json, ended.json)
  assert.deepEqual((await ana.get('/api/conversations')).json, [other, ended.json])
})

test('82 endedAt is never before startedAt or the last message, also after a clock step back', async () => {
  const { ana, database } = await testApp()
  const agentId = await newAgent(ana)
  const later = new Date(Date.now() + 60_000).toISOString()
  const latest = new Date(Date.now() + 90_000).toISOString()
  for (const times of [{ startedAt: later }, { lastMessageAt: latest }]) {
    const { id } = await start(ana, agentId)
    await database.db.updateTable('conversations').set(times).where('id', '=', id).execute()
    const { json } = await ana.post('/api/conversations/end', { conversationId: id })
    assert.equal(json.endedAt, times.startedAt ?? times.lastMessageAt)
  }
})

test('83 only an active conversation can end', async () => {
  const { ana, bia } = await testApp()
  const conversation = await start(ana, await newAgent(ana))
  const end = (client: Client, conversationId: string) => client.post('/api/conversations/end', { conversationId })
  for (const id of ['cnv_none', '', 'x'.repeat(5000), '😀'])
    assertError(await end(ana, id), 404, 'Conversation not found')
  assertError(await end(bia, conversation.id), 404, 'Conversation not found')
  assert.deepEqual((await ana.get(`/api/conversations/${conversation.id}`)).json, conversation)
  const { json: ended } = await end(ana, conversation.id)
  assertError(await end(ana, conversation.id), 409, 'This conversation has already ended')
  assertError(await end(bia, conversation.id), 404, 'Conversation not found')
  assert.deepEqual((await ana.get(`/api/conversations/${conversation.id}`)).json, ended)
})

test('83 a failed conversation cannot end either', async () => {
  const { ana, database } = await testApp()
  const { id } = await start(ana, await newAgent(ana))
  await database.db.updateTable('conversations').set({ status: 'failed' }).where('id', '=', id).execute()
  assertError(await ana.post('/api/conversations/end', { conversationId: id }), 409)
  assert.equal((await ana.get(`/api/conversations/${id}`)).json.status, 'failed')
})

test('91 GET start and GET end look up conversations with those ids, which do not exist', async () => {
  const { ana } = await testApp()
  await start(ana, await newAgent(ana))
  for (const id of ['start', 'end', 'messages', 'message'])
    assertError(await ana.get(`/api/conversations/${id}`), 404, 'Conversation not found')
})
