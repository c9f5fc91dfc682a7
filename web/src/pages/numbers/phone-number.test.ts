// Numbers as they are typed and read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryCodeOf, isFullNumber, plainNumber, shownNumber, trunksByNumber } from './phone-number.ts'

test('what was typed becomes a full number', () => {
  assert.equal(plainNumber(' +55 (11) 98765-4321 '), '+5511987654321')
  assert.equal(plainNumber('0034 915 551 234'), '+34915551234')
  assert.ok(isFullNumber('+5511987654321'))
  for (const wrong of ['11987654321', '+0123456789', '+55 11', '+12345', '+1234567890123456', ''])
    assert.ok(!isFullNumber(wrong), wrong)
})

test('the country is known by its code', () => {
  assert.equal(countryCodeOf('+5511987654321'), '55')
  assert.equal(countryCodeOf('+12025550123'), '1')
  assert.equal(countryCodeOf('+351211234567'), '351')
})

test('numbers are set in groups', () => {
  assert.equal(shownNumber('+5511987654321'), '+55 11 98765-4321')
  assert.equal(shownNumber('+551130000000'), '+55 11 3000-0000')
  assert.equal(shownNumber('+12025550123'), '+1 202 555-0123')
  assert.equal(shownNumber('+34915551234'), '+34 915 551 234')
  assert.equal(shownNumber('600'), '600')
})

test('a number names each trunk that brings it once', () => {
  const link = { trunkId: 't1', trunkType: 'inbound' as const, phoneNumbers: ['+551130000000'], trunk: { name: 'A' } }
  const trunks = [
    { id: 't1', name: 'A', numbers: ['+551130000000'] },
    { id: 't2', name: 'B', numbers: ['+551130000000', '+551140000000'] },
  ]
  const found = trunksByNumber([link, { ...link, trunkType: 'outbound' }], trunks)
  assert.deepEqual(
    found.get('+551130000000')?.map(({ trunkName }) => trunkName),
    ['A', 'B'],
  )
  assert.equal(found.get('+551140000000')?.length, 1)
  assert.equal(found.get('+551150000000'), undefined)
})
