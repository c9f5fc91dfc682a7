// What happens to a call to a number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberChecks } from './number-checks.ts'

const trunk = { id: 't', name: 'T', status: 'registered', isActive: true, directions: ['inbound'] }
const agent = { id: 'a', name: 'A', isActive: true, direction: 'both' }
const keys = (...given: Parameters<typeof numberChecks>) => numberChecks(...given).map(({ key }) => key)

test('a call that is answered', () => {
  assert.deepEqual(keys(true, trunk, agent), ['trunk', 'number', 'agent'])
  assert.ok(numberChecks(true, trunk, agent).every(({ isGood }) => isGood))
})

test('each fault has its words', () => {
  assert.deepEqual(keys(false, undefined, undefined), ['trunkNone', 'numberOff', 'agentNone'])
  assert.equal(keys(true, { ...trunk, isActive: false }, agent)[0], 'trunkOff')
  assert.equal(keys(true, { ...trunk, directions: ['outbound'] }, agent)[0], 'trunkOutbound')
  assert.equal(keys(true, { ...trunk, status: 'auth_failed' }, agent)[0], 'trunkBad')
  assert.equal(keys(true, trunk, { ...agent, isActive: false })[2], 'agentOff')
  assert.equal(keys(true, trunk, { ...agent, direction: 'outbound' })[2], 'agentOutbound')
})
