// Analysis through the API, with and without a model behind a real socket: results, retries and failures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, type Client, startTestApp, testApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../../../test/vendors/llm.ts'

const fields = {
  type: 'object',
  properties: { name: { type: 'string' }, guests: { type: 'integer', maximum: 20 } },
  required: ['name'],
}
const secret = 'meu cofre abre com a palavra girassol'

let answer: (request: ChatRequest) => ChatAnswer = () => ({ say: '{}' })
const server = await startLlm({ isOpen: true, answer: (request) => answer(request) })
atEnd(() => server.stop())
const app = await startTestApp({ LLM_BASE_URL: `${server.url}/v1`, LLM_MODEL: 'small' })
const bodyOf = (i: number) =>
  JSON.parse(Buffer.from(server.asked[i]?.body ?? '', 'latin1').toString('utf8')) as ChatRequest

async function talk(client: Client, analysis: object | null, said = [secret, 'Mesa para quatro, em nome de Ana.']) {
  const agent = { ...anAgent, llmConfig: { maxTokens: 5 }, settings: analysis && { analysis } }
  const { id: agentId } = (await client.post('/api/agents', agent)).json
  const { id } = (await client.post('/api/conversations/start', { agentId })).json
  for (const content of said) await client.post(`/api/conversations/message/send/${id}`, { type: 'user', content })
  return id as string
}
const end = async (client: Client, id: string) =>
  (await client.post('/api/conversations/end', { conversationId: id })).json
const settled = (client: Client, id: string) =>
  until('the analysis is over', async () => {
    const { json } = await client.get(`/api/conversations/${id}`)
    return ['done', 'failed', 'skipped'].includes(json.analysisStatus) && json
  })

test("after a conversation the agent's model returns summary, success and fields", async () => {
  const found = { summary: 'Reserva para quatro.', success: true, successReason: 'Foi reservada.' }
  answer = () => ({
    say: `\`\`\`json\n${JSON.stringify({ ...found, fields: { name: 'Ana', guests: '4', more: null } })}\n\`\`\``,
  })
  server.heal()
  const id = await talk(app.ana, { success: 'A table was booked', fields })
  const ended = await end(app.ana, id)
  assert.deepEqual([ended.analysisStatus, ended.analysis], ['pending', null])
  const { analysis, analysisStatus } = await settled(app.ana, id)
  const { at, ...rest } = analysis
  assert.deepEqual(rest, { ...found, fields: { name: 'Ana', guests: 4, more: null }, by: 'small' })
  assert.ok(analysisStatus === 'done' && at >= ended.endedAt)
  const [listed] = (await app.ana.get('/api/conversations')).json
  assert.deepEqual(listed.analysis, analysis)
  assert.equal(server.asked.length, 1)
  assert.match(lastSaid(bodyOf(0)), /Caller: Mesa para quatro/)
  assert.equal(bodyOf(0).max_tokens, undefined)
})

test('fields that violate the schema are requested once more, then the analysis fails', async () => {
  const give = (name: unknown) => JSON.stringify({ summary: 'x', fields: { name, guests: 99 } })
  answer = () => ({ say: give('Ana') })
  server.heal()
  const id = await talk(app.ana, { fields })
  await end(app.ana, id)
  const failed = await settled(app.ana, id)
  assert.deepEqual([failed.analysisStatus, failed.analysis], ['failed', null])
  assert.equal(server.asked.length, 2)
  assert.match(lastSaid(bodyOf(1)), /guests must be <= 20/)

  answer = () => ({ say: give('Ana').replace('99', '9') })
  const again = await app.ana.post(`/api/conversations/${id}/analyse`)
  assert.equal(again.status, 202)
  assert.equal(again.json.analysisStatus, 'pending')
  assert.deepEqual((await settled(app.ana, id)).analysis.fields, { name: 'Ana', guests: 9 })
})

test('an invalid schema fails without a request to the model', async () => {
  server.heal()
  const id = await talk(app.ana, { fields: { type: 'nothing' } })
  await end(app.ana, id)
  assert.equal((await settled(app.ana, id)).analysisStatus, 'failed')
  assert.equal(server.asked.length, 0)
})

test("a conversation in progress is not analysed, nor is another user's", async () => {
  const id = await talk(app.ana, { summary: true })
  assertError(await app.ana.post(`/api/conversations/${id}/analyse`), 409, 'This conversation has not ended')
  assertError(await app.bia.post(`/api/conversations/${id}/analyse`), 404, 'Conversation not found')
  assertError(await app.ana.post('/api/conversations/cnv_none/analyse'), 404, 'Conversation not found')
  assert.equal((await app.ana.get(`/api/conversations/${id}`)).json.analysisStatus, null)
})

test('an analysis can be requested later; it is skipped where nothing was said or nothing is wanted', async () => {
  answer = () => ({ say: '{"summary":"Falou do cofre."}' })
  const id = await talk(app.ana, null)
  assert.equal((await end(app.ana, id)).analysisStatus, 'skipped')
  await app.ana.post(`/api/conversations/${id}/analyse`)
  assert.equal((await settled(app.ana, id)).analysis.summary, 'Falou do cofre.')
  const [silent, unwanted] = [await talk(app.ana, { summary: true }, []), await talk(app.ana, { summary: false })]
  for (const one of [silent, unwanted]) {
    await end(app.ana, one)
    await app.ana.post(`/api/conversations/${one}/analyse`)
    assert.equal((await settled(app.ana, one)).analysisStatus, 'skipped')
  }
})

test('without a model the rule agent picks sentences, says so, and does not judge success', async () => {
  const { ana } = await testApp()
  const id = await talk(ana, { summary: true, success: 'A table was booked', fields })
  await end(ana, id)
  const { analysis, analysisStatus } = await settled(ana, id)
  const { at, summary, ...rest } = analysis
  assert.deepEqual(rest, { success: null, successReason: null, fields: null, by: 'rules' })
  assert.equal(analysisStatus, 'done')
  assert.match(summary, /Mesa para quatro/)
})

test('neither the transcript nor the analysis is logged', () => {
  assert.ok(app.logs().includes('post-call analysis failed'))
  for (const words of ['girassol', 'Mesa para quatro', 'Reserva para', 'Falou do cofre'])
    assert.ok(!app.logs().includes(words), words)
})
