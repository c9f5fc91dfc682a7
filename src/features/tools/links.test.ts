// Links between tools and agents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

const makeTool = async (client: Client, name = 'x') => (await client.post('/api/tools', { name, type: 'custom' })).json
const makeAgent = async (client: Client) => (await client.post('/api/agents', anAgent)).json
const link = (tool: { id: string }, agent: { id: string }) => `/api/tools/${tool.id}/agents/${agent.id}`
const toolsOf = async (client: Client, agent: { id: string }): Promise<string[]> =>
  (await client.get(`/api/agents/${agent.id}/tools`)).json.map((tool: { id: string }) => tool.id)

test('125 a tool may be linked to many agents, and an agent to many tools', async () => {
  const { ana } = await testApp()
  const [one, two] = [await makeTool(ana, 'one'), await makeTool(ana, 'two')]
  const agents = [await makeAgent(ana), await makeAgent(ana), await makeAgent(ana)]
  for (const agent of agents) {
    assert.deepEqual(await toolsOf(ana, agent), [])
    const made = await ana.post(link(one, agent))
    assert.equal(made.status, 201)
    assert.deepEqual(made.json, one)
    assert.equal((await ana.post(link(two, agent))).status, 201)
  }
  for (const agent of agents) assert.deepEqual(await toolsOf(ana, agent), [two.id, one.id])
})

test('125 linking again is a 200 and creates no second link', async () => {
  const { ana } = await testApp()
  const [tool, agent] = [await makeTool(ana), await makeAgent(ana)]
  assert.equal((await ana.post(link(tool, agent))).status, 201)
  const again = await ana.post(link(tool, agent))
  assert.equal(again.status, 200)
  assert.deepEqual(again.json, tool)
  assert.deepEqual(await toolsOf(ana, agent), [tool.id])
})

test('125 of twenty concurrent links one is new', async () => {
  const { ana } = await testApp()
  const [tool, agent] = [await makeTool(ana), await makeAgent(ana)]
  const all = await Promise.all(Array.from({ length: 20 }, () => ana.post(link(tool, agent))))
  assert.equal(all.filter((a) => a.status === 201).length, 1)
  assert.equal(all.filter((a) => a.status === 200).length, 19)
  assert.deepEqual(await toolsOf(ana, agent), [tool.id])
})

test('125 unlinking removes the tool from that agent only; without a link it is a 404', async () => {
  const { ana } = await testApp()
  const tool = await makeTool(ana)
  const [one, two] = [await makeAgent(ana), await makeAgent(ana)]
  assertError(await ana.delete(link(tool, one)), 404, 'Tool link not found')
  for (const agent of [one, two]) await ana.post(link(tool, agent))
  const removed = await ana.delete(link(tool, one))
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, tool)
  assertError(await ana.delete(link(tool, one)), 404, 'Tool link not found')
  assert.deepEqual(await toolsOf(ana, one), [])
  assert.deepEqual(await toolsOf(ana, two), [tool.id])
  assert.equal((await ana.get(`/api/tools/${tool.id}`)).status, 200)
  assert.equal((await ana.post(link(tool, one))).status, 201)
})

test("125 an unknown tool or agent, or another user's, is a 404", async () => {
  const { ana, bia } = await testApp()
  const [tool, agent] = [await makeTool(ana), await makeAgent(ana)]
  const [toolOfBia, agentOfBia] = [await makeTool(bia), await makeAgent(bia)]
  await ana.post(link(tool, agent))
  const none = { id: 'none' }
  for (const [t, a, what] of [
    [none, agent, 'Tool not found'],
    [tool, none, 'Agent not found'],
    [toolOfBia, agent, 'Tool not found'],
    [tool, agentOfBia, 'Agent not found'],
    [tool, { id: '%00' }, 'Agent not found'],
    [{ id: 'x'.repeat(5000) }, agent, 'Tool not found'],
  ] as const) {
    assertError(await ana.post(link(t, a)), 404, what)
    assertError(await ana.delete(link(t, a)), 404, what)
  }
  assertError(await bia.delete(link(tool, agent)), 404)
  assertError(await bia.get(`/api/agents/${agent.id}/tools`), 404, 'Agent not found')
  assert.deepEqual(await toolsOf(ana, agent), [tool.id])
  assert.deepEqual(await toolsOf(bia, agentOfBia), [])
})

test('125 a link is removed with its agent; the tool stays', async () => {
  const { ana, database } = await testApp()
  const [tool, agent] = [await makeTool(ana), await makeAgent(ana)]
  await ana.post(link(tool, agent))
  await ana.delete(`/api/agents/${agent.id}`)
  assert.equal((await ana.get(`/api/tools/${tool.id}`)).status, 200)
  const links = database.db.selectFrom('toolLinks').selectAll().where('toolId', '=', tool.id)
  assert.deepEqual(await links.execute(), [])
})
