import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digitsIn } from './spoken-numbers.ts'

const said: readonly (readonly [language: string, text: string, digits: string])[] = [
  ['pt-BR', 'zero um dois três meia', '01236'],
  ['pt-BR', 'vinte e três', '23'],
  ['pt-BR', 'vinte, três', '203'],
  ['pt-BR', 'cento e vinte', '120'],
  ['pt-BR', 'cem', '100'],
  ['pt-BR', 'mil e quinhentos', '1500'],
  ['pt-BR', 'doze trinta e quatro', '1234'],
  ['pt-BR', 'doze mil trezentos e quarenta e cinco', '12345'],
  ['pt-BR', 'dois mil e vinte e seis', '2026'],
  ['pt-BR', '123-456.789 00', '12345678900'],
  ['pt-BR', 'um, dois, três', '123'],
  ['pt-BR', '5 mil', '5000'],
  ['pt-BR', '20 e 3', '23'],
  ['pt-BR', '20 3', '203'],
  ['pt-BR', 'dois zeros, três noves', '00999'],
  ['pt-BR', 'meu CPF é um dois três', '123'],
  ['pt-BR', 'só um momento', ''],
  ['pt-BR', 'é um número comprido', ''],
  ['pt-BR', 'daqui a meia hora', ''],
  ['en-US', 'oh double five triple seven', '055777'],
  ['en-US', 'twenty-three forty five', '2345'],
  ['en-US', 'one hundred and five', '105'],
  ['en-US', 'twelve hundred', '1200'],
  ['en-US', 'nineteen eighty four', '1984'],
  ['en-US', 'two fives', '55'],
  ['en-US', 'five oh two', '502'],
  ['en-US', 'one moment, oh well', ''],
  ['es-MX', 'treinta y tres veintidós', '3322'],
  ['es-MX', 'mil quinientos', '1500'],
  ['es-MX', 'doble cinco', '55'],
  ['es-MX', 'ciento veintitrés', '123'],
  ['es-MX', 'uno, dos, tres', '123'],
]

for (const [language, text, digits] of said)
  test(`${language}: "${text}" is ${digits || 'no digits'}`, () => assert.equal(digitsIn(text, language), digits))

test('only the first 500 letters are read', () => assert.equal(digitsIn('1 '.repeat(100_000), 'pt-BR').length, 250))
