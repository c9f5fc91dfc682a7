// Copies of agents, tools and trunks: what is copied, what is not, and that secrets are never exposed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, testApp } from '../../../test/app.ts'
import { aCall } from '../../../test/call-rows.ts'

test('an agent is copied with its tools and outbound trunks, without its numbers and calls', async () => {
  const { ana, bia, database } = await testApp()
  const made = { ...anAgent, name: 'Ana', settings: { variables: { x: '1' } }, direction: 'both' }
  const original = (await ana.post('/api/agents', made)).json
  const tool = (await ana.post('/api/tools', { name: 'agenda', type: 'custom' })).json
  await ana.post(`/api/tools/${tool.id}/agents/${original.id}`, {})
  const trunk = (await ana.post('/api/trunks', { name: 'x' })).json
  const link = { trunkId: trunk.id }
  await ana.post(`/api/agents/${original.id}/link-trunk`, { ...link, trunkType: 'outbound' })
  await ana.post(`/api/agents/${original.id}/link-trunk`, { ...link, trunkType: 'inbound', phoneNumber: aNumber() })
  const call = aCall({ userId: ana.userId, agentId: original.id, recording: 'x.wav' })
  await database.db.insertInto('calls').values(call).execute()

  const { status, json: copy } = await ana.post(`/api/agents/${original.id}/duplicate`, { name: 'Ana (cópia)' })
  assert.equal(status, 201)
  assert.notEqual(copy.id, original.id)
  const { id, createdAt, updatedAt, ...rest } = copy
  const { id: _, createdAt: __, updatedAt: ___, ...before } = original
  assert.deepEqual(rest, { ...before, name: 'Ana (cópia)' })
  assert.deepEqual(
    (await ana.get(`/api/agents/${copy.id}/tools`)).json.map((each: { id: string }) => each.id),
    [tool.id],
  )
  const linked = (await ana.get(`/api/agents/${copy.id}/linked-trunks`)).json
  assert.deepEqual(
    linked.map((each: Record<string, unknown>) => [each.trunkId, each.trunkType, each.phoneNumbers]),
    [[trunk.id, 'outbound', []]],
  )
  const contents = async (agentId: string) => (await ana.get(`/api/agents/${agentId}/contents`)).json
  assert.deepEqual(await contents(original.id), { calls: 1, recordings: 1, conversations: 0, phoneNumbers: 1 })
  assert.deepEqual(await contents(copy.id), { calls: 0, recordings: 0, conversations: 0, phoneNumbers: 0 })
  assert.equal((await ana.post(`/api/agents/${original.id}/duplicate`, {})).json.name, 'Ana (copy)')
  assertError(await ana.post(`/api/agents/${original.id}/duplicate`, { name: ' ' }), 400)
  for (const path of ['duplicate', 'contents'])
    assertError(await bia[path === 'contents' ? 'get' : 'post'](`/api/agents/${original.id}/${path}`, {}), 404)
})

test("a tool's copy has its secrets, sealed anew and bound to the same address; no agent has it", async () => {
  const { ana, bia, database } = await testApp()
  const made = {
    name: 'crm',
    type: 'api_request',
    method: 'POST',
    requestUrl: 'https://crm.example/hook',
    headers: { 'X-Token': 'header-secret' },
    authorization: { type: 'bearer', token: 'bearer-secret' },
  }
  const original = (await ana.post('/api/tools', made)).json
  const agent = (await ana.post('/api/agents', anAgent)).json
  await ana.post(`/api/tools/${original.id}/agents/${agent.id}`, {})
  const answer = await ana.post(`/api/tools/${original.id}/duplicate`, { name: 'crm 2' })
  assert.equal(answer.status, 201)
  assert.doesNotMatch(answer.text, /secret/)
  const copy = answer.json
  assert.deepEqual([copy.name, copy.headers, copy.authorization], ['crm 2', original.headers, original.authorization])
  assert.deepEqual((await ana.get(`/api/tools/${copy.id}/agents`)).json, [])
  const sealed = await database.db
    .selectFrom('tools')
    .select(['headersSealed', 'authorizationSealed'])
    .where('type', '=', 'api_request')
    .execute()
  assert.equal(new Set(sealed.flatMap((row) => [row.headersSealed, row.authorizationSealed])).size, 4, 'no two alike')
  // A changed address blocks the copied secret, just as it blocks the original's.
  await ana.patch(`/api/tools/${copy.id}`, { requestUrl: 'https://evil.example/hook' })
  const tested = await ana.post(`/api/tools/${copy.id}/test`, { arguments: {} })
  assert.match(tested.text, /crm\.example/)
  assertError(await bia.post(`/api/tools/${original.id}/duplicate`, {}), 404)
})

test("a trunk's copy is disabled, has the password and no links; the password leaves the server in neither", async () => {
  const { ana, bia } = await testApp()
  const made = {
    name: 'Operadora',
    host: 'sip.example',
    authMode: 'register',
    username: 'u',
    numbers: ['+551140028922'],
  }
  const original = (await ana.post('/api/trunks', { ...made, password: 'trunk-secret' })).json
  const agent = (await ana.post('/api/agents', anAgent)).json
  const phoneNumber = aNumber()
  await ana.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: original.id, trunkType: 'inbound', phoneNumber })
  const answer = await ana.post(`/api/trunks/${original.id}/duplicate`, { name: 'Operadora (cópia)' })
  assert.equal(answer.status, 201)
  assert.doesNotMatch(answer.text, /trunk-secret/)
  const { hasPassword, isActive, status, host, username, numbers, name } = answer.json
  assert.deepEqual(
    { hasPassword, isActive, status, host, username, numbers, name },
    {
      hasPassword: true,
      isActive: false,
      status: 'disabled',
      host: 'sip.example',
      username: 'u',
      numbers: [],
      name: 'Operadora (cópia)',
    },
  )
  assert.deepEqual((await ana.get(`/api/trunks/${answer.json.id}/agents`)).json, [])
  assertError(await bia.post(`/api/trunks/${original.id}/duplicate`, {}), 404)

  const [link, ...more] = (await ana.get('/api/trunk-links')).json
  assert.deepEqual(more, [])
  assert.deepEqual([link.agentId, link.trunkId, link.phoneNumbers], [agent.id, original.id, [phoneNumber]])
  assert.deepEqual((await bia.get('/api/trunk-links')).json, [])
})

test('calls are counted by agent, of the last days only', async () => {
  const { ana, bia, database } = await testApp()
  const agentId = (await ana.post('/api/agents', anAgent)).json.id
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const owner = { userId: ana.userId, agentId }
  const calls = [
    aCall({ ...owner, startedAt: at(1) }),
    aCall({ ...owner, startedAt: at(2), answeredAt: null, status: 'no_answer' }),
    aCall({ ...owner, startedAt: at(9) }),
    aCall({ userId: ana.userId, agentId: null, startedAt: at(1) }),
  ]
  await database.db.insertInto('calls').values(calls).execute()
  const [count, ...more] = (await ana.get('/api/overview/agents')).json
  assert.deepEqual(more, [])
  assert.deepEqual([count.agentId, count.calls, count.answered, count.lastCallAt], [agentId, 2, 1, calls[0]?.startedAt])
  assert.equal((await ana.get('/api/overview/agents?days=30')).json[0].calls, 3)
  assert.deepEqual((await bia.get('/api/overview/agents')).json, [])
  assertError(await ana.get('/api/overview/agents?days=0'), 400)
})
