// espeak's phonemes become Kokoro's symbols, and the punctuation between clauses is kept.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Espeak, loadEspeak } from '../tts/espeak-engine.ts'
import { espeakLanguage } from '../tts/espeak-voices.ts'
import { MAX_SYMBOLS, numbersOf, phonemesOf, spelled, symbolNumbers } from './phonemes.ts'

let espeak: Espeak
before(async () => {
  espeak = await loadEspeak()
})
const say = (text: string, language: string) => {
  const name = espeakLanguage(language)
  return phonemesOf(text, name, (piece) => espeak.phonemes(piece, name))
}

test("the alphabet has the model's 114 symbols, each with its own id", () => {
  assert.equal(symbolNumbers.size, 114)
  assert.equal(new Set(symbolNumbers.values()).size, 114)
  for (const [symbol, number] of [
    [';', 1],
    [' ', 16],
    ['I', 25],
    ['a', 43],
    ['z', 68],
    ['ɡ', 92],
    ['ʒ', 147],
    ['ᵻ', 177],
  ] as const)
    assert.equal(symbolNumbers.get(symbol), number, symbol)
})

test('punctuation keeps its place, so that the intonation is that of the sentence', () => {
  const marks = (text: string) => text.replace(/[^,.;:!?…—"“”()]/gu, '')
  const texts: [string, string][] = [
    ['Olá, tudo bem? Claro: sim; "não"… (talvez)!', 'pt-BR'],
    ['Hello, are you there? Yes — of course!', 'en-US'],
    ['¡Hola! ¿Cómo está usted, señor?', 'es-ES'],
  ]
  for (const [text, language] of texts) assert.equal(marks(say(text, language)), marks(text), text)
})

test('the model knows every sound that espeak writes in the three languages', () => {
  const texts: [string, string][] = [
    [
      'O coração do João não cabia em si, vinte e cinco trabalhadores chegam já; há muito tempo, Tchau, tia, dia, exceção.',
      'pt-BR',
    ],
    [
      'The quick brown fox jumps over thirty-three lazy dogs, measuring their better judgement with a youthful choice.',
      'en-US',
    ],
    [
      'El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío; añoraba a su querido cachorro, ¿verdad?',
      'es-419',
    ],
  ]
  for (const [text, language] of texts) {
    const spelling = say(text, language)
    const unknown = [...spelling].filter((symbol) => !symbolNumbers.has(symbol))
    assert.deepEqual(unknown, [], spelling)
    assert.equal(numbersOf(spelling).length, [...spelling].length)
  }
})

test('sounds of two letters become one symbol only where they are one sound', () => {
  assert.equal(spelled('dʒ_ˈi_æ', 'pt-br'), 'ʤˈiæ')
  assert.equal(spelled('tʃ_ˈi_l_e', 'es-419'), 'ʧˈile')
  assert.equal(spelled('n_ˈaɪ_n h_ə_l_ˈoʊ', 'en-us'), 'nˈIn həlˈO')
  assert.equal(spelled('f_ˈa_ɪ', 'en-us'), 'fˈaɪ')
})

test('pronunciations that are misheard are corrected: the article um, and hyphenated words', () => {
  assert.equal(say('um dia', 'pt-BR').split(' ')[0], 'ˈuŋ')
  assert.equal(say('terça-feira', 'pt-BR').split(' ').length, 2)
})

test('a nasal vowel keeps its tilde as a separate symbol', () => {
  assert.match(say('pão', 'pt-BR'), /ɐ\u0303/u)
})

test("punctuation alone yields nothing, and the output never exceeds the model's limit", () => {
  assert.equal(say('', 'pt-BR'), '')
  assert.deepEqual(numbersOf(say('...', 'pt-BR')).length, 3)
  assert.ok(MAX_SYMBOLS < 510)
})

test('the English "I" is stressed: unstressed it was not heard at the start of a sentence', () => {
  assert.match(say('I will transfer your call.', 'en-US'), /^ˌI wɪl/)
  assert.match(say('How can I help you?', 'en-US'), / ˌI /)
})
