import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { validCpf } from '../../test/dictated-digits.ts'
import { applyCorrection } from './corrections.ts'
import type { ValueKind } from './kinds.ts'

/** A Monday. */
const today = '2026-11-16'

type Case = readonly [kind: ValueKind, current: string, text: string, language: string, corrected: string | null]
const corrections: readonly Case[] = [
  ['cpf', '12345678909', 'não, quatro, não cinco', 'pt-BR', '12344678909'],
  ['cpf', '12345678907', 'é nove, não sete', 'pt-BR', '12345678909'],
  ['cpf', '12345678907', 'troca o sete por nove', 'pt-BR', '12345678909'],
  ['cpf', '12345678910', 'o final é 09', 'pt-BR', '12345678909'],
  ['cpf', '12345678910', 'não, o final é zero nove', 'pt-BR', '12345678909'],
  ['cpf', '12345678910', 'termina em 09', 'pt-BR', '12345678909'],
  ['cpf', '12345678910', 'não, é 123.456.789-09', 'pt-BR', '12345678909'],
  ['cpf', '12345678910', 'o último é nove', 'pt-BR', '12345678919'],
  ['cpf', '12345678919', 'o penúltimo é zero', 'pt-BR', '12345678909'],
  ['cpf', '12345678910', 'não', 'pt-BR', null],
  ['cpf', '12345678919', 'não é um nove, é zero nove', 'pt-BR', '12345678909'],
  ['cpf', '123455', 'não, quatro cinco meia', 'pt-BR', '123456'],
  ['phone', '5511987654321', 'it is 4 not 5', 'en-US', '5511987644321'],
  ['email', 'joao@gmail.com', 'não é gmail, é hotmail', 'pt-BR', 'joao@hotmail.com'],
  ['email', 'sousa@gmail.com', 'troca o s por z', 'pt-BR', 'souza@gmail.com'],
  ['email', 'sousa@gmail.com', 'souza arroba gmail ponto com', 'pt-BR', 'souza@gmail.com'],
  ['name', 'Tiago', 'T H I A G O', 'pt-BR', 'Thiago'],
  ['name', 'Sousa', 'é com z, não com s', 'pt-BR', 'Souza'],
  ['date', '2026-11-20', 'não, dia quinze', 'pt-BR', '2026-11-15'],
  ['date', '2026-11-20', 'não, dezembro', 'pt-BR', '2026-12-20'],
  ['date', '2026-11-20', 'não, 12 de março de 2027', 'pt-BR', '2027-03-12'],
  ['date', '2026-11-20', 'não, quinta', 'pt-BR', '2026-11-19'],
  ['plate', 'ABC1D23', 'não, é E, não D', 'pt-BR', 'ABC1E23'],
  ['money', '100.00 BRL', 'não, duzentos reais', 'pt-BR', '200.00 BRL'],
  ['cpf', '12345678907', 'no, es nueve, no siete', 'es-MX', '12345678909'],
  ['cpf', '12345678907', 'change the seven to nine', 'en-US', '12345678909'],
  ['cpf', '12345678907', 'the last digit is nine', 'en-US', '12345678909'],
  ['cpf', '12345678907', 'termina en cero nueve', 'es-MX', '12345678909'],
  ['cpf', '12345678909', 'sim, está certo', 'pt-BR', null],
  ['cpf', '12345678909', 'não, em vez de cinco é quatro', 'pt-BR', '12344678909'],
  ['cpf', '52998224725', 'Não é 8 não 7.', 'pt-BR', '52998224825'],
  ['cpf', '52998224725', 'o terceiro grupo é 248', 'pt-BR', '52998224825'],
  ['cpf', '52998224725', 'é 35 no final', 'pt-BR', '52998224735'],
  ['cpf', '52998224725', 'os dois últimos são 35', 'pt-BR', '52998224735'],
  ['cpf', '52998224735', 'não, dois cinco', 'pt-BR', '52998224725'],
  ['cpf', '52998224725', 'the last two are 35', 'en-US', '52998224735'],
  ['cpf', '52998224725', 'it is eight instead of seven', 'en-US', '52998224825'],
  ['cpf', '52998224725', 'los últimos son 35', 'es-MX', '52998224735'],
]

for (const [kind, current, text, language, corrected] of corrections)
  test(`${kind} ${current}, "${text}" is ${corrected}`, () =>
    assert.equal(applyCorrection(kind, current, { text, language, today }), corrected))

const names = 'zero um dois três quatro cinco seis sete oito nove'.split(' ')
const digit = fc.integer({ min: 0, max: 9 })
const place = fc.integer({ min: 0, max: 10 })
const misheard = fc
  .tuple(validCpf, place, digit)
  .filter(([cpf, at, wrong]) => cpf[at] !== String(wrong))
  .map(([cpf, at, wrong]) => ({ cpf, at, wrong, heard: cpf.slice(0, at) + wrong + cpf.slice(at + 1) }))

test('"right, not wrong" gives a valid CPF back wherever one digit was misheard', () =>
  fc.assert(
    fc.property(
      misheard,
      fc.constantFrom('não, X, não Y', 'é X, não Y', 'não é Y, é X', 'troca o Y por X'),
      (given, form) => {
        const right = Number(given.cpf[given.at])
        const text = form.replace('X', names[right] ?? '').replace('Y', names[given.wrong] ?? '')
        const corrected = applyCorrection('cpf', given.heard, { text, language: 'pt-BR' })
        assert.ok(corrected !== null && corrected.length === 11)
        // Two positions may yield valid check digits; usually the intended one is chosen.
        assert.equal([...corrected].filter((each, i) => each !== given.heard[i]).length, 1)
      },
    ),
  ))

test('"the end is" replaces that many digits at the end', () =>
  fc.assert(
    fc.property(validCpf, fc.integer({ min: 10, max: 99 }), (cpf, wrong) => {
      const heard = cpf.slice(0, 9) + wrong
      const end = cpf.slice(9)
      assert.equal(applyCorrection('cpf', heard, { text: `não, o final é ${end}`, language: 'pt-BR' }), cpf)
    }),
  ))
