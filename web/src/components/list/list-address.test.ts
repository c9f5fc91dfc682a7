// Filters and sort order in the URL, and the resulting API query.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  apiQuery,
  dayStart,
  type FilterField,
  isNarrowed,
  nextSort,
  readAddress,
  withDay,
  writeAddress,
} from './list-address.ts'

const fields: FilterField[] = [
  { key: 'agent', param: 'agentId' },
  { key: 'status', values: ['failed', 'completed'] },
  { key: 'from', values: 'day' },
  { key: 'to', values: 'day', isEnd: true },
]
const read = (text: string) => readAddress(new URLSearchParams(text), fields, ['startedAt'])

test('what the address says is read and written alike', () => {
  const text = 'q=ol%C3%A1&agent=agt_1&status=failed&from=2026-01-31&sort=-startedAt'
  const address = read(text)
  assert.deepEqual(address.values, { agent: 'agt_1', status: 'failed', from: '2026-01-31', to: null })
  assert.equal(writeAddress(address).toString(), text)
  assert.ok(isNarrowed(address))
})

test('nonsense is left out, and the name of the API’s parameter is understood', () => {
  const { values, sort, q } = read('status=none&from=2026-13-01&to=x&sort=password&agentId=agt_2')
  assert.deepEqual(values, { agent: 'agt_2', status: null, from: null, to: null })
  assert.equal(sort, null)
  assert.equal(q, '')
  assert.equal(read(`agent=${'x'.repeat(100)}`).values.agent, null)
  assert.equal(read(`q=${'x'.repeat(300)}`).q.length, 255)
  assert.ok(!isNarrowed(read('sort=startedAt')))
})

test('days are local and the last one is included', () => {
  const query = apiQuery(read('q=+a+&agent=agt_1&from=2026-01-31&to=2026-01-31&sort=startedAt'), fields)
  assert.deepEqual(query, {
    agentId: 'agt_1',
    q: 'a',
    sort: 'startedAt',
    from: new Date(2026, 0, 31).toISOString(),
    to: new Date(2026, 1, 1).toISOString(),
  })
  assert.equal(dayStart('2026-02-28', 1), new Date(2026, 2, 1).toISOString())
})

test('a range cannot end before it begins', () => {
  const values = { from: '2026-01-10', to: '2026-01-20' }
  assert.deepEqual(withDay(values, 'from', '2026-01-25'), { from: '2026-01-25', to: '2026-01-25' })
  assert.deepEqual(withDay(values, 'to', '2026-01-05'), { from: '2026-01-05', to: '2026-01-05' })
  assert.deepEqual(withDay(values, 'to', null), { from: '2026-01-10', to: null })
})

test('the head of a column goes through its orders', () => {
  assert.equal(nextSort(null, 'name', 'asc'), 'name')
  assert.equal(nextSort('name', 'name', 'asc'), '-name')
  assert.equal(nextSort('-name', 'name', 'asc'), null)
  assert.equal(nextSort('name', 'startedAt', 'desc'), '-startedAt')
})
