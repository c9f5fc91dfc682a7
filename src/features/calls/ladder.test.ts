// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'
import { putCall } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import type { SipEntry } from '../trunks/schema.ts'
import { callLifecycle } from './lifecycle-store.ts'

const entry = (summary: string, direction: 'in' | 'out' = 'out'): SipEntry => ({
  at: '2026-01-02T03:04:05.678Z',
  direction,
  transport: 'udp',
  remote: '192.0.2.1:5060',
  summary,
  message: `${summary} SIP/2.0\r\n\r\n`,
})

test('a call that was never sent has no SIP messages', async () => {
  const { ana } = await testApp()
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const { callId } = (await ana.post('/api/calls/outbound', { agentId, toNumber: '+5511999990000' })).json
  await until('it has ended', async () => (await ana.get(`/api/calls/${callId}`)).json.endedAt)
  const { status, json } = await ana.get(`/api/calls/${callId}/sip`)
  assert.equal(status, 200)
  assert.deepEqual(json, { callId, entries: [], ladder: '' })
})

test('the owner of a call sees its latest SIP messages and ladder, which are deleted with the call', async () => {
  const { ana, bia, database } = await testApp()
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const { id } = await putCall(database.db, { userId: ana.userId, agentId })
  const { saveLadder } = callLifecycle(database.db)
  await saveLadder(id, [entry('INVITE sip:bob@192.0.2.1')])
  const entries = [entry('INVITE sip:bob@192.0.2.1'), entry('200 OK (INVITE)', 'in')]
  await saveLadder(id, entries)
  const { json } = await ana.get(`/api/calls/${id}/sip`)
  assert.equal(json.callId, id)
  assert.deepEqual(json.entries, entries)
  assert.match(
    json.ladder,
    /192\.0\.2\.1:5060 udp\n[\s\S]*- INVITE sip:bob@192\.0\.2\.1 -+>\|\n.*<-+ 200 OK \(INVITE\) -/,
  )
  assertError(await bia.get(`/api/calls/${id}/sip`), 404, 'Call not found')
  assertError(await ana.get('/api/calls/missing/sip'), 404, 'Call not found')
  assertError(await (await ana.withKey({ scopes: ['agents'] })).get(`/api/calls/${id}/sip`), 403)
  assert.equal((await ana.delete(`/api/calls/${id}`)).status, 200)
  assertError(await ana.get(`/api/calls/${id}/sip`), 404)
  await saveLadder(id, entries)
  const left = database.db.selectFrom('callLadders').selectAll().where('callId', '=', id)
  assert.deepEqual(await left.execute(), [])
})
