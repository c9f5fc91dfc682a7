// espeak's phonemes become Kokoro's symbols, and the marks between clauses survive.
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

test('the alphabet has the 114 symbols of the model, each with a number of its own', () => {
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

test('the marks of a text stand where they stood, so that the melody is that of the sentence', () => {
  const marks = (text: string) => text.replace(/[^,.;:!?…—"“”()]/gu, '')
  const texts: [string, string][] = [
    ['Olá, tudo bem? Claro: sim; "não"… (talvez)!', 'pt-BR'],
    ['Hello, are you there? Yes — of course!', 'en-US'],
    ['¡Hola! ¿Cómo está usted, señor?', 'es-ES'],
  ]
  for (const [text, language] of texts) assert.equal(marks(say(text, language)), marks(text), text)
})

test('every sound that espeak writes in the three languages is one the model knows', () => {
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

test('what espeak says so that it is misheard is said otherwise: the article um, and words joined by a hyphen', () => {
  assert.equal(say('um dia', 'pt-BR').split(' ')[0], 'ˈuŋ')
  assert.equal(say('terça-feira', 'pt-BR').split(' ').length, 2)
})

test('a nasal vowel keeps its tilde as a symbol of its own', () => {
  assert.match(say('pão', 'pt-BR'), /ɐ\u0303/u)
})

test('nothing but marks says nothing, and a text is never longer than the model takes', () => {
  assert.equal(say('', 'pt-BR'), '')
  assert.deepEqual(numbersOf(say('...', 'pt-BR')).length, 3)
  assert.ok(MAX_SYMBOLS < 510)
})

test('the English "I" has a stress, without which it was not heard at the beginning of a sentence', () => {
  assert.match(say('I will transfer your call.', 'en-US'), /^ˌI wɪl/)
  assert.match(say('How can I help you?', 'en-US'), / ˌI /)
})
