// A rule pack on the page: ids of new rules, dates, regions and translated texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, freeId, type RulePack } from './pack.ts'
import { regionChoices, regionName } from './regions.ts'

const sourced = { source: 'a law', date: '2026-01-01' }
const pack: RulePack = {
  id: 'x',
  name: 'x',
  version: 1,
  date: '2026-01-01',
  countries: ['BR'],
  windows: [{ id: 'own', regions: null, windows: [], ...sourced }],
  holidays: null,
  frequency: [],
  spacing: { id: 'own-2', minutes: 1, ...sourced },
  monthly: null,
  shortCalls: null,
  disclosure: { id: 'disclosure', isRequired: true, ...sourced },
}

test('a new rule gets an id that no rule of the pack has', () => {
  assert.equal(freeId(pack, 'limit'), 'limit')
  assert.equal(freeId(pack, 'own'), 'own-3')
})

test('a day is the same in every time zone', () => {
  assert.equal(dayText('2026-12-24', 'pt-BR'), '24 de dez. de 2026')
  assert.equal(dayText('soon', 'pt-BR'), 'soon')
})

test('regions have names; an unknown code stays', () => {
  assert.equal(regionName('BR-RJ', 'en-US'), 'Rio de Janeiro')
  assert.equal(regionName('BR', 'en-US'), 'Brazil')
  assert.equal(regionName('AR-C', 'en-US'), 'AR-C')
  assert.ok(regionChoices(['BR'], ['BR', 'PT']).includes('BR-SP'))
  assert.deepEqual(regionChoices(['PT'], ['BR', 'PT']), ['PT'])
})
