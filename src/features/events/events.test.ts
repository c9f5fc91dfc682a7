import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, startTestApp, usesTwoNodes } from '../../../test/app.ts'
import { type Heard, hearEvents } from '../../../test/event-feed.ts'
import { until } from '../../../test/until.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import { eventWriter } from '../../db/outbox.ts'
import { eventReader } from './store.ts'
import { eventStreams } from './stream.ts'

const app = await startTestApp({}, { events: { heartbeatMs: 100 } })
const base = await app.app.listen()
const { db } = app.database

async function conversation(client: Client): Promise<{ agentId: string; id: string }> {
  const agentId = (await client.post('/api/agents', anAgent)).json.id
  return { agentId, id: (await client.post('/api/conversations/start', { agentId })).json.id }
}
const say = (client: Client, id: string, content: string) =>
  client.post(`/api/conversations/message/send/${id}`, { type: 'user', content })
const contentOf = ({ data }: { data: Record<string, unknown> }) => (data.message as { content: string }).content

test('a chat conversation emits events from start to end, in order, with its ids and records', async (t) => {
  const client = await app.newUser('order')
  const feed = await hearEvents(t, base, client.key)
  const { agentId, id } = await conversation(client)
  const sent = (await say(client, id, 'olá')).json
  const ended = (await client.post('/api/conversations/end', { conversationId: id })).json
  await until('all is told', () => feed.events.length === 3)
  assert.deepEqual(feed.types(), ['conversation.started', 'conversation.message', 'conversation.ended'])
  const ids = { callId: null, conversationId: id, agentId }
  assert.deepEqual(feed.events[1]?.data, { ...ids, message: sent })
  assert.deepEqual(feed.events[2]?.data, { ...ids, conversation: ended })
  assert.deepEqual(
    feed.events.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  for (const event of feed.events) {
    assert.match(event.id, /^evt_[0-9a-z]{26}$/)
    assert.match(event.createdAt, /^\d{4}-.*Z$/)
  }
  assert.ok(!app.logs().includes('olá'), 'what is said is in no log')
})

test('an event of this process is sent without waiting for the next poll', {
  skip: usesTwoNodes && 'it is of another process',
}, async (t) => {
  const other = await startTestApp({}, { events: { lookMs: 3_600_000 } })
  const { id } = await conversation(other.ana)
  const feed = await hearEvents(t, await other.app.listen(), other.ana.key)
  for (let i = 1; i <= 5; i++) {
    await say(other.ana, id, String(i))
    await until('it is heard', () => feed.events.length === i)
  }
  await other.app.close()
  await until('it ends with the service', () => feed.isOver())
})

test('an event written while a stream reads the database is sent without waiting for the next poll', {
  skip: usesTwoNodes && 'it is of another process',
}, async () => {
  const client = await app.newUser('in between')
  const { id } = await conversation(client)
  const reader = eventReader(db)
  let reads = 0
  const streams = eventStreams(
    db,
    {
      ...reader,
      async after(userId, sequence, limit) {
        const rows = await reader.after(userId, sequence, limit)
        if (++reads > 1) return rows
        const told = Promise.withResolvers<void>()
        const lastOf = reader.lastOf
        reader.lastOf = async (users) => lastOf(users).finally(() => setImmediate(told.resolve))
        await say(client, id, 'in between')
        await told.promise
        return rows
      },
      lastOf: (users) => reader.lastOf(users),
    },
    { lookMs: 3_600_000 },
  )
  const stream = await streams.open({ userId: client.userId, wants: () => true, lastEventId: `evt_${'0'.repeat(26)}` })
  let text = ''
  stream.on('data', (chunk) => (text += chunk))
  await until('the event is heard', () => text.includes('in between'))
  streams.close()
})

test('events written by another process are sent too', async (t) => {
  const client = await app.newUser('other process')
  const { agentId, id: conversationId } = await conversation(client)
  const feed = await hearEvents(t, base, client.key)
  // Inserted directly: this process gets no notification.
  await db.updateTable('eventCounters').set({ last: 2 }).where('userId', '=', client.userId).execute()
  const row = { userId: client.userId, sequence: 2, type: 'conversation.ended', callId: null, conversationId, agentId }
  await db
    .insertInto('events')
    .values({ ...row, id: newId('evt'), data: '{}', createdAt: now() })
    .execute()
  await until('it is heard', () => feed.events.length === 1)
  assert.deepEqual(feed.types(), ['conversation.ended'])
})

test('a user never gets events of another user', async (t) => {
  const [ana, bia] = [await app.newUser('ana'), await app.newUser('bia')]
  const [hers, mine] = [await hearEvents(t, base, ana.key), await hearEvents(t, base, bia.key)]
  const { id } = await conversation(ana)
  await say(ana, id, 'a secret')
  await until('she hears it', () => hers.events.length === 2)
  const own = await conversation(bia)
  await until('mine is heard', () => mine.events.length === 1)
  assert.equal(mine.events[0]?.data.conversationId, own.id)
  assert.ok(!mine.text().includes('secret'))
  const stolen = await hearEvents(t, base, bia.key, { lastEventId: String(hers.lastId()) })
  const late = await conversation(bia)
  await until('only mine is heard', () => stolen.events.at(-1)?.data.conversationId === late.id)
  assert.ok(stolen.events.every(({ data }) => data.conversationId !== id))
})

test('51 a key gets only the events its scopes allow', async (t) => {
  const client = await app.newUser('scopes')
  const { agentId, id } = await conversation(client)
  const calls = await hearEvents(t, base, (await client.withKey({ scopes: ['calls'] })).key)
  const talks = await hearEvents(t, base, (await client.withKey({ scopes: ['conversations'] })).key)
  const none = await hearEvents(t, base, (await client.withKey({ scopes: ['tts'] })).key)
  const all = await hearEvents(t, base, client.key)
  await say(client, id, 'one')
  await client.post('/api/calls/outbound', { agentId, toNumber: '+5511999990000' })
  await until('all is heard', () => all.events.length === 3)
  await until('each hears its part', () => calls.events.length === 2 && talks.events.length === 1)
  assert.deepEqual(calls.types(), ['call.initiated', 'call.failed'])
  assert.deepEqual(talks.types(), ['conversation.message'])
  assert.deepEqual(none.types(), [])
})

test('types filters the stream, and an unknown type is a 400', async (t) => {
  const client = await app.newUser('types')
  const query = '?types=conversation.ended,%20call.ended'
  const feed = await hearEvents(t, base, client.key, { query })
  const { id } = await conversation(client)
  await say(client, id, 'x')
  await client.post('/api/conversations/end', { conversationId: id })
  await until('the end is told', () => feed.events.length > 0)
  assert.deepEqual(feed.types(), ['conversation.ended'])
  for (const types of ['nonsense', '', 'call.ended,', '*', 'call.ended;call.failed'])
    assertError(await client.get(`/api/events?types=${types}`), 400, /^types must be of call\.initiated, /)
  for (const id of ['x', '1', 'evt_', "evt_' or 1=1 --"])
    assertError(await client.get('/api/events', { 'last-event-id': id }), 400, /Last-Event-ID/)
})

test('a client that reconnects repeatedly during concurrent writes gets every event exactly once', async (t) => {
  const client = await app.newUser('breaks')
  const talks = await Promise.all(Array.from({ length: 4 }, () => conversation(client)))
  const writing = Promise.all(
    talks.map(async ({ id }, writer) => {
      for (let i = 0; i < 25; i++) await say(client, id, `${writer} ${i}`)
    }),
  )
  const heard: Heard[] = []
  let breaks = 0
  for (let lastEventId = `evt_${'0'.repeat(26)}`; heard.length < 100; breaks++) {
    const feed = await hearEvents(t, base, client.key, { query: '?types=conversation.message', lastEventId })
    await until('more is heard', () => feed.events.length > 3 || heard.length + feed.events.length >= 100)
    feed.leave()
    const some = feed.events.slice(0, 7) // anything after these was lost with the connection
    heard.push(...some)
    lastEventId = some.at(-1)?.id ?? lastEventId
  }
  await writing
  assert.ok(breaks > 3, `it was cut off ${breaks} times`)
  assert.equal(heard.length, 100)
  assert.equal(new Set(heard.map(({ id }) => id)).size, 100)
  const sequences = heard.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  )
  const contents = heard.map(contentOf)
  for (let writer = 0; writer < 4; writer++)
    assert.deepEqual(
      contents.filter((content) => content.startsWith(`${writer} `)),
      Array.from({ length: 25 }, (_, i) => `${writer} ${i}`),
    )
})

test('a client that disconnected before the first event resumes from where it connected', async (t) => {
  const client = await app.newUser('before the first')
  const { id } = await conversation(client)
  const feed = await hearEvents(t, base, client.key)
  const lastEventId = String(feed.lastId())
  feed.leave()
  await say(client, id, 'meanwhile')
  const again = await hearEvents(t, base, client.key, { lastEventId })
  await until('it is heard', () => again.events.length === 1)
  assert.equal(contentOf(again.events[0] as Heard), 'meanwhile')
})

test('a stream has heartbeats, and ends when its key is revoked', async (t) => {
  const client = await app.newUser('revoked')
  const other = await client.withKey({ name: 'other' })
  const feed = await hearEvents(t, base, other.key)
  await until('a heartbeat comes', () => feed.text().includes('\n: still here\n\n'))
  const keys = (await client.get('/api/api-keys')).json as { id: string; name: string }[]
  await client.delete(`/api/api-keys/${keys.find(({ name }) => name === 'other')?.id}`)
  await until('it is over', () => feed.isOver())
})

test('the number of streams per user is limited, and HEAD opens none', async (t) => {
  const client = await app.newUser('many')
  for (let i = 0; i < 25; i++) {
    const head = await client.send({ method: 'HEAD', url: '/api/events' })
    assert.deepEqual([head.status, head.text], [200, ''])
  }
  const feeds = []
  for (let i = 0; i < 20; i++) feeds.push(await hearEvents(t, base, client.key))
  const oneMore = () => fetch(`${base}/api/events`, { headers: { 'x-api-key': client.key } })
  const refused = await oneMore()
  assert.equal(refused.status, 429)
  assert.match((await refused.json()).message, /listening/)
  feeds[0]?.leave()
  await until('there is room', async () => {
    const answer = await oneMore()
    await answer.body?.cancel()
    return answer.status === 200
  })
})

test('a client that does not read uses at most a page of memory, and is disconnected in the end', async () => {
  const client = await app.newUser('slow')
  const { id } = await conversation(client)
  for (let i = 0; i < 60; i++) await say(client, id, 'x'.repeat(20_000))
  const streams = eventStreams(db, eventReader(db), { heartbeatMs: 30 })
  const lastEventId = `evt_${'0'.repeat(26)}`
  const slow = await streams.open({ userId: client.userId, wants: () => true, lastEventId })
  slow.once('readable', () => {}) // it starts reading, then stops
  let most = 0
  await until('it is let go', () => {
    most = Math.max(most, slow.readableLength)
    return slow.destroyed
  })
  assert.ok(most > 0 && most < 50 * 21_000 + 65_536, `${most} bytes were kept for it`)
  assert.equal(streams.size, 0)
  streams.close()
})

test('a transaction that is rolled back emits nothing and leaves no gap in the sequence', async (t) => {
  const client = await app.newUser('rollback')
  const { agentId, id: conversationId } = await conversation(client)
  const feed = await hearEvents(t, base, client.key)
  const write = eventWriter(db)
  const event = { userId: client.userId, type: 'conversation.ended', conversationId, agentId, data: {} } as const
  const failing = db.inTransaction(async (trx) => {
    await write(trx, event)
    throw new Error('no')
  })
  await assert.rejects(failing)
  await say(client, conversationId, 'after')
  await until('it is heard', () => feed.events.length === 1)
  assert.deepEqual([feed.types(), feed.events[0]?.sequence], [['conversation.message'], 2])
})
