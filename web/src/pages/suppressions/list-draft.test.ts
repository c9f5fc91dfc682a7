// The request body of an imported list's form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, dayOf, draftOf, fileTypeOf, momentOf, newListOf } from './list-draft.ts'

const list = {
  id: 'sul_1',
  name: 'Não Me Ligue',
  sector: null,
  effectiveAt: '2026-12-01T15:30:00.000Z',
  version: 1,
  entryCount: 2,
  importedAt: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
}

test('a day begins at its first minute here, and reads back as the same day', () => {
  const moment = momentOf('2026-12-01')
  assert.equal(moment, new Date(2026, 11, 1).toISOString())
  assert.equal(dayOf(moment ?? ''), '2026-12-01')
  assert.equal(momentOf(''), null)
  assert.equal(momentOf('12/2026'), null)
})

test('only changed fields are sent; an unchanged day keeps its time', () => {
  const draft = draftOf(list)
  assert.deepEqual(changesOf(list, draft), {})
  assert.deepEqual(changesOf(list, { ...draft, sector: ' vendas ' }), { sector: 'vendas' })
  assert.deepEqual(changesOf(list, { ...draft, effectiveDay: '' }), {})
  assert.deepEqual(Object.keys(changesOf(list, { ...draft, effectiveDay: '2027-01-01' })), ['effectiveAt'])
  assert.deepEqual(newListOf({ name: ' A ', sector: '', effectiveDay: '' }), {
    name: 'A',
    sector: null,
    effectiveAt: null,
  })
})

test('CSV and XLSX files are recognised by their name', () => {
  assert.equal(fileTypeOf('lista.CSV'), 'text/csv')
  assert.match(fileTypeOf('lista.2.xlsx') ?? '', /spreadsheetml/)
  assert.equal(fileTypeOf('lista.xls'), undefined)
})
