// The AMD result of an outbound call is stored and shown.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, testApp } from '../../../test/app.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'
import { callLifecycle } from './lifecycle-store.ts'

test('answeredBy is shown on the call and in the list, and can change', async () => {
  const { ana, database } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { id } = await putCall(database.db, { userId: ana.userId, agentId: agent.id, ...goingOn })
  assert.equal((await ana.get(`/api/calls/${id}`)).json.answeredBy, null)
  const course = callLifecycle(database.db)
  for (const by of ['human', 'machine', 'ivr', 'unknown'] as const) {
    await course.answeredBy(id, by)
    assert.equal((await ana.get(`/api/calls/${id}`)).json.answeredBy, by)
    assert.equal((await ana.get('/api/calls')).json[0].answeredBy, by)
  }
})

test('answeredBy of a new outbound call is null', async () => {
  const { ana } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json } = await ana.post('/api/calls/outbound', { toNumber: '+5511999990000', agentId: agent.id })
  assert.equal((await ana.get(`/api/calls/${json.callId}`)).json.answeredBy, null)
})
