// Phone numbers of trunk links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

type Did = { id: string; phoneNumber: string; agentId: string | null; createdAt: string }

const newAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id
const link = (client: Client, agentId: string, phoneNumber: unknown, more: object = {}) =>
  client.post(`/api/agents/${agentId}/link-trunk`, { trunkId: 'main', trunkType: 'inbound', phoneNumber, ...more })
const linksOf = async (client: Client, agentId: string) =>
  (await client.get(`/api/agents/${agentId}/linked-trunks`)).json
const didsOf = async (client: Client): Promise<Did[]> => (await client.get('/api/did')).json

test('73 a phoneNumber becomes a DID of the agent', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const phoneNumber = aNumber()
  const { status, json } = await link(ana, agentId, phoneNumber)
  assert.equal(status, 201)
  assert.equal(json.phoneNumber, phoneNumber)
  assert.deepEqual(json.phoneNumbers, [phoneNumber])
  assert.deepEqual(await linksOf(ana, agentId), [json])
  const [did, ...others] = await didsOf(ana)
  assert.deepEqual(others, [])
  assert.ok(did)
  const { id, createdAt, ...rest } = did
  assert.deepEqual(rest, { phoneNumber, countryCode: '55', provider: 'gateway', status: 'active', agentId })
  assert.deepEqual((await ana.get(`/api/did/${id}`)).json, did)
})

test('73 an omitted or null phoneNumber creates no DID', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  assert.equal((await link(ana, agentId, undefined)).json.phoneNumber, null)
  assert.equal((await link(ana, agentId, null)).status, 200)
  assert.deepEqual(await didsOf(ana), [])
})

test('73 the countryCode of the DID is derived from the number', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const codes = [
    '1',
    '7',
    '20',
    '27',
    '33',
    '44',
    '52',
    '55',
    '61',
    '81',
    '86',
    '98',
    '212',
    '351',
    '598',
    '852',
    '971',
  ]
  for (const code of codes) {
    const phoneNumber = `+${code}${aNumber().slice(-9)}`
    assert.equal((await link(ana, agentId, phoneNumber)).json.phoneNumber, phoneNumber)
    const did = (await didsOf(ana)).find((one) => one.phoneNumber === phoneNumber)
    assert.equal((did as { countryCode?: string })?.countryCode, code)
  }
})

test('73 a number that is not in E.164 is a 400, and nothing is linked', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  for (const phoneNumber of ['', '5511999990000', '+55 11 99999-0000', '+0511999990000', '+55', 5511999990000, true])
    assertError(await link(ana, agentId, phoneNumber), 400, /^phoneNumber must/)
  assert.deepEqual(await linksOf(ana, agentId), [])
  assert.deepEqual((await ana.get('/api/trunks')).json, [])
  assert.deepEqual(await didsOf(ana), [])
})

test('73 an existing number of the user is bound to this agent and keeps its record', async () => {
  const { ana } = await testApp()
  const [first, second] = [await newAgent(ana), await newAgent(ana)]
  const body = { phoneNumber: aNumber(), countryCode: '55', provider: 'other' }
  const { json: unbound } = await ana.post('/api/did', body)
  assert.equal((await link(ana, first, body.phoneNumber)).status, 201)
  assert.deepEqual(await didsOf(ana), [{ ...unbound, agentId: first }])
  const moved = await link(ana, second, body.phoneNumber)
  assert.equal(moved.status, 201)
  assert.equal(moved.json.phoneNumber, body.phoneNumber)
  assert.deepEqual(await didsOf(ana), [{ ...unbound, agentId: second }])
  const [before] = await linksOf(ana, first)
  assert.deepEqual([before.phoneNumber, before.phoneNumbers], [null, []])
})

test("73 another user's number is a 409: nothing is linked, and the number stays where it was", async () => {
  const { ana, bia } = await testApp()
  const [hers, theirs] = [await newAgent(ana), await newAgent(bia)]
  const phoneNumber = aNumber()
  const { json: did } = await bia.post('/api/did', { phoneNumber, countryCode: '55', agentId: theirs })
  assertError(await link(ana, hers, phoneNumber), 409, `${phoneNumber} is already registered`)
  assert.deepEqual(await linksOf(ana, hers), [])
  assert.deepEqual((await ana.get('/api/trunks')).json, [])
  assert.deepEqual(await didsOf(ana), [])
  assert.deepEqual(await didsOf(bia), [did])
  const { json: linked } = await link(ana, hers, undefined)
  assertError(await link(ana, hers, phoneNumber), 409)
  assert.deepEqual(await linksOf(ana, hers), [linked])
})

test('73 when two users link one number concurrently, one gets it and the other gets nothing', async () => {
  const { ana, bia } = await testApp()
  const [hers, theirs] = [await newAgent(ana), await newAgent(bia)]
  for (let round = 0; round < 5; round++) {
    const phoneNumber = aNumber()
    const trunkId = `round ${round}`
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2 ? link(ana, hers, phoneNumber, { trunkId }) : link(bia, theirs, phoneNumber, { trunkId }),
      ),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([count(201), count(200), count(409)], [1, 4, 5])
    const linked = [...(await linksOf(ana, hers)), ...(await linksOf(bia, theirs))]
    assert.equal(linked.filter((one) => one.trunkId === trunkId).length, 1)
    assert.equal([...(await didsOf(ana)), ...(await didsOf(bia))].length, round + 1)
  }
})

test('74 another phoneNumber on the same link adds a DID; phoneNumber is the latest', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const [first, second, third] = [aNumber(), aNumber(), aNumber()]
  const made = await link(ana, agentId, first)
  for (const [phoneNumber, phoneNumbers] of [
    [second, [first, second]],
    [third, [first, second, third]],
    [second, [first, third, second]],
    [first, [third, second, first]],
    [first, [third, second, first]],
  ] as const) {
    const again = await link(ana, agentId, phoneNumber)
    assert.equal(again.status, 200)
    assert.deepEqual(again.json, { ...made.json, phoneNumber, phoneNumbers })
    assert.deepEqual(await linksOf(ana, agentId), [again.json])
  }
  const dids = await didsOf(ana)
  assert.deepEqual(dids.map((did) => did.phoneNumber).sort(), [first, second, third].sort())
  assert.ok(dids.every((did) => did.agentId === agentId))
})

test('74 one number may serve both types and two trunks of one agent', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const phoneNumber = aNumber()
  for (const more of [{}, { trunkType: 'outbound' }, { trunkId: 'spare' }])
    assert.equal((await link(ana, agentId, phoneNumber, more)).status, 201)
  for (const linked of await linksOf(ana, agentId)) assert.deepEqual(linked.phoneNumbers, [phoneNumber])
  assert.equal((await didsOf(ana)).length, 1)
})

test('75 unlink keeps the DID, bound as before, and a new link starts without it', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const { json: linked } = await link(ana, agentId, aNumber())
  const dids = await didsOf(ana)
  const removed = await ana.delete(`/api/agents/${agentId}/link-trunk/main`)
  assert.deepEqual(removed.json, linked)
  assert.deepEqual(await didsOf(ana), dids)
  assert.equal(dids[0]?.agentId, agentId)
  assert.deepEqual((await link(ana, agentId, undefined)).json.phoneNumbers, [])
})

test('51, 73 a phoneNumber in a link also needs the scope dids', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const agents = await ana.withKey({ scopes: ['agents'] })
  const dids = await ana.withKey({ scopes: ['dids'] })
  const both = await ana.withKey({ scopes: ['dids', 'agents'] })
  const phoneNumber = aNumber()
  assertError(await link(agents, agentId, phoneNumber), 403, 'This key does not have the scope dids')
  assertError(await link(dids, agentId, phoneNumber), 403, 'This key does not have the scope agents')
  assert.deepEqual(await linksOf(ana, agentId), [])
  assert.deepEqual(await didsOf(ana), [])
  assert.equal((await link(agents, agentId, undefined)).status, 201)
  assert.equal((await link(agents, agentId, null)).status, 200)
  assertError(await link(agents, agentId, phoneNumber), 403)
  assertError(await link(agents, 'agt_none', phoneNumber), 403)
  assert.equal((await link(both, agentId, phoneNumber)).json.phoneNumber, phoneNumber)
  assert.equal((await agents.delete(`/api/agents/${agentId}/link-trunk/main`)).status, 200)
})
