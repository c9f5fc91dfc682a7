// How much of a sentence was heard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  heardOf,
  letterMsOf,
  newPiece,
  noteWords,
  type PlayoutSegment,
  sayAgain,
  splitAt,
  unheard,
} from './heard-text.ts'

const text = 'Abrimos às oito da manhã.'
const made = (heardMs: number, madeMs = 2500) => ({ ...newPiece(text), madeMs, isMade: true, heardMs })

test('of a sentence that was made, as many whole words as fit into the part that was heard', () => {
  assert.deepEqual(splitAt(made(0)), { heard: '', rest: text })
  assert.deepEqual(splitAt(made(600)), { heard: '', rest: text })
  assert.deepEqual(splitAt(made(800)), { heard: 'Abrimos', rest: 'às oito da manhã.' })
  assert.deepEqual(splitAt(made(2499)), { heard: 'Abrimos às oito da', rest: 'manhã.' })
  assert.deepEqual(splitAt(made(2500)), { heard: text, rest: '' })
})

test('of one that was not wholly made, by the speed at which people speak', () => {
  const piece = { ...newPiece(text), madeMs: 900, heardMs: 900 }
  assert.equal(splitAt(piece).heard, 'Abrimos às')
})

test('by the words that the voice told, where it did', () => {
  const piece = { ...made(0), madeMs: 0 }
  for (const [word, ms] of [
    ['Abrimos', 1500],
    ['às', 300],
    ['oito', 500],
    ['nada', 0],
    ['da', 100],
    ['manhã.', 100],
  ] as const) {
    noteWords(piece, word)
    piece.madeMs += ms
  }
  assert.equal(splitAt(piece, 1200).heard, '')
  assert.equal(splitAt(piece, 1400).heard, 'Abrimos', 'nine tenths of a word are the word')
  assert.equal(splitAt(piece, 1600).heard, 'Abrimos')
  assert.equal(splitAt(piece, 1900).heard, 'Abrimos às')
  assert.equal(splitAt(piece, 2350).heard, 'Abrimos às oito')
})

/** As a voice tells it: words, and how long each takes. */
function told(text: string, words: readonly (readonly [string, number])[]): PlayoutSegment {
  const piece = newPiece(text)
  for (const [word, ms] of words) {
    noteWords(piece, word)
    piece.madeMs += ms
  }
  return piece
}

test('a small word is not taken for a part of another, nor for the same one far behind', () => {
  const names = told('Por favor, confirme o seu nome e a rua, e depois o bairro.', [
    ['Por', 200],
    ['favor,', 300],
    ['confirme', 500],
    ['o', 100],
    ['seu', 200],
    ['nome', 300],
    ['e a', 200],
    ['rua', 300],
  ])
  assert.equal(splitAt(names, 1040).heard, 'Por favor, confirme')
  assert.equal(splitAt(names, 1220).heard, 'Por favor, confirme o')
  assert.equal(splitAt(names, 1620).heard, 'Por favor, confirme o seu nome')
  assert.equal(splitAt(names, 1900).heard, 'Por favor, confirme o seu nome e a')
})

test('what is read out otherwise than it is written begins where that is written', () => {
  const dated = told('Fica para o dia 14/10 às 15h30, certo?', [
    ['Fica', 200],
    ['para', 200],
    ['o', 100],
    ['dia', 200],
    ['quatorze', 400],
    ['de', 100],
    ['outubro', 400],
    ['às', 200],
    ['quinze', 300],
    ['e', 100],
    ['trinta', 300],
    ['certo?', 400],
  ])
  assert.equal(splitAt(dated, 1300).heard, 'Fica para o dia')
  assert.equal(splitAt(dated, 1700).heard, 'Fica para o dia 14/10')
  assert.equal(splitAt(dated, 2200).heard, 'Fica para o dia 14/10 às')
  assert.equal(splitAt(dated, 2600).heard, 'Fica para o dia 14/10 às 15h30,')
})

test('of words that were told in one piece as many were heard as fit into its part', () => {
  const piece = told('Abrimos às oito. Fechamos às seis da tarde.', [
    ['Abrimos às oito.', 1000],
    ['Fechamos às seis da tarde.', 2000],
  ])
  assert.equal(splitAt({ ...piece, isMade: true }, 750).heard, 'Abrimos às')
  assert.equal(splitAt({ ...piece, isMade: true }, 2100).heard, 'Abrimos às oito. Fechamos às')
})

test('a voice that broke off is told anew from the word at which it was', () => {
  const piece = told('Abrimos às oito da manhã.', [
    ['Abrimos', 500],
    ['às', 200],
    ['oito', 100],
  ])
  assert.equal(sayAgain(piece), 'oito da manhã.')
  noteWords(piece, 'oito')
  piece.madeMs += 400
  noteWords(piece, 'da')
  piece.madeMs += 200
  assert.equal(splitAt(piece, 1000).heard, 'Abrimos às')
  assert.equal(splitAt(piece, 1250).heard, 'Abrimos às oito')
})

test('how fast a voice is is learned from what it has said, slowly', () => {
  assert.equal(letterMsOf({ letters: 0, ms: 0 }), 66)
  assert.ok(Math.abs(letterMsOf({ letters: 600, ms: 600 * 50 }) - 50) < 2)
  const piece = { ...newPiece('palavra '.repeat(20).trim(), false, 50), madeMs: 1000, heardMs: 4000 }
  assert.equal(splitAt(piece).heard.split(' ').length, 10)
})

test('nothing is lost or said twice by a cut, wherever it is', () => {
  fc.assert(
    fc.property(fc.nat(3000), (heardMs) => {
      const { heard, rest } = splitAt(made(heardMs))
      assert.equal(`${heard} ${rest}`.trim(), text)
    }),
  )
})

test('what is left is the rest of the sentence that was cut and those after it, but no aside', () => {
  const pieces = [
    { ...newPiece('Bom dia.'), isHeard: true },
    { ...newPiece('Um momento.', true), heardMs: 400 },
    made(800),
    newPiece('E fechamos às seis.'),
  ]
  const left = unheard(pieces)
  assert.deepEqual(
    left.map((piece) => [piece.text, piece.isHeard]),
    [
      ['Bom dia.', true],
      ['Um', true],
      ['Abrimos', true],
      ['às oito da manhã.', false],
      ['E fechamos às seis.', false],
    ],
  )
  assert.equal(heardOf(left), 'Bom dia. Um Abrimos')
})
