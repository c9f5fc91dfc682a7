// What a website visitor can and cannot do with a widget's id: origins, tokens, limits, budgets, leaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp } from '../../../test/app.ts'
import { toneAgent } from '../../../test/phone/talks.ts'
import { ended } from '../../../test/phone-app.ts'
import { until } from '../../../test/until.ts'
import { site, visitorsOf } from '../../../test/visitors.ts'
import { webCaller } from '../../../test/web-caller.ts'
import { memoryRateLimiter } from '../../http/rate-limit.ts'
import { conversationStore } from '../conversations/store.ts'
import { eventReader, toEvent } from '../events/store.ts'
import { widgetService } from './service.ts'
import { widgetSessions } from './session-store.ts'
import { widgetStore } from './store.ts'

const agent = toneAgent()
const app = await startTestApp({}, { converse: agent.converse })
const { db } = app.database

const { widgetOf, ask, say, chatOf, callOf, opened } = visitorsOf(app)

test('the page gets the look of the widget and nothing about its owner', async () => {
  const { id } = await widgetOf({ appearance: { title: 'Hi' } })
  const answer = await ask(`${id}/config`, { method: 'GET' })
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.json).sort(), [
    'buttonText',
    'channels',
    'color',
    'greeting',
    'language',
    'logo',
    'maxCallSeconds',
    'maxText',
    'position',
    'theme',
    'title',
  ])
  assert.equal(answer.headers['access-control-allow-origin'], site)
  assert.equal(answer.headers.vary, 'origin')
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  assert.equal(answer.headers['set-cookie'], undefined)
})

test('only the sites of the widget may ask, and only their preflight is granted', async () => {
  const { id } = await widgetOf()
  const paths = ['config', 'call', 'chat', 'chat/messages'] as const
  for (const path of paths) {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://shop.example',
      `${site}.evil.example`,
      `${site}:444`,
    ]) {
      const method = path === 'config' ? 'GET' : 'POST'
      for (const how of [method, 'OPTIONS'] as const) {
        const refused = await ask(`${id}/${path}`, { method: how, origin })
        assertError(refused, 403, 'This site is not among the allowed origins of the widget')
        assert.equal(refused.headers['access-control-allow-origin'], undefined)
        assert.equal(refused.headers.vary, 'origin')
      }
    }
    assertError(await ask(`${id}/${path}`, { origin: null, method: path === 'config' ? 'GET' : 'POST' }), 403, /Origin/)
    const granted = await ask(`${id}/${path}`, { method: 'OPTIONS' })
    assert.equal(granted.status, 204)
    assert.equal(granted.headers['access-control-allow-origin'], site)
    assert.equal(granted.headers['access-control-allow-headers'], 'authorization, content-type')
  }
  for (const wrong of ['wgt_00000000000000000000000000', 'x', '%00', 'x'.repeat(600)])
    assertError(await ask(`${wrong}/config`, { method: 'GET' }), 404, 'Widget not found')
})

test('a widget that is off, or whose agent is, or whose owner is disabled, opens nothing', async () => {
  const { owner, id, agentId } = await widgetOf()
  await owner.patch(`/api/agents/${agentId}`, { isActive: false })
  assertError(await ask(`${id}/call`), 409, 'This agent is not active')
  await owner.patch(`/api/agents/${agentId}`, { isActive: true })
  const token = await chatOf(id)
  await owner.patch(`/api/widgets/${id}`, { isActive: false })
  for (const path of ['call', 'chat']) {
    const off = await ask(`${id}/${path}`)
    assertError(off, 409, 'This widget is not active')
    assert.equal(off.headers['access-control-allow-origin'], site)
  }
  assertError(await say(id, token, 'hello'), 409)
  await owner.patch(`/api/widgets/${id}`, { isActive: true, channels: ['call'] })
  assertError(await ask(`${id}/chat`), 409, 'This widget does not offer a chat')
  const setDisabled = (disabledAt: string | null) =>
    db.updateTable('organizations').set({ disabledAt }).where('id', '=', owner.userId).execute()
  await setDisabled(new Date().toISOString())
  assertError(await ask(`${id}/config`, { method: 'GET' }), 404)
  await setDisabled(null)
  await owner.delete(`/api/widgets/${id}`)
  assertError(await ask(`${id}/config`, { method: 'GET' }), 404)
})

test('a visitor chats with the agent, and sees words only', async () => {
  const { owner, id } = await widgetOf()
  const token = await chatOf(id)
  const plain = await say(id, token, 'When are you open?')
  assert.equal(plain.status, 201, plain.text)
  assert.deepEqual(Object.keys(plain.json).sort(), ['at', 'text', 'who'])
  assert.match(plain.json.text, /9 to 5/)
  const streamed = await say(id, token, 'Thanks!', { accept: 'text/event-stream' })
  assert.match(String(streamed.headers['content-type']), /^text\/event-stream/)
  assert.match(streamed.text, /^event: words\n/)
  assert.match(streamed.text, /event: message\ndata: \{"who":"agent"/)
  const read = await ask(`${id}/chat/messages`, { method: 'GET', token })
  assert.deepEqual(
    read.json.messages.map(({ who }: { who: string }) => who),
    ['visitor', 'agent', 'visitor', 'agent'],
  )
  for (const shown of [plain.text, streamed.text, read.text])
    assert.doesNotMatch(shown, /canary|msg_|cnv_|isModel|rule/)
  const [conversation] = (await owner.get('/api/conversations')).json
  assert.deepEqual([conversation.title, conversation.status], ['Shop', 'active'])
  await owner.post('/api/conversations/end', { conversationId: conversation.id })
  assertError(await say(id, token, 'Still there?'), 409, 'This conversation has ended')
})

test('a chat token opens its own chat and nothing else', async () => {
  const [one, other] = [await widgetOf({ origins: [site, 'https://two.example'] }), await widgetOf()]
  const token = await chatOf(one.id)
  const invalid = 'The chat token is not valid, or has expired'
  assertError(await say(other.id, token, 'hello'), 401, invalid)
  assertError(await say(one.id, token, 'hello', { origin: 'https://two.example' }), 401, invalid)
  for (const wrong of ['', 'x', `${token}x`, await callOf(one.id), one.owner.key])
    assertError(await say(one.id, wrong, 'hello'), 401, invalid)
  for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }, { 'x-api-key': one.id }])
    for (const url of ['/api/agents', '/api/conversations', '/api/widgets', `/api/widgets/${one.id}`, '/api/events'])
      assertError(await app.anonymous({ method: 'GET', url, headers }), 401)
  assert.equal((await (await opened(token)).closed).code, 4401)
})

test('a visitor’s call runs under the widget’s limits and shows no turns, tools or ids', async () => {
  const { owner, id } = await widgetOf({ limits: { maxCallSeconds: 30 } })
  const { json } = await ask(`${id}/call`)
  assert.deepEqual(Object.keys(json).sort(), ['expiresAt', 'iceServers', 'socketPath', 'token', 'webrtcPath'])
  assert.ok(Date.parse(json.expiresAt) - Date.now() <= 60_000)
  const caller = await opened(json.token)
  const talk = await agent.next()
  assert.equal(talk.call.agent.maxDurationMs, 30_000)
  talk.call.onUpdate?.({ type: 'tool', name: 'refund_customer', status: 'running' })
  talk.call.onUpdate?.({ type: 'turn', turn: { number: 1, model: 'secret' } })
  talk.call.onUpdate?.({ type: 'said', who: 'agent', text: 'Hello', at: 'x' })
  await caller.until('said')
  assert.deepEqual(
    caller.told.filter(({ type }) => type !== 'clear'),
    [
      { type: 'started', callId: '', conversationId: '', inputRateHz: 16_000, outputRateHz: 24_000 },
      { type: 'said', who: 'agent', text: 'Hello', at: 'x' },
    ],
  )
  const usage = (await owner.get(`/api/widgets/${id}/usage`)).json
  assert.deepEqual([usage.calls.used, usage.concurrent.used], [1, 1])
  caller.tell({ type: 'hangup' })
  await caller.until('ended')
  const record = await ended(owner, talk.call.callId)
  assert.deepEqual([record.channel, record.metadata], ['web', { widgetId: id, origin: site }])
  assert.equal((await owner.get(`/api/widgets/${id}/usage`)).json.concurrent.used, 0)
  assert.deepEqual(await (await opened(json.token)).closed, { code: 4409, reason: 'This token was used before' })
})

test('a call token works from its own site only, by WebSocket and WebRTC', async () => {
  const { owner, id } = await widgetOf()
  const token = await callOf(id)
  for (const origin of ['https://evil.example', undefined])
    assert.deepEqual(await (await webCaller(app, token, ['ramal.v1', token], origin)).closed, {
      code: 4403,
      reason: 'This token belongs to another site',
    })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    origin: 'https://evil.example',
  }
  const offer = { method: 'POST', url: '/web-calls/webrtc', payload: JSON.stringify({ sdp: 'v=0' }) } as const
  assertError(await app.anonymous({ ...offer, headers }), 403, 'This token belongs to another site')
  await owner.patch(`/api/widgets/${id}`, { origins: ['https://other.example'] })
  assert.equal((await (await opened(token)).closed).code, 4401)
  await owner.patch(`/api/widgets/${id}`, { origins: [site], isActive: false })
  assert.equal((await (await opened(token)).closed).code, 4401)
  assert.deepEqual((await owner.get('/api/calls')).json, [])
})

test('no more sessions at the same time than the widget has lines', async () => {
  const { id } = await widgetOf({ limits: { maxConcurrent: 2 } })
  const tokens = [await callOf(id), await callOf(id), await callOf(id)]
  const callers = await Promise.all(tokens.map((token) => opened(token)))
  const refused = await Promise.race(callers.map(({ closed }) => closed))
  assert.deepEqual(refused, { code: 4429, reason: 'All lines of this widget are busy' })
  const talks = [await agent.next(), await agent.next()]
  for (const path of ['call', 'chat']) assertError(await ask(`${id}/${path}`), 429, 'All lines of this widget are busy')
  for (const { transport } of talks) await transport.act({ do: 'hangup', reason: 'agent_ended' })
  await until('the lines are free', async () => (await ask(`${id}/chat`)).status === 201)
})

test('the calls and messages of a day are counted in the database, and the owner is told once', async () => {
  const { owner, id } = await widgetOf({ limits: { callsPerDay: 1, messagesPerDay: 2 } })
  const caller = await opened(await callOf(id))
  const talk = await agent.next()
  const over = await ask(`${id}/call`)
  assertError(over, 429, /^This widget has used up its calls of today/)
  assert.ok(Number(over.headers['retry-after']) > 0)
  caller.tell({ type: 'hangup' })
  await ended(owner, talk.call.callId)
  const token = await chatOf(id)
  for (const text of ['one', 'two']) assert.equal((await say(id, token, text)).status, 201)
  for (const text of ['three', 'four']) assertError(await say(id, token, text), 429, /used up its messages of today/)
  const events = (await eventReader(db).after(owner.userId, 0, 1000)).map(toEvent)
  const told = events
    .filter(({ type }) => type === 'widget.limit_reached')
    .map(({ data }) => [data.widgetId, data.kind, data.limit])
  assert.deepEqual(told, [
    [id, 'calls', 1],
    [id, 'messages', 2],
  ])
  await db.updateTable('widgetUsages').set({ day: '2020-01-01' }).where('widgetId', '=', id).execute()
  assert.equal((await say(id, token, 'the next day')).status, 201)
})

test('one address starts only so many sessions a minute, and others still can', async () => {
  const { id } = await widgetOf({ limits: { sessionsPerMinute: 2, maxConcurrent: 10 } })
  const from = '203.0.113.9'
  for (const path of ['chat', 'call']) assert.equal((await ask(`${id}/${path}`, { from })).status, 201)
  const refused = await ask(`${id}/chat`, { from })
  assertError(refused, 429)
  assert.equal(refused.headers['access-control-allow-origin'], site)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  assert.equal((await ask(`${id}/chat`)).status, 201)
})

test('a chat is bounded in text, messages and letters', async () => {
  const { owner, id } = await widgetOf()
  const token = await chatOf(id)
  for (const body of [
    {},
    { text: '' },
    { text: ' ' },
    { text: 'x'.repeat(2001) },
    { text: 'x', role: 'system' },
    { text: 5 },
  ])
    assertError(await ask(`${id}/chat/messages`, { token, body }), 400)
  assertError(await ask(`${id}/chat/messages`, { token, body: { text: 'x'.repeat(20_000) } }), 413)
  const [{ id: conversationId }] = (await owner.get('/api/conversations')).json
  for (let i = 0; i < 4; i++)
    await owner.post(`/api/conversations/message/send/${conversationId}`, {
      type: 'agent',
      content: 'x'.repeat(30_000),
    })
  assertError(await say(id, token, 'hello'), 409, 'This chat has reached its length: start another')
})

test('chats of visitors who have left are ended', async () => {
  const { owner, id } = await widgetOf()
  await chatOf(id)
  const [{ id: conversationId }] = (await owner.get('/api/conversations')).json
  const startedAt = new Date(Date.now() - 31 * 60_000).toISOString()
  await db.updateTable('conversations').set({ startedAt }).where('id', '=', conversationId).execute()
  const stores = { widgets: widgetStore(db), widgetSessions: widgetSessions(db), conversations: conversationStore(db) }
  const context = { limiter: memoryRateLimiter(), masterKeys: ['x'] } as never
  const service = widgetService(context, { stores, answererOf: never, sendAndReply: never, issueForVisitor: never })
  for (const { task } of service.jobs) await task()
  assert.equal((await owner.get(`/api/conversations/${conversationId}`)).json.status, 'ended')
})

const never = () => assert.fail('not asked')
