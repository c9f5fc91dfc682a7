// Short words of three languages, as recognisers write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksToWait, isBackchannel, isStopWord, saysOneOf, wordsIn } from './backchannel.ts'

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
  ],
  ['en', 'Uh-huh.', 'Yeah, yeah.', 'Okay', 'I see.', 'Got it!', 'Mm-hmm', 'Right, sure.', 'All right.'],
  ['es', 'Sí.', 'Vale, vale.', 'Claro que sí.', 'De acuerdo', 'Ajá', 'Muy bien.', 'Ya, entiendo.'],
]
const notAcknowledgements = [
  ['pt', '', 'Não', 'Sim, mas amanhã', 'Tá bom para amanhã', 'Certo certo certo certo certo', 'Quero', 'Bom'],
  ['en', 'No', 'Yes, tomorrow', 'I see a problem', 'Right now please'],
  ['es', 'No', 'Sí, pero mañana', 'Bien mal', 'Claro oscuro'],
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
  ['pt', '', 'Sim', 'Quero parar', 'Não quero esse horário de amanhã', 'O momento'],
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
