// Tools of an MCP server through the whole service: discovered, offered to the model, called, and recorded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, startTestApp } from '../app.ts'
import { startMcpServer } from '../mcp-server.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { onLoopback, startCounterpart } from './counterpart.ts'

test("the model is offered the server's tools, and its calls are recorded", async (t) => {
  const { url } = await startMcpServer(t, 'streamableHttp')
  const offered: string[] = []
  const answer = (request: ChatRequest): ChatAnswer => {
    offered.push(...(request.tools ?? []).map((tool) => tool.function.name))
    if (request.messages.at(-1)?.role === 'tool') return { say: `It says: ${lastSaid(request, 'tool')}` }
    return { calls: [{ name: 'office__get-sum', args: { a: 40, b: 2 } }] }
  }
  const llm = await startLlm({ answer })
  atEnd(() => llm.stop())
  const { ana } = await startTestApp({
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'small',
    ...onLoopback,
  })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const config = { allowTools: ['get-sum', 'echo'] }
  const { json: tool } = await ana.post('/api/tools', { name: 'office', type: 'mcp', requestUrl: url, config })
  await ana.post(`/api/tools/${tool.id}/agents/${agent.id}`)

  const asked = { function: 'office__echo', arguments: { message: 'olá' } }
  const { json: tried } = await ana.post(`/api/tools/${tool.id}/test`, asked)
  assert.deepEqual([tried.status, tried.result], ['done', 'Echo: olá'])

  const { json: conversation } = await ana.post('/api/conversations/start', { agentId: agent.id })
  const message = { type: 'user', content: 'How much is 40 and 2?' }
  const { json: sent } = await ana.post(`/api/conversations/message/send/${conversation.id}?reply=true`, message)
  assert.match(sent.reply.content, /It says: .*42/)
  assert.deepEqual([...new Set(offered)].sort(), ['office__echo', 'office__get-sum'])
  const { json: calls } = await ana.get(`/api/conversations/${conversation.id}/tool-calls`)
  assert.deepEqual(
    calls.map(({ name, status }: { name: string; status: string }) => [name, status]),
    [['office__get-sum', 'done']],
  )
})

test('a server that does not answer takes no tools of the quick one', async (t) => {
  const { url } = await startMcpServer(t, 'streamableHttp')
  const silent = await startCounterpart(() => null)
  const offered: string[][] = []
  const answer = (request: ChatRequest): ChatAnswer => {
    offered.push((request.tools ?? []).map((tool) => tool.function.name))
    return { say: 'Hello' }
  }
  const llm = await startLlm({ answer })
  atEnd(() => llm.stop())
  const { ana } = await startTestApp({
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'small',
    ...onLoopback,
  })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const config = { allowTools: ['echo'] }
  for (const [name, requestUrl] of [
    ['agenda', silent.url],
    ['office', url],
  ]) {
    const { json: tool } = await ana.post('/api/tools', { name, type: 'mcp', requestUrl, config })
    assert.equal((await ana.post(`/api/tools/${tool.id}/agents/${agent.id}`)).status, 201)
  }
  const { json: conversation } = await ana.post('/api/conversations/start', { agentId: agent.id })
  const message = { type: 'user', content: 'Hello' }
  const sent = await ana.post(`/api/conversations/message/send/${conversation.id}?reply=true`, message)
  assert.equal(sent.json.reply.content, 'Hello')
  assert.deepEqual(offered, [['office__echo']])
})

test('an unusable server is reported in the tool test and in the log', async () => {
  const refusing = await startCounterpart(() => ({ status: 401, body: '{"error":"wrong planted-token"}' }))
  const { ana, logs } = await startTestApp(onLoopback)
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const authorization = { type: 'bearer', token: 'planted-token' }
  const fields = { name: 'office', type: 'mcp', requestUrl: refusing.url, authorization }
  const { json: tool } = await ana.post('/api/tools', fields)
  await ana.post(`/api/tools/${tool.id}/agents/${agent.id}`)
  const told = await ana.post(`/api/tools/${tool.id}/test`, {})
  assertError(told, 409, /cannot be used: the MCP server could not be used: .*401.*wrong \*{8}/)
  const { json: conversation } = await ana.post('/api/conversations/start', { agentId: agent.id })
  const message = { type: 'user', content: 'Hello' }
  await ana.post(`/api/conversations/message/send/${conversation.id}?reply=true`, message)
  assert.match(logs(), /the MCP server could not be used: [^\n]*401/)
  assert.doesNotMatch(told.text + logs(), /planted/)
})
