// A long list stays in order while new records come on top.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeFirstPage, rowAfterKey } from './infinite-list.ts'

const row = (id: string, minute: number, note = '') => ({
  id,
  startedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  note,
})

test('New rows stand on top, changed ones are replaced, none is there twice', () => {
  const rows = [row('c', 3), row('b', 2), row('a', 1)]
  const fresh = [row('d', 4), row('c', 3, 'ended')]
  assert.deepEqual(
    mergeFirstPage(rows, fresh).map(({ id, note }) => id + note),
    ['d', 'cended', 'b', 'a'],
  )
})

test('A row that was removed within the fresh page goes', () => {
  const rows = [row('c', 3), row('b', 2), row('a', 1)]
  assert.deepEqual(
    mergeFirstPage(rows, [row('c', 3), row('a', 1)]).map(({ id }) => id),
    ['c', 'a'],
  )
})

test('Of two at the same moment the id decides', () => {
  const rows = [row('b', 1), row('a', 1)]
  assert.deepEqual(
    mergeFirstPage(rows, [row('b', 1)]).map(({ id }) => id),
    ['b', 'a'],
  )
})

test('Before the fresh page is there the rows stay as they are', () => {
  assert.equal(mergeFirstPage([row('a', 1)], undefined).length, 1)
})

test('Keys move within the rows and stop at the ends', () => {
  const after = (key: string, at: number) => rowAfterKey(key, at, 100, 10)
  assert.deepEqual(
    [after('ArrowDown', 4), after('ArrowUp', 0), after('PageDown', 95), after('Home', 50), after('End', 0)],
    [5, 0, 99, 0, 99],
  )
  assert.equal(after('x', 4), null)
  assert.equal(rowAfterKey('End', 0, 0, 10), null)
})
