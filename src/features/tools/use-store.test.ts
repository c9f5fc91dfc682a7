// Where a tool, a knowledge base or a spreadsheet is used, in a single request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

const make = async (client: Client, url: string, body: object): Promise<string> => {
  const { status, json, text } = await client.post(url, body)
  assert.equal(status, 201, text)
  return json.id
}
const agent = (client: Client, name: string) => make(client, '/api/agents', { ...anAgent, name })

test('the agents of a tool are listed by name, and only those', async () => {
  const { ana, bia } = await testApp()
  const [first, second] = [await agent(ana, 'First'), await agent(ana, 'Second')]
  await agent(ana, 'Third')
  const tool = await make(ana, '/api/tools', { name: 'look', type: 'custom' })
  const url = `/api/tools/${tool}/agents`
  assert.deepEqual((await ana.get(url)).json, [])
  for (const id of [second, first]) await ana.post(`${url}/${id}`)
  const named = (all: { name: string }[]) => all.map(({ name }) => name).sort()
  assert.deepEqual(named((await ana.get(url)).json), ['First', 'Second'])
  assert.deepEqual(Object.keys((await ana.get(url)).json[0]).sort(), ['id', 'name'])
  await ana.delete(`${url}/${second}`)
  assert.deepEqual((await ana.get(url)).json, [{ id: first, name: 'First' }])
  await ana.delete(`/api/agents/${first}`)
  assert.deepEqual((await ana.get(url)).json, [])
  assertError(await bia.get(url), 404, 'Tool not found')
  assertError(await ana.get('/api/tools/missing/agents'), 404, 'Tool not found')
  assert.equal((await (await ana.withKey({ scopes: ['tools'] })).get(url)).status, 200)
  assertError(await (await ana.withKey({ scopes: ['agents'] })).get(url), 403)
})

test('the tools that use a knowledge base or a spreadsheet are listed with their agents', async () => {
  const { ana, bia } = await testApp()
  const who = await agent(ana, 'Reception')
  const base = await make(ana, '/api/knowledge-bases', { name: 'Prices' })
  const sheet = await make(ana, '/api/spreadsheets', { name: 'Orders', columns: ['A'] })
  const tools = {
    asks: { name: 'asks', type: 'query', config: { knowledgeBaseIds: ['other', base] } },
    asksByBody: { name: 'by body', type: 'query', body: { knowledgeBaseIds: [base] } },
    asksOther: { name: 'other', type: 'query', config: { knowledgeBaseIds: ['other'] } },
    writes: { name: 'writes', type: 'spreadsheet', config: { spreadsheetId: sheet } },
    atGoogle: { name: 'google', type: 'spreadsheet', config: { spreadsheetId: sheet, provider: 'google' } },
    names: { name: 'names it', type: 'custom', body: { spreadsheetId: sheet, knowledgeBaseIds: [base] } },
  }
  const ids: Record<string, string> = {}
  for (const [key, body] of Object.entries(tools)) ids[key] = await make(ana, '/api/tools', body)
  await ana.post(`/api/tools/${ids.asks}/agents/${who}`)
  await ana.post(`/api/tools/${ids.writes}/agents/${who}`)
  await ana.patch(`/api/tools/${ids.writes}`, { isActive: false })
  const reception = [{ id: who, name: 'Reception' }]
  assert.deepEqual((await ana.get(`/api/knowledge-bases/${base}/tools`)).json, [
    { id: ids.asks, name: 'asks', isActive: true, agents: reception },
    { id: ids.asksByBody, name: 'by body', isActive: true, agents: [] },
  ])
  assert.deepEqual((await ana.get(`/api/spreadsheets/${sheet}/tools`)).json, [
    { id: ids.writes, name: 'writes', isActive: false, agents: reception },
  ])
  // Another user's tool may contain the same id; it does not count.
  await make(bia, '/api/tools', { name: 'hers', type: 'spreadsheet', config: { spreadsheetId: sheet } })
  assert.equal((await ana.get(`/api/spreadsheets/${sheet}/tools`)).json.length, 1)
  assertError(await bia.get(`/api/spreadsheets/${sheet}/tools`), 404, 'Spreadsheet not found')
  assertError(await bia.get(`/api/knowledge-bases/${base}/tools`), 404, 'Knowledge base not found')
})
