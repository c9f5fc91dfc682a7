import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { passagesOf, recordPassages } from './passages.ts'

const words = (count: number, word = 'palavra') => `${Array(count).fill(word).join(' ')}.`
const count = (text: string) => text.split(/\s+/).length

test('a passage carries the headings above it, outermost first', () => {
  const text = `# Hotel\n\nWelcome.\n\n## Rooms\n### Single\nFrom 60.\n### Double\nFrom 90.\n\nFood\n====\nBreakfast at 7.\n\n**Drinks**\n\nTea.`
  assert.deepEqual(passagesOf(text, false), [
    { heading: 'Hotel', content: 'Welcome.' },
    { heading: 'Hotel › Rooms › Single', content: 'From 60.' },
    { heading: 'Hotel › Rooms › Double', content: 'From 90.' },
    { heading: 'Food', content: 'Breakfast at 7.' },
    { heading: 'Food › Drinks', content: 'Tea.' },
  ])
})

test('a short line that stands alone is a heading in plain text, but not in Markdown', () => {
  const text = 'Opening hours\n\nWe open at eight.\n\nPRICES\n\nTen euros.'
  assert.deepEqual(
    passagesOf(text, true).map(({ heading }) => heading),
    ['Opening hours', 'PRICES'],
  )
  assert.equal(passagesOf(text, false).length, 1)
})

test('short paragraphs are joined, long ones are split at the end of a sentence', () => {
  const short = Array.from({ length: 6 }, (_, i) => words(30, `w${i}`)).join('\n\n')
  const joined = passagesOf(short, false).map(({ content }) => count(content))
  assert.deepEqual(joined, [180])
  const sentences = Array.from({ length: 60 }, (_, i) => `Frase ${i} ${words(12)}`)
  const cut = passagesOf(sentences.join(' '), false)
  assert.ok(cut.length > 1)
  for (const { content } of cut.slice(0, -1)) assert.ok(count(content) >= 80 && count(content) <= 250, content)
  assert.deepEqual(
    cut.flatMap(({ content }) => content.split(/(?<=\.) /)),
    sentences,
  )
})

test('a question stays with its answer, a table row is never split, and the table header is repeated', () => {
  const faq = `${words(100)}\n\nP: Aceitam cartão?\n\nR: Sim, ${words(140)}`
  const pair = passagesOf(faq, false).find(({ content }) => content.includes('Aceitam'))
  assert.match(pair?.content ?? '', /Aceitam cartão\?\n\nR: Sim/)
  const rows = Array.from({ length: 90 }, (_, i) => `| item ${i} with some more words | ${i} reais |`)
  const table = passagesOf(`| Item | Preço |\n| --- | --- |\n${rows.join('\n')}`, false)
  assert.ok(table.length > 2)
  for (const { content } of table) assert.ok(content.startsWith('| Item | Preço |\n'))
  assert.deepEqual(
    table.flatMap(({ content }) => content.split('\n').slice(1)),
    rows,
  )
})

test('wrapped lines are joined, and so is a hyphenated word', () => {
  const wrapped =
    'A clínica oferece tratamento completo para todas as idades, com acompanha-\nmento de uma equipe inteira e sem fila.'
  assert.match(passagesOf(wrapped, false)[0]?.content ?? '', /acompanhamento de uma equipe/)
  assert.equal(
    passagesOf('Rua das Flores, 12\nCentro\nCampinas', false)[0]?.content,
    'Rua das Flores, 12\nCentro\nCampinas',
  )
})

test('text without sentence ends is split anyway, but not within a character', () => {
  for (const text of ['x'.repeat(500_000), '😀'.repeat(100_000), `${'ab '.repeat(100_000)}`]) {
    const passages = passagesOf(text, true)
    assert.ok(passages.every(({ content }) => content.length <= 4100 && content.isWellFormed()))
    assert.equal(passages.map(({ content }) => content.replaceAll(/\s/g, '')).join(''), text.replaceAll(' ', ''))
  }
})

test('a record is one passage of its fields', () => {
  assert.deepEqual(recordPassages(['Nome: Ana', 'Preço: 10']), [{ heading: '', content: 'Nome: Ana\nPreço: 10' }])
  assert.ok(recordPassages(Array.from({ length: 100 }, (_, i) => `Campo ${i}: ${'x'.repeat(200)}`)).length > 1)
})

test('for any text, no passage is empty and little is repeated', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '# A',
      '## B c',
      '- item',
      '1. one',
      '| a | b |',
      '| --- | --- |',
      '```',
      '===',
      '---',
      '',
      '  x',
      '**bold**',
    ),
  )
  const letters = (text: string) => (text.match(/[\p{L}\p{N}]/gu) ?? []).length
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, isPlain) => {
      const text = lines.join('\n')
      const passages = passagesOf(text, isPlain)
      assert.ok(passages.every(({ content }) => content !== ''))
      assert.ok(passages.reduce((sum, { content }) => sum + letters(content), 0) <= letters(text) * 2)
    }),
    { numRuns: 300 },
  )
})
