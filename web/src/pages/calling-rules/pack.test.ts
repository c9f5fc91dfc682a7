import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeId, readDates } from './pack.ts'

test('dates are read in any separation, sorted and once each', () => {
  assert.deepEqual(readDates('2026-12-24, 2026-11-20\n2026-12-24'), ['2026-11-20', '2026-12-24'])
  assert.deepEqual(readDates('  '), [])
  assert.equal(readDates('24/12/2026'), null)
  assert.equal(readDates('2026-13-01'), null)
})

test('a new rule gets an id that is not taken', () => {
  assert.equal(freeId([], 'own'), 'own')
  assert.equal(freeId([{ id: 'own' }, { id: 'own-2' }], 'own'), 'own-3')
})
