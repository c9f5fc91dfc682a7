import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { errorCodes } from '../../../src/base/errors/error-codes.ts'
import { allErrorTexts, fieldLabel, notFoundText } from './error-texts/all.ts'
import { notFoundTexts } from './error-texts/not-found.ts'
import { signInErrorTexts } from './error-texts/sign-in.ts'
import { loadErrorTexts, problemsInWords } from './error-words.ts'
import { languages } from './language.ts'
import type { ErrorProblem } from './parse-error-codes.ts'

const root = join(import.meta.dirname, '../../..')
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort()
const wordsOf = (language: (typeof languages)[number]): Readonly<Record<string, string>> => ({
  ...signInErrorTexts[language],
  ...allErrorTexts[language],
})

test('every code has words in every language, with the same parameters, and no words are left over', () => {
  const codes = Object.keys(errorCodes)
    .filter((code) => code !== 'not_found')
    .sort()
  for (const language of languages) assert.deepEqual(Object.keys(wordsOf(language)).sort(), codes, language)
  for (const [code, [, message]] of Object.entries(errorCodes)) {
    if (code === 'not_found') continue
    const [first = [], ...others] = languages.map((language) => namesIn(wordsOf(language)[code] ?? ''))
    for (const names of others) assert.deepEqual(names, first, code)
    const known = namesIn(message)
    assert.ok(
      first.every((name) => known.includes(name)),
      `${code}: ${first} of ${known}`,
    )
  }
})

test('words are sentences, and Portuguese and Spanish are not left in English', () => {
  for (const language of languages)
    for (const [code, words] of Object.entries(wordsOf(language))) {
      assert.match(words, /^[A-ZÀ-ÖÉÍÓÚ¿¡{$]/u, `${language} ${code}`)
      assert.match(words, /[.:})]$/, `${language} ${code}`)
      if (language !== 'en') assert.notEqual(words, wordsOf('en')[code], `${language} ${code}`)
    }
})

test('everything that can be missing has words', () => {
  const whats = new Set<string>()
  for (const path of globSync('src/**/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts')) continue
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, what] of text.matchAll(/\b(?:notFound|found)\(\s*'([A-Z][\w ]+)'/g)) whats.add(what ?? '')
    for (const [, what] of text.matchAll(/requireOwned\([^)]*'([A-Z][\w ]+)'\)/g)) whats.add(what ?? '')
  }
  assert.ok(whats.size > 15)
  const missing = [...whats]
    .map((what) => what.toLowerCase().replaceAll(' ', '_'))
    .filter((what) => !(what in notFoundTexts.pt))
  assert.deepEqual(missing, [])
  assert.equal(notFoundText('something_new', 'pt'), notFoundTexts.pt.record)
})

test('parameters are in the language of the page: numbers, labels, reasons', async () => {
  const tooLarge = { code: 'body_too_large', params: { limit: 1_048_576 } }
  await loadErrorTexts([tooLarge])
  assert.equal(problemsInWords([tooLarge], 'pt'), 'O envio passa do limite de 1.048.576 bytes.')
  const fields: ErrorProblem[] = [
    { code: 'field_required', params: { field: 'name' } },
    { code: 'field_too_long', params: { field: 'systemPrompt', limit: 20_000 } },
  ]
  assert.equal(problemsInWords(fields, 'pt'), 'Nome: preencha este campo. Roteiro: no máximo 20.000 caracteres.')
  assert.equal(fieldLabel('steps.0.audio', 'pt'), 'steps.0.audio')
  assert.equal(fieldLabel('destinations.0.number', 'es'), 'Número')
  const service = { code: 'service_timeout', params: { service: 'The language model' } }
  assert.equal(problemsInWords([service], 'pt'), 'O modelo de linguagem não respondeu a tempo.')
  assert.equal(problemsInWords([service], 'en'), 'The language model did not answer in time.')
  const trunk = { code: 'not_found', params: { what: 'trunk' } }
  assert.equal(problemsInWords([trunk], 'es'), 'Esta troncal no existe o se eliminó.')
})

test('an unknown code has no words, so that the message of the server is shown', () => {
  assert.equal(problemsInWords([{ code: 'code_of_tomorrow', params: {} }], 'pt'), undefined)
  assert.equal(problemsInWords([], 'pt'), undefined)
})
