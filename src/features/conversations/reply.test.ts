// Replies to messages: by the rule agent, and by a model behind a real socket with every kind of failure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, type Client, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { type ChatRequest, type LlmSettings, lastSaid, startLlm } from '../../../test/vendors/llm.ts'
import { type Fault, KEY } from '../../../test/vendors/server.ts'

type Message = { id: string; type: string; content: string; timestamp: string }

const systemPrompt = 'You are Sam.\n\nWe are open from 9 to 5.\n\nA haircut costs 20 dollars.'
const events = { accept: 'text/event-stream' }

async function start(client: Client, agent: object = {}): Promise<{ id: string; agentId: string }> {
  const { json } = await client.post('/api/agents', { ...anAgent, language: 'en-US', systemPrompt, ...agent })
  return (await client.post('/api/conversations/start', { agentId: json.id })).json
}
const urlOf = (id: string, query = '?reply=true') => `/api/conversations/message/send/${id}${query}`
const ask = (client: Client, id: string, content: string, headers: Record<string, string> = {}, type = 'user') =>
  client.post(urlOf(id), { type, content }, headers)
const listOf = async (client: Client, id: string): Promise<Message[]> =>
  (await client.get(`/api/conversations/messages/${id}`)).json

let thinking: Promise<TestApp & { server: Awaited<ReturnType<typeof startLlm>> }> | undefined
const answer: LlmSettings['answer'] = (request: ChatRequest) =>
  lastSaid(request) === 'nonsense' ? { say: '\n \0 a\0b \ud83d c ' } : { say: `Well, you said: ${lastSaid(request)}` }
/** The model stays silent until this resolves. */
let held: Promise<void> | undefined
/** One app with the stand-in model for all of these tests. */
function withModel() {
  thinking ??= (async () => {
    const server = await startLlm({ answer, hold: () => held })
    atEnd(() => server.stop())
    const app = await startTestApp({
      LLM_BASE_URL: `${server.url}/v1`,
      LLM_API_KEY: KEY,
      LLM_MODEL: 'small',
      LLM_MODELS: 'large',
    })
    return { ...app, server }
  })()
  return thinking.then((app) => {
    app.server.heal()
    return app
  })
}
const requestOf = ({ body }: { body: string }): ChatRequest => JSON.parse(Buffer.from(body, 'latin1').toString('utf8'))
const asked = (server: { asked: { body: string }[] }): ChatRequest => requestOf(server.asked.at(-1) ?? { body: '' })

/** Parses the events of a stream into name and data. */
const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? assert.fail(`not an event: ${block}`)
      return { name, data: JSON.parse(data ?? '') }
    })
const wordsIn = (list: { name: string | undefined; data: { text: string } }[]) =>
  list.flatMap(({ name, data }) => (name === 'words' ? [data.text] : [])).join('')

test('86, 88 the agent replies when asked to, and both messages are stored', async () => {
  const { ana, logs } = await testApp()
  const { id } = await start(ana)
  const first = await ask(ana, id, 'When are you open?')
  assert.equal(first.status, 201)
  const { reply, repliedBy, ...stored } = first.json
  assert.deepEqual([stored.type, stored.content], ['user', 'When are you open?'])
  assert.deepEqual([reply.type, reply.content], ['agent', 'We are open from 9 to 5.'])
  assert.deepEqual(repliedBy, { name: 'rules', isModel: false })
  assert.deepEqual(Object.keys(reply).sort(), ['content', 'id', 'timestamp', 'type'])
  const second = await ask(ana, id, 'How much is a haircut?')
  assert.equal(second.json.reply.content, 'A haircut costs 20 dollars.')
  const { reply: answered, repliedBy: _, ...said } = second.json
  assert.deepEqual(await listOf(ana, id), [stored, reply, said, answered])
  assert.match(logs(), /no language model configured/)
})

test('84, 88 without reply nothing is added, whatever is accepted', async () => {
  const { ana } = await testApp()
  const { id } = await start(ana)
  const sent: Message[] = []
  for (const [query, headers] of [
    ['', {}],
    ['', events],
    ['?reply=false', events],
  ] as const) {
    const { status, json } = await ana.post(urlOf(id, query), { type: 'user', content: 'When are you open?' }, headers)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(json).sort(), ['content', 'id', 'timestamp', 'type'])
    sent.push(json)
  }
  assert.deepEqual(await listOf(ana, id), sent)
  for (const query of ['?reply=x', '?reply=', '?reply=2'])
    assertError(await ana.post(urlOf(id, query), { type: 'user', content: 'x' }), 400)
  assert.deepEqual(await listOf(ana, id), sent)
})

test('29, 85 an ended, unknown or foreign conversation, or an inactive agent, gets no reply and stores nothing', async () => {
  const { ana, bia } = await testApp()
  const { id, agentId } = await start(ana)
  assertError(await ask(ana, 'cnv_none', 'x'), 404, 'Conversation not found')
  assertError(await ask(bia, id, 'x'), 404, 'Conversation not found')
  assertError(await ask(ana, id, 'x', {}, 'agent'), 400, /does not answer itself/)
  await ana.patch(`/api/agents/${agentId}`, { isActive: false })
  assertError(await ask(ana, id, 'x'), 409, 'This agent is not active')
  await ana.patch(`/api/agents/${agentId}`, { isActive: true })
  await ana.post('/api/conversations/end', { conversationId: id })
  assertError(await ask(ana, id, 'x'), 409, 'This conversation has ended')
  assert.deepEqual(await listOf(ana, id), [])
})

test('the model gets the prompt with its variables, and the whole conversation up to the message', async () => {
  const { ana, server, logs } = await withModel()
  const { id } = await start(ana, {
    systemPrompt: 'Be {{mood}}. It is {{weekday}}.{{nobody}}',
    settings: { variables: { mood: 'kind' } },
    llmConfig: { model: 'large', temperature: 0.3 },
  })
  const plain = (type: string, content: string) => ana.post(urlOf(id, ''), { type, content })
  await plain('agent', 'Hello!')
  await plain('system', 'The caller is in a hurry.')
  const weekday = () => new Intl.DateTimeFormat('en-US', { weekday: 'long' }).format()
  const before = weekday()
  const { json } = await ask(ana, id, 'Ação 😀?')
  assert.equal(json.reply.content, 'Well, you said: Ação 😀?')
  assert.deepEqual(json.repliedBy, { name: 'large', isModel: true })
  const { messages, ...settings } = asked(server)
  const prompts = [before, weekday()].map((day) => `Be kind. It is ${day}.`) // it may be midnight
  const system = prompts.find((prompt) => prompt === messages[0]?.content) ?? prompts[0]
  assert.deepEqual(messages, [
    { role: 'system', content: system },
    { role: 'assistant', content: 'Hello!' },
    { role: 'system', content: 'The caller is in a hurry.' },
    { role: 'user', content: 'Ação 😀?' },
  ])
  assert.deepEqual(settings, { model: 'large', stream: true, temperature: 0.3 })
  assert.match(logs(), /"missing":\["nobody"\]/)
  await ask(ana, id, 'And now?')
  assert.deepEqual(asked(server).messages.slice(-2), [
    { role: 'assistant', content: 'Well, you said: Ação 😀?' },
    { role: 'user', content: 'And now?' },
  ])
})

test('a model that the operator does not allow is not called, and the log says so', async () => {
  const { ana, server, logs } = await withModel()
  const { id } = await start(ana, { llmConfig: { model: 'dear' } })
  assert.equal((await ask(ana, id, 'Hi')).json.repliedBy.name, 'small')
  assert.equal(asked(server).model, 'small')
  assert.match(logs(), /"requested":"dear"/)
})

test("17 characters that no database accepts are removed from the model's reply", async () => {
  const { ana } = await withModel()
  const { id } = await start(ana)
  const { json } = await ask(ana, id, 'nonsense')
  assert.equal(json.reply.content, 'ab \ufffd c')
  assert.equal((await ask(ana, id, 'nonsense', events)).status, 201)
  assert.deepEqual((await listOf(ana, id)).map(({ content }) => content).slice(-1), ['ab \ufffd c'])
})

test('a long conversation is truncated to its newest messages', async () => {
  const { ana, server } = await withModel()
  const { id } = await start(ana)
  for (let i = 0; i < 5; i++) await ana.post(urlOf(id, ''), { type: 'system', content: `${i}${'x'.repeat(30_000)}` })
  await ask(ana, id, 'Still there?')
  // Five messages of 30,000 characters exceed 100,000. Those that fit become one message, since they have the same
  // role.
  const [prompt, rest, ...last] = asked(server).messages
  assert.equal(prompt?.content?.startsWith(systemPrompt), true)
  assert.deepEqual(
    [...`${prompt?.content}${rest?.role === 'system' ? rest.content : ''}`.matchAll(/^(\d)x/gm)].map(([, n]) => n),
    ['2', '3', '4'],
  )
  assert.deepEqual([rest, ...last].at(-1), { role: 'user', content: 'Still there?' })
})

const faults: [Fault, number][] = [
  ['unauthorized', 502],
  ['throttled', 502],
  ['broken', 502],
  ['reset', 502],
  ['reset-at-once', 502],
  ['wrong', 502],
  ['mislabelled', 502],
  ['empty', 502],
]
test('32 a failing model is a 502 in the common format; the message stays, and nothing else is stored', async () => {
  const { ana, server, logs } = await withModel()
  for (const [fault, status] of faults) {
    const { id } = await start(ana)
    server.fail(fault)
    const failed = await ask(ana, id, 'My secret is 42')
    assertError(failed, status)
    assert.ok(!failed.text.includes(KEY) && !failed.text.includes('secret'), failed.text)
    if (fault === 'throttled') assert.equal(failed.headers['retry-after'], '20')
    assert.deepEqual(
      (await listOf(ana, id)).map(({ type, content }) => [type, content]),
      [['user', 'My secret is 42']],
      fault,
    )
    server.heal()
    assert.equal((await ask(ana, id, 'Again')).status, 201)
  }
  assert.ok(!logs().includes(KEY) && !logs().includes('My secret'), 'a secret stands in the log')
})

test('the reply is streamed as events, then the messages as they are stored', async () => {
  const { ana, server } = await withModel()
  const { id } = await start(ana)
  server.fail('drip')
  const { status, headers, text } = await ask(ana, id, 'line\none "two" 😀', events)
  assert.equal(status, 201)
  assert.match(String(headers['content-type']), /^text\/event-stream/)
  assert.equal(headers['cache-control'], 'no-store')
  const list = eventsIn(text)
  assert.ok(list.length > 4)
  assert.equal(wordsIn(list), 'Well, you said: line\none "two" 😀')
  const { name, data } = list.at(-1) ?? assert.fail()
  assert.equal(name, 'message')
  const { reply, repliedBy, ...stored } = data
  assert.deepEqual(repliedBy, { name: 'small', isModel: true })
  assert.equal(reply.content, wordsIn(list))
  assert.deepEqual(await listOf(ana, id), [stored, reply])
})

test('a stream that fails before its first word is an error in the common format', async () => {
  const { ana, server } = await withModel()
  const { id } = await start(ana)
  for (const fault of ['broken', 'reset-at-once', 'empty'] as const) {
    server.fail(fault)
    assertError(await ask(ana, id, 'x', events), 502)
  }
  assert.equal((await listOf(ana, id)).length, 3)
})

test('a stream that breaks off reports it, and the partial reply is stored', async () => {
  const { ana, server } = await withModel()
  const { id } = await start(ana)
  server.fail('reset')
  const list = eventsIn((await ask(ana, id, 'one two three four', events)).text)
  const [message, error] = list.slice(-2)
  assert.equal(error?.name, 'error')
  assert.deepEqual(Object.keys(error?.data), ['statusCode', 'error', 'message'])
  assert.equal(error?.data.statusCode, 502)
  assert.equal(message?.data.reply.content, wordsIn(list))
  assert.deepEqual(
    (await listOf(ana, id)).map(({ content }) => content),
    ['one two three four', wordsIn(list)],
  )
})

test('a client that disconnects stops the model, and the partial reply is stored', async () => {
  const { ana, app, server } = await withModel()
  const { id } = await start(ana)
  const base = await app.listen()
  server.fail('stall')
  const leaving = new AbortController()
  const response = await fetch(base + urlOf(id), {
    method: 'POST',
    headers: { 'x-api-key': ana.key, 'content-type': 'application/json', ...events },
    body: JSON.stringify({ type: 'user', content: 'Hi' }),
    signal: leaving.signal,
  })
  assert.equal(response.status, 201)
  const first = await response.body?.getReader().read()
  assert.match(Buffer.from(first?.value ?? []).toString(), /^event: words\n/)
  leaving.abort()
  await until('the model is left', () => server.busy() === 0)
  const list = await until('the words are kept', async () => {
    const messages = await listOf(ana, id)
    return messages.length === 2 && messages
  })
  assert.deepEqual([list[1]?.type, list[1]?.content], ['agent', 'Well,'])
})

test('a client that disconnects while waiting for a whole reply finds it stored', async () => {
  const { ana, app, server } = await withModel()
  const { id } = await start(ana)
  const { port } = app.http.server.address() as { port: number }
  server.fail('drip')
  const leaving = new AbortController()
  const asking = fetch(`http://127.0.0.1:${port}${urlOf(id)}`, {
    method: 'POST',
    headers: { 'x-api-key': ana.key, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'user', content: 'one two three four' }),
    signal: leaving.signal,
  }).catch((error: Error) => error.name)
  await until('the model was asked', () => server.busy() === 1)
  leaving.abort()
  assert.equal(await asking, 'AbortError')
  const list = await until('the answer is kept', async () => {
    const messages = await listOf(ana, id)
    return messages.length === 2 && messages
  })
  assert.equal(list[1]?.content, 'Well, you said: one two three four')
})

test('85, 89 a conversation that ends while the model generates stores no reply', async () => {
  const { ana, server } = await withModel()
  const { id } = await start(ana)
  const ending = Promise.withResolvers<void>()
  held = ending.promise
  const answered = ask(ana, id, 'one two three four five six seven eight')
  await until('the model was asked', () => server.busy() === 1)
  await ana.post('/api/conversations/end', { conversationId: id })
  ending.resolve()
  held = undefined
  assertError(await answered, 409, 'This conversation has ended')
  assert.equal((await listOf(ana, id)).length, 1)
})

test('30 an Idempotency-Key returns the same response again, and is refused with a stream', async () => {
  const { ana, server } = await withModel()
  const { id } = await start(ana)
  const key = { 'idempotency-key': 'once' }
  const first = await ask(ana, id, 'Once only', key)
  assert.deepEqual((await ask(ana, id, 'Once only', key)).json, first.json)
  // The analysis of the conversation that the last test ended may ask the model, too.
  assert.equal(server.asked.filter((request) => lastSaid(requestOf(request)) === 'Once only').length, 1)
  assertError(await ask(ana, id, 'Hi', { 'idempotency-key': 'other', ...events }), 400, /event stream/)
  assert.equal((await listOf(ana, id)).length, 2)
})
