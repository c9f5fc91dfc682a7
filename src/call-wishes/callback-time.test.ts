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
    ['amanhã antes das 10', '2026-11-12 09:00'],
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
