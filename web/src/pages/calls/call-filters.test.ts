// Call filters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayStart, filtersOf, isFiltered, noFilters, queryOf, searchParamsOf } from './call-filters.ts'

test('filters round-trip through the address', () => {
  const filters = {
    agentId: 'agt_1',
    status: 'no_answer',
    direction: 'outbound',
    from: '2026-01-01',
    to: '2026-01-31',
    q: '+55 & more',
  } as const
  assert.deepEqual(filtersOf(searchParamsOf(filters)), filters)
  assert.equal(isFiltered(filters), true)
})

test('unknown parameters are ignored', () => {
  const odd = new URLSearchParams('status=x&direction=up&from=yesterday&to=2026-13-45&agentId=')
  assert.deepEqual(filtersOf(odd), noFilters)
  assert.equal(isFiltered(noFilters), false)
  assert.equal(searchParamsOf(noFilters).toString(), '')
})

test('the last day is included whole, also at the end of a month', () => {
  const { from, to } = queryOf({ ...noFilters, from: '2026-01-31', to: '2026-01-31' })
  assert.equal(from, new Date(2026, 0, 31).toISOString())
  assert.equal(to, new Date(2026, 1, 1).toISOString())
  assert.equal(dayStart('2028-02-29'), new Date(2028, 1, 29).toISOString())
})

test('empty filters send nothing; search text is trimmed', () => {
  assert.deepEqual(queryOf(noFilters), {})
  assert.deepEqual(queryOf({ ...noFilters, q: '  hello ' }), { q: 'hello' })
})
