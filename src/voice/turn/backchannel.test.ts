// Backchannel words of three languages, as recognizers write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBackchannelSoFar, isYesOrNo, type OverlapKind, overlapKind, saysOneOf, wordsIn } from './backchannel.ts'

const isBackchannel = (text: string) => text !== '' && overlapKind(text) === 'backchannel'
const asksToWait = (text: string) => overlapKind(text) === 'wait'
const isStopWord = (text: string) => overlapKind(text) === 'stop' || asksToWait(text)

const acknowledgements = [
  [
    'pt',
    'Aham.',
    'Uhum',
    'Tá.',
    'Tá bom.',
    'Tá bom, entendi.',
    'Certo, certo.',
    'Isso mesmo!',
    'Sim',
    'Ok, beleza.',
    'Pois é.',
    'Hum, legal',
    'Ah, tá.',
    'Ah tá, entendi.',
    'A hã.',
    'Arrã',
    'Hum hum.',
    'Um-hum.',
    'Entende.',
    'Sei.',
    'É.',
    'Tudo bem.',
    'Que bom!',
    'Obrigado.',
  ],
  [
    'en',
    'Uh-huh.',
    'Yeah, yeah.',
    'Okay',
    'I see.',
    'Got it!',
    'Mm-hmm',
    'Right, sure.',
    'All right.',
    'Mm.',
    'Uh huh, okay.',
    'Oh, I see.',
  ],
  [
    'es',
    'Sí.',
    'Vale, vale.',
    'Claro que sí.',
    'De acuerdo',
    'Ajá',
    'Muy bien.',
    'Ya, entiendo.',
    'A ja.',
    'Ah, ya.',
    'Claro, claro.',
    'Listo.',
    'Ya veo.',
  ],
]
const notAcknowledgements = [
  [
    'pt',
    '',
    'Não',
    'Sim, mas amanhã',
    'Tá bom para amanhã',
    'Certo certo certo certo certo',
    'Quero',
    'Bom',
    'Oi?',
    'Como?',
    'Hein?',
    'Não, não.',
    'O quê?',
    'Espera.',
    'Para',
  ],
  ['en', 'No', 'Yes, tomorrow', 'I see a problem', 'Right now please', 'What?', 'Sorry?', 'Wait'],
  ['es', 'No', 'Sí, pero mañana', 'Bien mal', 'Claro oscuro', '¿Cómo?', '¿Mande?'],
]
const stops = [
  [
    'pt',
    'Para!',
    'Pare, por favor.',
    'Espera aí',
    'Peraí',
    'Pera aí!',
    'Chega.',
    'Não!',
    'Um momento, por favor',
    'Só um minuto',
    'Calma',
  ],
  ['en', 'Stop!', 'Wait.', 'Hold on a second', 'No, no.', 'One moment please', 'Excuse me'],
  ['es', '¡Alto!', 'Espere', 'Un momento', '¡Basta!', 'Cállate', 'No'],
]
const notStops = [
  ['pt', '', 'Sim', 'Quero parar', 'Não quero esse horário de amanhã', 'O momento', 'Para sexta'],
  ['en', 'Nobody', 'The stop', 'Moment'],
  ['es', 'Nosotros', 'Mañana'],
]

for (const [language, ...texts] of acknowledgements)
  test(`backchannels in ${language} mean: go on`, () =>
    assert.deepEqual(
      texts.filter((text) => !isBackchannel(text)),
      [],
    ))
for (const [language, ...texts] of notAcknowledgements)
  test(`in ${language} utterances that say more are not backchannels`, () =>
    assert.deepEqual(texts.filter(isBackchannel), []))
for (const [language, ...texts] of stops)
  test(`stop words in ${language} mean: stop`, () =>
    assert.deepEqual(
      texts.filter((text) => !isStopWord(text)),
      [],
    ))
for (const [language, ...texts] of notStops)
  test(`in ${language} other words are not stop words`, () => assert.deepEqual(texts.filter(isStopWord), []))

test('a request to wait needs no reply, a refusal does', () => {
  for (const text of ['Espera.', 'Só um momento', 'Hold on', 'Un momento, por favor']) assert.ok(asksToWait(text), text)
  for (const text of ['Não.', 'Para!', 'Stop', 'Basta']) assert.ok(!asksToWait(text), text)
})

test('words are compared without punctuation, accents and case', () => {
  assert.deepEqual(wordsIn(' Às 9h, É… "isso"! '), ['as', '9h', 'e', 'isso'])
  assert.deepEqual(wordsIn('…'), [])
})

test('a phrase matches whole words only', () => {
  assert.ok(saysOneOf('Então, até LOGO!', ['ate logo']))
  assert.ok(!saysOneOf('Enfim', ['fim']))
  assert.ok(!saysOneOf('qualquer coisa', ['', '!']))
})

const overlaps: [kind: OverlapKind, ...texts: string[]][] = [
  ['backchannel', 'Aham.', 'Tá bom.', 'Uh-huh', 'Vale.', 'Sim.', '', '…'],
  ['stop', 'Não.', 'Para!', 'Chega!', 'Stop.', 'No, no.', '¡Basta!', 'Já entendi.'],
  ['wait', 'Espera aí.', 'Um momento, por favor.', 'Hold on.', 'Un momentito.', 'Peraí?'],
  [
    'words',
    'Aham?',
    'Tá?',
    'Como?',
    'Hein?',
    'Oi?',
    'Hã?',
    'What?',
    '¿Cómo?',
    'Quero outro horário.',
    'Para sexta',
    'Oi',
  ],
]
for (const [kind, ...texts] of overlaps)
  test(`speech over the agent: ${kind}`, () =>
    assert.deepEqual(
      texts.map((text) => [text, overlapKind(text)]),
      texts.map((text) => [text, kind]),
    ))

test('a backchannel in a rising tone is a question, unless it rises by nature', () => {
  for (const text of ['Aham.', 'Tá.', 'Okay.', 'Sí.']) assert.equal(overlapKind(text, 'rising'), 'words', text)
  for (const text of ['Uh-huh.', 'Mm-hmm', 'Uhum.']) assert.equal(overlapKind(text, 'rising'), 'backchannel', text)
  for (const prosody of ['falling', 'level'] as const) assert.equal(overlapKind('Aham.', prosody), 'backchannel')
})

test('an answer of yes or no says nothing else', () => {
  for (const text of [
    'Sim',
    'Não, obrigado.',
    'Acho que sim',
    'É isso mesmo.',
    'Yes, please.',
    'No, gracias',
    'Pode ser',
  ])
    assert.ok(isYesOrNo(text), text)
  for (const text of ['', 'Sim, mas amanhã', 'Sexta', 'Não sei o número', 'Yes, tomorrow'])
    assert.ok(!isYesOrNo(text), text)
})

test('words so far may become a backchannel', () => {
  for (const text of [
    'uhum',
    'Claro que',
    'sim, claro que',
    'that makes',
    'Yeah, that makes',
    'muchas',
    'tá bom, muito',
  ])
    assert.ok(isBackchannelSoFar(text), text)
  for (const text of ['', 'quero', 'claro que quero', 'that makes me', 'sim eu queria', 'sim '.repeat(6)])
    assert.ok(!isBackchannelSoFar(text), text)
})

test('a very long text does not cost more than its length', () => {
  const judged = (text: string) => [overlapKind(text), isYesOrNo(text), isBackchannelSoFar(text)]
  // With quadratic cost this would take hours.
  for (const text of ['sim ', 'ah ta ', 'a', '… '])
    assert.deepEqual(judged(text.repeat(2_000_000)), judged(text.repeat(2000)), text)
})
