// The columns of a list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnNames } from './list-columns.ts'

test('a list is refused by its width before its names are looked at', () => {
  let looked = 0
  const isNumber = () => {
    looked++
    return false
  }
  const names = (count: number) => Array.from({ length: count }, (_, i) => `0000000${i}`)
  assert.throws(() => columnNames(names(60_000), isNumber), { code: 'campaign_columns_limit' })
  assert.equal(looked, 0)
  assert.equal(columnNames([...names(100), ' ', ''], isNumber).length, 100)
  assert.equal(looked, 100)
})

test('a list whose first row has a number has no names', () => {
  assert.throws(() => columnNames(['Maria', '11987654321'], () => true), { code: 'campaign_list_columns' })
})
