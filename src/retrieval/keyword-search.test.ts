import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reciprocalRankFusion } from './fusion.ts'
import { isOneAway, keywordHits } from './keyword-search.ts'
import { detectLanguage } from './language.ts'
import { buildPassageIndex, type Indexable } from './passage-index.ts'
import { bestPassages } from './search.ts'

const passage = (content: string, more: Partial<Indexable> = {}): Indexable => ({
  documentId: 'doc',
  number: 1,
  documentName: 'Guide',
  heading: '',
  content,
  questions: [],
  vector: null,
  ...more,
})

async function found(contents: readonly (string | Indexable)[], question: string, language: string | null = null) {
  const passages = contents.map((each, i) => ({
    ...(typeof each === 'string' ? passage(each) : each),
    number: i + 1,
  }))
  const index = await buildPassageIndex(passages, language)
  return bestPassages([index], { question, topK: 5, minScore: 0, language: null }, null).map(({ number }) => number)
}

const clinic = [
  'Atendemos crianças às terças e quintas pela manhã.',
  'A consulta custa duzentos reais e o retorno não é cobrado.',
  'O exame de sangue pede jejum de oito horas.',
  'O estacionamento no subsolo é gratuito para pacientes.',
]

test('inflected forms match, accents and case are ignored', async () => {
  assert.equal((await found(clinic, 'CONSULTAS'))[0], 2)
  assert.equal((await found(clinic, 'criança'))[0], 1)
  assert.equal((await found(clinic, 'EXAMES de sangue'))[0], 3)
  assert.equal((await found(['La habitación tiene balcón.', 'El desayuno es a las ocho.'], 'habitaciones'))[0], 1)
  assert.equal((await found(['Rooms are cleaned daily.', 'Dinner is served at six.'], 'room cleaning'))[0], 1)
})

test('a word with one wrong letter still matches, unless it is short; so does its prefix', async () => {
  assert.equal((await found(clinic, 'estaciomamento'))[0], 4)
  assert.equal((await found(clinic, 'pascientes'))[0], 4)
  assert.deepEqual(await found(['Temos gato.', 'Temos rato.'], 'pato'), [])
  assert.equal((await found(['Oferecemos hidroterapia.', 'Oferecemos massagem.'], 'hidroterap'))[0], 1)
})

test('an insertion, deletion, substitution or transposition is a distance of one; two edits are not', () => {
  for (const [a, b] of [
    ['limpeza', 'limpesa'],
    ['limpeza', 'limpza'],
    ['limpeza', 'limpezas'],
    ['limpeza', 'lipmeza'],
  ] as const)
    assert.ok(isOneAway(a, b) && isOneAway(b, a), `${a} ${b}`)
  for (const [a, b] of [
    ['limpeza', 'limpeza'],
    ['limpeza', 'lmpesa'],
    ['abcdef', 'abcfed'],
    ['ab', 'abcd'],
  ] as const)
    assert.equal(isOneAway(a, b), false, `${a} ${b}`)
})

test('a heading weighs more than the text, and adjacent words more than separate ones', async () => {
  const pool = passage('Opens at six.', { heading: 'Swimming pool' })
  assert.equal((await found(['There is a pool bar beside the garden.', pool], 'pool'))[0], 2)
  const apart =
    'Free for children. Breakfast is at seven and dinner in the evening, and coffee all day long, with cake and entry.'
  const together =
    'There is free entry in the evening, also for dinner, with breakfast for children and coffee all day long with cake.'
  assert.equal((await found([apart, together], 'free entry'))[0], 2)
})

test('synonyms match, and so do the questions written for a passage', async () => {
  assert.equal(
    (await found(['Limpeza: R$ 150.', 'O valor do clareamento é R$ 900.'], 'preço do clareamento', 'pt'))[0],
    2,
  )
  const asked = passage('Aplicamos gripe e febre amarela.', { questions: ['Quais imunizações vocês oferecem?'] })
  assert.equal((await found(['Temos café na recepção.', asked], 'imunização'))[0], 2)
})

test('nothing in common finds nothing; scores are between 0 and 1 and grow with the overlap', async () => {
  assert.deepEqual(await found(clinic, 'helicóptero'), [])
  assert.deepEqual(await found(clinic, ''), [])
  assert.deepEqual(await found(clinic, 'o de a e'), [])
  assert.deepEqual(await found([], 'consulta'), [])
  const index = await buildPassageIndex(
    clinic.map((content) => passage(content)),
    'pt',
  )
  const score = (question: string) => keywordHits(index, question, 'pt', 5)[0]?.score ?? 0
  const [all, half] = [score('exame de sangue'), score('exame de helicóptero marciano')]
  assert.ok(all <= 1 && all > half && half > 0, `${all} ${half}`)
})

test('the language of each passage is detected, and one base may hold three', async () => {
  assert.equal(detectLanguage('Não sei quando eles vão abrir a loja', 'en'), 'pt')
  assert.equal(detectLanguage('¿Cuándo abren la tienda los domingos?', 'en'), 'es')
  assert.equal(detectLanguage('When does the shop open on Sundays?', 'pt'), 'en')
  assert.equal(detectLanguage('12345', 'es'), 'es')
  const mixed = [
    'A loja abre aos domingos às nove.',
    'La tienda abre los domingos a las diez.',
    'The shop opens at eleven on Sundays.',
  ]
  assert.equal((await found(mixed, 'A loja abre no domingo?'))[0], 1)
  assert.equal((await found(mixed, '¿La tienda abre el domingo?'))[0], 2)
  assert.equal((await found(mixed, 'Is the shop open on Sunday?'))[0], 3)
})

test('two rankings are fused by rank; being in both counts most', () => {
  const list = (...keys: string[]) => keys.map((key, i) => ({ key, score: 1 - i / 10 }))
  const order = reciprocalRankFusion(list('a', 'b', 'c'), list('d', 'b', 'e')).map(({ key }) => key)
  assert.equal(order[0], 'b')
  assert.deepEqual(new Set(order), new Set(['a', 'b', 'c', 'd', 'e']))
  assert.deepEqual(reciprocalRankFusion(list('a', 'b')), list('a', 'b'))
})

test('adversarial text is not slow', async () => {
  const same = 'palavra '.repeat(600)
  const index = await buildPassageIndex(
    Array.from({ length: 60 }, () => passage(same)),
    null,
  )
  assert.equal(keywordHits(index, `${'palavra outra '.repeat(500)}`, 'pt', 5).length, 5)
})
