// How much of a sentence was heard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addWordTimings,
  heardText,
  msPerLetterOf,
  newSegment,
  type PlayoutSegment,
  remainingSegments,
  rewindToWord,
  splitHeard,
} from './heard-text.ts'

const text = 'Abrimos às oito da manhã.'
const synthesized = (playedMs: number, synthesizedMs = 2500) => ({
  ...newSegment(text),
  synthesizedMs,
  isSynthesized: true,
  playedMs,
})

test('of a synthesized sentence, the whole words that fit into the played time were heard', () => {
  assert.deepEqual(splitHeard(synthesized(0)), { heard: '', rest: text })
  assert.deepEqual(splitHeard(synthesized(600)), { heard: '', rest: text })
  assert.deepEqual(splitHeard(synthesized(800)), { heard: 'Abrimos', rest: 'às oito da manhã.' })
  assert.deepEqual(splitHeard(synthesized(2499)), { heard: 'Abrimos às oito da', rest: 'manhã.' })
  assert.deepEqual(splitHeard(synthesized(2500)), { heard: text, rest: '' })
})

test('a partly synthesized sentence is split by the average speaking rate', () => {
  const segment = { ...newSegment(text), synthesizedMs: 900, playedMs: 900 }
  assert.equal(splitHeard(segment).heard, 'Abrimos às')
})

test('word timings are used where the voice provides them', () => {
  const segment = { ...synthesized(0), synthesizedMs: 0 }
  for (const [word, ms] of [
    ['Abrimos', 1500],
    ['às', 300],
    ['oito', 500],
    ['nada', 0],
    ['da', 100],
    ['manhã.', 100],
  ] as const) {
    addWordTimings(segment, word)
    segment.synthesizedMs += ms
  }
  assert.equal(splitHeard(segment, 1200).heard, '')
  assert.equal(splitHeard(segment, 1400).heard, 'Abrimos', 'nine tenths of a word are the word')
  assert.equal(splitHeard(segment, 1600).heard, 'Abrimos')
  assert.equal(splitHeard(segment, 1900).heard, 'Abrimos às')
  assert.equal(splitHeard(segment, 2350).heard, 'Abrimos às oito')
})

/** As a voice reports it: words and their durations. */
function told(text: string, words: readonly (readonly [string, number])[]): PlayoutSegment {
  const segment = newSegment(text)
  for (const [word, ms] of words) {
    addWordTimings(segment, word)
    segment.synthesizedMs += ms
  }
  return segment
}

test('a short word does not match part of another, nor the same word much later', () => {
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
  assert.equal(splitHeard(names, 1040).heard, 'Por favor, confirme')
  assert.equal(splitHeard(names, 1220).heard, 'Por favor, confirme o')
  assert.equal(splitHeard(names, 1620).heard, 'Por favor, confirme o seu nome')
  assert.equal(splitHeard(names, 1900).heard, 'Por favor, confirme o seu nome e a')
})

test('text that is read differently from its spelling starts where it is written', () => {
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
  assert.equal(splitHeard(dated, 1300).heard, 'Fica para o dia')
  assert.equal(splitHeard(dated, 1700).heard, 'Fica para o dia 14/10')
  assert.equal(splitHeard(dated, 2200).heard, 'Fica para o dia 14/10 às')
  assert.equal(splitHeard(dated, 2600).heard, 'Fica para o dia 14/10 às 15h30,')
})

test('of several words in one timed segment, as many were heard as fit into its share', () => {
  const segment = told('Abrimos às oito. Fechamos às seis da tarde.', [
    ['Abrimos às oito.', 1000],
    ['Fechamos às seis da tarde.', 2000],
  ])
  assert.equal(splitHeard({ ...segment, isSynthesized: true }, 750).heard, 'Abrimos às')
  assert.equal(splitHeard({ ...segment, isSynthesized: true }, 2100).heard, 'Abrimos às oito. Fechamos às')
})

test('after a synthesis failure, speech resumes at the interrupted word', () => {
  const segment = told('Abrimos às oito da manhã.', [
    ['Abrimos', 500],
    ['às', 200],
    ['oito', 100],
  ])
  assert.equal(rewindToWord(segment), 'oito da manhã.')
  addWordTimings(segment, 'oito')
  segment.synthesizedMs += 400
  addWordTimings(segment, 'da')
  segment.synthesizedMs += 200
  assert.equal(splitHeard(segment, 1000).heard, 'Abrimos às')
  assert.equal(splitHeard(segment, 1250).heard, 'Abrimos às oito')
})

test('the speaking rate of a voice is learned gradually', () => {
  assert.equal(msPerLetterOf({ letters: 0, ms: 0 }), 66)
  assert.ok(Math.abs(msPerLetterOf({ letters: 600, ms: 600 * 50 }) - 50) < 2)
  const segment = { ...newSegment('palavra '.repeat(20).trim(), false, 50), synthesizedMs: 1000, playedMs: 4000 }
  assert.equal(splitHeard(segment).heard.split(' ').length, 10)
})

test('a split loses and repeats nothing, wherever it is', () => {
  fc.assert(
    fc.property(fc.nat(3000), (playedMs) => {
      const { heard, rest } = splitHeard(synthesized(playedMs))
      assert.equal(`${heard} ${rest}`.trim(), text)
    }),
  )
})

test('the remainder is the rest of the interrupted sentence and those after it, without fillers', () => {
  const segments = [
    { ...newSegment('Bom dia.'), isPlayed: true },
    { ...newSegment('Um momento.', true), playedMs: 400 },
    synthesized(800),
    newSegment('E fechamos às seis.'),
  ]
  const left = remainingSegments(segments)
  assert.deepEqual(
    left.map((segment) => [segment.text, segment.isPlayed]),
    [
      ['Bom dia.', true],
      ['Um', true],
      ['Abrimos', true],
      ['às oito da manhã.', false],
      ['E fechamos às seis.', false],
    ],
  )
  assert.equal(heardText(left), 'Bom dia. Um Abrimos')
})
