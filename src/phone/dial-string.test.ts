import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialString, isListed } from './dial-string.ts'

test('each trunk gets the number in its own format', () => {
  const number = '+5511987654321'
  assert.equal(dialString(number, {}), '+5511987654321')
  assert.equal(dialString(number, { leadingPlus: true }), '+5511987654321')
  assert.equal(dialString(number, { leadingPlus: false }), '5511987654321')
  assert.equal(dialString(number, { leadingPlus: false, prefix: '9' }), '95511987654321')
  assert.equal(dialString(number, { stripPrefix: '+55', prefix: '0' }), '011987654321')
  assert.equal(dialString(number, { stripPrefix: '55' }), '11987654321')
  assert.equal(dialString(number, { stripPrefix: '1' }), '5511987654321', 'a national form has no plus')
})

test('a list contains numbers and prefixes, and an empty list contains all', () => {
  assert.ok(isListed(null, []))
  assert.ok(isListed('+5511987654321', []))
  assert.ok(isListed('+5511987654321', ['5511987654321']))
  assert.ok(isListed('+5511987654321', ['+44*', '+5511*']))
  assert.ok(!isListed('+5521987654321', ['+5511*']))
  assert.ok(!isListed(null, ['+5511*']))
  assert.ok(!isListed('+551198765432', ['+5511987654321']))
})
