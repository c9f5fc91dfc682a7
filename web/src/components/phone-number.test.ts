// Phone numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryCodeOf, formatNumber, isE164, normalizeNumber, trunksByNumber } from './phone-number.ts'

test('normalises typed numbers', () => {
  assert.equal(normalizeNumber(' +55 (11) 98765-4321 '), '+5511987654321')
  assert.equal(normalizeNumber('0034 915 551 234'), '+34915551234')
  assert.ok(isE164('+5511987654321'))
  for (const wrong of ['11987654321', '+0123456789', '+55 11', '+12345', '+1234567890123456', ''])
    assert.ok(!isE164(wrong), wrong)
})

test('finds the country calling code', () => {
  assert.equal(countryCodeOf('+5511987654321'), '55')
  assert.equal(countryCodeOf('+12025550123'), '1')
  assert.equal(countryCodeOf('+351211234567'), '351')
})

test('formats numbers in groups', () => {
  assert.equal(formatNumber('+5511987654321'), '+55 11 98765-4321')
  assert.equal(formatNumber('+551130000000'), '+55 11 3000-0000')
  assert.equal(formatNumber('+12025550123'), '+1 202 555-0123')
  assert.equal(formatNumber('+34915551234'), '+34 915 551 234')
  assert.equal(formatNumber('600'), '600')
})

test('lists each trunk of a number once', () => {
  const link = { trunkId: 't1', trunkType: 'inbound' as const, phoneNumbers: ['+551130000000'] }
  const other = { ...link, trunkId: 't2', phoneNumbers: ['+551130000000', '+551140000000'] }
  const found = trunksByNumber([link, { ...link, trunkType: 'outbound' }, other])
  assert.deepEqual(
    found.get('+551130000000')?.map(({ trunkId }) => trunkId),
    ['t1', 't2'],
  )
  assert.equal(found.get('+551140000000')?.length, 1)
  assert.equal(found.get('+551150000000'), undefined)
})
