// Days with a name, in the years to come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { easterOf, feastIn } from './feasts.ts'
import { readValue } from './read-value.ts'

test('Easter of several years', () => {
  assert.deepEqual([2019, 2024, 2025, 2026, 2027, 2028, 2038].map(easterOf), [
    '2019-04-21',
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2028-04-16',
    '2038-04-25',
  ])
})

const dayOf = (said: string, language: string, year: number) => {
  const day = feastIn(` ${said} `, language)
  return typeof day === 'function' ? day(year) : day
}

test('movable days follow Easter or a weekday of their month', () => {
  assert.equal(dayOf('terca de carnaval', 'pt-BR', 2027), '2027-02-09')
  assert.equal(dayOf('corpus christi', 'pt-BR', 2026), '2026-06-04')
  assert.equal(dayOf('viernes santo', 'es-MX', 2026), '2026-04-03')
  assert.equal(dayOf('thanksgiving', 'en-US', 2026), '2026-11-26')
  assert.equal(dayOf('memorial day', 'en-US', 2026), '2026-05-25')
  assert.equal(dayOf('memorial day', 'en-US', 2027), '2027-05-31')
})

test('what is not one day, or another day elsewhere, is unclear', () => {
  assert.equal(dayOf('carnaval', 'pt-BR', 2027), 'unclear')
  assert.equal(dayOf('semana santa', 'es-MX', 2027), 'unclear')
  assert.equal(dayOf('la pelo natal', 'pt-BR', 2027), 'unclear')
  assert.equal(dayOf('day after thanksgiving', 'en-US', 2027), 'unclear')
  assert.equal(dayOf('mother s day', 'en-GB', 2027), 'unclear')
  assert.equal(dayOf('segunda feira', 'pt-BR', 2027), null)
})

const dates: readonly (readonly [text: string, today: string, expected: string])[] = [
  ['primeiro dia útil do mês', '2026-11-16', '2026-12-01'],
  ['primeiro dia útil do mês', '2027-01-01', '2027-01-04'],
  ['primeiro dia útil do mês que vem', '2026-12-10', '2027-01-04'],
  ['último dia útil do mês', '2027-01-04', '2027-01-29'],
  ['último dia do mês que vem', '2027-01-31', '2027-02-28'],
  ['fim do mês', '2026-11-16', 'unclear'],
  ['no Natal', '2026-12-26', '2027-12-25'],
]
for (const [text, today, expected] of dates)
  test(`on ${today} "${text}" is ${expected}`, () => {
    const reading = readValue('date', text, { language: 'pt-BR', today })
    assert.equal(reading.isComplete ? reading.value : reading.problem, expected)
  })
