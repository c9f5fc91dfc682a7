// Replays a call against its agent, or a changed one, and compares the replies.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, type TestApp, testApp } from '../../../test/app.ts'
import { putCall } from '../../../test/call-rows.ts'
import { callTurns } from '../calls/turn-store.ts'

const url = '/api/rehearsals'
const none = { endOfTurnMs: null, recognitionMs: null, modelMs: null, synthesisMs: null, totalMs: null }
const at = '2026-01-01T00:00:00.000Z'
const turns = [
  { number: 1, at, caller: null, agent: 'Clínica Vida, bom dia.', isCut: false, latency: none },
  {
    number: 2,
    at,
    caller: 'Qual é o horário de atendimento?',
    agent: 'O horário de atendimento é das nove às dezoito horas.',
    isCut: false,
    latency: { ...none, totalMs: 900 },
  },
]
const prompt = (hours: string) => `Você atende a clínica Vida.\n\nO horário de atendimento é ${hours}.`

async function aCall({ database }: TestApp, client: Client) {
  const agent = { name: 'C', systemPrompt: prompt('das nove às dezoito horas'), initialSpeech: '{{clinic}}, bom dia.' }
  const { json } = await client.post('/api/agents', agent)
  const variables = JSON.stringify({ clinic: 'Clínica Vida' })
  const { id } = await putCall(database.db, { userId: client.userId, agentId: json.id, variables })
  return { agentId: json.id as string, callId: id }
}

test("the caller's turns are replayed, and each answer is shown beside the original", async () => {
  const base = await testApp()
  const { callId, agentId } = await aCall(base, base.ana)
  await callTurns(base.database.db).save(callId, turns as never)
  const same = await base.ana.post(url, { replayOf: callId })
  assert.equal(same.status, 201, same.text)
  assert.deepEqual([same.json.agentId, same.json.replayOf, same.json.status], [agentId, callId, 'passed'])
  assert.deepEqual(
    same.json.comparison.map(({ isSame }: { isSame: boolean }) => isSame),
    [true, true],
  )
  assert.deepEqual([same.json.comparison[1].beforeMs, same.json.comparison[1].caller], [900, turns[1]?.caller])

  const agent = { systemPrompt: prompt('das oito às doze horas') }
  const changed = (await base.ana.post(url, { replayOf: callId, agent })).json.comparison[1]
  assert.equal(changed.isSame, false)
  assert.match(changed.after, /das oito às doze/)
  assert.ok(changed.similarity > 0.3 && changed.similarity < 1)
})

test('a replay is deleted with its call', async () => {
  const base = await testApp()
  const { callId } = await aCall(base, base.ana)
  await callTurns(base.database.db).save(callId, turns as never)
  const { id } = (await base.ana.post(url, { replayOf: callId })).json
  await base.ana.delete(`/api/calls/${callId}`)
  assertError(await base.ana.get(`${url}/${id}`), 404, 'Rehearsal not found')
})

test('a call that cannot be replayed is refused', async () => {
  const base = await testApp()
  const { callId } = await aCall(base, base.ana)
  assertError(await base.ana.post(url, { replayOf: callId }), 409)
  assertError(await base.ana.post(url, { replayOf: 'cal_none' }), 404, 'Call not found')
  assertError(await base.bia.post(url, { replayOf: callId }), 404, 'Call not found')
  await callTurns(base.database.db).save(callId, turns as never)
  assertError(await base.ana.post(url, { replayOf: callId, mode: 'audio' }), 404, 'Recording not found')
})

test("a key with only the scope agents cannot read a call's transcript through a replay", async () => {
  const base = await testApp()
  const { callId, agentId } = await aCall(base, base.ana)
  await callTurns(base.database.db).save(callId, turns as never)
  const narrow = await base.ana.withKey({ scopes: ['agents'] })
  assertError(await narrow.post(url, { replayOf: callId }), 403, /calls or conversations/)
  const script = await narrow.post(url, { agentId, steps: [{ says: 'Olá' }] })
  assert.equal(script.status, 201, script.text)
  assert.equal((await narrow.get(`${url}/${script.json.id}`)).status, 200)
  const wider = await base.ana.withKey({ scopes: ['agents', 'conversations'] })
  const { status, json } = await wider.post(url, { replayOf: callId })
  assert.equal(status, 201)
  assert.equal((await wider.get(`${url}/${json.id}`)).status, 200)
  assertError(await narrow.get(`${url}/${json.id}`), 403)
})
