// Sentence splitting of complete and of streamed text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sentences, sentencesOf } from './sentences.ts'

const whole = { firstLimit: Number.POSITIVE_INFINITY }

const cases: readonly (readonly [text: string, expected: readonly string[]])[] = [
  ['Olá. Tudo bem? Sim!', ['Olá.', 'Tudo bem?', 'Sim!']],
  ['O Sr. João e a Dra. Ana chegaram. Entrem.', ['O Sr. João e a Dra. Ana chegaram.', 'Entrem.']],
  ['Fica na Av. Paulista, nº 1000. Ligue.', ['Fica na Av. Paulista, nº 1000.', 'Ligue.']],
  ['Custa R$ 1.234,56. Pode ser?', ['Custa R$ 1.234,56.', 'Pode ser?']],
  ['It is 3.14. Not more.', ['It is 3.14.', 'Not more.']],
  ['Mr. Smith lives on St. Mary Ave. in town. Call him.', ['Mr. Smith lives on St. Mary Ave. in town.', 'Call him.']],
  ['¿Cómo está Ud. hoy? Bien.', ['¿Cómo está Ud. hoy?', 'Bien.']],
  ['J. R. Tolkien escreveu. Eu li.', ['J. R. Tolkien escreveu.', 'Eu li.']],
  ['Espere... vou ver. Pronto.', ['Espere... vou ver.', 'Pronto.']],
  ['Espere... Vou ver.', ['Espere...', 'Vou ver.']],
  ['Ele disse: “Vamos.” E foi.', ['Ele disse: “Vamos.”', 'E foi.']],
  ['Maçã, uva etc. Depois conto.', ['Maçã, uva etc.', 'Depois conto.']],
  ['1. Primeiro passo. 2. Segundo passo.', ['1. Primeiro passo.', '2. Segundo passo.']],
  ['Um\nDois\n\nTrês', ['Um', 'Dois', 'Três']],
  ['Veja exemplo.com.br agora. Ok?', ['Veja exemplo.com.br agora.', 'Ok?']],
  ['No. 5 is mine. No. It is not.', ['No. 5 is mine.', 'No.', 'It is not.']],
  ['Sério?! Que bom!!', ['Sério?!', 'Que bom!!']],
  ['Chegou às 10. Saiu às 12.', ['Chegou às 10.', 'Saiu às 12.']],
  ['sem ponto no fim', ['sem ponto no fim']],
  ['', []],
  ['  \n ', []],
]
for (const [text, expected] of cases)
  test(`is split into sentences: ${JSON.stringify(text)}`, () => assert.deepEqual(sentencesOf(text, whole), expected))

test('a long first sentence yields its first clause, a short one does not', () => {
  assert.deepEqual(sentencesOf('Com certeza, posso marcar a sua consulta para amanhã de manhã. Qual horário?'), [
    'Com certeza,',
    'posso marcar a sua consulta para amanhã de manhã.',
    'Qual horário?',
  ])
  assert.deepEqual(sentencesOf('Claro, pode falar comigo, Ana.'), ['Claro, pode falar comigo, Ana.'])
  assert.deepEqual(sentencesOf('Bom dia. Com certeza, posso marcar a sua consulta para amanhã de manhã.'), [
    'Bom dia.',
    'Com certeza, posso marcar a sua consulta para amanhã de manhã.',
  ])
})

test('a clause never ends within a number and is never so short that it sounds broken', () => {
  assert.equal(
    sentencesOf('Ana, o total ficou em 1,234 reais, com desconto de dez por cento à vista.')[0],
    'Ana, o total ficou em 1,234 reais,',
  )
})

test('without punctuation between two clauses, the conjunction starts the second one', () => {
  const text =
    'Eu preciso confirmar alguns dados do seu cadastro porque o sistema pede isso toda vez que alguém liga para nós'
  assert.deepEqual(sentencesOf(text), [
    'Eu preciso confirmar alguns dados do seu cadastro',
    'porque o sistema pede isso toda vez que alguém liga para nós',
  ])
})

test('no chunk exceeds the limit, even without a natural break', () => {
  const words = 'palavra '.repeat(200)
  for (const text of [words, 'a'.repeat(1000), `${'palavra, '.repeat(100)}.`, '😀'.repeat(400)]) {
    const pieces = sentencesOf(text, { ...whole, limit: 101 })
    assert.ok(pieces.every((piece) => piece.length <= 101))
    assert.equal(pieces.join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
    assert.ok(pieces.every((piece) => piece.isWellFormed()))
  }
})

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function all(pieces: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}

for (const size of [1, 3, 7])
  test(`text streamed in chunks of ${size} is split like the whole text`, async () => {
    for (const [text, expected] of cases) assert.deepEqual(await all(sentences(inPieces(text, size), whole)), expected)
  })

test('a sentence is emitted as soon as it is complete, and a first clause before that', async () => {
  const sent: string[] = []
  async function* model(): AsyncGenerator<string> {
    for (const word of 'Com certeza, posso ajudar você agora. Qual é o seu nome? Diga por favor.'.split(/(?<= )/)) {
      sent.push(word)
      yield word
    }
  }
  const when: [string, string][] = []
  for await (const piece of sentences(model())) when.push([piece, sent.at(-1) ?? ''])
  assert.deepEqual(when, [
    ['Com certeza,', 'certeza, '],
    ['posso ajudar você agora.', 'Qual '],
    ['Qual é o seu nome?', 'nome? '],
    ['Diga por favor.', 'favor.'],
  ])
})

test('nothing is lost or repeated, whatever the text and its chunks', async () => {
  const atom = fc.constantFrom(
    'Sr.',
    'casa',
    'Ana',
    '3.5',
    '1.',
    '...',
    '?',
    '!',
    ', ',
    '. ',
    ' ',
    '\n',
    'e ',
    'R$ 1,00',
    '“',
    '”',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(atom, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (atoms, size) => {
      const text = atoms.join('')
      const bare = text.replace(/\s/g, '')
      assert.equal(sentencesOf(text, { limit: 50 }).join('').replace(/\s/g, ''), bare)
      assert.equal((await all(sentences(inPieces(text, size)))).join('').replace(/\s/g, ''), bare)
    }),
  )
})

/** Long enough that rescanning the text for each sentence would never finish. */
const LONG = 500_000

test('a long text is split at a cost that grows with its length', () => {
  for (const seed of ['Sr. ', 'a', '. ', 'A. ', '1. ', ', ', '\n', 'e ', '?', ' ']) {
    const text = seed.repeat(LONG / seed.length)
    const bare = (all: string) => all.replaceAll(/\s/g, '').length
    assert.equal(bare(sentencesOf(text).join('')), bare(text), seed)
  }
})
