// Budgets: how much of what the operator pays for a member may use per day, over HTTP and inside a conversation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberBudgets } from '../../src/features/usage/budget-store.ts'
import { userIdentities } from '../../src/features/users/rows.ts'
import type { Answer } from '../answers.ts'
import { anAgent, assertError, atEnd, type Client, startTestApp } from '../app.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { startOpenAi } from '../vendors/openai.ts'
import { KEY } from '../vendors/server.ts'
import { startCounterpart } from './counterpart.ts'

const to = '+5511987654321'

function assertOverBudget(answer: Answer, setting: string): void {
  assertError(answer, 429, new RegExp(setting))
  const seconds = Number(answer.headers['retry-after'])
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400, 'until the next day begins')
}

async function textTool(client: Client): Promise<string> {
  const config = { allowedNumbers: [to] }
  return (await client.post('/api/tools', { name: 'write', type: 'send_text', config })).json.id
}
const testText = (client: Client, id: string) =>
  client.post(`/api/tools/${id}/test`, { arguments: { to, text: 'Olá' } })

async function withSms(env: Record<string, string>) {
  const provider = await startCounterpart()
  const base = await startTestApp({ SMS_URL: provider.url, ...env })
  return { ...base, provider, admin: await base.newUser('admin', 'admin') }
}

test("messages through the operator's provider are counted, including tool tests, and each test is recorded", async () => {
  const { ana, bia, admin, provider } = await withSms({ MEMBER_TEXTS_PER_DAY: '3' })
  const tool = await textTool(ana)
  const all = await Promise.all(Array.from({ length: 8 }, () => testText(ana, tool)))
  assert.deepEqual([all.filter(({ status }) => status === 200).length, provider.received.length], [3, 3])
  assertOverBudget(await testText(ana, tool), 'MEMBER_TEXTS_PER_DAY')
  const { json: runs } = await ana.get(`/api/tools/${tool}/tests`)
  assert.deepEqual(
    runs.map(({ status }: { status: string }) => status).sort(),
    [...Array(3).fill('done'), ...Array(6).fill('failed')].sort(),
  )
  assert.deepEqual(Object.keys(runs[0]).sort(), ['durationMs', 'error', 'function', 'id', 'startedAt', 'status'])
  assert.deepEqual((await ana.get(`/api/tools/${tool}/tests?limit=2`)).json, runs.slice(0, 2))
  assertError(await bia.get(`/api/tools/${tool}/tests`), 404)
  assert.deepEqual((await ana.get('/api/platform')).json.budgets.texts, { limit: 3, used: 3 })

  assert.equal((await testText(bia, await textTool(bia))).json.status, 'done', "another member's budget is another")
  const theirs = await textTool(admin)
  for (let i = 0; i < 5; i++) assert.equal((await testText(admin, theirs)).json.status, 'done')
  assert.deepEqual((await admin.get('/api/platform')).json.budgets.texts, { limit: null, used: 0 })
})

test('a budget of 0 allows none, and unlimited has no limit', async () => {
  const none = await withSms({ MEMBER_TEXTS_PER_DAY: '0' })
  assertOverBudget(await testText(none.ana, await textTool(none.ana)), 'MEMBER_TEXTS_PER_DAY')
  assert.equal(none.provider.received.length, 0)
  const free = await withSms({ MEMBER_TEXTS_PER_DAY: 'unlimited' })
  assert.equal((await testText(free.ana, await textTool(free.ana))).json.status, 'done')
})

test('in a conversation the model is told that the budget is used up', async () => {
  const llm = await startLlm({
    answer: (request: ChatRequest): ChatAnswer =>
      request.messages.at(-1)?.role === 'tool'
        ? { say: `Result: ${lastSaid(request, 'tool')}` }
        : { calls: [{ name: 'write', args: { to, text: 'Olá' } }] },
  })
  atEnd(() => llm.stop())
  const model = { LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'small' }
  const { ana, provider } = await withSms({ MEMBER_TEXTS_PER_DAY: '1', ...model })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  await ana.post(`/api/tools/${await textTool(ana)}/agents/${agent.id}`)
  const said = async () => {
    const { json } = await ana.post('/api/conversations/start', { agentId: agent.id })
    const url = `/api/conversations/message/send/${json.id}?reply=true`
    return (await ana.post(url, { type: 'user', content: 'Escreva' })).json.reply.content as string
  }
  assert.match(await said(), /The message was sent/)
  assert.match(await said(), /not sent: Your budget of 1 texts a day is used up/)
  assert.equal(provider.received.length, 1)
})

test("a member's outbound calls are counted on both routes, also concurrently; refused ones are not", async () => {
  const { ana, newUser, database } = await startTestApp({ MEMBER_CALLS_PER_DAY: '4' })
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const order = (client: Client, agentId: string, route = '/api/calls/outbound') =>
    client.post(route, { toNumber: to, agentId })
  assertError(await order(ana, 'agt_missing'), 404)
  const routes = ['/api/calls/outbound', '/api/gateway/calls/outbound']
  const all = await Promise.all(Array.from({ length: 12 }, (_, i) => order(ana, agent.id, routes[i % 2])))
  assert.equal(all.filter(({ status }) => status === 201).length, 4)
  assertOverBudget(await order(ana, agent.id), 'MEMBER_CALLS_PER_DAY')
  assert.equal((await ana.get('/api/calls')).json.length, 4)
  const admin = await newUser('admin', 'admin')
  const { json: theirs } = await admin.post('/api/agents', anAgent)
  for (let i = 0; i < 5; i++) assert.equal((await order(admin, theirs.id)).status, 201)

  // Another process on the same database that has counted nothing yet.
  const other = memberBudgets(database.db, userIdentities(database.db), {
    texts: 0,
    calls: 4,
    ttsCharacters: 0,
    llmTokens: 0,
    sttSeconds: 0,
    embeddings: 0,
  })
  await assert.rejects(other.spend(ana.userId, 'calls'), /MEMBER_CALLS_PER_DAY/)
  await database.db.updateTable('usages').set({ day: '2020-01-01' }).execute()
  assert.equal((await order(ana, agent.id)).status, 201, 'a new day has a new budget')
  await other.removeOld()
  assert.equal((await database.db.selectFrom('usages').selectAll().execute()).length, 1)
})

test("characters of a vendor's voice are counted; the embedded voice costs nothing", async () => {
  const vendor = await startOpenAi()
  atEnd(vendor.stop)
  const env = { TTS_PROVIDER_B: 'openai', OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${vendor.url}/v1` }
  const { ana, newUser } = await startTestApp({ ...env, MEMBER_TTS_CHARS_PER_DAY: '25' })
  const say = (client: Client, text: string) => client.post('/api/tts/provider_b/stream', { text, voiceId: 'alloy' })
  assert.equal((await say(ana, 'Bom dia, tudo bem?')).status, 200)
  assertOverBudget(await say(ana, 'Bom dia, tudo bem?'), 'MEMBER_TTS_CHARS_PER_DAY')
  assert.equal((await say(ana, 'Até!')).status, 200, 'what still fits is said')
  assert.deepEqual((await ana.get('/api/platform')).json.budgets.ttsCharacters, { limit: 25, used: 22 })
  assert.equal((await say(await newUser('admin', 'admin'), 'Bom dia, tudo bem com vocês todos?')).status, 200)
})
