import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Entry, nextEntry, ranked, score } from './palette-ranking.ts'

const entry = (kind: Entry['kind'], name: string, more: Partial<Entry> = {}): Entry => ({
  id: `${kind} ${name}`,
  kind,
  name,
  to: '/',
  ...more,
})
const names = (entries: readonly Entry[], query: string) =>
  ranked(entries, query).flatMap((group) => group.entries.map(({ name }) => name))

test('a name that begins with the text comes before one that contains it, and that before a description', () => {
  const entries = [
    entry('agent', 'Night reception'),
    entry('agent', 'Sales', { detail: 'Takes calls for the reception' }),
    entry('agent', 'Reception'),
    entry('agent', 'Afterreception'),
  ]
  assert.deepEqual(names(entries, 'recep'), ['Reception', 'Night reception', 'Afterreception', 'Sales'])
})

test('accents, capitals and the order of words do not matter; every word must match', () => {
  const entries = [entry('agent', 'Recepção da Clínica')]
  for (const query of ['recepcao', 'CLÍNICA', 'clinica recep', '  recepção  '])
    assert.equal(names(entries, query).length, 1, query)
  assert.deepEqual(names(entries, 'recepcao norte'), [])
})

test('a number is found by its digits, however it is written', () => {
  const entries = [entry('number', '+55 11 98765-4321'), entry('number', '+55 11 3000-0001')]
  for (const query of ['98765', '987654321', '8765-4321', '+5511987'])
    assert.deepEqual(names(entries, query), ['+55 11 98765-4321'], query)
})

test('the kind with the best match comes first', () => {
  const entries = [entry('page', 'Settings', { keywords: 'agents' }), entry('agent', 'Agenda'), entry('page', 'Agents')]
  assert.deepEqual(
    ranked(entries, 'agents').map(({ kind }) => kind),
    ['page'],
  )
  assert.deepEqual(
    ranked(entries, 'agenda').map(({ kind }) => kind),
    ['agent'],
  )
})

test('before anything is typed a few of the useful kinds are shown; long lists are cut', () => {
  const many = Array.from({ length: 300 }, (_, i) => entry('agent', `Agent ${i}`))
  const entries = [entry('guide', 'Phone'), ...many, entry('action', 'New agent')]
  const groups = ranked(entries, '')
  assert.deepEqual(
    groups.map(({ kind, entries: shown }) => [kind, shown.length]),
    [
      ['action', 1],
      ['agent', 4],
    ],
  )
  assert.equal(ranked(entries, 'agent').find(({ kind }) => kind === 'agent')?.entries.length, 6)
})

test('hostile text costs little and matches nothing', () => {
  const entries = [entry('agent', 'a'.repeat(5000))]
  assert.deepEqual(names(entries, 'b'.repeat(100_000)), [])
  assert.equal(score(entry('page', 'x'), '.*'), 0)
})

test('arrow keys go around the ends', () => {
  assert.equal(nextEntry('ArrowDown', 2, 3), 0)
  assert.equal(nextEntry('ArrowUp', 0, 3), 2)
  assert.equal(nextEntry('End', 0, 3), 2)
  assert.equal(nextEntry('Home', 2, 3), 0)
  assert.equal(nextEntry('a', 0, 3), null)
  assert.equal(nextEntry('ArrowDown', 0, 0), null)
})
