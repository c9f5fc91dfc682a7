import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, isEqual, keyOf, mergedPatch } from './three-way.ts'

const base = { name: 'Ana', prompt: 'Be kind.', settings: { a: 1, b: 2, list: ['x'] }, status: 'on' }
const fields = ['name', 'prompt', 'settings']

test('changes of different fields are both kept', () => {
  const theirs = { ...base, prompt: 'Be brief.' }
  const found = differences(base, { name: 'Bia' }, theirs, fields)
  assert.deepEqual(
    found.map(({ path, changedBy }) => [path, changedBy]),
    [
      [['name'], 'me'],
      [['prompt'], 'them'],
    ],
  )
  assert.deepEqual(mergedPatch(theirs, found, {}), { name: 'Bia' })
})

test('what both changed is a choice, and mine is kept where none is made', () => {
  const theirs = { ...base, name: 'Cal' }
  const found = differences(base, { name: 'Bia' }, theirs, fields)
  const [difference] = found
  assert.ok(difference)
  assert.deepEqual([difference.changedBy, difference.mine, difference.theirs], ['both', 'Bia', 'Cal'])
  assert.deepEqual(mergedPatch(theirs, found, {}), { name: 'Bia' })
  assert.deepEqual(mergedPatch(theirs, found, { [keyOf(difference)]: 'theirs' }), {})
})

test('parts of one object are merged', () => {
  const theirs = { ...base, settings: { a: 1, b: 3, list: ['x'], c: 5 } }
  const found = differences(base, { settings: { a: 9, list: ['x', 'y'] } }, theirs, fields)
  const changed = Object.fromEntries(found.map(({ path, changedBy }) => [path.join('.'), changedBy]))
  assert.deepEqual(changed, { 'settings.a': 'me', 'settings.b': 'both', 'settings.list': 'me', 'settings.c': 'them' })
  assert.deepEqual(mergedPatch(theirs, found, {}), { settings: { a: 9, list: ['x', 'y'], c: 5 } })
  const theirB = keyOf({ path: ['settings', 'b'] })
  assert.deepEqual(mergedPatch(theirs, found, { [theirB]: 'theirs' }), {
    settings: { a: 9, b: 3, list: ['x', 'y'], c: 5 },
  })
})

test('an object that one of them cleared is compared as a whole', () => {
  const theirs = { ...base, settings: null }
  const found = differences(base, { settings: { ...base.settings, a: 2 } }, theirs, fields)
  assert.deepEqual(
    found.map(({ path, changedBy }) => [path, changedBy]),
    [[['settings'], 'both']],
  )
  assert.deepEqual(mergedPatch(theirs, found, {}), { settings: { a: 2, b: 2, list: ['x'] } })
})

test('the same change, a status and a field that nobody sees are no differences', () => {
  assert.deepEqual(differences(base, { name: 'Bia' }, { ...base, name: 'Bia', status: 'off' }, fields), [])
})

test('a secret that is only written is sent', () => {
  const found = differences(base, { password: 'new' }, base, fields)
  assert.deepEqual(mergedPatch(base, found, {}), { password: 'new' })
})

test('equality ignores the order of keys, and a missing field equals null', () => {
  assert.ok(isEqual({ a: 1, b: null }, { a: 1 }))
  assert.ok(isEqual({ a: 1, b: [2] }, { b: [2], a: 1 }))
  assert.ok(!isEqual([1, 2], [2, 1]))
  assert.ok(!isEqual({ a: '' }, { a: null }))
})
