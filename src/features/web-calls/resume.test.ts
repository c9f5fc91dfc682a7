// A WebSocket that breaks during a call: a new one resumes the call, or the call ends with a reason.
// @run own-process: it moves the clock.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, startTestApp, type TestApp } from '../../../test/app.ts'
import { toneAgent } from '../../../test/phone/talks.ts'
import { AGENT_HZ, ended } from '../../../test/phone-app.ts'
import { heardMs } from '../../../test/phones/spectrum.ts'
import { until } from '../../../test/until.ts'
import { orderOf, webCaller } from '../../../test/web-caller.ts'

const agent = toneAgent()
/** Longer than a busy machine may stall this process, which also runs the browsers. */
const HOLD_MS = 6000
let shared: Promise<TestApp> | undefined

async function begun() {
  shared ??= startTestApp({}, { converse: agent.converse, holdMs: HOLD_MS })
  const app = await shared
  const { id } = (await app.ana.post('/api/agents', anAgent)).json
  const token = await orderOf(app.ana, id)
  const caller = await webCaller(app, token)
  const talk = await agent.next()
  await caller.until('started')
  const again = (used = token) => webCaller(app, used, ['ramal.v1', used, 'ramal.resume'])
  return { app, token, caller, talk, callId: talk.call.callId, again }
}

test('the call goes on over a new socket, with audio and DTMF', async () => {
  const { app, caller, talk, callId, again } = await begun()
  caller.socket.terminate()
  await caller.closed
  const second = await again()
  await second.until('resumed')
  await until('the agent is heard', () => heardMs(second.heard(), AGENT_HZ) > 400)
  second.tell({ type: 'digit', digit: '8' })
  await until('the agent has the key', () => talk.digits() === '8')
  assert.equal(talk.signal.aborted, false)
  assert.equal((await app.ana.get(`/api/calls/${callId}`)).json.status, 'in_progress')
  second.tell({ type: 'hangup' })
  assert.equal((await second.until('ended')).endReason, 'caller_hangup')
  await ended(app.ana, callId)
  assert.equal((await (await again()).closed).code, 4409)
})

test('a socket that has not noticed the break is replaced by the new one', async () => {
  const { caller, talk, again } = await begun()
  const second = await again()
  await second.until('resumed')
  assert.equal((await caller.closed).code, 1006)
  await until('the agent is heard', () => heardMs(second.heard(), AGENT_HZ) > 400)
  assert.equal(talk.signal.aborted, false)
  second.tell({ type: 'hangup' })
  await second.until('ended')
})

test('a call outlives its token, which still opens no second one', async () => {
  const { app, token, caller, again } = await begun()
  const real = Date.now
  try {
    Date.now = () => real() + 61_000
    caller.socket.terminate()
    await caller.closed
    const second = await again()
    await second.until('resumed')
    assert.equal((await (await webCaller(app, token)).closed).code, 4401)
    assert.equal((await (await again(`${token}A`)).closed).code, 4401)
    second.tell({ type: 'hangup' })
    await second.until('ended')
  } finally {
    Date.now = real
  }
})

test('without a reconnection the call ends, and its record says why', async () => {
  const { app, caller, callId } = await begun()
  const before = performance.now()
  caller.socket.terminate()
  const { status, endReason, endDetail } = await ended(app.ana, callId)
  assert.ok(performance.now() - before >= HOLD_MS - 50)
  assert.deepEqual([status, endReason], ['failed', 'media_timeout'])
  assert.match(endDetail, /lost and not resumed/)
})

test('a browser that says it is leaving is not waited for', async () => {
  const { app, caller, callId, talk } = await begun()
  caller.socket.close(1001)
  await until('the agent knows', () => talk.signal.aborted)
  // A call that was waiting for its browser ends as `media_timeout`.
  assert.equal((await ended(app.ana, callId)).endReason, 'caller_hangup')
})

test('a token without a live call resumes nothing', async () => {
  const { app, caller } = await begun()
  const { id } = (await app.ana.post('/api/agents', anAgent)).json
  const token = await orderOf(app.ana, id)
  const early = await webCaller(app, token, ['ramal.v1', token, 'ramal.resume'])
  assert.equal((await early.closed).code, 4409)
  caller.tell({ type: 'hangup' })
  await caller.until('ended')
})
