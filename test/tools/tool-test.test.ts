// POST /api/tools/:id/test: the owner runs a single tool.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, startTestApp } from '../app.ts'
import { onLoopback, startCounterpart } from './counterpart.ts'

let started: ReturnType<typeof startTestApp> | undefined
async function desk(answer?: Parameters<typeof startCounterpart>[0]) {
  started ??= startTestApp(onLoopback)
  const app = await started
  return { ...app, ana: await app.newUser('ana'), counterpart: await startCounterpart(answer) }
}
const make = async (client: Client, fields: object) => {
  const { json, status, text } = await client.post('/api/tools', {
    name: 'Achar pedido',
    type: 'api_request',
    ...fields,
  })
  assert.equal(status, 201, text)
  return json
}

test('a tool test really runs, and returns request and result with secrets masked', async () => {
  const echo = ({ headers }: { headers: object }) => ({ body: JSON.stringify(headers) })
  const { ana, counterpart, logs } = await desk(echo)
  const { id } = await make(ana, {
    method: 'POST',
    requestUrl: `${counterpart.url}/orders/{order}?key=planted-in-url`,
    headers: { 'X-Key': 'planted-header' },
    authorization: { type: 'bearer', token: 'planted-token' },
    parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
    body: { order: '{order}', who: '{caller}' },
  })
  const { json, status, text } = await ana.post(`/api/tools/${id}/test`, {
    arguments: { order: '7' },
    variables: { caller: 'Bia' },
  })
  assert.equal(status, 200, text)
  assert.equal(json.status, 'done')
  assert.equal(json.function, 'Achar_pedido')
  assert.equal(json.error, null)
  const [sent] = counterpart.received
  assert.equal(sent?.headers.authorization, 'Bearer planted-token')
  assert.equal(sent?.headers['idempotency-key'], json.id)
  assert.deepEqual(JSON.parse(sent?.body ?? ''), { order: 7, who: 'Bia' })
  assert.equal(json.request.method, 'POST')
  assert.match(json.request.url, /\/orders\/7\?key=/)
  assert.deepEqual(JSON.parse(json.request.body), { order: 7, who: 'Bia' })
  assert.match(json.result, /\*{8}/)
  assert.doesNotMatch(text, /planted-(header|token)/)
  assert.doesNotMatch(logs(), /planted/)
})

test('undeclared arguments from the model replace no variable and are not sent', async () => {
  const { ana, counterpart } = await desk()
  const properties = { order: { type: 'integer' } }
  const told = {
    arguments: { order: 7, caller: '+5511000000000', isAdmin: true },
    variables: { caller: '+5511987654321' },
  }
  const send = async (fields: object) => {
    const { id } = await make(ana, { method: 'POST', ...fields })
    const { json } = await ana.post(`/api/tools/${id}/test`, told)
    assert.equal(json.status, 'done', JSON.stringify(json))
    const { url, body } = counterpart.received.at(-1) ?? assert.fail()
    return { url, body: body === '' ? null : JSON.parse(body) }
  }
  const requestUrl = `${counterpart.url}/orders?phone={caller}`
  const phone = '/orders?phone=%2B5511987654321'
  assert.deepEqual(await send({ requestUrl }), { url: phone, body: null }, 'no parameters at all')
  assert.deepEqual(await send({ requestUrl, parameters: { type: 'object', properties } }), {
    url: phone,
    body: { order: 7 },
  })
  const open = { type: 'object', properties, additionalProperties: true }
  const free = await send({ requestUrl, parameters: open, body: { who: '{caller}', admin: '{isAdmin}' } })
  assert.deepEqual(free, { url: phone, body: { who: '+5511987654321', admin: true } }, 'its owner lets others come')
  const custom = await send({ type: 'custom', requestUrl, parameters: { type: 'object', properties } })
  assert.deepEqual([custom.url, custom.body.arguments], [phone, { order: 7 }])
  const declared = { type: 'object', properties: { caller: { type: 'string' } } }
  assert.equal(
    (await send({ requestUrl, parameters: declared })).url,
    '/orders?phone=%2B5511000000000',
    'its owner asks for it',
  )
})

test('failures of the server, the arguments and a forbidden network are returned as results', async () => {
  const { ana, counterpart } = await desk(() => ({ status: 404, body: '{"message":"no such order"}' }))
  const parameters = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const { id } = await make(ana, { requestUrl: counterpart.url, parameters })
  const run = async (body: object) => (await ana.post(`/api/tools/${id}/test`, body)).json
  const failed = await run({ arguments: { n: 1 } })
  assert.equal(failed.status, 'failed')
  assert.match(failed.error, /404.*no such order/)
  const refused = await run({})
  assert.deepEqual([refused.status, refused.id, refused.request], ['refused', null, null])
  assert.match(refused.error, /n is missing/)
  assert.equal(counterpart.received.length, 1)
  await ana.patch(`/api/tools/${id}`, { requestUrl: 'http://10.0.0.1/' })
  assert.match((await run({ arguments: { n: 1 } })).error, /network that tools may not reach/)
})

test('a tool that acts on a call needs one, and an unfinished tool says what is missing', async () => {
  const { ana } = await desk()
  const transfer = { type: 'transfer_call', config: { allowAnyNumber: true } }
  for (const fields of [{ type: 'dtmf' }, { type: 'end_call' }, transfer]) {
    const { id } = await make(ana, fields)
    assertError(await ana.post(`/api/tools/${id}/test`, {}), 409, /needs a live call/)
  }
  const { id } = await make(ana, {})
  assertError(await ana.post(`/api/tools/${id}/test`, {}), 409, /cannot be used: requestUrl is missing/)
})

test("29 another user's tool or agent does not exist", async () => {
  const { ana, bia, counterpart } = await desk()
  const { id } = await make(ana, { requestUrl: counterpart.url })
  assertError(await bia.post(`/api/tools/${id}/test`, {}), 404, 'Tool not found')
  const { json: agent } = await bia.post('/api/agents', anAgent)
  assertError(await ana.post(`/api/tools/${id}/test`, { agentId: agent.id }), 404, 'Agent not found')
  assert.equal(counterpart.received.length, 0)
})

test('the key needs the scope tools', async () => {
  const { ana, counterpart } = await desk()
  const { id } = await make(ana, { requestUrl: counterpart.url })
  const agentsOnly = await ana.withKey({ scopes: ['agents'] })
  assertError(await agentsOnly.post(`/api/tools/${id}/test`, {}), 403)
  const toolsOnly = await ana.withKey({ scopes: ['tools'] })
  assert.equal((await toolsOnly.post(`/api/tools/${id}/test`, {})).json.status, 'done')
})
