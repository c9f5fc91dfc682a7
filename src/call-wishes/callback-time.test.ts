// Call-back times as people say them, in three languages and several time zones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCallbackTime, spokenTime } from './callback-time.ts'

/** Wednesday, 11 November 2026, 11:00 in São Paulo. */
const NOW = Date.parse('2026-11-11T14:00:00Z')
const zone = 'America/Sao_Paulo'

const localOf = (atMs: number, timeZone = zone) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(atMs)

function read(text: string, language: string, timeZone = zone): string {
  const time = readCallbackTime(text, { language, nowMs: NOW, timeZone })
  return 'problem' in time ? time.problem : `${localOf(time.atMs, timeZone)}${time.isExact ? '' : ' ~'}`
}

const said: Record<string, readonly (readonly [text: string, expected: string])[]> = {
  'pt-BR': [
    ['amanhã às 10', '2026-11-12 10:00'],
    ['me liga amanhã às dez e meia', '2026-11-12 10:30'],
    ['amanhã às 10h30', '2026-11-12 10:30'],
    ['amanhã às 15:45', '2026-11-12 15:45'],
    ['daqui a duas horas', '2026-11-11 13:00'],
    ['às duas eu tenho reunião, me liga às quatro', '2026-11-11 16:00'],
    ['tenho uma reunião amanhã às duas', '2026-11-12 14:00'],
    ['hoje não dá, só amanhã', '2026-11-12 10:00 ~'],
    ['amanhã não dá', 'none'],
    ['daqui a uma hora', '2026-11-11 12:00'],
    ['daqui uma hora e meia', '2026-11-11 12:30'],
    ['daqui a meia hora', '2026-11-11 11:30'],
    ['em vinte minutos', '2026-11-11 11:20'],
    ['segunda de manhã', '2026-11-16 09:00 ~'],
    ['segunda-feira às três da tarde', '2026-11-16 15:00'],
    ['sexta à tarde', '2026-11-13 14:00 ~'],
    ['hoje às quatro', '2026-11-11 16:00'],
    ['hoje à noite', '2026-11-11 19:00 ~'],
    ['às três', '2026-11-11 15:00'],
    ['às 10', '2026-11-12 10:00'],
    ['às oito', '2026-11-11 20:00'],
    ['depois das 18', '2026-11-11 18:00'],
    ['depois de amanhã ao meio-dia', '2026-11-13 12:00'],
    ['dia 20 às 9 da manhã', '2026-11-20 09:00'],
    ['dia 3 de manhã', '2026-12-03 09:00 ~'],
    ['dia vinte e três de novembro às 14 horas', '2026-11-23 14:00'],
    ['20/11 às 16h', '2026-11-20 16:00'],
    ['amanhã', '2026-11-12 10:00 ~'],
    ['amanhã de manhã', '2026-11-12 09:00 ~'],
    ['semana que vem', '2026-11-18 10:00 ~'],
    ['sexta da semana que vem às onze', '2026-11-20 11:00'],
    ['amanhã antes das 10', '2026-11-12 09:00 ~'],
    ['amanhã às sete da noite', '2026-11-12 19:00'],
    ['daqui a três dias às 10', '2026-11-14 10:00'],
    ['à uma da tarde', '2026-11-11 13:00'],
    ['mais tarde', 'incomplete'],
    ['hoje', 'incomplete'],
    ['outro dia', 'incomplete'],
    ['não sei', 'none'],
    ['', 'none'],
    ['hoje às 9 da manhã', 'past'],
    ['dia 20 de julho de 2027 às 10', 'too_far'],
    ['2026-11-12T10:00', '2026-11-12 10:00'],
    ['2026-11-12T10:00:00Z', '2026-11-12 07:00'],
    ['2026-11-12 10:00:00-03:00', '2026-11-12 10:00'],
    ['2026-11-10T10:00', 'past'],
    ['2026-13-45T10:00', 'none'],
    ['às vinte para as quatro', '2026-11-11 15:40'],
    ['quinze para as três', '2026-11-11 14:45'],
    ['amanhã às dez pras duas', '2026-11-12 13:50'],
    ['entre 10 e 11', '2026-11-12 10:00 ~'],
    ['amanhã entre duas e quatro da tarde', '2026-11-12 14:00 ~'],
    ['12 da noite', '2026-11-12 00:00'],
    ['meia-noite', '2026-11-12 00:00'],
    ['hoje à meia-noite', '2026-11-12 00:00'],
    ['amanhã às nove e quinze', '2026-11-12 09:15'],
    ['meio-dia e meia', '2026-11-11 12:30'],
    ['às três, não, às quatro', '2026-11-11 16:00'],
    ['amanhã às três, aliás, sexta às quatro', '2026-11-13 16:00'],
    ['às 10 ou às 11', 'incomplete'],
    ['das duas às quatro', '2026-11-11 14:00 ~'],
    ['amanhã 9h', '2026-11-12 09:00'],
    ['amanhã umas dez horas', '2026-11-12 10:00'],
    ['às 15 em ponto', '2026-11-11 15:00'],
    ['dia 20', '2026-11-20 10:00 ~'],
    ['20 dias', 'none'],
    ['à uma e meia', '2026-11-11 13:30'],
    ['lá pelas três', '2026-11-11 15:00'],
    ['sexta ou sábado', 'incomplete'],
    ['amanhã de manhã às oito', '2026-11-12 08:00'],
    ['às oito da noite', '2026-11-11 20:00'],
    ['duas da manhã', '2026-11-12 02:00'],
    ['às dezoito e trinta', '2026-11-11 18:30'],
    ['18:30', '2026-11-11 18:30'],
    ['quatro e quinze da tarde', '2026-11-11 16:15'],
    ['me liga em meia hora', '2026-11-11 11:30'],
    ['daqui a uma hora e quinze', '2026-11-11 12:15'],
    ['daqui a umas duas horas', '2026-11-11 13:00'],
    ['semana que vem às 10', '2026-11-18 10:00'],
    ['segunda às 9', '2026-11-16 09:00'],
    ['pode ser às cinco?', '2026-11-11 17:00'],
    ['amanhã às quinze para o meio-dia', '2026-11-12 11:45'],
  ],
  'en-US': [
    ['tomorrow at 10', '2026-11-12 10:00'],
    ['tomorrow at ten thirty am', '2026-11-12 10:30'],
    ['in two hours', '2026-11-11 13:00'],
    ['in half an hour', '2026-11-11 11:30'],
    ['in an hour and a half', '2026-11-11 12:30'],
    ['in 45 minutes', '2026-11-11 11:45'],
    ['monday morning', '2026-11-16 09:00 ~'],
    ['on monday at 3 pm', '2026-11-16 15:00'],
    ['tomorrow afternoon', '2026-11-12 14:00 ~'],
    ["at four o'clock", '2026-11-11 16:00'],
    ['half past three', '2026-11-11 15:30'],
    ['tomorrow at quarter to nine', '2026-11-12 08:45'],
    ['today at 5 p.m.', '2026-11-11 17:00'],
    ['tonight', '2026-11-11 19:00 ~'],
    ['tomorrow at noon', '2026-11-12 12:00'],
    ['after 6 pm', '2026-11-11 18:00'],
    ['november 20th at 9 am', '2026-11-20 09:00'],
    ['next week', '2026-11-18 10:00 ~'],
    ['in three days at 10', '2026-11-14 10:00'],
    ['at one', '2026-11-11 13:00'],
    ['later', 'incomplete'],
    ['no thank you', 'none'],
    ['five to one', '2026-11-11 12:55'],
    ['quarter to one', '2026-11-11 12:45'],
    ['tomorrow at ten to five', '2026-11-12 16:50'],
    ['between 10 and 11', '2026-11-12 10:00 ~'],
    ['from 2 to 4 pm', '2026-11-11 14:00 ~'],
    ['tomorrow at nine thirty', '2026-11-12 09:30'],
    ['nine thirty tomorrow', '2026-11-12 09:30'],
    ['at nine oh five tomorrow', '2026-11-12 09:05'],
    ['3pm', '2026-11-11 15:00'],
    ['tomorrow 3 pm', '2026-11-12 15:00'],
    ['twenty past four', '2026-11-11 16:20'],
    ['half past three in the afternoon', '2026-11-11 15:30'],
    ['in an hour', '2026-11-11 12:00'],
    ['in a couple of hours', '2026-11-11 13:00'],
    ['at 5', '2026-11-11 17:00'],
    ['a quarter past nine tomorrow', '2026-11-12 09:15'],
  ],
  'es-MX': [
    ['mañana a las 10', '2026-11-12 10:00'],
    ['mañana por la mañana', '2026-11-12 09:00 ~'],
    ['mañana a las diez de la mañana', '2026-11-12 10:00'],
    ['dentro de dos horas', '2026-11-11 13:00'],
    ['en media hora', '2026-11-11 11:30'],
    ['en una hora', '2026-11-11 12:00'],
    ['el lunes por la mañana', '2026-11-16 09:00 ~'],
    ['el lunes a las tres y media de la tarde', '2026-11-16 15:30'],
    ['a las cuatro', '2026-11-11 16:00'],
    ['a la una', '2026-11-11 13:00'],
    ['pasado mañana a las once', '2026-11-13 11:00'],
    ['hoy por la noche', '2026-11-11 19:00 ~'],
    ['esta tarde', '2026-11-11 14:00 ~'],
    ['el viernes a las nueve y cuarto', '2026-11-13 09:15'],
    ['mañana a mediodía', '2026-11-12 12:00'],
    ['la próxima semana', '2026-11-18 10:00 ~'],
    ['más tarde', 'incomplete'],
    ['no gracias', 'none'],
    ['a las tres menos cuarto', '2026-11-11 14:45'],
    ['cuarto para las tres', '2026-11-11 14:45'],
    ['diez para las cuatro', '2026-11-11 15:50'],
    ['mañana a las nueve treinta', '2026-11-12 09:30'],
    ['a la una y media', '2026-11-11 13:30'],
    ['a las doce de la noche', '2026-11-12 00:00'],
    ['entre las diez y las once', '2026-11-12 10:00 ~'],
    ['el lunes a las cinco y cuarto', '2026-11-16 17:15'],
  ],
}

for (const [language, sentences] of Object.entries(said))
  test(`call-back times in ${language}`, () => {
    assert.deepEqual(
      sentences.map(([text]) => [text, read(text, language)]),
      sentences.map(([text, expected]) => [text, expected]),
    )
  })

test('the time is of the zone of the person called, also across a change of the clock', () => {
  assert.equal(read('amanhã às 10', 'pt-BR', 'America/Manaus'), '2026-11-12 10:00')
  assert.equal(read('amanhã às 10', 'pt-PT', 'Europe/Lisbon'), '2026-11-12 10:00')
  const spring = Date.parse('2026-03-28T12:00:00Z') // Lisbon's clocks change the following night
  const time = readCallbackTime('amanhã às 10', { language: 'pt-PT', nowMs: spring, timeZone: 'Europe/Lisbon' })
  assert.ok('atMs' in time)
  assert.equal(localOf(time.atMs, 'Europe/Lisbon'), '2026-03-29 10:00')
})

test('the understood time can be said aloud', () => {
  const atMs = Date.parse('2026-11-12T13:00:00Z')
  assert.match(
    spokenTime(atMs, { language: 'pt-BR', timeZone: zone }),
    /^quinta-feira, 12 de novembro(?:,| às) ?10:00$/,
  )
  assert.match(spokenTime(atMs, { language: 'en-US', timeZone: zone }), /^Thursday, November 12(?:,| at) 10:00 AM$/)
})
