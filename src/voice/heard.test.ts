// How much of a sentence was heard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { heardOf, newPiece, noteWords, splitAt, unheard } from './heard.ts'

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
  assert.equal(splitAt(piece, 1400).heard, '')
  assert.equal(splitAt(piece, 1600).heard, 'Abrimos')
  assert.equal(splitAt(piece, 1900).heard, 'Abrimos às')
  assert.equal(splitAt(piece, 2350).heard, 'Abrimos às oito')
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
