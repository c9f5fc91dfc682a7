// Text is split where a speaker would pause, and no text is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clausesOf, wholeSentences } from './clauses.ts'

const texts = (text: string) => clausesOf(text).map((clause) => clause.text)

test('a short sentence stays whole', () => {
  assert.deepEqual(texts('Olá, aqui é a Ana.'), ['Olá, aqui é a Ana.'])
})

test('a long first sentence yields its first clause alone, so that audio starts soon', () => {
  const clauses = clausesOf('Sua consulta ficou marcada para terça-feira, dia quatorze de outubro, às quinze horas.')
  assert.deepEqual(clauses, [
    { text: 'Sua consulta ficou marcada para terça-feira,', endsSentence: false },
    { text: 'dia quatorze de outubro, às quinze horas.', endsSentence: true },
  ])
})

test('a first clause that is too short to sound natural is joined to the next', () => {
  const [first] = texts('Sim, claro, com certeza, vou verificar isso para o senhor agora mesmo.')
  assert.equal(first, 'Sim, claro,')
})

test('a long sentence without punctuation is split before a conjunction', () => {
  const long =
    'O prazo de entrega do produto depende da região do país e da transportadora que a loja escolheu para o seu pedido.'
  const [first = '', ...rest] = texts(long)
  assert.ok(first.endsWith(',') && first.length <= 61, first)
  assert.ok(rest.length === 1)
})

test('sentences end at their punctuation, and closing quotes stay with them', () => {
  assert.deepEqual(wholeSentences('Oi! Tudo bem? Ele disse "sim." Ótimo…\nAté logo'), [
    'Oi!',
    'Tudo bem?',
    'Ele disse "sim."',
    'Ótimo…',
    'Até logo',
  ])
})

test('text with nothing to speak yields nothing', () => {
  for (const text of ['', '   ', '...', '—', '?!']) assert.deepEqual(clausesOf(text), [], text)
})

test("for any text, no word is lost, the order is kept, and no chunk exceeds the model's limit", () => {
  const word = fc.stringMatching(/^[a-zãéô]{1,20}$/)
  const mark = fc.constantFrom(' ', ', ', '. ', '; ', '? ', ' e ', '\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(word, mark), { maxLength: 120 }), (parts) => {
      const text = parts.map(([before, after]) => before + after).join('')
      const words = (some: string) => some.match(/[a-zãéô]+/gu) ?? []
      const pieces = texts(text)
      assert.deepEqual(words(pieces.join(' ')), words(text))
      assert.ok(pieces.every((piece) => piece.length <= 181))
    }),
  )
})
