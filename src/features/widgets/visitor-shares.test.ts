// One visitor address's share of a widget: part of its lines and of its daily budget. Also chats whose channel is off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp } from '../../../test/app.ts'
import { toneAgent } from '../../../test/phone/talks.ts'
import { ended } from '../../../test/phone-app.ts'
import { visitorsOf } from '../../../test/visitors.ts'
import { widgetSessions } from './session-store.ts'

const agent = toneAgent()
const app = await startTestApp({}, { converse: agent.converse })
const { db } = app.database
const { widgetOf, ask, say, chatOf, callOf, opened } = visitorsOf(app)

const greedy = '203.0.113.7'
const busy = 'All lines of this widget are busy'
const concurrentOf = async ({ owner, id }: Awaited<ReturnType<typeof widgetOf>>) =>
  (await owner.get(`/api/widgets/${id}/usage`)).json.concurrent.used

test('one address cannot take all lines of a widget, and silent chats take none', async () => {
  const widget = await widgetOf({ limits: { maxConcurrent: 5, sessionsPerMinute: 60 } })
  const { id } = widget
  const answers = []
  for (let i = 0; i < 6; i++) answers.push(await ask(`${id}/chat`, { from: greedy }))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 429, 429, 429, 429],
  )
  for (const path of ['chat', 'call']) assertError(await ask(`${id}/${path}`, { from: greedy }), 429, busy)
  assert.equal(await concurrentOf(widget), 0, 'nobody has said anything')

  const others = await Promise.all(Array.from({ length: 5 }, () => chatOf(id)))
  for (const token of others) assert.equal((await say(id, token, 'Hello')).status, 201, 'five others have five lines')
  assert.equal(await concurrentOf(widget), 5)
  assertError(await say(id, answers[0]?.json.token, 'Hello', { from: greedy }), 429, busy)
  const [first] = others
  assert.equal((await say(id, first ?? '', 'Are you there?')).status, 201, 'who has a line keeps it')
})

test('a quiet chat gives its line back, and takes one again with its next message', async () => {
  const widget = await widgetOf({ limits: { maxConcurrent: 1 } })
  const [one, other] = [await chatOf(widget.id), await chatOf(widget.id)]
  assert.equal((await say(widget.id, one, 'Hello')).status, 201)
  assertError(await say(widget.id, other, 'Hello'), 429, busy)
  const quiet = { lastSaidAt: new Date(Date.now() - 301_000).toISOString() }
  await db.updateTable('widgetSessions').set(quiet).where('widgetId', '=', widget.id).execute()
  assert.equal((await say(widget.id, other, 'Hello')).status, 201)
  assertError(await say(widget.id, one, 'Still there?'), 429, busy)
})

test('one address has a fourth of the calls and messages of a day', async () => {
  const widget = await widgetOf({ limits: { callsPerDay: 8, messagesPerDay: 12, sessionsPerMinute: 60 } })
  const { owner, id } = widget
  const call = async (from?: string) => {
    const caller = await opened(await callOf(id, from))
    const talk = await agent.next()
    caller.tell({ type: 'hangup' })
    await caller.closed
    await ended(owner, talk.call.callId)
  }
  for (let i = 0; i < 2; i++) await call(greedy)
  const refused = await ask(`${id}/call`, { from: greedy })
  assertError(refused, 429, /^Your address has used up its share/)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  await call()

  const chat = await chatOf(id, greedy)
  for (let i = 0; i < 3; i++) assert.equal((await say(id, chat, 'Hello', { from: greedy })).status, 201)
  assertError(await say(id, chat, 'Hello', { from: greedy }), 429, /^Your address has used up its share/)
  assert.equal((await say(id, await chatOf(id), 'Hello')).status, 201)
  const { calls, messages } = (await owner.get(`/api/widgets/${id}/usage`)).json
  assert.deepEqual([calls.used, messages.used], [3, 4], 'what was refused is not counted')
})

test('of a visitor only a keyed hash is stored, and not for longer than it is needed', async () => {
  const { id } = await widgetOf()
  await say(id, await chatOf(id, greedy), 'Hello', { from: greedy })
  const usages = () => db.selectFrom('widgetUsages').selectAll().where('widgetId', '=', id).execute()
  const sessions = () => db.selectFrom('widgetSessions').selectAll().where('widgetId', '=', id).execute()
  assert.doesNotMatch(JSON.stringify([await usages(), await sessions()]), new RegExp(greedy))
  assert.equal((await usages()).length, 2)
  await db.updateTable('widgetUsages').set({ day: '2099-01-01' }).where('widgetId', '=', id).execute()
  const { removeOld } = widgetSessions(db)
  await removeOld()
  assert.equal((await usages()).length, 2)
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString()
  await db
    .updateTable('widgetUsages')
    .set({ day: yesterday.slice(0, 10) })
    .where('widgetId', '=', id)
    .execute()
  await db.updateTable('widgetSessions').set({ createdAt: yesterday }).where('widgetId', '=', id).execute()
  await removeOld()
  assert.deepEqual(
    (await usages()).map(({ kind }) => kind),
    ['messages'],
  )
  assert.deepEqual(
    (await sessions()).map(({ visitor }) => visitor),
    [null],
  )
})

test('a chat ends with its channel, and goes on when that is offered again', async () => {
  const { owner, id } = await widgetOf()
  const token = await chatOf(id)
  assert.equal((await say(id, token, 'Hello')).status, 201)
  await owner.patch(`/api/widgets/${id}`, { channels: ['call'] })
  assertError(await say(id, token, 'Hello'), 409, 'This widget does not offer a chat')
  await owner.patch(`/api/widgets/${id}`, { channels: ['call', 'chat'] })
  assert.equal((await say(id, token, 'Hello')).status, 201)
})
