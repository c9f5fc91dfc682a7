import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, testApp } from '../../../test/app.ts'

const url = '/api/knowledge-bases'
const guide = '# Hours\n\nWe open at eight.\n\n# Prices\n\nA consultation costs 200 reais.'

const aBase = async (ana: Client, fields: object = {}) => (await ana.post(url, { name: 'Clinic', ...fields })).json
const documentsOf = (base: { id: string }) => `${url}/${base.id}/documents`
const file = (ana: Client, base: { id: string }, content = guide, name = 'Guide') =>
  ana.post(documentsOf(base), { name, content, contentType: 'text/markdown' })
const search = async (ana: Client, base: { id: string }, query: string, more: object = {}) =>
  (await ana.post(`${url}/${base.id}/search`, { query, ...more })).json.passages as {
    heading: string
    score: number
    documentName: string
  }[]

test('a base is created, read, listed, changed and removed with its documents', async () => {
  const { ana, bia, database } = await testApp()
  const made = await ana.post(url, { name: 'Clinic', description: 'What callers ask' })
  assert.equal(made.status, 201)
  const base = made.json
  const fields = ['id', 'name', 'description', 'language', 'generateQuestions', 'documentCount', 'passageCount']
  assert.deepEqual(Object.keys(base).sort(), [...fields, 'createdAt', 'updatedAt'].sort())
  assert.deepEqual([base.documentCount, base.passageCount, base.language, base.generateQuestions], [0, 0, null, true])
  assert.deepEqual((await ana.get(`${url}/${base.id}`)).json, base)
  assert.deepEqual((await ana.get(url)).json, [base])
  assert.deepEqual((await bia.get(url)).json, [])
  const changed = await ana.patch(`${url}/${base.id}`, { name: 'New', language: 'pt-BR', description: null })
  assert.deepEqual({ ...base, ...changed.json }, changed.json)
  assert.deepEqual([changed.json.name, changed.json.language, changed.json.description], ['New', 'pt-BR', null])
  assert.ok(changed.json.updatedAt > base.updatedAt)
  assert.deepEqual((await ana.patch(`${url}/${base.id}`, {})).json, changed.json)
  await file(ana, base)
  const removed = await ana.delete(`${url}/${base.id}`)
  assert.deepEqual(removed.json, { ...changed.json, documentCount: 1, passageCount: 2 })
  assertError(await ana.get(`${url}/${base.id}`), 404, 'Knowledge base not found')
  const left = await database.db
    .selectFrom('knowledgeDocuments')
    .selectAll()
    .where('knowledgeBaseId', '=', base.id)
    .execute()
  assert.deepEqual(left, [])
  for (const bad of [{ name: '' }, { name: 'x', language: 'klingon!' }, { name: 'x', generateQuestions: 'no' }, {}])
    assertError(await ana.post(url, bad), 400)
})

test('a document is added, found, read with its passages, replaced and removed', async () => {
  const { ana } = await testApp()
  const base = await aBase(ana)
  const filed = await file(ana, base)
  assert.equal(filed.status, 201, filed.text)
  const { json: document } = filed
  assert.deepEqual([document.status, document.passageCount, document.error], ['ready', 2, null])
  assert.deepEqual([document.contentType, document.letters], ['text/markdown', guide.length])
  const read = await ana.get(`${documentsOf(base)}/${document.id}`)
  const passage = { questions: [], hasVector: false }
  assert.deepEqual(read.json, {
    ...document,
    passages: [
      { number: 1, heading: 'Hours', content: 'We open at eight.', ...passage },
      { number: 2, heading: 'Prices', content: 'A consultation costs 200 reais.', ...passage },
    ],
  })
  assert.deepEqual((await ana.get(documentsOf(base))).json, [document])
  assert.equal((await search(ana, base, 'how much is a consultation?'))[0]?.heading, 'Prices')
  const other = { name: 'Guide 2', content: 'The parking is free.' }
  const put = await ana.send({
    method: 'PUT',
    url: `${documentsOf(base)}/${document.id}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(other),
  })
  assert.equal(put.status, 200, put.text)
  assert.deepEqual([put.json.id, put.json.name, put.json.passageCount], [document.id, 'Guide 2', 1])
  assert.deepEqual([put.json.contentType, put.json.createdAt], ['text/plain', document.createdAt])
  assert.deepEqual(await search(ana, base, 'consultation'), [])
  assert.equal((await search(ana, base, 'parking'))[0]?.documentName, 'Guide 2')
  assert.deepEqual((await ana.delete(`${documentsOf(base)}/${document.id}`)).json, put.json)
  assert.deepEqual(await search(ana, base, 'parking'), [])
  assert.equal((await ana.get(`${url}/${base.id}`)).json.documentCount, 0)
  assertError(await ana.delete(`${documentsOf(base)}/${document.id}`), 404, 'Document not found')
})

test('a search honours its limit and minScore, and never returns passages of another base', async () => {
  const { ana, bia } = await testApp()
  const [base, other, hers] = [await aBase(ana), await aBase(ana), await aBase(bia)]
  await file(
    ana,
    base,
    Array.from({ length: 9 }, (_, i) => `# Room ${i}\n\nThe suite number ${i} has a balcony.`).join('\n\n'),
  )
  await file(ana, other, '# Other\n\nThe suite of the other base.')
  await file(bia, hers, '# Hers\n\nThe suite of another user.')
  assert.equal((await search(ana, base, 'suite')).length, 5)
  assert.equal((await search(ana, base, 'suite', { topK: 8 })).length, 8)
  const found = await search(ana, base, 'suite with balcony', { topK: 50 })
  assert.ok(found.length > 0)
  assert.ok(found.every(({ heading, score }) => heading.startsWith('Room') && score >= 0.1 && score <= 1))
  assert.deepEqual(await search(ana, base, 'suite', { minScore: 1 }), [])
  assertError(await bia.post(`${url}/${base.id}/search`, { query: 'suite' }), 404, 'Knowledge base not found')
  for (const bad of [
    {},
    { query: ' ' },
    { query: 'x', topK: 0 },
    { query: 'x', minScore: 2 },
    { query: 'x'.repeat(2001) },
  ])
    assertError(await ana.post(`${url}/${base.id}/search`, bad), 400)
})

test('a base accepts a limited number of passages, and a refused document leaves nothing behind', async () => {
  const { ana } = await testApp()
  const base = await aBase(ana)
  const rows = (count: number) => `a\n${Array.from({ length: count }, (_, i) => `v${i}`).join('\n')}`
  const csv = (count: number) =>
    ana.post(documentsOf(base), { name: 'x', content: rows(count), contentType: 'text/csv' })
  assert.equal((await csv(12_000)).status, 201)
  assertError(await csv(12_000), 409, /20000 passages/)
  assert.equal((await ana.get(`${url}/${base.id}`)).json.passageCount, 12_000)
  assert.equal((await ana.get(documentsOf(base))).json.length, 1)
})

test('concurrent documents are all stored and all found', async () => {
  const { ana } = await testApp()
  const base = await aBase(ana)
  const topics = ['parking', 'breakfast', 'luggage', 'laundry', 'smoking', 'wedding']
  const answers = await Promise.all(topics.map((topic) => file(ana, base, `All about ${topic} is here.`, topic)))
  for (const { status } of answers) assert.equal(status, 201)
  for (const topic of topics) assert.equal((await search(ana, base, topic))[0]?.documentName, topic)
})

test("a tool searches its owner's bases; a foreign base counts as missing", async () => {
  const { ana, bia } = await testApp()
  const [base, hers] = [await aBase(ana), await aBase(bia)]
  await file(ana, base)
  await file(bia, hers, '# Secret\n\nThe consultation of Bia costs nothing.')
  const config = { knowledgeBaseIds: [base.id, hers.id] }
  const { json: tool } = await ana.post('/api/tools', { name: 'documents', type: 'query', config })
  const asked = await ana.post(`/api/tools/${tool.id}/test`, { arguments: { query: 'price of a consultation' } })
  assert.equal(asked.json.status, 'done', asked.text)
  assert.equal(
    asked.json.result,
    `[1] Guide › Prices\nA consultation costs 200 reais.\n\nThe knowledge base ${hers.id} was not found.`,
  )
  const nothing = await ana.post(`/api/tools/${tool.id}/test`, { arguments: { query: 'helicopter' } })
  assert.match(nothing.json.result, /^Nothing was found about this in the knowledge base\. The knowledge base/)
  assert.equal((await ana.post(`/api/tools/${tool.id}/test`, { arguments: {} })).json.status, 'refused')
})

test('an agent without a language model answers from the documents, through its tool or before each reply', async () => {
  const { ana } = await testApp()
  const base = await aBase(ana)
  await file(
    ana,
    base,
    '# Preparo\n\nO exame de sangue pede jejum de oito horas.\n\n# Vacinas\n\nA vacina da gripe custa R$ 95.',
  )
  const { json: agent } = await ana.post('/api/agents', {
    name: 'Ana',
    systemPrompt: 'Você é a Ana.',
    language: 'pt-BR',
  })
  const config = { knowledgeBaseIds: [base.id] }
  const { json: tool } = await ana.post('/api/tools', { name: 'documentos', type: 'query', config })
  await ana.post(`/api/tools/${tool.id}/agents/${agent.id}`)
  const say = async (content: string) => {
    const { id } = (await ana.post('/api/conversations/start', { agentId: agent.id })).json
    const answer = await ana.post(`/api/conversations/message/send/${id}?reply=true`, { type: 'user', content })
    const { json: calls } = await ana.get(`/api/conversations/${id}/tool-calls`)
    return { text: answer.text, calls: calls.length as number }
  }
  const asked = await say('Preciso de jejum para o exame de sangue?')
  assert.match(asked.text, /jejum de oito horas/)
  assert.equal(asked.calls, 1)
  await ana.patch(`/api/tools/${tool.id}`, { config: { ...config, autoInject: true } })
  const told = await say('Quanto custa a vacina da gripe?')
  assert.match(told.text, /R\$ 95/)
  assert.equal(told.calls, 0)
})
