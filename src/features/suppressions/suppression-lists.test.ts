// Imported suppression lists: replaced entirely or not at all, with a version and an effective date.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, testApp } from '../../../test/app.ts'
import { nowMs, toIso } from '../../base/time/clock.ts'
import { listContent } from './list-content-store.ts'

const csv = { 'content-type': 'text/csv' }
const [first, second, third] = ['+5511987650001', '+5511987650002', '+551133330003']
const put = (user: Client, id: string, text: string, query = '') =>
  user.send({ method: 'PUT', url: `/api/suppression-lists/${id}/content${query}`, headers: csv, payload: text })
const newList = async (user: Client, changes: object = {}) =>
  (await user.post('/api/suppression-lists', { name: 'Não Me Ligue', ...changes })).json
const isSuppressed = async (user: Client, phoneNumber: string): Promise<boolean> =>
  (await user.post('/api/suppressions/check', { phoneNumber })).json.isSuppressed
const numbersOf = async (user: Client, listId: string) =>
  (await user.get(`/api/suppressions?listId=${listId}`)).json.map(
    ({ phoneNumber }: { phoneNumber: string }) => phoneNumber,
  )

test('a file is imported: numbers in any notation, duplicates and rows without a number counted', async () => {
  const { ana, bia } = await testApp()
  const { id } = await newList(ana, { sector: 'vendas' })
  const file = 'Nome;Telefone\nA;(11) 98765-0001\nB;5511987650001\nC;11 98765-0002\nD;123\nE;\n'
  const { status, json } = await put(ana, id, file)
  assert.equal(status, 200)
  const { list, ...counts } = json
  assert.deepEqual(counts, { rows: 5, added: 2, duplicates: 1, rejected: 2, withoutNumber: 1 })
  assert.deepEqual([list.version, list.entryCount, list.sector], [1, 2, 'vendas'])
  assert.ok(list.importedAt)
  assert.deepEqual((await numbersOf(ana, id)).sort(), [first, second])
  assert.equal(await isSuppressed(ana, first), true)
  assert.equal(await isSuppressed(bia, first), false)
  const again = (await put(ana, id, `${third}\n`)).json
  assert.deepEqual([again.rows, again.added, again.list.version > 1], [1, 1, true], 'without a row of names')
  assert.deepEqual(await numbersOf(ana, id), [third])
  assert.equal(await isSuppressed(ana, first), false)
})

test('numbers without a country code belong to the given country', async () => {
  const { ana } = await testApp()
  const { id } = await newList(ana)
  assert.equal((await put(ana, id, 'phone\n(202) 456-1111\n', '?defaultCountry=US')).json.added, 1)
  assert.deepEqual(await numbersOf(ana, id), ['+12024561111'])
})

test('a file that cannot be used leaves the list as it was', async () => {
  const { ana } = await testApp()
  const { id } = await newList(ana)
  await put(ana, id, `${first}\n`)
  assertError(await put(ana, id, 'telefone\nabc\n'), 400, /no valid number/)
  assertError(await put(ana, id, 'a\n"b'), 400, /quote/)
  assertError(await ana.put(`/api/suppression-lists/${id}/content`, {}), 415)
  assert.deepEqual(await numbersOf(ana, id), [first])
  const { json } = await ana.get(`/api/suppression-lists/${id}`)
  assert.deepEqual([json.version, json.entryCount], [1, 1])
  assert.equal((await put(ana, id, `${second}\n`)).status, 200, 'another import can begin at once')
})

test('readers see the old list until the new one is whole; a crash leaves the old one, and the sweep clears up', async () => {
  const { ana, database } = await testApp()
  const { db } = database
  const content = listContent(db)
  const { id } = await newList(ana)
  await put(ana, id, `${first}\n`)
  const draft = await content.begin(ana.userId, id)
  await content.add(draft, [{ phoneNumber: second, numberHash: 'x' }])
  assert.deepEqual(await numbersOf(ana, id), [first])
  assert.equal(await isSuppressed(ana, second), false)
  assertError(await put(ana, id, `${third}\n`), 409, /import/)

  // Its process crashes, so the lease is not renewed.
  const expire = () =>
    db
      .updateTable('suppressionLists')
      .set({ importUntil: toIso(nowMs() - 1000) })
      .where('id', '=', id)
      .execute()
  const stored = async () =>
    (await db.selectFrom('suppressions').select('listVersion').where('listId', '=', id).execute()).length
  await expire()
  assert.equal(await stored(), 2)
  await content.sweep()
  assert.equal(await stored(), 1)
  assert.deepEqual(await numbersOf(ana, id), [first])
  // It was only slow, but it cannot continue with a list that was swept.
  await assert.rejects(content.add(draft, []), { code: 'suppression_list_importing' })
  await assert.rejects(content.publish(draft, 1), { code: 'suppression_list_importing' })

  await put(ana, id, `${second}\n${third}\n`)
  await content.sweep()
  assert.equal(await stored(), 2, 'the version before is gone')
  assert.deepEqual((await numbersOf(ana, id)).sort(), [third, second].sort())
})

test('two imports at once never mix', async () => {
  const { ana } = await testApp()
  const { id } = await newList(ana)
  const answers = await Promise.all([put(ana, id, `${first}\n`), put(ana, id, `${second}\n`)])
  for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status))
  const stored = await numbersOf(ana, id)
  assert.ok(stored.length === 1 && answers[stored[0] === first ? 0 : 1]?.status === 200)
})

test('a list holds from its date, by the clock of the database', async () => {
  const { ana } = await testApp()
  const { id } = await newList(ana, { effectiveAt: toIso(nowMs() + 3_600_000) })
  await put(ana, id, `${first}\n`)
  assert.equal(await isSuppressed(ana, first), false)
  assert.deepEqual(await numbersOf(ana, id), [first], 'it can be seen before')
  const { status, json } = await ana.patch(`/api/suppression-lists/${id}`, { effectiveAt: '2026-01-01T00:00:00-03:00' })
  assert.deepEqual([status, json.effectiveAt], [200, '2026-01-01T03:00:00.000Z'])
  assert.equal(await isSuppressed(ana, first), true)
})

test('a removed list no longer holds; its numbers are deleted by the sweep', async () => {
  const { ana, database } = await testApp()
  const { id } = await newList(ana)
  await put(ana, id, `${first}\n`)
  const { id: entry } = (await ana.get(`/api/suppressions?listId=${id}`)).json[0]
  assertError(await ana.delete(`/api/suppressions/${entry}`), 409)
  assert.equal((await ana.delete(`/api/suppression-lists/${id}`)).json.id, id)
  assertError(await ana.get(`/api/suppression-lists/${id}`), 404)
  assertError(await ana.delete(`/api/suppression-lists/${id}`), 404)
  assertError(await ana.get(`/api/suppressions/${entry}`), 404)
  assert.deepEqual((await ana.get('/api/suppression-lists')).json, [])
  assert.equal(await isSuppressed(ana, first), false)
  await listContent(database.db).sweep()
  const left = await database.db.selectFrom('suppressions').select('id').where('listId', '=', id).execute()
  assert.deepEqual(left, [])
  const lists = await database.db.selectFrom('suppressionLists').select('id').where('id', '=', id).execute()
  assert.deepEqual(lists, [])
})

test('a list belongs to its user and has a version; their number is limited', async () => {
  const { ana, bia } = await testApp()
  const list = await newList(ana)
  for (const answer of [
    await bia.get(`/api/suppression-lists/${list.id}`),
    await bia.patch(`/api/suppression-lists/${list.id}`, { name: 'x' }),
    await bia.delete(`/api/suppression-lists/${list.id}`),
    await put(bia, list.id, first),
  ])
    assertError(answer, 404)
  const { headers } = await ana.patch(`/api/suppression-lists/${list.id}`, { name: 'Outra', sector: null })
  const stale = await ana.patch(`/api/suppression-lists/${list.id}`, { name: 'x' }, { 'if-match': '"1"' })
  assertError(stale, 412)
  const fresh = await ana.patch(
    `/api/suppression-lists/${list.id}`,
    { name: 'y' },
    { 'if-match': String(headers.etag) },
  )
  assert.equal(fresh.json.name, 'y')
  assertError(await ana.post('/api/suppression-lists', { name: '' }), 400)
  assertError(await ana.post('/api/suppression-lists', { name: 'x', effectiveAt: 'amanhã' }), 400)
  for (let i = 1; i < 20; i++) await newList(ana)
  assertError(await ana.post('/api/suppression-lists', { name: 'x' }), 409, /20 suppression lists/)
})
