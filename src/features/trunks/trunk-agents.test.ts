// The agents of a trunk, in a single request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, testApp } from '../../../test/app.ts'

test('each agent of a trunk is listed once, with directions and numbers; the same id of another user is another trunk', async () => {
  const { ana, bia } = await testApp()
  const { json: trunk } = await ana.post('/api/trunks', { name: 'line' })
  const url = `/api/trunks/${trunk.id}/agents`
  assert.deepEqual((await ana.get(url)).json, [])
  const [first, second] = [
    (await ana.post('/api/agents', { ...anAgent, name: 'First' })).json.id,
    (await ana.post('/api/agents', { ...anAgent, name: 'Second' })).json.id,
  ]
  const link = (agentId: string, trunkType: string, phoneNumber?: string) =>
    ana.post(`/api/agents/${agentId}/link-trunk`, { trunkId: trunk.id, trunkType, ...(phoneNumber && { phoneNumber }) })
  const [one, two] = [aNumber(), aNumber()]
  await link(first, 'outbound')
  await link(first, 'inbound', one)
  await link(first, 'inbound', two)
  assert.deepEqual((await ana.get(url)).json, [
    { id: first, name: 'First', trunkTypes: ['inbound', 'outbound'], phoneNumbers: [one, two] },
  ])
  await link(second, 'outbound')
  const all = (await ana.get(url)).json as { id: string }[]
  assert.deepEqual(all.map(({ id }) => id).sort(), [first, second].sort())

  const { json: hers } = await bia.post('/api/agents', anAgent)
  assertError(await bia.get(url), 404, 'Trunk not found')
  await bia.post(`/api/agents/${hers.id}/link-trunk`, { trunkId: trunk.id, trunkType: 'inbound' })
  assert.deepEqual(
    (await bia.get(url)).json.map(({ id }: { id: string }) => id),
    [hers.id],
  )
  assert.equal((await ana.get(url)).json.length, 2)
  await ana.delete(`/api/agents/${first}/link-trunk/${trunk.id}`)
  assert.equal((await ana.get(url)).json.length, 1)
  assertError(await ana.get('/api/trunks/missing/agents'), 404)
  assert.equal((await (await ana.withKey({ scopes: ['agents'] })).get(url)).status, 200)
})
