import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, testApp } from '../../../test/app.ts'
import { putCall } from '../../../test/call-rows.ts'
import { callTurns } from './turn-store.ts'

const old = { endOfTurnMs: 10, recognitionMs: 400, modelMs: 300, synthesisMs: 120, totalMs: 830 }
const latency = { vadMs: 280, toolMs: 0, pacingMs: 10, ...old }
const places = { callerFromMs: 1000, callerToMs: 1500, agentFromMs: 2330, agentToMs: 3000 }
const said = { number: 1, at: '2026-01-01T00:00:00.000Z', caller: 'Olá?', agent: 'Bom dia.', isCut: false }
const turn = { ...said, ...places, latency }

test('only the owner of a call sees its turns, which are deleted with it', async () => {
  const { ana, bia, database } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { id } = await putCall(database.db, { userId: ana.userId, agentId: agent.id })
  assert.deepEqual((await ana.get(`/api/calls/${id}/turns`)).json, [])
  const turns = callTurns(database.db)
  await turns.save(id, [turn])
  await turns.save(id, [turn, { ...turn, number: 2, agent: null, isCut: true }])
  const { json } = await ana.get(`/api/calls/${id}/turns`)
  assert.deepEqual(json[0], { ...turn, providers: { stt: null, llm: null, tts: null } })
  assert.equal(json.length, 2)
  const providers = { stt: null, llm: { id: 'prv_1', name: 'Mine', model: 'm' }, tts: null }
  await turns.save(id, [{ ...turn, providers }])
  assert.deepEqual((await ana.get(`/api/calls/${id}/turns`)).json[0].providers, providers)
  assertError(await bia.get(`/api/calls/${id}/turns`), 404, 'Call not found')
  assertError(await ana.get('/api/calls/cal_none/turns'), 404, 'Call not found')
  await ana.delete(`/api/calls/${id}`)
  assertError(await ana.get(`/api/calls/${id}/turns`), 404, 'Call not found')
  assert.deepEqual(await database.db.selectFrom('callTurns').selectAll().where('callId', '=', id).execute(), [])
  await turns.save(id, [turn])
})

test('turns stored before their positions were recorded are shown with null positions', async () => {
  const { ana, database } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { id } = await putCall(database.db, { userId: ana.userId, agentId: agent.id })
  await callTurns(database.db).save(id, [{ ...said, latency: old } as never])
  const [kept] = (await ana.get(`/api/calls/${id}/turns`)).json
  assert.deepEqual([kept.caller, kept.callerFromMs, kept.agentToMs], ['Olá?', null, null])
  assert.deepEqual([kept.latency.vadMs, kept.latency.totalMs], [null, 830])
})
