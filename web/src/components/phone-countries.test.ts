// Conversion of national numbers to E.164.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries, fullNumber, usualCountry } from './phone-countries.ts'
import { isE164 } from './phone-number.ts'

const of = (id: string) => countries.find((one) => one.id === id) ?? assert.fail(id)

test('a Brazilian number in every notation', () => {
  for (const typed of [
    '(11) 98765-4321',
    '11987654321',
    '011 98765 4321',
    '55 11 98765-4321',
    '+55 (11) 98765-4321',
    '0055 11 98765 4321',
  ])
    assert.equal(fullNumber(typed, of('BR')), '+5511987654321', typed)
  assert.equal(fullNumber('(11) 4002-8922', of('BR')), '+551140028922')
  for (const wrong of ['3000-0003', '98765-4321', '', '+', 'abc', '+55', '123456789012345678'])
    assert.equal(fullNumber(wrong, of('BR')), null, wrong)
})

test('the plus decides before the country that is chosen', () => {
  assert.equal(fullNumber('+34 915 551 234', of('BR')), '+34915551234')
  assert.equal(fullNumber('915 551 234', of('ES')), '+34915551234')
  assert.equal(fullNumber('06 1234 5678', of('IT')), '+390612345678')
  assert.equal(fullNumber('1 202 555 0123', of('US')), '+12025550123')
})

test('the example of every country is one of its numbers', () => {
  for (const country of countries) {
    const number = fullNumber(country.example, country)
    assert.ok(number?.startsWith(`+${country.code}`) && isE164(number), country.id)
  }
})

test('the country of the browser, else that of the language', () => {
  assert.equal(usualCountry('es', ['es-MX', 'es']).id, 'MX')
  assert.equal(usualCountry('pt', ['pt']).id, 'BR')
  assert.equal(usualCountry('en', ['en-US']).id, 'US')
  assert.equal(usualCountry('es', ['xx-ZZ']).id, 'ES')
})
