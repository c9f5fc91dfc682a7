// Rehearsals with a slow model: its time counts, requests do not wait forever, and running rehearsals can be aborted.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { anAgent, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { startLlm } from '../../../test/vendors/llm.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { retention } from '../../db/retention.ts'
import { fileSource } from '../../object-storage/recording-source.ts'
import { endCall } from '../../tool-types/end-call.ts'
import type { ToolRecord } from '../../tool-types/ports.ts'
import type { Llm } from '../../voice/ports.ts'
import { sessionParts } from '../agents/session-parts.ts'
import { agentStore } from '../agents/store.ts'
import { callStore } from '../calls/store.ts'
import { callTurns } from '../calls/turn-store.ts'
import { simulationService } from './rehearsal-runs.ts'
import { rehearsalStore } from './store.ts'

const steps = [{ says: 'Que horas são?' }, { says: 'E amanhã?' }]

test('a model over HTTP is asked as in a call, and its latency counts in the turn', async () => {
  const llm = await startLlm({ firstMs: 120, answer: () => ({ say: 'São dez horas.' }) })
  const env = { LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'stand-in' }
  const { ana } = await startTestApp(env)
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const expect = [{ said: { contains: 'dez horas' } }, { turnUnderMs: 5000 }]
  const { json } = await ana.post('/api/rehearsals', { agentId: agent.id, steps, expect })
  assert.equal(json.status, 'passed', JSON.stringify(json))
  assert.deepEqual(json.llm, { name: 'stand-in', isModel: true })
  const answered = json.turns.filter((turn: { latency: { totalMs: number | null } }) => turn.latency.totalMs !== null)
  assert.equal(answered.length, 2)
  // Generation starts within the pause after the question, so part of the model's time is hidden.
  for (const { latency } of answered) assert.ok(latency.totalMs >= 300, JSON.stringify(latency))
  const fixed = await ana.post('/api/rehearsals', { agentId: agent.id, steps, timing: { modelMs: 2500 } })
  assert.ok(fixed.json.turns.length > 1)
  for (const { latency } of fixed.json.turns.slice(1)) assert.ok(latency.totalMs >= 2500, JSON.stringify(latency))
  await llm.stop()
})

async function slowService({ database, ana }: TestApp) {
  const { db } = database
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  const llm: Llm = {
    name: 'slow',
    isModel: true,
    async *reply(_history, _tools, _options, signal) {
      asked.resolve()
      signal.addEventListener('abort', () => answer.resolve(''), { once: true })
      yield { say: await answer.promise }
    },
  }
  const rehearsals = rehearsalStore(db)
  const service = simulationService({
    session: sessionParts,
    agents: agentStore(db),
    tools: { runnableOf: async () => [] },
    types: {},
    calls: callStore(db),
    turnsOf: callTurns(db).of,
    openRecording: ({ file }) => fileSource(file),
    rehearsals,
    speech: undefined as never,
    llmsOf: async () => ({ llmFor: () => llm, backgroundLlm: () => llm }),
    log: pino({ level: 'silent' }),
    waitMs: 0,
  })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const begun = await service.run(ana.userId, {
    agentId: agent.id,
    steps: steps.slice(0, 1),
    expect: [{ said: { contains: 'dez' } }],
  })
  await asked.promise
  const ended = () =>
    until('the rehearsal has ended', async () => {
      const now = await rehearsals.get(ana.userId, begun.id)
      return now.status !== 'running' && now
    })
  return { service, begun, answer, ended, rehearsals, db, agentId: agent.id as string }
}

test('a request returns before a long rehearsal has ended, and its result is read later', async () => {
  const base = await testApp()
  const { begun, answer, ended } = await slowService(base)
  assert.deepEqual([begun.status, begun.endedAt, begun.transcript], ['running', null, []])
  answer.resolve('São dez horas.')
  const { status, endedAt, checks } = await ended()
  assert.deepEqual([status, checks[0]?.passed], ['passed', true])
  assert.ok(endedAt)
})

test('a user runs two rehearsals at once, and a third when one of them has ended', async () => {
  const base = await testApp()
  const { service, answer, ended, agentId } = await slowService(base)
  const again = () => service.run(base.ana.userId, { agentId, steps: steps.slice(0, 1) })
  await again()
  await assert.rejects(again(), /Too many rehearsals/)
  const { id: hers } = (await base.bia.post('/api/agents', anAgent)).json
  await service.run(base.bia.userId, { agentId: hers, steps: [] })
  answer.resolve('São dez horas.')
  await ended()
  await until('there is room', () =>
    again().then(
      () => true,
      () => false,
    ),
  )
  await service.close()
})

test('a rehearsal that is stopped ends at once, as an error', async () => {
  const { service, begun, ended } = await slowService(await testApp())
  service.stop(begun.id)
  const { status, error } = await ended()
  assert.deepEqual([status, error], ['error', 'The rehearsal was stopped'])
})

test('closing the service ends the running rehearsals', async () => {
  const base = await testApp()
  const { service, begun, rehearsals } = await slowService(base)
  await service.close()
  assert.equal((await rehearsals.get(base.ana.userId, begun.id)).status, 'error')
})

test('a rehearsal orphaned by a dead process is an error, and old rehearsals are deleted', async () => {
  const base = await testApp()
  const { begun, answer, ended, rehearsals, db } = await slowService(base)
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString()
  const olden = (createdAt: string) =>
    db.updateTable('rehearsals').set({ createdAt }).where('id', '=', begun.id).execute()
  await olden(hours(1))
  const left = await rehearsals.get(base.ana.userId, begun.id)
  assert.deepEqual([left.status, left.error], ['error', 'The process that rehearsed it has ended'])
  answer.resolve('Dez.')
  await olden(new Date().toISOString())
  await ended()
  await retention(db, 2, 'nod_of_this_test')()
  assert.ok(await rehearsals.get(base.ana.userId, begun.id))
  await olden(hours(49))
  await retention(db, 2, 'nod_of_this_test')()
  await assert.rejects(rehearsals.get(base.ana.userId, begun.id), /Rehearsal not found/)
})

test('a tool of a type that cannot act is not offered in a rehearsal, as in a call', async () => {
  const base = await testApp()
  const tool = (name: string, type: string): ToolRecord =>
    ({
      id: `tol_${name}`,
      userId: base.ana.userId,
      name,
      type,
      description: 'x'.repeat(5000),
      config: {},
    }) as never
  const offered: string[][] = []
  const lengths: number[] = []
  const llm: Llm = {
    name: 'looking',
    isModel: true,
    async *reply(_history, tools) {
      offered.push(tools.map(({ name }) => name))
      lengths.push(...tools.map(({ description }) => description.length))
      yield { say: 'Certo.' }
    },
  }
  const { db } = base.database
  const service = simulationService({
    session: sessionParts,
    agents: agentStore(db),
    tools: { runnableOf: async () => [tool('known', 'end_call'), tool('unheard_of', 'no_such_type')] },
    types: { end_call: endCall() },
    calls: callStore(db),
    turnsOf: callTurns(db).of,
    openRecording: ({ file }) => fileSource(file),
    rehearsals: rehearsalStore(db),
    speech: undefined as never,
    llmsOf: async () => ({ llmFor: () => llm, backgroundLlm: () => llm }),
    log: pino({ level: 'silent' }),
  })
  const { json: agent } = await base.ana.post('/api/agents', anAgent)
  const { status } = await service.run(base.ana.userId, { agentId: agent.id, steps: [{ says: 'Que horas são?' }] })
  assert.equal(status, 'passed')
  assert.deepEqual(offered[0], ['known', 'collect'])
  assert.ok(
    lengths.every((length) => length < 5000),
    'descriptions are bounded alike',
  )
})
