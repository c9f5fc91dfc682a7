// Embeddings accounts: they serve their owner's knowledge, including existing documents, without a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, type Client, startTestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { startEmbeddings } from '../../../test/vendors/embeddings.ts'
import { KEY } from '../../../test/vendors/server.ts'

const url = '/api/knowledge-bases'
const content = 'As vagas do subsolo são gratuitas.'

async function filed(client: Client) {
  const { id } = (await client.post(url, { name: 'x' })).json
  await client.post(`${url}/${id}/documents`, { name: 'Guide', content, contentType: 'text/markdown' })
  return {
    by: async (): Promise<string> =>
      (await client.post(`${url}/${id}/search`, { query: 'onde deixo meu carro' })).json.by,
  }
}

test("an account embeds its owner's documents again, and its removal leaves their words", async () => {
  const server = await startEmbeddings()
  atEnd(() => server.stop())
  const { ana, bia, database } = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const [hers, other] = [await filed(ana), await filed(bia)]
  assert.equal(await hers.by(), 'words')
  const account = { kind: 'embeddings', vendor: 'openai', baseUrl: `${server.url}/v1`, apiKey: KEY }
  const made = await ana.post('/api/providers', account)
  assert.deepEqual([made.json.isDefault, made.json.isInUse], [true, true], made.text)
  await until('the document is found by its meaning', async () => (await hers.by()) === 'words_and_meaning')
  assert.equal(await other.by(), 'words', "another user's documents go nowhere")

  const embeddedBy = async () => {
    const row = database.db.selectFrom('knowledgeDocuments').select('embeddedBy').where('userId', '=', ana.userId)
    return (await row.executeTakeFirstOrThrow()).embeddedBy
  }
  const before = await embeddedBy()
  const asked = server.asked.length
  await ana.patch(`/api/providers/${made.json.id}`, { model: 'another' })
  const by = await hers.by()
  const hasNewVectors = (await embeddedBy()) !== before
  assert.ok(by === 'words' || hasNewVectors, 'vectors of another model are not compared')
  await until('it has vectors of the new model', async () => (await hers.by()) === 'words_and_meaning')
  assert.notEqual(await embeddedBy(), before)
  assert.ok(server.asked.length > asked)

  await ana.delete(`/api/providers/${made.json.id}`)
  assert.equal(await hers.by(), 'words')
})
