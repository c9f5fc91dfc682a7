// Call-back requests: stored once per conversation, listed, closed, and removed along with their conversation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { callbackStore } from './store.ts'

const message = { name: 'Maria Souza', phoneNumber: '+55 (11) 98765-4321', matter: 'Remarcar a consulta' }

async function conversationOf(user: Client): Promise<string> {
  const { id: agentId } = (await user.post('/api/agents', anAgent)).json
  return (await user.post('/api/conversations/start', { agentId })).json.id
}

async function setUp() {
  const started = await testApp()
  const store = callbackStore(started.database.db)
  const user = await started.newUser('owner')
  const request = async (conversationId: string, changes: object = {}) =>
    store.request(user.userId, { conversationId, callId: null, reason: 'no_model', ...message, ...changes })
  const events = async () =>
    (
      await started.database.db
        .selectFrom('events')
        .select('type')
        .where('userId', '=', user.userId)
        .where('type', 'like', 'callback.%')
        .orderBy('sequence')
        .execute()
    ).map(({ type }) => type)
  return { ...started, store, user, request, events }
}

test('a request is stored once for its conversation, and updated when it is made again', async () => {
  const { user, request, events } = await setUp()
  const conversationId = await conversationOf(user)
  const [first, second] = await Promise.all([request(conversationId), request(conversationId)])
  assert.equal(first?.id, second?.id)
  const { json } = await user.get(`/api/callbacks/${first?.id}`)
  assert.deepEqual(
    [json.name, json.phoneNumber, json.matter, json.reason, json.status, json.note, json.dueAt, json.conversationId],
    ['Maria Souza', '+5511987654321', 'Remarcar a consulta', 'no_model', 'open', null, null, conversationId],
  )
  await user.patch(`/api/callbacks/${first?.id}`, { status: 'done' })
  await request(conversationId)
  assert.equal((await user.get(`/api/callbacks/${first?.id}`)).json.status, 'done', 'the same message opens nothing')
  await request(conversationId, { matter: 'Cancelar a consulta' })
  const again = (await user.get('/api/callbacks')).json
  assert.deepEqual(
    again.map(({ status, matter }: { status: string; matter: string }) => [status, matter]),
    [['open', 'Cancelar a consulta']],
  )
  assert.deepEqual(await events(), ['callback.requested', 'callback.updated', 'callback.updated'])
})

test('they are listed in pages, by status and by words', async () => {
  const { user, request } = await setUp()
  const ids: string[] = []
  for (const name of ['Ana', 'Bruno', 'Clara'])
    ids.push((await request(await conversationOf(user), { name, phoneNumber: aNumber() }))?.id ?? '')
  await user.patch(`/api/callbacks/${ids[1]}`, { status: 'canceled', note: 'Número errado' })
  const names = async (query: string) =>
    (await user.get(`/api/callbacks?${query}`)).json.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names('status=open'), ['Clara', 'Ana'])
  assert.deepEqual(await names('status=canceled'), ['Bruno'])
  assert.deepEqual(await names('q=numero errado'), ['Bruno'])
  assert.deepEqual(await names('sort=createdAt&limit=2'), ['Ana', 'Bruno'])
  const page = await user.get('/api/callbacks?limit=2')
  const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
  assert.deepEqual(
    (await user.get(next)).json.map(({ name }: { name: string }) => name),
    ['Ana'],
  )
  assertError(await user.get('/api/callbacks?status=lost'), 400)
})

test('a note can be written and cleared; nothing else can be changed', async () => {
  const { user, request, events } = await setUp()
  const { id } = (await request(await conversationOf(user))) ?? {}
  assert.equal((await user.patch(`/api/callbacks/${id}`, { note: 'Ligar às 15h' })).json.note, 'Ligar às 15h')
  assert.equal((await user.patch(`/api/callbacks/${id}`, { note: null })).json.note, null)
  await user.patch(`/api/callbacks/${id}`, {})
  assert.equal((await events()).length, 3, 'a change that changes nothing has no event')
  assertError(await user.patch(`/api/callbacks/${id}`, { phoneNumber: '+5511000000000' }), 400)
  assertError(await user.patch(`/api/callbacks/${id}`, { status: 'paused' }), 400)
})

test('deleting one deletes its events too', async () => {
  const { user, request, events } = await setUp()
  const { id } = (await request(await conversationOf(user))) ?? {}
  assert.equal((await user.delete(`/api/callbacks/${id}`)).json.id, id)
  assertError(await user.get(`/api/callbacks/${id}`), 404)
  assert.deepEqual(await events(), [])
})

test('a request disappears with its conversation, and none is stored for one that is gone', async () => {
  const { user, request } = await setUp()
  const conversationId = await conversationOf(user)
  const { id } = (await request(conversationId)) ?? {}
  await user.post('/api/conversations/end', { conversationId })
  assert.equal((await user.delete(`/api/conversations/${conversationId}`)).status, 200)
  assertError(await user.get(`/api/callbacks/${id}`), 404)
  assert.equal(await request(conversationId), null)
})

test('forgetting a number removes what was left with it from another one', async () => {
  const { user, request, events } = await setUp()
  await request(await conversationOf(user))
  const counted = await user.post('/api/conversations/forget', { number: '+5511987654321', dryRun: true })
  assert.deepEqual([counted.status, counted.json.callbacks], [200, 1])
  await user.post('/api/conversations/forget', { number: '11987654321' })
  assert.equal((await user.get('/api/callbacks')).json.length, 1, 'similar numbers are kept')
  await user.post('/api/conversations/forget', { number: '+5511987654321' })
  assert.deepEqual((await user.get('/api/callbacks')).json, [])
  assert.deepEqual(await events(), [])
})
