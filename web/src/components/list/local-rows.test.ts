// Local lists: search words, filters and sort order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localRows } from './local-rows.ts'

type Row = { name: string; n: number | null; kind: string }
const rows: Row[] = [
  { name: 'Operadora São Paulo', n: 2, kind: 'a' },
  { name: 'operadora 10', n: null, kind: 'b' },
  { name: 'Operadora 9', n: 1, kind: 'a' },
]
const rules = { textsOf: ({ name }: Row) => [name, null], valueOf: (row: Row, key: string) => row[key as keyof Row] }
const names = (address: Partial<Parameters<typeof localRows>[1]>) =>
  localRows(rows, { q: '', sort: null, values: {}, ...address }, rules).map(({ name }) => name)

test('words are found without accents and case', () => {
  assert.deepEqual(names({ q: 'sao OPERADORA' }), ['Operadora São Paulo'])
  assert.deepEqual(names({ q: 'nowhere' }), [])
  assert.equal(names({}).length, 3)
})

test('filters and orders', () => {
  assert.deepEqual(names({ values: { kind: 'a' }, sort: 'n' }), ['Operadora 9', 'Operadora São Paulo'])
  assert.deepEqual(names({ sort: 'name' }), ['Operadora 9', 'operadora 10', 'Operadora São Paulo'])
  assert.deepEqual(names({ sort: '-n' }).at(-1), 'operadora 10')
})
