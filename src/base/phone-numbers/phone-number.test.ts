import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countryCodeOf, digitsOf, E164_PATTERN, normalizeNumber } from './phone-number.ts'

const isE164 = (text: string) => new RegExp(E164_PATTERN).test(text)

test('92 a number is a plus and 7 to 15 digits, the first of them not 0', () => {
  for (const good of ['+5511999990000', '+1234567', '+123456789012345', '+12025550123']) assert.ok(isE164(good), good)
  const bad = [
    '5511999990000',
    '+0511999990000',
    '+123456',
    '+1234567890123456',
    '+55 11 99999 0000',
    '+55-11-99999',
    '+5511999990000\n',
    '\n+5511999990000',
    '+5511999990000\r\nContact: x',
    '++5511999990000',
    '+55119999900a0',
    '+٥٥١١٩٩٩٩٩٠٠٠٠',
    'tel:+5511999990000',
    '+5511999990000;ext=1',
    '+',
    '',
  ]
  for (const text of bad) assert.equal(isE164(text), false, JSON.stringify(text))
})

test('92 no other text is accepted as a number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plainly = text.length >= 8 && text.length <= 16 && text[0] === '+' && text[1] !== '0'
      assert.equal(isE164(text), plainly && [...text.slice(1)].every((c) => c >= '0' && c <= '9'))
    }),
  )
})

test('73, 93 the country code is found whether it has one, two or three digits', () => {
  const numbers: Record<string, string> = {
    '+12025550123': '1',
    '+18095550123': '1',
    '+74951234567': '7',
    '+77271234567': '7',
    '+201001234567': '20',
    '+27821234567': '27',
    '+306912345678': '30',
    '+33612345678': '33',
    '+34612345678': '34',
    '+390612345678': '39',
    '+41791234567': '41',
    '+447911123456': '44',
    '+4915112345678': '49',
    '+5215512345678': '52',
    '+5491112345678': '54',
    '+5511999990000': '55',
    '+56912345678': '56',
    '+60123456789': '60',
    '+6591234567': '65',
    '+819012345678': '81',
    '+821012345678': '82',
    '+8613912345678': '86',
    '+905321234567': '90',
    '+919812345678': '91',
    '+989121234567': '98',
    '+211912345678': '211',
    '+2348031234567': '234',
    '+258821234567': '258',
    '+351912345678': '351',
    '+353851234567': '353',
    '+358401234567': '358',
    '+380501234567': '380',
    '+420601123456': '420',
    '+421901123456': '421',
    '+50212345678': '502',
    '+59891234567': '598',
    '+67512345678': '675',
    '+85291234567': '852',
    '+8801712345678': '880',
    '+881612345678': '881',
    '+972501234567': '972',
    '+998901234567': '998',
  }
  for (const [number, code] of Object.entries(numbers)) assert.equal(countryCodeOf(number), code, number)
})

test('93 the country code of any number is its prefix of one to three digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+[1-9]\d{6,14}$/), (number) => {
      assert.match(countryCodeOf(number), /^[1-9]\d{0,2}$/)
      assert.ok(number.startsWith(`+${countryCodeOf(number)}`))
    }),
  )
})

test('the digits of a number are the same in every notation', () => {
  const same = ['+5511999990000', '5511999990000', '005511999990000', '+55 (11) 99999-0000', ' 55.11.99999/0000 ']
  for (const text of [...same, 'tel:+5511999990000', 'sip:+5511999990000@example.com', '+5511999990000;ext=1'])
    assert.equal(digitsOf(text), '5511999990000', text)
  assert.equal(digitsOf('1001'), '1001')
  for (const none of ['', '+', '12', 'ana', 'sip:ana@1234567', '+55119999x0000', '%', '1'.repeat(21)])
    assert.equal(digitsOf(none), null, none)
})

test('a dialled number is normalised from every carrier notation', () => {
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
  for (const [user, digits] of cases) assert.equal(normalizeNumber(user), digits, user)
})
