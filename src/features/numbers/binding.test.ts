// Changing and deleting DIDs, and their bindings to agents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

const newAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id
const newDid = async (client: Client, more: object = {}) =>
  (await client.post('/api/did', { phoneNumber: aNumber(), countryCode: '55', ...more })).json
const link = (client: Client, agentId: string, phoneNumber: string, trunkId = 'main') =>
  client.post(`/api/agents/${agentId}/link-trunk`, { trunkId, trunkType: 'inbound', phoneNumber })
const numbersOf = async (client: Client, agentId: string) =>
  (await client.get(`/api/agents/${agentId}/linked-trunks`)).json.map(
    (linked: { phoneNumber: string | null; phoneNumbers: string[] }) => [linked.phoneNumber, linked.phoneNumbers],
  )

test('99 PATCH agentId binds to another agent, and null unbinds', async () => {
  const { ana } = await testApp()
  const [first, second] = [await newAgent(ana), await newAgent(ana)]
  const did = await newDid(ana)
  for (const agentId of [first, second, second, null, first]) {
    const { status, json } = await ana.patch(`/api/did/${did.id}`, { agentId })
    assert.equal(status, 200)
    assert.deepEqual(json, { ...did, agentId })
    assert.deepEqual((await ana.get(`/api/did/${did.id}`)).json, json)
  }
})

test("99 an agent that is missing or another user's is a 404 and nothing changes", async () => {
  const { ana, bia } = await testApp()
  const did = await newDid(ana, { agentId: await newAgent(ana) })
  for (const agentId of ['agt_none', '', await newAgent(bia)])
    assertError(await ana.patch(`/api/did/${did.id}`, { agentId, status: 'inactive' }), 404, 'Agent not found')
  for (const agentId of [5, false, []])
    assertError(await ana.patch(`/api/did/${did.id}`, { agentId }), 400, /^agentId must/)
  assert.deepEqual((await ana.get(`/api/did/${did.id}`)).json, did)
})

test("99 a DID that is missing or another user's is a 404", async () => {
  const { ana, bia } = await testApp()
  const did = await newDid(ana)
  const theirs = await newAgent(bia)
  for (const body of [{}, { status: 'inactive' }, { agentId: theirs }, { agentId: null }]) {
    assertError(await bia.patch(`/api/did/${did.id}`, body), 404, 'DID not found')
    assertError(await bia.patch('/api/did/did_none', body), 404, 'DID not found')
  }
  assert.deepEqual((await ana.get(`/api/did/${did.id}`)).json, did)
})

test('23, 99 only agentId and status can be changed, not the number or its country', async () => {
  const { ana } = await testApp()
  const did = await newDid(ana, { agentId: await newAgent(ana) })
  const ignored = { phoneNumber: '+1', countryCode: 1, provider: 'other', id: 'did_x', createdAt: 5, userId: 'x' }
  for (const body of [undefined, {}, ignored]) {
    const { status, json } = await ana.patch(`/api/did/${did.id}`, body)
    assert.equal(status, 200)
    assert.deepEqual(json, did)
  }
  const { json } = await ana.patch(`/api/did/${did.id}`, { ...ignored, status: 'inactive' })
  assert.deepEqual(json, { ...did, status: 'inactive' })
})

test('99 a number that moves to another agent leaves the trunk links of the first', async () => {
  const { ana } = await testApp()
  const [first, second] = [await newAgent(ana), await newAgent(ana)]
  const [moves, stays] = [aNumber(), aNumber()]
  for (const number of [stays, moves]) await link(ana, first, number)
  const { json: dids } = await ana.get('/api/did')
  const { id } = dids.find((did: { phoneNumber: string }) => did.phoneNumber === moves)
  await ana.patch(`/api/did/${id}`, { status: 'inactive' })
  assert.deepEqual(await numbersOf(ana, first), [[moves, [stays, moves]]])
  await ana.patch(`/api/did/${id}`, { agentId: second })
  assert.deepEqual(await numbersOf(ana, first), [[stays, [stays]]])
  assert.deepEqual(await numbersOf(ana, second), [])
})

test('100 PATCH status accepts only active and inactive', async () => {
  const { ana } = await testApp()
  const did = await newDid(ana)
  for (const status of ['inactive', 'inactive', 'active']) {
    const { json } = await ana.patch(`/api/did/${did.id}`, { status })
    assert.deepEqual(json, { ...did, status })
    assert.deepEqual((await ana.get(`/api/did/${did.id}`)).json, json)
  }
  for (const status of ['', 'blocked', 'Active', null, true, 1, ['active']])
    assertError(await ana.patch(`/api/did/${did.id}`, { status }), 400, /^status must/)
  assert.deepEqual((await ana.get(`/api/did/${did.id}`)).json, did)
})

test('100 agentId and status change together or not at all', async () => {
  const { ana } = await testApp()
  const did = await newDid(ana)
  const agentId = await newAgent(ana)
  const url = `/api/did/${did.id}`
  assertError(await ana.patch(url, { agentId, status: 'blocked' }), 400)
  assertError(await ana.patch(url, { agentId: 'agt_none', status: 'inactive' }), 404)
  assert.deepEqual((await ana.get(url)).json, did)
  const both = { agentId, status: 'inactive' }
  assert.deepEqual((await ana.patch(url, both)).json, { ...did, ...both })
  const neither = { agentId: null, status: 'active' }
  await Promise.all(Array.from({ length: 20 }, (_, i) => ana.patch(url, i % 2 ? both : neither)))
  const { json } = await ana.get(url)
  assert.equal(json.status, json.agentId === null ? 'active' : 'inactive')
})

test('101 DELETE returns the deleted DID, which is then gone', async () => {
  const { ana, bia } = await testApp()
  const [did, kept] = [await newDid(ana, { agentId: await newAgent(ana) }), await newDid(ana)]
  assertError(await bia.delete(`/api/did/${did.id}`), 404, 'DID not found')
  const removed = await ana.delete(`/api/did/${did.id}`)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, did)
  assertError(await ana.get(`/api/did/${did.id}`), 404)
  assertError(await ana.patch(`/api/did/${did.id}`, { status: 'active' }), 404)
  assertError(await ana.delete(`/api/did/${did.id}`), 404, 'DID not found')
  assert.deepEqual((await ana.get('/api/did')).json, [kept])
})

test('101 the number can be created again, by anyone', async () => {
  const { ana, bia } = await testApp()
  const { id, phoneNumber, countryCode } = await newDid(ana)
  await ana.delete(`/api/did/${id}`)
  const again = await bia.post('/api/did', { phoneNumber, countryCode })
  assert.equal(again.status, 201)
  assert.notEqual(again.json.id, id)
  await bia.delete(`/api/did/${again.json.id}`)
  assert.equal((await ana.post('/api/did', { phoneNumber, countryCode })).status, 201)
})

test('101 the number is removed from its agent and trunk links, which stay', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const [gone, kept] = [aNumber(), aNumber()]
  for (const trunkId of ['one', 'two']) await link(ana, agentId, gone, trunkId)
  await link(ana, agentId, kept, 'two')
  const { json: dids } = await ana.get('/api/did')
  const { id } = dids.find((did: { phoneNumber: string }) => did.phoneNumber === gone)
  assert.equal((await ana.delete(`/api/did/${id}`)).json.agentId, agentId)
  assert.deepEqual(await numbersOf(ana, agentId), [
    [kept, [kept]],
    [null, []],
  ])
  // Created again, it is unbound: its previous bindings do not come back.
  const { json } = await ana.post('/api/did', { phoneNumber: gone, countryCode: '55' })
  assert.equal(json.agentId, null)
  assert.deepEqual(await numbersOf(ana, agentId), [
    [kept, [kept]],
    [null, []],
  ])
})
