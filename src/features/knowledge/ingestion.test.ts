// Background ingestion of documents: vectors from an embeddings server, questions from a scripted model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, type Client, startTestApp, type TestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { startEmbeddings } from '../../../test/vendors/embeddings.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { openEmbeddings } from '../../retrieval/embeddings.ts'
import type { Llm } from '../../voice/ports.ts'
import { documentStore } from './document-store.ts'
import { knowledgeIngestion } from './ingestion.ts'
import { ingestionQueue } from './ingestion-queue.ts'
import { knowledgeStore } from './store.ts'

const url = '/api/knowledge-bases'

async function withServer() {
  const server = await startEmbeddings()
  atEnd(() => server.stop())
  const env = { EMBEDDINGS_BASE_URL: `${server.url}/v1/`, EMBEDDINGS_API_KEY: KEY, EMBEDDINGS_MODEL: 'small' }
  return { server, env, base: await startTestApp(env) }
}

async function filed(ana: Client, texts: readonly string[]) {
  const { id } = (await ana.post(url, { name: 'x' })).json
  const content = texts.map((text, i) => `# Part ${i}\n\n${text}`).join('\n\n')
  const { json } = await ana.post(`${url}/${id}/documents`, { name: 'Guide', content, contentType: 'text/markdown' })
  return { id, documentId: json.id as string, first: json }
}

const settled = (ana: Client, { id, documentId }: { id: string; documentId: string }) =>
  until('the document is settled', async () => {
    const { json } = await ana.get(`${url}/${id}/documents/${documentId}`)
    return json.status !== 'indexing' && json
  })

const texts = [
  'As vagas do subsolo são gratuitas.',
  'O laudo sai em três dias.',
  'O eletrocardiograma é feito na hora.',
]

test('with an embeddings server passages are found by meaning; without one by words, which the search reports', async () => {
  const { server, base } = await withServer()
  const { ana } = base
  const place = await filed(ana, texts)
  assert.equal(place.first.status, 'indexing')
  const document = await settled(ana, place)
  assert.equal(document.status, 'ready')
  assert.ok(document.passages.length > 0)
  assert.ok(document.passages.every(({ hasVector }: { hasVector: boolean }) => hasVector))
  const ask = async (query: string) => (await ana.post(`${url}/${place.id}/search`, { query })).json
  const { by, note, passages } = await ask('onde deixo meu carro')
  assert.deepEqual([by, note, passages[0].content], ['words_and_meaning', null, texts[0]])
  assert.ok(passages[0].score > 0.5 && passages[0].score <= 1)
  server.fail('broken')
  const lame = await ask('o laudo demora')
  assert.equal(lame.by, 'words')
  assert.match(lame.note, /words alone/)
  assert.equal(lame.passages[0].content, texts[1])
  server.heal()
  assert.doesNotMatch(base.logs(), new RegExp(`${KEY}|carro|laudo`))
})

test('a failing server is retried; in the end the document has failed with a reason, and is still found by words', async () => {
  const server = await startEmbeddings()
  atEnd(() => server.stop())
  const base = await startTestApp()
  const { ana, database } = base
  const embeddings = openEmbeddings({ baseUrl: `${server.url}/v1`, apiKey: KEY, model: 'small' })
  atEnd(() => embeddings.close())
  const log = { info() {}, warn() {} } as never
  const queue = ingestionQueue(database.db)
  const filing = knowledgeIngestion({
    queue,
    embeddingsOf: async () => embeddings,
    hasEmbeddings: async () => embeddings !== null,
    llmOf: null,
    log,
    backoffMs: [1, 1],
  })
  const place = await filed(ana, texts)
  await queue.requeueForModel(ana.userId, 'small')
  server.fail('unauthorized')
  const document = await until('it has failed', async () => {
    await filing.work()
    const { json } = await ana.get(`${url}/${place.id}/documents/${place.documentId}`)
    return json.status === 'failed' && json
  })
  assert.match(document.error, /did not accept our key/)
  assert.equal(server.asked.length, 3)
  assert.equal((await ana.post(`${url}/${place.id}/search`, { query: 'laudo' })).json.passages.length, 1)
  server.heal()
  await queue.requeueForModel(ana.userId, 'small')
  await filing.work()
  assert.equal((await settled(ana, place)).status, 'ready')
})

/** A model that returns what the test sets; it may wait forever. */
function aModel(answer: (text: string) => string | null): Llm & { asked: string[] } {
  const asked: string[] = []
  return {
    name: 'scripted',
    isModel: true,
    asked,
    async *reply(history, _tools, _options, signal) {
      const text = history.at(-1)?.content ?? ''
      asked.push(text)
      const said = answer(text)
      if (said !== null) yield { say: said }
      else await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
    },
  }
}

/** Documents queued for the test's own worker: the app itself has no model. */
async function waiting(base: TestApp, count: number) {
  const { database, ana } = base
  const rules = { makesVectors: async () => false, makesQuestions: async () => true }
  const store = knowledgeStore(database.db, rules)
  const documents = documentStore(database.db, rules)
  const { id } = await store.create(ana.userId, { name: 'x' })
  const passages = Array.from({ length: count }, (_, i) => ({ heading: `Part ${i}`, content: `Text number ${i}.` }))
  const document = { name: 'Guide', contentType: 'text/plain', letters: 9, passages }
  const { id: documentId } = await documents.add(ana.userId, id, document)
  return { id, documentId, store, documents }
}
const log = { info() {}, warn() {} } as never

test('a worker that stops half-way releases the document, and another resumes it', async () => {
  const base = await startTestApp()
  const place = await waiting(base, 6)
  const queue = ingestionQueue(base.database.db)
  const first = aModel((text) => (/number [23]/.test(text) ? null : 'What is it?\n- 2. Which one is it?\nno question'))
  const filing = knowledgeIngestion({
    queue,
    embeddingsOf: async () => null,
    hasEmbeddings: async () => false,
    llmOf: async () => first,
    log,
  })
  const working = filing.work()
  await until('two passages are done and two are asked', () => first.asked.length === 4)
  filing.stop()
  await working
  const second = aModel(() => 'And this?')
  await knowledgeIngestion({
    queue,
    embeddingsOf: async () => null,
    hasEmbeddings: async () => false,
    llmOf: async () => second,
    log,
  }).work()
  assert.equal(second.asked.length, 4)
  const { status, passages } = await place.documents.get(base.ana.userId, place.id, place.documentId)
  assert.equal(status, 'ready')
  assert.deepEqual(
    passages.map(({ questions }) => questions),
    [...Array(2).fill(['What is it?', 'Which one is it?']), ...Array(4).fill(['And this?'])],
  )
})

test('documents of a crashed process are processed when its lease expires, not before', async () => {
  const base = await startTestApp()
  const { documentId } = await waiting(base, 1)
  const dead = ingestionQueue(base.database.db)
  assert.ok(await dead.claim())
  const model = aModel(() => 'Why?')
  const filing = knowledgeIngestion({
    queue: ingestionQueue(base.database.db),
    embeddingsOf: async () => null,
    hasEmbeddings: async () => false,
    llmOf: async () => model,
    log,
  })
  await filing.work()
  assert.equal(model.asked.length, 0)
  const past = { dueAt: '2020-01-01T00:00:00.000Z' }
  await base.database.db.updateTable('knowledgeDocuments').set(past).where('id', '=', documentId).execute()
  await filing.work()
  assert.equal(model.asked.length, 1)
})

test('nothing produced for the old version is written to a replaced document', async () => {
  const base = await startTestApp()
  const { ana, database } = base
  const place = await waiting(base, 2)
  const queue = ingestionQueue(database.db)
  const slow = aModel((text) => (text.includes('number') ? null : 'What is new?'))
  const filing = knowledgeIngestion({
    queue,
    embeddingsOf: async () => null,
    hasEmbeddings: async () => false,
    llmOf: async () => slow,
    log,
  })
  const held = await queue.claim()
  assert.ok(held)
  const passages = [{ heading: '', content: 'Other words.' }]
  const other = { name: 'Guide', contentType: 'text/plain', letters: 9, passages }
  await place.documents.replace(ana.userId, place.id, place.documentId, other)
  await assert.rejects(queue.savePassages(held, [{ number: 1, questions: '["Old?"]' }]), /no longer leased/)
  await filing.work()
  const { passages: after } = await place.documents.get(ana.userId, place.id, place.documentId)
  assert.deepEqual(
    after.map(({ questions }) => questions),
    [['What is new?']],
  )
})

test('questions are written for a limited number of passages, and for none where the base has them off', async () => {
  const base = await startTestApp()
  const { ana } = base
  const place = await waiting(base, 5)
  const model = aModel(() => 'What?')
  const queue = ingestionQueue(base.database.db)
  const filing = knowledgeIngestion({
    queue,
    embeddingsOf: async () => null,
    hasEmbeddings: async () => false,
    llmOf: async () => model,
    log,
    maxQuestioned: 3,
  })
  await filing.work()
  assert.equal(model.asked.length, 3)
  await place.store.update(ana.userId, place, { generateQuestions: false })
  const passages = [{ heading: '', content: 'Words.' }]
  const plain = { name: 'y', contentType: 'text/plain', letters: 6, passages }
  assert.equal((await place.documents.add(ana.userId, place.id, plain)).status, 'ready')
  await place.store.update(ana.userId, place, { generateQuestions: true })
  await filing.work()
  assert.equal(model.asked.length, 4, 'questions that are wanted later are asked later')
})

test('removing a base ends its ingestion without an error', async () => {
  const base = await startTestApp()
  const place = await waiting(base, 2)
  const model = aModel(() => 'What?')
  const queue = ingestionQueue(base.database.db)
  const held = await queue.claim()
  assert.ok(held)
  await place.store.remove(base.ana.userId, place)
  await assert.rejects(queue.complete(held), /no longer leased/)
  await knowledgeIngestion({
    queue,
    embeddingsOf: async () => null,
    hasEmbeddings: async () => false,
    llmOf: async () => model,
    log,
  }).work()
  assert.equal(model.asked.length, 0)
})

test('a new embedding model rebuilds all vectors at the next start; without one no document waits', async () => {
  const server = await startEmbeddings()
  atEnd(() => server.stop())
  const { ana, database } = await startTestApp()
  const place = await filed(ana, texts)
  const queue = ingestionQueue(database.db)
  const start = async (model: string | null) => {
    const endpoint = { baseUrl: `${server.url}/v1`, apiKey: KEY, model: model ?? '' }
    const embeddings = model === null ? null : openEmbeddings(endpoint)
    const filing = knowledgeIngestion({
      queue,
      embeddingsOf: async () => embeddings,
      hasEmbeddings: async () => embeddings !== null,
      llmOf: null,
      log,
    })
    await filing.begin()
    const { status } = (await ana.get(`${url}/${place.id}/documents/${place.documentId}`)).json
    await filing.work()
    await embeddings?.close()
    const row = await database.db.selectFrom('knowledgeDocuments').select(['embeddedBy', 'status']).executeTakeFirst()
    return [status, row?.embeddedBy, row?.status]
  }
  assert.deepEqual(await start('small'), ['indexing', 'small', 'ready'])
  assert.deepEqual(await start('small'), ['ready', 'small', 'ready'])
  assert.deepEqual(await start('large'), ['indexing', 'large', 'ready'])
  assert.equal(server.asked.length, 2)
  await queue.requeueForModel(ana.userId, 'third')
  assert.deepEqual(await start(null), ['ready', 'large', 'ready'])
})
