import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aRun, aTool, loopbackTools, runTool } from '../../test/tool-runs.ts'
import { until } from '../../test/until.ts'
import { openWebServer, sendJson, type WebHandler } from '../../test/web-server.ts'
import { custom } from './custom.ts'
import type { CallControl, Json, Outcome, ToolContext, ToolRecord } from './ports.ts'

async function open(t: TestContext, handle: WebHandler) {
  const server = await openWebServer(t, handle)
  const kind = custom(loopbackTools(t))
  const ask = (tool: Partial<ToolRecord> = {}, args: Json = {}, place: Partial<ToolContext> = {}) =>
    runTool(kind, aTool({ type: 'custom', requestUrl: server.url, ...tool }), aRun(args, place))
  return { server, ask }
}

test("the owner's server receives the tool call with its call, conversation and agent", async (t) => {
  const { server, ask } = await open(t, (_asked, response) => sendJson(response, { result: { total: 5 }, id: 'A7' }))
  const call = { id: 'cal_1', direction: 'inbound', fromNumber: '+55119', toNumber: '+55118', act: async () => {} }
  const outcome = await ask(
    { headers: { 'X-Key': 'planted-key' }, config: { responseVariables: { orderId: 'id', total: 'result.total' } } },
    { city: 'São Paulo' },
    { call: call as unknown as CallControl },
  )
  assert.deepEqual(outcome, { ok: true, text: '{"total":5}', variables: { orderId: 'A7', total: '5' } })
  const [asked] = server.asked
  assert.equal(asked?.method, 'POST')
  assert.equal(asked?.headers['idempotency-key'], 'tcl_1')
  assert.equal(asked?.headers['x-key'], 'planted-key')
  assert.deepEqual(JSON.parse(asked?.body ?? ''), {
    toolCallId: 'tcl_1',
    tool: { id: 'tool_1', name: 'look up' },
    arguments: { city: 'São Paulo' },
    call: { id: 'cal_1', direction: 'inbound', fromNumber: '+55119', toNumber: '+55118' },
    conversation: { id: 'con_1' },
    agent: { id: 'agt_1', name: 'Ana' },
  })
})

test('the response is a result or a failure', async (t) => {
  const answers: [unknown, number, Outcome][] = [
    [{ result: 'It is sunny' }, 200, { ok: true, text: 'It is sunny' }],
    [{ result: null }, 200, { ok: true, text: 'null' }],
    [{ weather: 'sunny' }, 200, { ok: true, text: '{"weather":"sunny"}' }],
    [['a'], 200, { ok: true, text: '["a"]' }],
    [{ error: 'No such city' }, 200, { ok: false, error: 'No such city' }],
    [{ error: { message: 'Closed' } }, 422, { ok: false, error: 'Closed' }],
    [{ error: null, result: 'x' }, 200, { ok: true, text: 'x' }],
    [{ oops: 1 }, 500, { ok: false, error: 'The server answered with status 500: {"oops":1}' }],
    [{ error: 'gateway' }, 504, { ok: false, error: 'gateway', isDoubtful: true }],
  ]
  let next = 0
  const { ask } = await open(t, (_asked, response) => sendJson(response, answers[next]?.[0], answers[next]?.[1]))
  for (const [i, [told, , expected]] of answers.entries()) {
    next = i
    assert.deepEqual(await ask(), expected, JSON.stringify(told))
  }
})

test('a request is retried only if nothing reached the server or the server is idempotent', async (t) => {
  const { server, ask } = await open(t, (_asked, response) => response.destroy())
  const first = await ask({ config: { retries: 1 } })
  assert.ok(!first.ok && first.isDoubtful)
  assert.equal(server.asked.length, 1)
  await ask({ config: { retries: 1, idempotent: true } })
  assert.deepEqual(
    server.asked.map(({ headers }) => headers['idempotency-key']),
    ['tcl_1', 'tcl_1', 'tcl_1'],
  )
})

test('an async tool responds at once and reports its outcome later', async (t) => {
  let answer = () => {}
  const { server, ask } = await open(t, (_asked, response) => {
    answer = () => sendJson(response, { error: 'too late' })
  })
  const outcome = await ask({ config: { async: true } })
  assert.ok(outcome.ok && outcome.later)
  assert.equal(outcome.text, 'Started: the result is not waited for.')
  await until('it arrived', () => server.asked.length === 1)
  answer()
  assert.deepEqual(await outcome.later, { ok: false, error: 'too late' })
})

test('a secret echoed by the server is masked', async (t) => {
  const { ask } = await open(t, ({ headers }, response) =>
    sendJson(response, { result: headers, error: headers.accept === 'x' ? headers['x-key'] : undefined }),
  )
  const tool = { headers: { 'X-Key': 'planted-key' }, authorization: { type: 'bearer', token: 'planted-token' } }
  const variables = { key: 'result.x-key' }
  assert.doesNotMatch(JSON.stringify(await ask({ ...tool, config: { responseVariables: variables } })), /planted/)
  assert.doesNotMatch(JSON.stringify(await ask({ ...tool, headers: { ...tool.headers, accept: 'x' } })), /planted/)
})
