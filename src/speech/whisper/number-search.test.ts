// Dictated numbers: when the search runs, and what it lets the decoder say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecoderState } from './decoder.ts'
import { findNumber } from './number-search.ts'
import { isAsLong, isDictatedNumber, numberExample, numberPieces } from './number-words.ts'
import { tokenTree } from './token-tree.ts'

const END = 0
const SIZE = 256
const encode = (text: string) => [...text].map((letter) => (letter.codePointAt(0) as number) % SIZE)
const written = (said: readonly number[]) => String.fromCodePoint(...said)
const mask = new Uint8Array(SIZE)
const tokens = { end: END, suppressed: mask, suppressedFirst: mask }

/** A model that wants to write `text` letter by letter, or `otherwise` where that is not allowed. */
function writing(text: string, otherwise: string) {
  const rowAt = (i: number) => {
    const row = new Float32Array(SIZE).fill(-20)
    row[encode(otherwise)[i] ?? END] = 3
    row[encode(text)[i] ?? END] = 5
    return row
  }
  let i = 0
  const step = async (_: DecoderState, chosen: readonly number[]) => {
    i++
    return { state: {} as DecoderState, rows: chosen.map(() => rowAt(i)) }
  }
  const search = { tree: tokenTree(numberPieces('pt'), encode), decoder: { step }, tokens, maxTokens: 80 }
  return findNumber({ ...search, isCanceled: () => false }, { state: {} as DecoderState, row: rowAt(0) })
}

test('what is no number word is not written', async () => {
  const found = await writing(' oito set  um', ' oito sete um')
  assert.equal(written(found?.said ?? []), ' oito sete um')
})

test('repeated digits are kept', async () => {
  const text = ' Um, um, um, quatro, quatro, quatro, sete, sete, sete.'
  const found = await writing(text, text)
  assert.equal(written(found?.said ?? []), text)
  assert.ok((found?.sum ?? -99) > -0.1)
})

test('what is certainly no number is very unlikely as one', async () => {
  const found = await writing(' bom dia, doutora', ' um')
  assert.ok((found?.sum ?? -99) / ((found?.said.length ?? 0) + 1) < -1)
})

test('only transcripts that are a number are dictated numbers', () => {
  for (const text of ['529.982.247-25', '1, 1, 4, 4, 7', '11 98765-4321', '0 8 7 6 e 5', '1v4, 4v4, 7v7, 3v5'])
    assert.equal(isDictatedNumber(text), true, text)
  for (const text of ['', '25', 'R$ 1250', '14:30', '14/10/2026', 'Rua Augusta, 1500', '1000 reais por mês'])
    assert.equal(isDictatedNumber(text), false, text)
})

test('a number that goes round in a circle is refused, one with a few more digits is not', () => {
  assert.equal(
    isAsLong('um, um, um, quatro, quatro, quatro, sete, sete, sete, três, cinco', '1, 4, 4, 7, 7, 7, 3, 5'),
    true,
  )
  assert.equal(isAsLong('quatro cinco, oito dois, nove sete', '458297'), true)
  assert.equal(isAsLong('quatro cinco, oito dois, nove sete, '.repeat(3), '4, 5, 8, 2, 9, 7'), false)
})

test('numbers are known in three languages', () => {
  for (const language of ['pt', 'en', 'es']) {
    assert.ok(numberExample(language))
    assert.ok(numberPieces(language).length > 40)
  }
  assert.equal(numberExample('de'), undefined)
  assert.deepEqual(numberPieces('de'), [])
})
