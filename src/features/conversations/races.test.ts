import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, type Client, testApp } from '../../../test/app.ts'

type Message = { id: string; timestamp: string }

async function start(client: Client): Promise<string> {
  const { json } = await client.post('/api/agents', anAgent)
  return (await client.post('/api/conversations/start', { agentId: json.id })).json.id
}
const send = (client: Client, id: string) =>
  client.post(`/api/conversations/message/send/${id}`, { type: 'user', content: 'x' })
const end = (client: Client, conversationId: string) => client.post('/api/conversations/end', { conversationId })

test('83 of concurrent ends exactly one is a 200', async () => {
  const { ana } = await testApp()
  for (let round = 0; round < 5; round++) {
    const id = await start(ana)
    const answers = await Promise.all(Array.from({ length: 20 }, () => end(ana, id)))
    const won = answers.filter((answer) => answer.status === 200)
    assert.equal(won.length, 1)
    assert.equal(answers.filter((answer) => answer.status === 409).length, 19)
    assert.deepEqual((await ana.get(`/api/conversations/${id}`)).json, won[0]?.json)
  }
})

test('85, 89 a message that races with the end is stored before it, or refused and not stored', async () => {
  const { ana } = await testApp()
  for (let round = 0; round < 7; round++) {
    const id = await start(ana)
    const early = await send(ana, id)
    // The end is sent at a different position among the messages each time.
    const racers = Array.from({ length: 21 }, (_, i) => (i === round * 3 ? end(ana, id) : send(ana, id)))
    const answers = await Promise.all(racers)
    const [ended] = answers.splice(round * 3, 1)
    const late = await send(ana, id)
    assert.equal(ended?.status, 200)
    assert.equal(early.status, 201)
    assert.equal(late.status, 409)
    const sends = [early, ...answers, late]
    for (const { status, text } of sends) assert.ok(status === 201 || status === 409, text)
    const stored: Message[] = sends.filter((answer) => answer.status === 201).map((answer) => answer.json)
    for (const message of stored)
      assert.ok(message.timestamp <= ended.json.endedAt, `${message.timestamp} after ${ended.json.endedAt}`)
    const list: Message[] = (await ana.get(`/api/conversations/messages/${id}`)).json
    assert.deepEqual(list.map((message) => message.id).sort(), stored.map((message) => message.id).sort())
    const { json: conversation } = await ana.get(`/api/conversations/${id}`)
    assert.deepEqual(conversation, ended.json)
  }
})
