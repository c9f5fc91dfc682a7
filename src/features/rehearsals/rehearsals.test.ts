// Rehearsals over HTTP, with the rule agent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, testApp } from '../../../test/app.ts'

const url = '/api/rehearsals'
const clinic = {
  name: 'Clínica',
  systemPrompt:
    'Você atende a clínica Vida.\n\nO horário de atendimento é das nove às dezoito horas.\n\nO endereço é Rua das Flores, 10.',
  initialSpeech: 'Clínica Vida, bom dia.',
}
const steps = [{ says: 'Qual é o horário de atendimento?' }, { says: 'Tchau.' }]

async function agentOf(client: Client, agent: object = clinic): Promise<string> {
  return (await client.post('/api/agents', agent)).json.id
}

test('a scripted caller talks to an agent, and every expectation is evaluated', async () => {
  const { ana } = await testApp()
  const agentId = await agentOf(ana)
  const expect = [
    { said: { contains: 'das nove às dezoito' } },
    { said: { matches: '(?i)bom dia', turn: 1 } },
    { heard: { contains: 'horário', turn: 2 } },
    { turnUnderMs: 30_000 },
    { toolNotRan: 'anything' },
    { endReason: 'caller_hangup' },
  ]
  const { status, json } = await ana.post(url, { agentId, name: 'hours', steps, expect })
  assert.equal(status, 201)
  assert.deepEqual(
    json.checks.filter(({ passed }: { passed: boolean }) => !passed),
    [],
  )
  assert.deepEqual(
    [json.status, json.name, json.mode, json.checksPassed, json.checksFailed, json.stepsPlayed],
    ['passed', 'hours', 'text', 6, 0, 2],
  )
  assert.deepEqual(json.llm, { name: 'rules', isModel: false })
  assert.equal(json.turns[1].caller, 'Qual é o horário de atendimento?')
  assert.ok(json.turns[1].latency.totalMs > 0)
  const [opening, question] = json.transcript
  assert.equal(opening.text, 'Clínica Vida, bom dia.')
  assert.ok(question.fromMs >= opening.toMs && question.toMs > question.fromMs)
  assert.deepEqual((await ana.get(`${url}/${json.id}`)).json, json)
})

test('an unmet expectation fails the rehearsal, and reports what happened instead', async () => {
  const { ana } = await testApp()
  const agentId = await agentOf(ana)
  const expect = [{ said: { contains: 'meia-noite' } }, { said: { not: 'dezoito' } }, { endReason: 'agent_ended' }]
  const { json } = await ana.post(url, { agentId, steps, expect })
  assert.deepEqual([json.status, json.checksPassed, json.checksFailed], ['failed', 0, 3])
  assert.match(json.checks[0].detail, /das nove/)
  assert.equal(json.checks[2].detail, 'it ended with caller_hangup')
})

test('changes to the agent apply to the rehearsal and are not saved', async () => {
  const { ana } = await testApp()
  const agentId = await agentOf(ana)
  const agent = { initialSpeech: 'Oi, {{who}}!', settings: { firstMessage: 'agent_first' } }
  const expect = [{ said: { contains: 'Oi, Bia', turn: 1 } }]
  const { json } = await ana.post(url, { agentId, agent, variables: { who: 'Bia' }, steps: [], expect })
  assert.equal(json.status, 'passed', JSON.stringify(json.checks))
  assert.equal((await ana.get(`/api/agents/${agentId}`)).json.initialSpeech, clinic.initialSpeech)
})

test("a linked tool is offered but never run: it returns the script's result, or a neutral one", async () => {
  const { ana } = await testApp()
  const agentId = await agentOf(ana)
  const tool = {
    name: 'Consultar pedido',
    type: 'api_request',
    description: 'Consulta o pedido do cliente',
    requestUrl: 'http://127.0.0.1:1/never',
    method: 'GET',
  }
  const { id } = (await ana.post('/api/tools', tool)).json
  await ana.post(`/api/tools/${id}/agents/${agentId}`)
  const asked = { agentId, steps: [{ says: 'Quero consultar o meu pedido.' }] }
  const expect = [{ toolRan: 'Consultar pedido', times: 1 }, { said: { contains: 'saiu para entrega' } }]
  const scripted = await ana.post(url, {
    ...asked,
    tools: { 'Consultar pedido': { result: 'O pedido saiu para entrega.', delayMs: 500 } },
    expect,
  })
  assert.equal(scripted.json.status, 'passed', JSON.stringify(scripted.json.checks))
  assert.equal(scripted.json.toolCalls[0].isScripted, true)
  const neutral = (await ana.post(url, { ...asked, expect: expect.slice(0, 1) })).json
  assert.deepEqual([neutral.status, neutral.toolCalls[0].isScripted], ['passed', false])
})

test('rehearsals are listed without transcripts, deleted, and invisible to others', async () => {
  const { ana, bia } = await testApp()
  const agentId = await agentOf(ana)
  const { json } = await ana.post(url, { agentId, steps })
  const listed = (await ana.get(url)).json
  assert.equal(listed.length, 1)
  assert.equal(listed[0].id, json.id)
  assert.ok(!JSON.stringify(listed).includes('horário'))
  assert.deepEqual((await bia.get(url)).json, [])
  for (const answer of [await bia.get(`${url}/${json.id}`), await bia.delete(`${url}/${json.id}`)])
    assertError(answer, 404, 'Rehearsal not found')
  assertError(await bia.post(url, { agentId, steps }), 404, 'Agent not found')
  assert.deepEqual((await ana.delete(`${url}/${json.id}`)).json, json)
  assertError(await ana.get(`${url}/${json.id}`), 404, 'Rehearsal not found')
})

test('an invalid script is a 400 that says where', async () => {
  const { ana } = await testApp()
  const agentId = await agentOf(ana)
  const wrong: [object, string | RegExp][] = [
    [{ steps }, 'agentId is required'],
    [{ agentId }, 'steps is required'],
    [{ agentId, steps: [{}] }, 'steps.0 must have exactly one of says, waits, presses, noise, hangsUp, outage'],
    [{ agentId, steps: [{ says: 'a', waits: 5 }] }, /^steps\.0 must have exactly one/],
    [{ agentId, steps: [{ waits: 5, afterMs: 5 }] }, 'steps.0.afterMs does not go with waits'],
    [{ agentId, steps: [{ says: 'a', afterMs: 1, interruptsAfterMs: 1 }] }, /must not have both/],
    [{ agentId, steps: [{ presses: '12x' }] }, /^steps\.0\.presses must match/],
    [{ agentId, steps: [{ says: 'a', audio: 'UklGRg==' }] }, 'steps.0.audio is for mode audio'],
    [{ agentId, steps, expect: [{ said: {} }] }, 'expect.0.said needs contains, matches or not'],
    [{ agentId, steps, expect: [{ said: { matches: '(' } }] }, /^expect\.0\.said\.matches is no regular expression/],
    [{ agentId, steps, expect: [{ said: { matches: '(a{999}){999}' } }] }, /too large/],
    [{ agentId, steps, expect: [{ endReason: 'x', times: 2 }] }, 'expect.0.times does not go with endReason'],
    [{ agentId, steps: Array.from({ length: 201 }, () => ({ waits: 1 })) }, /^steps must NOT have more than 200/],
    [{ agentId, replayOf: 'x', steps }, /leave steps out/],
    [{ agentId, steps, agent: { isActive: true } }, 'agent.isActive is not known here; agent has an unknown field'],
  ]
  for (const [body, message] of wrong) assertError(await ana.post(url, body), 400, message)
  assert.deepEqual((await ana.get(url)).json, [])
})

test('audio needs speech recognition: without it the request is a 503, and nothing is stored', async () => {
  const { ana } = await testApp()
  const agentId = await agentOf(ana)
  assertError(await ana.post(url, { agentId, mode: 'audio', steps }), 503)
  assert.deepEqual((await ana.get(url)).json, [])
})
