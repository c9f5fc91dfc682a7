import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerNumber, dialledDigits, dialString, isNamed } from './dial-string.ts'

test('a dialled number is read however a carrier writes it', () => {
  const cases: [string, string | null][] = [
    ['+5511987654321', '+5511987654321'],
    ['005511987654321', '+5511987654321'],
    ['5511987654321', '5511987654321'],
    ['(11) 98765-4321', '11987654321'],
    ['11.98765.4321', '11987654321'],
    ['+5511987654321;phone-context=x', '+5511987654321'],
    ['190', '190'],
    ['ana', null],
    ['', null],
    ['+', null],
    ['12', null],
    ['+55119876543211234567890', null],
    ['5511987654321x', null],
  ]
  for (const [user, digits] of cases) assert.equal(dialledDigits(user), digits, user)
})

test('a caller without a number is nobody', () => {
  assert.equal(callerNumber(null), null)
  assert.equal(callerNumber('anonymous'), null)
  assert.equal(callerNumber('+5511987654321'), '+5511987654321')
})

test('each trunk gets the number in its own form', () => {
  const number = '+5511987654321'
  assert.equal(dialString(number, {}), '+5511987654321')
  assert.equal(dialString(number, { leadingPlus: true }), '+5511987654321')
  assert.equal(dialString(number, { leadingPlus: false }), '5511987654321')
  assert.equal(dialString(number, { leadingPlus: false, prefix: '9' }), '95511987654321')
  assert.equal(dialString(number, { stripPrefix: '+55', prefix: '0' }), '011987654321')
  assert.equal(dialString(number, { stripPrefix: '55' }), '11987654321')
  assert.equal(dialString(number, { stripPrefix: '1' }), '5511987654321', 'a national form has no plus')
})

test('a list names numbers and prefixes, and an empty list names all', () => {
  assert.ok(isNamed(null, []))
  assert.ok(isNamed('+5511987654321', []))
  assert.ok(isNamed('+5511987654321', ['5511987654321']))
  assert.ok(isNamed('+5511987654321', ['+44*', '+5511*']))
  assert.ok(!isNamed('+5521987654321', ['+5511*']))
  assert.ok(!isNamed(null, ['+5511*']))
  assert.ok(!isNamed('+551198765432', ['+5511987654321']))
})
