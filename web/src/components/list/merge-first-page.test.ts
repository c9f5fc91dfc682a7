// Merging a long list with its fresh first page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeFirstPage as merge, rowAfterKey } from './merge-first-page.ts'

const row = (id: string, minute: number, note = '') => ({
  id,
  startedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  note,
})

type Row = ReturnType<typeof row>
const mergeFirstPage = (rows: Row[], fresh: Row[] | undefined) => merge(rows, fresh, ({ startedAt }) => startedAt)

test('adds new rows on top, replaces changed ones, no duplicates', () => {
  const rows = [row('c', 3), row('b', 2), row('a', 1)]
  const fresh = [row('d', 4), row('c', 3, 'ended')]
  assert.deepEqual(
    mergeFirstPage(rows, fresh).map(({ id, note }) => id + note),
    ['d', 'cended', 'b', 'a'],
  )
})

test('drops a row deleted from the fresh page', () => {
  const rows = [row('c', 3), row('b', 2), row('a', 1)]
  assert.deepEqual(
    mergeFirstPage(rows, [row('c', 3), row('a', 1)]).map(({ id }) => id),
    ['c', 'a'],
  )
})

test('equal times are ordered by id', () => {
  const rows = [row('b', 1), row('a', 1)]
  assert.deepEqual(
    mergeFirstPage(rows, [row('b', 1)]).map(({ id }) => id),
    ['b', 'a'],
  )
})

test('rows are unchanged until the fresh page arrives', () => {
  assert.equal(mergeFirstPage([row('a', 1)], undefined).length, 1)
})

test('keys move between rows and stop at the ends', () => {
  const after = (key: string, at: number) => rowAfterKey(key, at, 100, 10)
  assert.deepEqual(
    [after('ArrowDown', 4), after('ArrowUp', 0), after('PageDown', 95), after('Home', 50), after('End', 0)],
    [5, 0, 99, 0, 99],
  )
  assert.equal(after('x', 4), null)
  assert.equal(rowAfterKey('End', 0, 0, 10), null)
})
