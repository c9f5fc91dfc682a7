// How a web call ends (either side, the API, a limit), and refused tokens: expired, altered or used.
// @run own-process: it moves the clock.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, type Client, startTestApp, type TestApp } from '../../../test/app.ts'
import { toneAgent } from '../../../test/phone/talks.ts'
import { ended } from '../../../test/phone-app.ts'
import { until } from '../../../test/until.ts'
import { orderOf, webCaller } from '../../../test/web-caller.ts'

const agent = toneAgent()
/** Longer than a busy machine may stall this process, which also runs the browsers. */
const LOST_AFTER_MS = 8000
let shared: Promise<TestApp> | undefined
async function toneApp() {
  shared ??= startTestApp({ MAX_CALLS_PER_USER: '2' }, { converse: agent.converse, lostAfterMs: LOST_AFTER_MS })
  const base = await shared
  return { ...base, ana: await base.newUser('ana') }
}
const newAgent = async (client: Client, more: object = {}): Promise<string> =>
  (await client.post('/api/agents', { ...anAgent, ...more })).json.id

async function begun(more: object = {}) {
  const app = await toneApp()
  const agentId = await newAgent(app.ana, more)
  const token = await orderOf(app.ana, agentId)
  const caller = await webCaller(app, token)
  const talk = await agent.next()
  const callId = talk.call.callId
  const overWith = async (endReason: string, hangupBy: string, status = 'completed') => {
    const record = await ended(app.ana, callId)
    assert.deepEqual([record.endReason, record.hangupBy, record.status], [endReason, hangupBy, status])
    const conversation = (await app.ana.get(`/api/conversations/${record.conversationId}`)).json
    assert.equal(conversation.status, 'ended')
    return record
  }
  return { app, agentId, token, caller, talk, callId, overWith }
}

test('when the agent hangs up, the browser gets the reason', async () => {
  const { caller, talk, overWith } = await begun()
  assert.deepEqual(await talk.transport.act({ do: 'hangup', reason: 'agent_ended' }), { status: 'done' })
  assert.equal((await caller.until('ended')).endReason, 'agent_ended')
  assert.equal((await caller.closed).code, 1000)
  await overWith('agent_ended', 'agent')
})

test('an action that a browser does not support is reported as an outcome', async () => {
  const { caller, talk, overWith } = await begun()
  assert.equal((await talk.transport.act({ do: 'digits', digits: '1' })).status, 'failed')
  assert.equal((await talk.transport.act({ do: 'transfer', to: '+5511999990000' })).status, 'failed')
  caller.socket.close(1001)
  await overWith('caller_hangup', 'caller')
})

test('a call is hung up through the API', async () => {
  const { app, caller, callId, overWith } = await begun()
  assert.equal((await app.ana.post(`/api/calls/${callId}/hangup`)).status, 200)
  assert.equal((await caller.until('ended')).endReason, 'canceled_by_api')
  await overWith('canceled_by_api', 'system')
})

test('deleting an agent ends its call', async () => {
  const { app, agentId, caller } = await begun()
  await app.ana.delete(`/api/agents/${agentId}`)
  assert.equal((await caller.until('ended')).endReason, 'canceled_by_api')
})

test('a browser that stops sending is disconnected', async () => {
  const { caller, overWith } = await begun()
  caller.fallsSilent()
  assert.equal((await caller.until('ended')).endReason, 'media_timeout')
  await overWith('media_timeout', 'system', 'failed')
})

test("a call ends at its agent's maximum duration", async () => {
  const { caller, overWith } = await begun({ settings: { turn: { maxDurationMs: 1000 } } })
  assert.equal((await caller.until('ended')).endReason, 'max_duration')
  await overWith('max_duration', 'system')
})

test("a call's lease is renewed while it lasts, even without the phone", async () => {
  const { app, callId, caller, overWith } = await begun()
  const lease = () =>
    app.database.db.selectFrom('calls').select('leaseUntil').where('id', '=', callId).executeTakeFirst()
  const first = await lease()
  await until('the lease was renewed', async () => (await lease())?.leaseUntil !== first?.leaseUntil)
  caller.tell({ type: 'hangup' })
  await overWith('caller_hangup', 'caller')
})

test('a token opens one call, and no second one, even after the first has ended', async () => {
  const { app, token, caller } = await begun()
  const second = await webCaller(app, token)
  assert.deepEqual(await second.closed, { code: 4409, reason: 'This token was used before' })
  caller.tell({ type: 'hangup' })
  await caller.closed
  const third = await webCaller(app, token)
  assert.equal((await third.closed).code, 4409)
})

test('of many concurrent connections with one token, one is admitted', async () => {
  const app = await toneApp()
  const token = await orderOf(app.ana, await newAgent(app.ana))
  const callers = await Promise.all(Array.from({ length: 5 }, () => webCaller(app, token)))
  await agent.next()
  const refused = await until('four are refused', async () => {
    const states = callers.map(({ socket }) => socket.readyState)
    return states.filter((state) => state === 3).length === 4 && callers.filter(({ socket }) => socket.readyState === 3)
  })
  for (const { closed } of refused) assert.match(String((await closed).code), /^44(09|29)$/)
  const inside = callers.find(({ socket }) => socket.readyState === 1)
  inside?.tell({ type: 'hangup' })
  await inside?.closed
})

test('a token that is too old, altered, of another kind or missing opens nothing, and is not logged', async () => {
  const app = await toneApp()
  const token = await orderOf(app.ana, await newAgent(app.ana))
  const altered = (at: number) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
  const wrong = [altered(20), altered(60), altered(token.length - 10), `${token}A`, token.slice(0, -4), 'rtk_a.b', 'x']
  for (const one of wrong) {
    const { code, reason } = await (await webCaller(app, one)).closed
    assert.deepEqual([code, reason], [4401, 'The token is not valid, or has expired'])
  }
  for (const protocols of [['ramal.v1'], [token], ['other', token]])
    assert.match(String((await (await webCaller(app, token, protocols)).closed).code), /^440[01]$/)
  assert.ok(!app.logs().includes(token))
})

test('an expired token opens nothing', async () => {
  const app = await toneApp()
  const token = await orderOf(app.ana, await newAgent(app.ana), { expiresInSeconds: 5 })
  const real = Date.now
  try {
    Date.now = () => real() + 5001
    assert.equal((await (await webCaller(app, token)).closed).code, 4401)
  } finally {
    Date.now = real
  }
})

test('an inactive or deleted agent cannot be called', async () => {
  const app = await toneApp()
  const agentId = await newAgent(app.ana)
  const [first, second] = [await orderOf(app.ana, agentId), await orderOf(app.ana, agentId)]
  await app.ana.patch(`/api/agents/${agentId}`, { isActive: false })
  assert.equal((await (await webCaller(app, first)).closed).code, 4409)
  await app.ana.delete(`/api/agents/${agentId}`)
  assert.equal((await (await webCaller(app, second)).closed).code, 4404)
})

test("a user's concurrent calls are limited; a refused token stays valid", async () => {
  const app = await toneApp()
  const agentId = await newAgent(app.ana)
  const open = async () => webCaller(app, await orderOf(app.ana, agentId))
  const callers = [await open(), await open()]
  for (const _ of callers) await agent.next()
  const token = await orderOf(app.ana, agentId)
  const { code, reason } = await (await webCaller(app, token)).closed
  assert.deepEqual([code, reason], [4429, 'This account carries 2 calls at most'])
  for (const caller of callers) caller.tell({ type: 'hangup' })
  await Promise.all(callers.map(({ closed }) => closed))
  const again = await webCaller(app, token)
  await agent.next()
  again.tell({ type: 'hangup' })
  await again.closed
})

test('invalid audio is ignored, and an oversized message ends the call', async () => {
  const { caller, talk, overWith } = await begun()
  const garbage = [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"type":"digit"}',
    '{"type":"digit","digit":"55"}',
    '{"type":"nothing"}',
  ]
  for (const text of garbage) caller.tell(text)
  for (const bytes of [0, 1, 3, 31, 100_001]) caller.socket.send(Buffer.alloc(bytes, 7))
  caller.tell({ type: 'digit', digit: '9' })
  await until('the agent has the key', () => talk.digits() === '9')
  caller.socket.send(Buffer.alloc(300_000))
  await caller.closed
  await overWith('caller_hangup', 'caller')
})

test('during shutdown calls go on and no new one starts; the remaining ones are ended', async () => {
  const own = toneAgent()
  const app = await startTestApp({}, { converse: own.converse })
  const agentId = await newAgent(app.ana)
  const caller = await webCaller(app, await orderOf(app.ana, agentId))
  await own.next()
  const token = await orderOf(app.ana, agentId)
  app.app.drain()
  assert.deepEqual(await (await webCaller(app, token)).closed, { code: 4503, reason: 'The service is shutting down' })
  let isOver = false
  void app.app.callsOver(60_000).then(() => {
    isOver = true
  })
  const before = caller.heard().pcm.length
  await until('the agent is heard on', () => caller.heard().pcm.length > before + 12_000)
  assert.equal(isOver, false)
  await app.app.close()
  assert.equal((await caller.until('ended')).endReason, 'node_shutdown')
  await until('no call is left', () => isOver)
})
