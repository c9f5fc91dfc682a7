// Outages in rehearsals: the message taker, the next model, and recovery, in virtual time.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, startTestApp } from '../../../test/app.ts'
import { startLlm } from '../../../test/vendors/llm.ts'
import { KEY } from '../../../test/vendors/server.ts'

type ChainEvent = { type: string; kind: string; provider: string; reason: string | null }
const told = (events: ChainEvent[]) => events.map(({ type, kind, reason }) => [type, kind, reason])

async function started(env: Record<string, string> = {}) {
  const main = await startLlm({ answer: () => ({ say: 'Abrimos às nove horas.' }) })
  const vendor = { LLM_BASE_URL: `${main.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'stand-in' }
  const { ana } = await startTestApp({ ...vendor, ...env })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  // A fixed time: on a busy machine, a slow model would be replaced too.
  const timing = { modelMs: 300 }
  const rehearse = async (script: object) =>
    (await ana.post('/api/rehearsals', { agentId: agent.id, timing, ...script })).json
  return { main, ana, rehearse }
}

test('when every model is out, a message is taken; a model that works again goes on', async () => {
  const { main, rehearse } = await started()
  const run = await rehearse({
    variables: { caller: '+5511987654321' },
    steps: [
      { says: 'Que horas vocês abrem?' },
      { outage: 'llm' },
      { says: 'Quero remarcar a minha consulta.' },
      { says: 'Maria Souza.' },
      { says: 'Sim.' },
      { says: 'Não, só isso.' },
      { says: 'Está certo.' },
    ],
    expect: [
      { said: { contains: 'nove horas' } },
      { said: { contains: 'não está disponível' } },
      { said: { contains: 'Alguém vai ligar de volta' } },
      { degraded: 'llm' },
      { endReason: 'agent_ended' },
    ],
  })
  assert.equal(run.status, 'passed', JSON.stringify([run.checks, run.transcript], null, 1))
  assert.deepEqual(told(run.chainEvents), [['degraded', 'llm', 'unreachable']])

  const restored = await rehearse({
    steps: [
      { outage: 'all', afterMs: 0 },
      { says: 'Que horas vocês abrem?' },
      { outage: 'none' },
      { says: 'Um momento, por favor.', afterMs: 8_000 },
      { says: 'Que horas abre?', afterMs: 8_000 },
    ],
    expect: [{ degraded: 'none' }, { said: { contains: 'nove horas' } }],
  })
  assert.deepEqual(
    restored.checks.map(({ passed }: { passed: boolean }) => passed),
    [false, true],
    JSON.stringify([restored.chainEvents, restored.transcript], null, 1),
  )
  assert.deepEqual(told(restored.chainEvents), [
    ['degraded', 'llm', 'unreachable'],
    ['recovered', 'llm', null],
  ])
  await main.stop()
})

test('an outage takes every vendor of its kind', async () => {
  const second = await startLlm({ answer: () => ({ say: 'Às nove horas, de segunda a sexta.' }) })
  const fallback = { LLM_FALLBACK_BASE_URL: `${second.url}/v1`, LLM_FALLBACK_API_KEY: KEY, LLM_FALLBACK_MODEL: 'other' }
  const { main, rehearse } = await started(fallback)
  const run = await rehearse({
    steps: [{ outage: 'llm', afterMs: 0 }, { says: 'Que horas vocês abrem?' }],
    expect: [{ degraded: 'llm' }],
  })
  assert.match(JSON.stringify(run.transcript), /não está disponível/)
  await main.stop()
  await second.stop()
})

test('without an outage the chain serves from its first link', async () => {
  const { main, rehearse } = await started()
  const run = await rehearse({ steps: [{ says: 'Que horas vocês abrem?' }], expect: [{ degraded: 'none' }] })
  assert.equal(run.status, 'passed', JSON.stringify(run.checks))
  assert.deepEqual(run.chainEvents, [])
  await main.stop()
})

test('an outage step stands alone', async () => {
  const { main, ana } = await started()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const post = (step: object) => ana.post('/api/rehearsals', { agentId: agent.id, steps: [step] })
  assertError(await post({ outage: 'llm', says: 'Oi' }), 400)
  assertError(await post({ outage: 'everything' }), 400)
  await main.stop()
})
