// Manually entered prices: form and display, and what is known about a vendor's models.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownFigures, priceFieldsOf, pricesFrom, priceText } from './price.ts'

const words = {
  inputPerMillionTokens: (amount: string) => `${amount} in`,
  outputPerMillionTokens: (amount: string) => `${amount} out`,
  perMinute: (amount: string) => `${amount} a minute`,
  perMillionCharacters: (amount: string) => `${amount} a million`,
}
const english = { locale: 'en-GB', words }

test('a kind has its own prices; an empty form has none', () => {
  const empty = priceFieldsOf(null)
  assert.equal(empty.currency, 'USD')
  assert.equal(pricesFrom('llm', empty), null)
  const entered = { ...empty, currency: 'EUR', inputPerMillionTokens: 0.25, perMinute: 1 }
  assert.deepEqual(pricesFrom('llm', entered), { currency: 'EUR', inputPerMillionTokens: 0.25 })
  assert.deepEqual(pricesFrom('stt', entered), { currency: 'EUR', perMinute: 1 })
  assert.equal(pricesFrom('tts', entered), null)
  assert.equal(pricesFrom('llm', { ...empty, inputPerMillionTokens: 0 })?.inputPerMillionTokens, 0)
  assert.deepEqual(pricesFrom('llm', priceFieldsOf({ currency: 'EUR', inputPerMillionTokens: 1 })), {
    currency: 'EUR',
    inputPerMillionTokens: 1,
  })
})

test('a price is shown with its currency and unit', () => {
  assert.equal(priceText('llm', null, english), null)
  assert.equal(priceText('stt', { currency: 'USD', perMinute: 0.0043 }, english), 'US$0.0043 a minute')
  const prices = { currency: 'EUR', inputPerMillionTokens: 0.25, outputPerMillionTokens: 2, perMinute: null }
  assert.equal(priceText('llm', prices, english), '€0.25 in, €2 out')
  assert.equal(priceText('stt', prices, english), null)
})

test('what is known of a model comes from accounts of the same vendor, and from tests', () => {
  const account = (vendor: string, model: string, firstMs: number | null, perMinute?: number) => ({
    kind: 'stt' as const,
    vendor,
    model,
    health: { firstMs },
    prices: perMinute === undefined ? null : { currency: 'USD', perMinute },
  })
  const accounts = [account('a', 'm', 300), account('a', 'm', 400, 1), account('b', 'm', 500), account('a', 'n', null)]
  const figures = knownFigures(accounts, { kind: 'stt', vendor: 'a', tested: new Map([['n', 90]]) })
  assert.deepEqual(Object.fromEntries(figures), {
    m: { firstMs: 300, prices: { currency: 'USD', perMinute: 1 } },
    n: { firstMs: 90, prices: null },
  })
})
