// Links between trunks and agents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

type Link = { trunkId: string; trunkType: string; phoneNumber: string | null; phoneNumbers: string[] }

const newAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id
const link = (client: Client, agentId: string, trunkId: string, trunkType = 'inbound') =>
  client.post(`/api/agents/${agentId}/link-trunk`, { trunkId, trunkType })
const unlink = (client: Client, agentId: string, trunkId: string) =>
  client.delete(`/api/agents/${agentId}/link-trunk/${encodeURIComponent(trunkId)}`)
const linksOf = async (client: Client, agentId: string): Promise<Link[]> =>
  (await client.get(`/api/agents/${agentId}/linked-trunks`)).json
const pairs = (links: Link[]) => links.map(({ trunkId, trunkType }) => `${trunkId} ${trunkType}`)

test('71 link-trunk needs trunkId and trunkType', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const url = `/api/agents/${agentId}/link-trunk`
  assertError(await ana.post(url, { trunkType: 'inbound' }), 400, 'trunkId is required')
  assertError(await ana.post(url, { trunkId: 'main' }), 400, 'trunkType is required')
  assertError(await ana.post(url), 400, /trunkId is required.*trunkType is required/)
  for (const trunkId of ['', ' ', null, 5, ['main'], 'x'.repeat(256)])
    assertError(await ana.post(url, { trunkId, trunkType: 'inbound' }), 400, /^trunkId must/)
  for (const trunkType of ['', 'both', 'Inbound', null, 5, ['inbound']])
    assertError(await ana.post(url, { trunkId: 'main', trunkType }), 400, /^trunkType must/)
  assert.deepEqual(await linksOf(ana, agentId), [])
  assert.deepEqual((await ana.get('/api/trunks')).json, [])
})

test('71 the agent must exist and belong to the user', async () => {
  const { ana, bia } = await testApp()
  for (const agentId of ['agt_none', await newAgent(bia)]) {
    assertError(await link(ana, agentId, 'main'), 404, 'Agent not found')
    assertError(await unlink(ana, agentId, 'main'), 404, 'Agent not found')
    assertError(await ana.get(`/api/agents/${agentId}/linked-trunks`), 404, 'Agent not found')
  }
  assert.deepEqual((await ana.get('/api/trunks')).json, [])
})

test('72 an unknown trunk is created, unconfigured, under the id that the link names', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  for (const trunkId of ['main', 'a/b c%20 ção 😀?#', 'x'.repeat(255)]) {
    const { status, json } = await link(ana, agentId, trunkId)
    assert.equal(status, 201)
    assert.equal(json.trunkId, trunkId)
    assert.deepEqual(json.trunk, { id: trunkId, name: trunkId, host: null, status: 'unconfigured' })
    const { json: trunk } = await ana.get(`/api/trunks/${encodeURIComponent(trunkId)}`)
    assert.deepEqual([trunk.id, trunk.host, trunk.status], [trunkId, null, 'unconfigured'])
    assert.equal((await unlink(ana, agentId, trunkId)).status, 200)
  }
})

test('72 a configured trunk is linked as it is', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const { json: trunk } = await ana.post('/api/trunks', { name: 'Carrier', host: 'sip.example.com', port: 5080 })
  const { json } = await link(ana, agentId, trunk.id)
  assert.deepEqual(json.trunk, { id: trunk.id, name: 'Carrier', host: 'sip.example.com', status: 'unknown' })
  assert.deepEqual((await ana.get('/api/trunks')).json, [trunk])
  await ana.patch(`/api/trunks/${trunk.id}`, { name: 'Other', isActive: false })
  const [linked] = (await ana.get(`/api/agents/${agentId}/linked-trunks`)).json
  assert.deepEqual(linked.trunk, { ...json.trunk, name: 'Other', status: 'disabled' })
})

test('72 the same id of another user is another trunk', async () => {
  const { ana, bia } = await testApp()
  const [hers, theirs] = [await newAgent(ana), await newAgent(bia)]
  await link(ana, hers, 'main')
  assert.equal((await link(bia, theirs, 'main')).status, 201)
  await bia.patch('/api/trunks/main', { name: 'Of Bia', host: 'bia.example.com', password: 'x' })
  const { json: trunk } = await ana.get('/api/trunks/main')
  assert.deepEqual([trunk.name, trunk.host, trunk.hasPassword], ['main', null, false])
  await bia.delete('/api/trunks/main')
  assert.deepEqual(pairs(await linksOf(ana, hers)), ['main inbound'])
  assert.deepEqual(await linksOf(bia, theirs), [])
  // A trunk that one user configured is unknown to the other, so linking it creates the other's own.
  const { json: carrier } = await ana.post('/api/trunks', { name: 'Carrier', host: 'sip.example.com' })
  const { json: linked } = await link(bia, theirs, carrier.id)
  assert.deepEqual(linked.trunk, { id: carrier.id, name: carrier.id, host: null, status: 'unconfigured' })
})

test('74 the same link again is a 200 with the existing link; the other type is a second link', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const first = await link(ana, agentId, 'main')
  const again = await link(ana, agentId, 'main')
  assert.equal(first.status, 201)
  assert.equal(again.status, 200)
  assert.deepEqual(again.json, first.json)
  assert.deepEqual(await linksOf(ana, agentId), [first.json])
  const second = await link(ana, agentId, 'main', 'outbound')
  assert.equal(second.status, 201)
  assert.deepEqual(await linksOf(ana, agentId), [second.json, first.json])
  assert.equal((await ana.get('/api/trunks')).json.length, 1)
})

test('74 of 20 concurrent links of one trunk one is created', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const answers = await Promise.all(Array.from({ length: 20 }, () => link(ana, agentId, 'main')))
  const statuses = answers.map((answer) => answer.status).sort()
  assert.deepEqual(statuses, [...Array(19).fill(200), 201])
  assert.deepEqual(pairs(await linksOf(ana, agentId)), ['main inbound'])
  assert.equal((await ana.get('/api/trunks')).json.length, 1)
})

test('75 unlink removes both types of that trunk from that agent, and no other link', async () => {
  const { ana, bia } = await testApp()
  const [agentId, other, theirs] = [await newAgent(ana), await newAgent(ana), await newAgent(bia)]
  for (const trunkType of ['inbound', 'outbound'])
    for (const trunkId of ['main', 'spare']) await link(ana, agentId, trunkId, trunkType)
  await link(ana, other, 'main')
  await link(bia, theirs, 'main')
  const removed = await unlink(ana, agentId, 'main')
  assert.equal(removed.status, 200)
  assert.equal(removed.json.trunkId, 'main')
  assert.deepEqual(pairs(await linksOf(ana, agentId)), ['spare outbound', 'spare inbound'])
  assert.deepEqual(pairs(await linksOf(ana, other)), ['main inbound'])
  assert.deepEqual(pairs(await linksOf(bia, theirs)), ['main inbound'])
  assert.equal((await ana.get('/api/trunks/main')).status, 200)
})

test('75 unlinking a trunk that is not linked is a 404', async () => {
  const { ana } = await testApp()
  const [agentId, other] = [await newAgent(ana), await newAgent(ana)]
  await link(ana, other, 'main')
  assertError(await unlink(ana, agentId, 'main'), 404, 'Trunk link not found')
  assertError(await unlink(ana, agentId, 'never seen'), 404, 'Trunk link not found')
  await link(ana, agentId, 'main')
  assert.equal((await unlink(ana, agentId, 'main')).status, 200)
  assertError(await unlink(ana, agentId, 'main'), 404, 'Trunk link not found')
  assert.equal((await link(ana, agentId, 'main')).status, 201)
})

test('74, 75 concurrent links and unlinks end in one state or the other, never in an error', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? unlink(ana, agentId, 'main') : link(ana, agentId, 'main'))),
    )
    for (const { status, text } of answers) assert.ok([200, 201, 404].includes(status), text)
    assert.ok((await linksOf(ana, agentId)).length <= 1)
    assert.ok([200, 201].includes((await link(ana, agentId, 'main')).status))
    assert.deepEqual(pairs(await linksOf(ana, agentId)), ['main inbound'])
  }
})

test('72, 75 a trunk deleted while it is being linked comes back unconfigured, or ends up unlinked', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? ana.delete('/api/trunks/main') : link(ana, agentId, 'main'))),
    )
    for (const [i, { status, text }] of answers.entries())
      assert.ok((i % 2 ? [200, 404] : [200, 201]).includes(status), text)
    const linked = pairs(await linksOf(ana, agentId)).length
    assert.equal(linked, (await ana.get('/api/trunks')).json.length)
  }
})

test('76 linked-trunks lists the links newest first, each with its trunk, and [] when there are none', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const empty = await ana.get(`/api/agents/${agentId}/linked-trunks`)
  assert.equal(empty.status, 200)
  assert.deepEqual(empty.json, [])
  const before = new Date().toISOString()
  const made = []
  for (const trunkId of ['a', 'b', 'c']) made.push((await link(ana, agentId, trunkId, 'outbound')).json)
  assert.deepEqual(await linksOf(ana, agentId), made.toReversed())
  const { createdAt, ...rest } = made[0]
  assert.ok(createdAt >= before && createdAt <= new Date().toISOString())
  assert.deepEqual(rest, {
    trunkId: 'a',
    trunkType: 'outbound',
    phoneNumber: null,
    phoneNumbers: [],
    trunk: { id: 'a', name: 'a', host: null, status: 'unconfigured' },
  })
})
