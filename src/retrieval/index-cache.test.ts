import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexCache } from './index-cache.ts'
import type { Indexable } from './passage-index.ts'

function aShelf(count: number, maxPassages: number) {
  const made: string[] = []
  const shelf = indexCache(async function* ({ id, version }): AsyncGenerator<Indexable> {
    made.push(`${id}${version}`)
    for (let number = 1; number <= count; number++)
      yield {
        documentId: id,
        number,
        documentName: '',
        heading: '',
        content: `words ${number}`,
        questions: [],
        vector: null,
      }
  }, maxPassages)
  const get = (id: string, version = 1) => shelf.get({ id, version, language: null, model: null })
  return { shelf, get, made }
}

test('an index is built once per version, even for concurrent requests', async () => {
  const { get, made } = aShelf(3, 100)
  const [first, second] = await Promise.all([get('a'), get('a')])
  assert.equal(first, second)
  assert.equal(await get('a'), first)
  assert.deepEqual(made, ['a1'])
  assert.notEqual(await get('a', 2), first)
  assert.deepEqual(made, ['a1', 'a2'])
})

test('the least recently used index is evicted first; a single oversized one is kept', async () => {
  const { shelf, get, made } = aShelf(10, 25)
  await get('a')
  await get('b')
  await get('a')
  await get('c')
  assert.equal(shelf.size(), 20)
  await get('a')
  await get('b')
  assert.deepEqual(made, ['a1', 'b1', 'c1', 'b1'])
  const large = aShelf(50, 25)
  await large.get('x')
  assert.equal(large.shelf.size(), 50)
})

test('a failure is not cached', async () => {
  let fails = true
  const shelf = indexCache(async function* (): AsyncGenerator<Indexable> {
    if (fails) throw new Error('the database is away')
    yield { documentId: 'd', number: 1, documentName: '', heading: '', content: 'x', questions: [], vector: null }
  })
  await assert.rejects(shelf.get({ id: 'a', version: 1, language: null, model: null }), /away/)
  fails = false
  assert.equal((await shelf.get({ id: 'a', version: 1, language: null, model: null })).keys.length, 1)
})
