import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateIds, templateIn } from '../templates.ts'
import { estimateTokens } from './token-estimate.ts'

/** Counted with OpenAI's o200k_base (gpt-tokenizer 3); the estimate was off by 4.2 % at most. */
const counted = {
  pt: { receptionist: 426, booking: 350, orders: 379, restaurant: 363, outbound: 348, blank: 167 },
  en: { receptionist: 391, booking: 334, orders: 360, restaurant: 334, outbound: 343, blank: 155 },
  es: { receptionist: 413, booking: 346, orders: 374, restaurant: 350, outbound: 349, blank: 166 },
} as const

test('the estimate is close to a real tokeniser on the templates in three languages', () => {
  for (const language of ['pt', 'en', 'es'] as const)
    for (const id of templateIds) {
      const real = counted[language][id]
      const error = Math.abs(estimateTokens(templateIn(id, language).systemPrompt) - real) / real
      // Some tolerance: a template may be reworded without recounting.
      assert.ok(error < 0.08, `${language} ${id}: ${(error * 100).toFixed(1)} %`)
    }
})

test('an empty text has no tokens, digits go in threes, and dense scripts count by letter', () => {
  assert.equal(estimateTokens(''), 0)
  assert.equal(estimateTokens('   '), 0)
  assert.equal(estimateTokens('123456'), 2)
  assert.equal(estimateTokens('こんにちは'), 5)
})

test('a long text is counted in linear time', () => {
  const text = 'palavra {{nome}} 12345!!! '.repeat(4000)
  assert.ok(estimateTokens(text) > 10_000)
})
