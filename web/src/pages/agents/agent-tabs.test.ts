import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupOf, tabFrom, tabGroups, tabsIn, tabsWithProblems } from './agent-tabs.ts'

test('the address names a tab, and the tab its group', () => {
  assert.equal(tabFrom('tools'), 'tools')
  assert.equal(groupOf('tools'), 'connections')
  assert.equal(groupOf('after'), 'advanced')
  assert.equal(tabFrom('nothing'), 'prompt')
  assert.equal(tabFrom(null), 'prompt')
})

test('a group opens with its first tab', () => {
  assert.deepEqual(
    tabGroups.map(({ group }) => tabsIn(group)[0]),
    ['prompt', 'voice', 'turns', 'tools', 'general'],
  )
})

test('tabs with fields that cannot be saved, in the order of the page', () => {
  assert.deepEqual(tabsWithProblems({}), [])
  assert.deepEqual(tabsWithProblems({ fields: 'json', name: 'empty', systemPrompt: 'empty', providerA: 'json' }), [
    'prompt',
    'voice',
    'general',
    'after',
  ])
})
