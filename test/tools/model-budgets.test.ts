// How much of the operator's language models and embeddings a member may use per day, and what happens once it is used
// up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../answers.ts'
import { anAgent, assertError, atEnd, type Client, startTestApp } from '../app.ts'
import { until } from '../until.ts'
import { startEmbeddings } from '../vendors/embeddings.ts'
import { type ChatRequest, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { site, visitorsOf } from '../visitors.ts'

async function withModel(env: Record<string, string> = {}) {
  const llm = await startLlm({ answer: () => ({ say: 'word '.repeat(200) }) })
  atEnd(() => llm.stop())
  const model = { LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'small' }
  const app = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8', ...model, ...env })
  const requests = (): ChatRequest[] =>
    llm.asked.map(({ body }) => JSON.parse(Buffer.from(body, 'latin1').toString('utf8')))
  return { ...app, llm, requests, admin: await app.newUser('admin', 'admin') }
}

async function agentOf(client: Client, llmConfig: object | null = null): Promise<string> {
  return (await client.post('/api/agents', { ...anAgent, llmConfig })).json.id
}

/** Sends one message in a new chat. */
async function said(client: Client, agentId: string): Promise<Answer> {
  const { json } = await client.post('/api/conversations/start', { agentId })
  return client.post(`/api/conversations/message/send/${json.id}?reply=true`, { type: 'user', content: 'Bom dia' })
}

async function modelOf(client: Client, agentId: string): Promise<string> {
  const sent = await said(client, agentId)
  assert.equal(sent.status, 201, sent.text)
  assert.equal(sent.json.repliedBy.isModel, true)
  return sent.json.repliedBy.name
}

const usageOf = async (client: Client) => (await client.get('/api/platform')).json.budgets

test("a member's tokens on the operator's model are counted, and nothing is sent to it when they are used up", async () => {
  const app = await withModel({ MEMBER_LLM_TOKENS_PER_DAY: '1500' })
  const { ana, bia, admin, llm } = app
  const agentId = await agentOf(ana)
  assert.equal(await modelOf(ana, agentId), 'small')
  await until('the reply is counted', async () => (await usageOf(ana)).llmTokens.used > 250) // 1,000 letters
  await Promise.all(Array.from({ length: 30 }, () => said(ana, agentId)))
  assert.ok(llm.asked.length < 12, `${llm.asked.length} of 31 messages reached the model`)
  await until('the budget is used up', async () => (await said(ana, agentId)).status !== 201)
  const asked = llm.asked.length
  const refused = await said(ana, agentId)
  assertError(refused, 429, /^Your budget of 1500 tokens .* \(MEMBER_LLM_TOKENS_PER_DAY\)/)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  assert.equal((await usageOf(ana)).llmTokens.limit, 1500)

  const widget = { agentId, name: 'Shop', origins: [site] }
  const { id } = (await ana.post('/api/widgets', widget)).json
  const { say, chatOf } = visitorsOf(app)
  const toVisitor = await say(id, await chatOf(id), 'Bom dia')
  assert.match(toVisitor.json.text, /recado/, 'a message is taken')
  assert.equal(llm.asked.length, asked, 'nothing is sent any more')

  assert.equal(await modelOf(bia, await agentOf(bia)), 'small', "another member's budget is another")
  const theirs = await agentOf(admin)
  for (let i = 0; i < 8; i++) await modelOf(admin, theirs)
  assert.deepEqual((await usageOf(admin)).llmTokens, { limit: null, used: 0 })

  const before = (await usageOf(ana)).llmTokens
  const own = { vendor: 'openai-compatible', baseUrl: `${llm.url}/v1`, model: 'mine', apiKey: KEY }
  assert.equal((await ana.post('/api/providers', own)).status, 201)
  assert.equal(await modelOf(ana, agentId), 'mine', 'her own account has no budget')
  assert.deepEqual((await usageOf(ana)).llmTokens, before)
})

test("a member's agent uses the default model, and its replies are bounded", async () => {
  const { ana, admin, requests } = await withModel()
  const wish = { model: 'dear', maxTokens: 100_000 }
  const agentId = await agentOf(ana, wish)
  assert.equal(await modelOf(ana, agentId), 'small')
  const last = () => requests().at(-1)
  assert.deepEqual([last()?.model, last()?.max_tokens], ['small', 4096])
  assert.deepEqual((await ana.get('/api/platform')).json.models, [])
  const { warnings } = (await ana.get(`/api/agents/${agentId}/chain`)).json
  assert.ok(warnings.some(({ code }: { code: string }) => code === 'model_missing'))

  assert.equal(await modelOf(admin, await agentOf(admin, wish)), 'dear')
  assert.deepEqual([last()?.model, last()?.max_tokens], ['dear', 100_000])
  assert.equal((await admin.get('/api/platform')).json.models, null)

  const listed = await withModel({ LLM_MODELS: 'dear' })
  assert.equal(await modelOf(listed.ana, await agentOf(listed.ana, wish)), 'dear', 'the operator lists it')
})

test('without a budget of embeddings knowledge is found by its words, and documents wait for the next day', async () => {
  const server = await startEmbeddings()
  atEnd(() => server.stop())
  const env = { EMBEDDINGS_BASE_URL: `${server.url}/v1`, EMBEDDINGS_API_KEY: KEY, EMBEDDINGS_MODEL: 'small' }
  const { ana, newUser, database } = await startTestApp({ ...env, MEMBER_EMBEDDINGS_PER_DAY: '2' })
  const admin = await newUser('admin', 'admin')
  const url = '/api/knowledge-bases'
  const filed = async (client: Client, content: string) => {
    const { id } = (await client.post(url, { name: 'x' })).json
    await client.post(`${url}/${id}/documents`, { name: 'Guide', content, contentType: 'text/markdown' })
    return async () => (await client.post(`${url}/${id}/search`, { query: 'onde deixo meu carro' })).json.by
  }
  const content = 'As vagas do subsolo são gratuitas.'
  const hers = await filed(ana, content)
  await until('it is found by its meaning', async () => (await usageOf(ana)).embeddings.used === 1)
  await until('the document has its vector', async () => (await hers()) === 'words_and_meaning')
  assert.deepEqual((await usageOf(ana)).embeddings, { limit: 2, used: 2 })
  assert.equal(await hers(), 'words', 'one document and one search are two embeddings')

  await filed(ana, 'O laudo sai em três dias.')
  const waiting = await until('the second document waits for the next budget', async () => {
    const rows = database.db.selectFrom('knowledgeDocuments').select(['dueAt', 'status'])
    return (await rows.where('userId', '=', ana.userId).execute()).find(({ dueAt }) => dueAt?.slice(11, 16) === '00:00')
  })
  assert.equal(waiting.status, 'indexing')

  const theirs = await filed(admin, content)
  for (let i = 0; i < 4; i++) await until('by its meaning', async () => (await theirs()) === 'words_and_meaning')
})
