import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

type Message = { id: string; type: string; content: string; timestamp: string }

async function start(client: Client, agent: object = {}): Promise<{ id: string; startedAt: string }> {
  const { json } = await client.post('/api/agents', { ...anAgent, ...agent })
  return (await client.post('/api/conversations/start', { agentId: json.id })).json
}
const send = (client: Client, id: string, content: unknown, type: unknown = 'user') =>
  client.post(`/api/conversations/message/send/${id}`, { type, content })
const listOf = async (client: Client, id: string, query = ''): Promise<Message[]> =>
  (await client.get(`/api/conversations/messages/${id}${query}`)).json

test('84 type and content are required', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana)
  const url = `/api/conversations/message/send/${id}`
  assertError(await ana.post(url, { content: 'x' }), 400, 'type is required')
  assertError(await ana.post(url, { type: 'user' }), 400, 'content is required')
  assertError(await ana.post(url), 400, /type is required.*content is required/)
  for (const type of ['', 'bot', 'User', 'assistant', null, 5, ['user']])
    assertError(await send(ana, id, 'x', type), 400, /^type must/)
  for (const content of ['', ' \n\t', null, 5, true, ['x'], { text: 'x' }])
    assertError(await send(ana, id, content), 400, /^content must/)
  assert.deepEqual(await listOf(ana, id), [])
})

test('84 the type of a message is user, agent or system', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana)
  for (const type of ['user', 'agent', 'system']) {
    const { status, json } = await send(ana, id, 'x', type)
    assert.equal(status, 201)
    assert.equal(json.type, type)
  }
  assert.deepEqual(
    (await listOf(ana, id)).map((message) => message.type),
    ['user', 'agent', 'system'],
  )
})

test('84 content has at most 32000 characters', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana)
  for (const letter of ['x', 'á', '😀']) {
    const longest = letter.repeat(32_000)
    assert.equal((await send(ana, id, longest)).json.content, longest)
    assertError(await send(ana, id, `${longest}x`), 400, /^content must/)
  }
  assert.equal((await listOf(ana, id)).length, 3)
})

test('85 an ended conversation accepts no message, and none is stored', async () => {
  const { ana, database } = await testApp()
  const { id } = await start(ana)
  await send(ana, id, 'before')
  const { json: ended } = await ana.post('/api/conversations/end', { conversationId: id })
  const list = await listOf(ana, id)
  for (const type of ['user', 'agent', 'system'])
    assertError(await send(ana, id, 'after', type), 409, 'This conversation has ended')
  assert.equal(list.length, 1)
  assert.deepEqual(await listOf(ana, id), list)
  const rows = await database.db.selectFrom('messages').select('content').where('conversationId', '=', id).execute()
  assert.deepEqual(
    rows.map((row) => row.content),
    ['before'],
  )
  assert.deepEqual((await ana.get(`/api/conversations/${id}`)).json, ended)
})

test('86 send returns 201 with the message and nothing more', async () => {
  const { ana } = await testApp()
  const { id: conversationId, startedAt } = await start(ana)
  const extra = { type: 'agent', content: 'Olá', id: 'msg_mine', timestamp: '2001-01-01T00:00:00.000Z', number: 7 }
  const { status, json } = await ana.post(`/api/conversations/message/send/${conversationId}`, extra)
  const { id, timestamp, ...rest } = json
  assert.equal(status, 201)
  assert.deepEqual(rest, { type: 'agent', content: 'Olá' })
  assert.ok(typeof id === 'string' && id !== 'msg_mine')
  assert.ok(timestamp >= startedAt && timestamp <= new Date().toISOString())
  assert.deepEqual(await listOf(ana, conversationId), [json])
})

test('86 content is stored byte for byte', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana)
  const contents = [
    'Ligação às 15h: não, amanhã',
    '😀👩‍👩‍👧‍👦🇧🇷 𝒳 𠮷',
    ' two \r\n lines \n\n and \t tabs ',
    'e\u0301 is not é; \u00c5 is not \u212b', // no Unicode normalization
    'bidi \u202eabc\u202c, line \u2028 and \u2029, BOM \ufeff, soft\u00adhyphen',
    '\u0001\u0007\u001f\u007f\u0085',
    '"quotes" \\ backslash \\n \\u0041 / </script> & %00 $x {{y}}',
    "'; drop table messages; --",
    '{"type":"system"}',
    'مرحبا שלום नमस्ते こんにちは',
    '\uffff\ufffd\u{10ffff}',
  ]
  for (const content of contents) {
    const { status, json } = await send(ana, id, content)
    assert.equal(status, 201)
    assert.equal(json.content, content)
  }
  const bytes = (text: string) => Buffer.from(text).toString('hex')
  assert.deepEqual(
    (await listOf(ana, id)).map((message) => bytes(message.content)),
    contents.map(bytes),
  )
})

test('87 the list is [] at first, and an unknown or foreign conversation is a 404', async () => {
  const { ana, bia } = await testApp()
  const { id } = await start(ana)
  const empty = await ana.get(`/api/conversations/messages/${id}`)
  assert.equal(empty.status, 200)
  assert.deepEqual(empty.json, [])
  for (const [client, conversation] of [[ana, 'cnv_none'] as const, [bia, id] as const]) {
    const list = await client.get(`/api/conversations/messages/${conversation}`)
    assertError(list, 404, 'Conversation not found')
    assertError(await send(client, conversation, 'x'), 404, 'Conversation not found')
  }
  assert.deepEqual(await listOf(ana, id), [])
})

test('87 messages are listed oldest first, however many, whole or in pages', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana)
  const other = await start(ana)
  const sent: Message[] = []
  for (let i = 0; i < 205; i++) {
    sent.push((await send(ana, id, `message ${i}`, i % 2 ? 'agent' : 'user')).json)
    if (i % 50 === 0) await send(ana, other.id, 'elsewhere')
  }
  assert.deepEqual(await listOf(ana, id), sent)
  const paged: Message[] = []
  let url: string | undefined = `/api/conversations/messages/${id}?limit=100`
  while (url) {
    const page = await ana.get(url)
    paged.push(...page.json)
    url = /^<([^>]+)>; rel="next"$/.exec(String(page.headers.link ?? ''))?.[1]
  }
  assert.deepEqual(paged, sent)
  assert.equal((await listOf(ana, other.id)).length, 5)
  await ana.post('/api/conversations/end', { conversationId: id })
  assert.deepEqual(await listOf(ana, id), sent)
})

test('87 concurrent messages get one stable order, and their times agree with it', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => send(ana, id, `message ${i}`)))
  assert.ok(answers.every((answer) => answer.status === 201))
  const list = await listOf(ana, id)
  const byId = (a: Message, b: Message) => (a.id < b.id ? -1 : 1)
  assert.deepEqual(list.toSorted(byId), answers.map((answer) => answer.json as Message).toSorted(byId))
  const times = list.map((message) => message.timestamp)
  assert.deepEqual(times, times.toSorted())
  for (let i = 0; i < 3; i++) assert.deepEqual(await listOf(ana, id), list)
  const last = (await send(ana, id, 'last')).json
  assert.deepEqual(await listOf(ana, id), [...list, last])
})

test('87 a clock step back does not reverse the order', async () => {
  const { ana, database } = await testApp()
  const { id } = await start(ana)
  const later = new Date(Date.now() + 60_000).toISOString()
  const first = (await send(ana, id, 'first')).json
  await database.db.updateTable('conversations').set({ lastMessageAt: later }).where('id', '=', id).execute()
  const second = (await send(ana, id, 'second')).json
  assert.equal(second.timestamp, later)
  assert.deepEqual(await listOf(ana, id), [first, second])
})

test('88 the API adds no message by itself', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana, { initialSpeech: 'Alô?', settings: { firstMessage: 'agent_first' } })
  assert.deepEqual(await listOf(ana, id), [])
  const sent: Message[] = []
  for (const type of ['user', 'system', 'agent', 'user']) {
    sent.push((await send(ana, id, 'Hello?', type)).json)
    assert.deepEqual(await listOf(ana, id), sent)
  }
  await ana.post('/api/conversations/end', { conversationId: id })
  assert.deepEqual(await listOf(ana, id), sent)
})
