// Saved rehearsals: stored, run, watched, stopped, compared, and made from a call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, type TestApp, testApp } from '../../../test/app.ts'
import { putCall } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { removal } from '../calls/removal-store.ts'
import { callTurns } from '../calls/turn-store.ts'
import { emptyOutcome, rehearsalStore } from './store.ts'

const url = '/api/rehearsal-scripts'
const hours = (text: string) => `Você atende a clínica Vida.\n\nO horário de atendimento é ${text}.`
const clinic = {
  name: 'Clínica',
  systemPrompt: hours('das nove às dezoito horas'),
  initialSpeech: 'Clínica Vida, bom dia.',
}
const steps = [{ says: 'Qual é o horário de atendimento?' }, { says: 'Tchau.' }]
const script = { steps, expect: [{ said: { contains: 'das nove às dezoito' } }, { endReason: 'agent_ended' }] }

const agentOf = async (client: Client, agent: object = clinic): Promise<string> =>
  (await client.post('/api/agents', agent)).json.id

async function ended(client: Client, id: string) {
  await until(
    'the rehearsal has ended',
    async () => (await client.get(`/api/rehearsals/${id}`)).json.status !== 'running',
  )
  return (await client.get(`/api/rehearsals/${id}`)).json
}

test('a rehearsal is saved, changed, listed with its last run, and deleted; its runs stay', async () => {
  const { ana, bia } = await testApp()
  const agentId = await agentOf(ana)
  const saved = (await ana.post(url, { name: 'Horário', agentId, script })).json
  assert.deepEqual([saved.name, saved.agentId, saved.callId], ['Horário', agentId, null])
  assert.deepEqual(saved.script, script)
  assert.equal((await ana.get(url)).json[0].lastRun, null)
  const begun = await ana.post(`${url}/${saved.id}/runs`, {})
  assert.equal(begun.status, 201)
  const run = await ended(ana, begun.json.id)
  assert.deepEqual([run.status, run.checksPassed, run.checksFailed, run.name], ['failed', 1, 1, 'Horário'])
  const [listed] = (await ana.get(`${url}?agentId=${agentId}`)).json
  assert.deepEqual([listed.lastRun.id, listed.lastRun.status], [run.id, 'failed'])
  assert.equal('script' in listed, false)
  assert.deepEqual((await ana.get(`${url}?agentId=other`)).json, [])
  const ran = (await ana.get(`/api/rehearsals/${run.id}/script`)).json
  assert.deepEqual(ran, { scriptId: saved.id, script })

  const changed = { name: 'Novo', script: { steps: [{ presses: '12#' }] } }
  const patched = (await ana.patch(`${url}/${saved.id}`, changed)).json
  assert.deepEqual([patched.name, patched.script], [changed.name, changed.script])
  assertError(await ana.patch(`${url}/${saved.id}`, { script: { steps: [{}] } }), 400, /^steps\.0 must have/)
  assertError(await ana.post(url, { name: 'x', agentId: 'missing', script }), 404, 'Agent not found')
  assertError(await ana.post(url, { name: 'x', agentId, script: { stepz: [] } }), 400)
  for (const answer of [await bia.get(`${url}/${saved.id}`), await bia.post(`${url}/${saved.id}/runs`, {})])
    assertError(answer, 404, 'Rehearsal script not found')
  assert.deepEqual((await bia.get(url)).json, [])

  assert.equal((await ana.get(`${url}/${saved.id}/runs`)).json.length, 1)
  assert.equal((await ana.delete(`${url}/${saved.id}`)).json.id, saved.id)
  assertError(await ana.get(`${url}/${saved.id}/runs`), 404)
  assert.equal((await ana.get(`/api/rehearsals/${run.id}`)).status, 200)
  assert.equal((await ana.get(`/api/rehearsals/${run.id}/script`)).json.scriptId, null)
})

test('one rehearsal runs on two agents, and the answers are compared turn by turn', async () => {
  const { ana, bia } = await testApp()
  const [agentId, other] = [
    await agentOf(ana),
    await agentOf(ana, { ...clinic, systemPrompt: hours('das oito às doze') }),
  ]
  const { id } = (await ana.post(url, { name: 'Horário', agentId, script })).json
  const one = await ended(ana, (await ana.post(`${url}/${id}/runs`, {})).json.id)
  const two = await ended(ana, (await ana.post(`${url}/${id}/runs`, { agentId: other })).json.id)
  assert.deepEqual([one.agentId, two.agentId], [agentId, other])
  const compared = (await ana.get(`/api/rehearsals/${one.id}/comparison?with=${two.id}`)).json.comparison
  const [opening, answer] = compared
  assert.equal(opening.isSame, true)
  assert.deepEqual([answer.caller, answer.isSame], [steps[0]?.says, false])
  assert.match(answer.before, /das nove/)
  assert.match(answer.after, /das oito/)
  assertError(await ana.get(`/api/rehearsals/${one.id}/comparison?with=missing`), 404, 'Rehearsal not found')
  assertError(await ana.get(`/api/rehearsals/${one.id}/comparison`), 400, 'with is required')
  assertError(await bia.get(`/api/rehearsals/${one.id}/comparison?with=${one.id}`), 404)
})

test('a running rehearsal shows what has happened, and stopping it keeps that', async () => {
  const base = await testApp()
  const { ana, bia } = base
  const agentId = await agentOf(ana)
  const store = rehearsalStore(base.database.db)
  const row = { agentId, name: 'x', mode: 'text', replayOf: null, scriptId: null, script: null } as const
  const { id } = await store.create(ana.userId, row)
  const line = { who: 'agent', text: 'Bom dia.', fromMs: 0, toMs: 900, isCut: false } as const
  assert.equal(await store.progress(id, { ...emptyOutcome, transcript: [line] }), true)
  const shown = (await ana.get(`/api/rehearsals/${id}`)).json
  assert.deepEqual([shown.status, shown.transcript], ['running', [line]])
  assertError(await bia.post(`/api/rehearsals/${id}/stop`), 404)
  const stopped = (await ana.post(`/api/rehearsals/${id}/stop`)).json
  assert.deepEqual([stopped.status, stopped.error, stopped.transcript], ['error', 'The rehearsal was stopped', [line]])
  assert.equal(await store.progress(id, emptyOutcome), false, 'its process notices')
  await store.finish(id, { status: 'passed', durationMs: 1, outcome: emptyOutcome })
  assert.equal((await ana.get(`/api/rehearsals/${id}`)).json.status, 'error')
  assert.equal((await ana.post(`/api/rehearsals/${id}/stop`)).json.status, 'error')
})

const none = { endOfTurnMs: null, recognitionMs: null, modelMs: null, synthesisMs: null, totalMs: null }
const at = '2026-01-01T00:00:00.000Z'
const turns = [
  { number: 1, at, caller: null, agent: 'Clínica Vida, bom dia.', isCut: false, latency: none },
  { number: 2, at, caller: steps[0]?.says ?? '', agent: 'Das nove às dezoito.', isCut: true, latency: none },
  { number: 3, at, caller: 'E no sábado?', agent: 'Fechado.', isCut: false, latency: none },
]

async function callOf({ database }: TestApp, client: Client) {
  const agentId = await agentOf(client)
  const { id } = await putCall(database.db, { userId: client.userId, agentId, variables: JSON.stringify({ a: 'b' }) })
  await callTurns(database.db).save(id, turns as never)
  return { agentId, callId: id }
}

test('a rehearsal is made from a call, compares with it, and is deleted with it unless it is kept', async () => {
  const base = await testApp()
  const { ana, bia } = base
  const { agentId, callId } = await callOf(base, ana)
  const made = await ana.post(`${url}/from-call`, { callId, name: 'De uma chamada' })
  assert.equal(made.status, 201, made.text)
  const { id, script: copied } = made.json
  assert.deepEqual([made.json.agentId, made.json.callId], [agentId, callId])
  assert.deepEqual(
    copied.steps.map(({ says }: { says: string }) => says),
    [turns[1]?.caller, turns[2]?.caller],
  )
  assert.ok(copied.steps[1].interruptsAfterMs > 0)
  assert.deepEqual(copied.variables, { a: 'b' })
  const run = await ended(ana, (await ana.post(`${url}/${id}/runs`, {})).json.id)
  assert.deepEqual([run.replayOf, run.status], [callId, 'passed'])
  assert.equal(run.comparison[1].before, 'Das nove às dezoito.')

  const narrow = await ana.withKey({ scopes: ['agents'] })
  for (const answer of [
    await narrow.get(`${url}/${id}`),
    await narrow.get(`/api/rehearsals/${run.id}/script`),
    await narrow.post(`${url}/${id}/runs`, {}),
    await narrow.post(`${url}/from-call`, { callId }),
  ])
    assertError(answer, 403, /needs the scope calls or conversations/)
  assertError(await bia.post(`${url}/from-call`, { callId }), 404, 'Call not found')

  const kept = (await ana.post(`${url}/from-call`, { callId })).json.id
  assert.equal((await ana.patch(`${url}/${kept}`, { isKept: true })).json.callId, null)
  await removal(base.database.db, 'here').call(ana.userId, callId)
  assertError(await ana.get(`${url}/${id}`), 404)
  assertError(await ana.get(`/api/rehearsals/${run.id}`), 404)
  assert.equal((await ana.get(`${url}/${kept}`)).status, 200)
})

test('a call without an agent or without words cannot be rehearsed', async () => {
  const base = await testApp()
  const agentId = await agentOf(base.ana)
  const silent = await putCall(base.database.db, { userId: base.ana.userId, agentId })
  assertError(await base.ana.post(`${url}/from-call`, { callId: silent.id }), 409, /no caller turns/)
  const refused = await putCall(base.database.db, { userId: base.ana.userId, agentId: null })
  assertError(await base.ana.post(`${url}/from-call`, { callId: refused.id }), 409, /no agent/)
})
