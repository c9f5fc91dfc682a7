// The embeddings client against a protocol server, which is first verified with the vendor's own client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import { atEnd } from '../../test/app.ts'
import { startEmbeddings, vectorOf } from '../../test/vendors/embeddings.ts'
import { KEY } from '../../test/vendors/server.ts'
import { openEmbeddings } from './embeddings.ts'
import { cosineSimilarity, decodeVector, dotProduct, encodeVector, lengthOf, quantize } from './vectors.ts'

const never = new AbortController().signal
const server = await startEmbeddings()
atEnd(() => server.stop())

function open(times = {}) {
  const embeddings = openEmbeddings({ baseUrl: `${server.url}/v1`, apiKey: KEY, model: 'small' }, times)
  atEnd(() => embeddings.close())
  return embeddings
}
const cosine = (a: Int8Array, b: Int8Array) => dotProduct(a, b) / (lengthOf(a) * lengthOf(b))

test("the server satisfies the vendor's own client", async () => {
  const client = new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, maxRetries: 0 })
  const { data } = await client.embeddings.create({ model: 'small', input: ['parking', 'luggage'] })
  const inOrder = data.toSorted((a, b) => a.index - b.index)
  for (const [i, word] of ['parking', 'luggage'].entries())
    for (const [at, value] of (inOrder[i]?.embedding ?? []).entries())
      assert.ok(Math.abs(value - (vectorOf(word)[at] ?? 0)) < 1e-6)
  await assert.rejects(client.embeddings.create({ model: 'none', input: 'x' }), OpenAI.NotFoundError)
  const stranger = new OpenAI({ apiKey: 'other', baseURL: `${server.url}/v1`, maxRetries: 0 })
  await assert.rejects(stranger.embeddings.create({ model: 'small', input: 'x' }), OpenAI.AuthenticationError)
})

test('each text gets its vector, whatever the order of the response; similar meanings are close', async () => {
  const [parking, car, luggage] = await open().many(['parking', 'car', 'luggage'], never)
  assert.ok(parking && car && luggage)
  assert.ok(cosine(parking, car) > 0.95)
  assert.ok(cosine(parking, luggage) < 0.3)
  assert.ok(cosine(parking, quantize(vectorOf('parking')) as Int8Array) > 0.999)
})

test('a query is embedded once, and a failure is reported but never thrown; then the server is not asked for a while', async () => {
  const told: unknown[] = []
  const embeddings = open({ restMs: 60_000, questionMs: 60_000, onTrouble: (error: unknown) => told.push(error) })
  server.heal()
  assert.deepEqual(await embeddings.one('car', never), await embeddings.one('car', never))
  assert.equal(server.asked.length, 1)
  server.fail('reset-at-once')
  assert.equal(await embeddings.one('my secret words', never), null)
  assert.equal(await embeddings.one('other words', never), null)
  assert.equal(server.asked.length, 1)
  assert.ok(await embeddings.one('car', never), 'what is known is known')
  server.heal()
  assert.equal(told.length, 1)
})

test('a server that does not answer a query is not waited for', async () => {
  const told: unknown[] = []
  server.fail('silent')
  const embeddings = open({ questionMs: 300, onTrouble: (error: unknown) => told.push(error) })
  assert.equal(await embeddings.one('car', never), null)
  server.heal()
  assert.equal(told.length, 1)
})

for (const fault of ['unauthorized', 'throttled', 'broken', 'reset-at-once', 'wrong', 'empty', 'mislabelled'] as const)
  test(`a server that fails (${fault}) is an error without the key and the text`, async () => {
    server.fail(fault)
    const error = await open()
      .many(['my secret words', 'x'], never)
      .then(
        () => assert.fail('it did not fail'),
        (thrown: Error) => thrown,
      )
    server.heal()
    const text = `${error.message} ${error.stack} ${JSON.stringify(error)} ${(error.cause as Error | undefined)?.message}`
    assert.doesNotMatch(text, new RegExp(`${KEY}|secret words`))
    assert.match(error.message, /server for embeddings/)
  })

test('vectors survive storage, and similarity is relative to the typical one', () => {
  const vector = quantize([0.5, -1, 0.25]) as Int8Array
  assert.deepEqual(decodeVector(encodeVector(vector)), vector)
  assert.equal(quantize([0, 0]), null)
  assert.equal(quantize([1, Number.NaN]), null)
  const usual = Array<number>(20).fill(0.8)
  const scores = cosineSimilarity([...usual, 0.95])
  assert.ok((scores.at(-1) ?? 0) > 0.6)
  assert.ok((scores[0] ?? 1) < 0.1)
  assert.ok((cosineSimilarity([0.9])[0] ?? 0) > 0.8, 'a few are told by themselves')
})
