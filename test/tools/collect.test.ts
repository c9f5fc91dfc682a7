// `collect` with a model over HTTP, in a rehearsal: the strict fake accepts the history and gets the checked value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, startTestApp } from '../app.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'

/** Collects a CPF if possible, and repeats the result. */
function answer(request: ChatRequest): ChatAnswer {
  if (request.messages.at(-1)?.role === 'tool')
    return { say: `Resultado ${JSON.parse(lastSaid(request, 'tool')).value}.` }
  const canCollect = request.tools?.some((tool) => tool.function.name === 'collect')
  return canCollect ? { calls: [{ name: 'collect', args: { kind: 'cpf' } }] } : { say: 'Diga o seu CPF.' }
}

const steps = [
  { says: 'Quero a segunda via.' },
  { says: 'Cinco dois nove, nove oito dois.' },
  { presses: '24725#' },
  { says: 'Sim, está certo.' },
]

test('a value dictated by voice and keypad reaches the model; a setting switches it off', async () => {
  const llm = await startLlm({ answer })
  const { ana } = await startTestApp({ LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'stand-in' })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const expect = [
    { toolRan: 'collect' },
    { said: { contains: 'Anotei 5 2 9, 9 8 2, 2 4 7, traço 2 5' } },
    { said: { contains: 'Resultado 52998224725' } },
  ]
  const { json } = await ana.post('/api/rehearsals', { agentId: agent.id, steps, expect })
  assert.equal(json.status, 'passed', JSON.stringify(json))

  const off = await ana.patch(`/api/agents/${agent.id}`, { settings: { collect: { enabled: false } } })
  assert.equal(off.status, 200, JSON.stringify(off.json))
  const without = await ana.post('/api/rehearsals', { agentId: agent.id, steps: steps.slice(0, 1) })
  assert.match(JSON.stringify(without.json), /Diga o seu CPF/)
  await llm.stop()
})
