import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { spokenDigits, validCpf } from '../../test/dictated-digits.ts'
import type { ValueKind } from './kinds.ts'
import { completeness, readValue } from './read-value.ts'

/** A Monday. */
const today = '2026-11-16'
type Case = readonly [kind: ValueKind, language: string, text: string, result: string]

const read: readonly Case[] = [
  ['cpf', 'pt-BR', 'um dois três, quatro cinco meia, sete oito nove, zero nove', '12345678909'],
  ['cpf', 'pt-BR', '123.456.789-09', '12345678909'],
  ['cpf', 'pt-BR', 'cento e vinte e três, quatrocentos e cinquenta e seis, 788, quer dizer, 789 09', '12345678909'],
  ['cpf', 'pt-BR', '123 456 789 10', 'invalid'],
  ['cpf', 'pt-BR', '123 456 789 0', 'incomplete'],
  ['cpf', 'pt-BR', 'bom dia', 'none'],
  ['cnpj', 'pt-BR', '11.222.333/0001-81', '11222333000181'],
  ['cnpj', 'pt-BR', '1 2 A B C 3 4 5 0 1 D E 3 5', '12ABC34501DE35'],
  ['cnpj', 'pt-BR', '12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['cnpj', 'pt-BR', 'onze, duzentos e vinte e dois, trezentos e trinta e três, mil ao contrário', 'incomplete'],
  ['cep', 'pt-BR', '01310-100', '01310100'],
  ['phone', 'pt-BR', 'onze nove oito sete meia cinco quatro três dois um', '+5511987654321'],
  ['phone', 'pt-BR', '(11) 3456-7890', '+551134567890'],
  ['phone', 'pt-BR', '+55 11 98765-4321', '+5511987654321'],
  ['phone', 'pt-BR', '55 11 98765-4321', '+5511987654321'],
  ['phone', 'pt-BR', '011 98765 4321', '+5511987654321'],
  ['phone', 'pt-BR', '0 15 11 98765 4321', '+5511987654321'],
  ['phone', 'pt-BR', '98765-4321', 'incomplete'],
  ['phone', 'pt-BR', '0800 123 4567', '08001234567'],
  ['phone', 'en-US', 'four one five five five five one two one two', '+14155551212'],
  ['phone', 'en-US', 'plus four four twenty 7946 0958', '+442079460958'],
  ['phone', 'es-ES', 'seis uno dos tres cuatro cinco seis siete ocho', '+34612345678'],
  ['phone', 'pt-BR', '11 8765 4321', 'invalid'],
  ['phone', 'pt-BR', '+1 415 555 1212', '+14155551212'],
  ['email', 'pt-BR', 'joão ponto silva arroba gmail ponto com', 'joao.silva@gmail.com'],
  ['email', 'pt-BR', 'Meu e-mail é joao.silva@gmail.com.', 'joao.silva@gmail.com'],
  ['email', 'pt-BR', 'meu email é joão silva tudo junto arroba gê mail ponto com', 'joaosilva@gmail.com'],
  ['email', 'pt-BR', 'j o a o arroba hotmail ponto com', 'joao@hotmail.com'],
  ['email', 'pt-BR', 'maria underline souza oitenta e cinco arroba uol ponto com ponto br', 'maria_souza85@uol.com.br'],
  ['email', 'pt-BR', 'maria arroba', 'incomplete'],
  ['email', 'en-US', 'john dot smith at gmail dot com', 'john.smith@gmail.com'],
  ['email', 'en-US', 'you can reach me at john at gmail dot com thanks', 'john@gmail.com'],
  ['email', 'es-MX', 'juan guion bajo perez arroba outlook punto com', 'juan_perez@outlook.com'],
  ['email', 'pt-BR', 'joão silva gmail ponto com', 'joaosilva@gmail.com'],
  ['email', 'pt-BR', 'contato arroba clínica aurora ponto com ponto br. Obrigado.', 'contato@clinicaaurora.com.br'],
  ['email', 'pt-BR', 'bruno arroba gmail', 'bruno@gmail.com'],
  ['date', 'pt-BR', '12/03/1985', '1985-03-12'],
  ['date', 'pt-BR', 'doze de março de mil novecentos e oitenta e cinco', '1985-03-12'],
  ['date', 'pt-BR', 'doze do três de oitenta e cinco', '1985-03-12'],
  ['date', 'pt-BR', 'amanhã', '2026-11-17'],
  ['date', 'pt-BR', 'depois de amanhã', '2026-11-18'],
  ['date', 'pt-BR', 'sexta que vem', '2026-11-20'],
  ['date', 'pt-BR', 'sexta-feira', '2026-11-20'],
  ['date', 'pt-BR', 'dia quinze', '2026-12-15'],
  ['date', 'pt-BR', 'dia 20 de novembro', '2026-11-20'],
  ['date', 'pt-BR', 'daqui a três dias', '2026-11-19'],
  ['date', 'pt-BR', '31 de fevereiro', 'invalid'],
  ['date', 'pt-BR', 'março', 'incomplete'],
  ['date', 'pt-BR', 'primeiro de maio', '2027-05-01'],
  ['date', 'en-US', 'March twenty first nineteen eighty five', '1985-03-21'],
  ['date', 'en-US', '3/12/1985', '1985-03-12'],
  ['date', 'en-GB', 'the twelfth of March', '2027-03-12'],
  ['date', 'en-US', 'next friday', '2026-11-20'],
  ['date', 'en-US', 'in two weeks', '2026-11-30'],
  ['date', 'es-MX', 'doce de marzo de dos mil', '2000-03-12'],
  ['date', 'es-MX', 'pasado mañana', '2026-11-18'],
  ['date', 'es-MX', 'el viernes que viene', '2026-11-20'],
  ['date', 'pt-BR', '2026-03-12', '2026-03-12'],
  ['date', 'pt-BR', '12 03 85', '1985-03-12'],
  ['date', 'pt-BR', 'oi', 'none'],
  ['money', 'pt-BR', 'mil e quinhentos reais', '1500.00 BRL'],
  ['money', 'pt-BR', 'dois reais e cinquenta centavos', '2.50 BRL'],
  ['money', 'pt-BR', 'vinte e cinco e noventa', '25.90 BRL'],
  ['money', 'pt-BR', 'cinquenta centavos', '0.50 BRL'],
  ['money', 'pt-BR', 'R$ 1.500,00', '1500.00 BRL'],
  ['money', 'en-US', '$1,500.25', '1500.25 USD'],
  ['money', 'en-US', 'twelve dollars and fifty cents', '12.50 USD'],
  ['money', 'es-MX', 'doscientos pesos', '200.00 MXN'],
  ['money', 'es-ES', 'veinte euros con cincuenta', '20.50 EUR'],
  ['name', 'pt-BR', 'Meu nome é João da Silva', 'João da Silva'],
  ['name', 'pt-BR', 'Bruno, B de bola, R, U, N, O', 'Bruno'],
  ['name', 'pt-BR', 'B-R-U-N-O', 'Bruno'],
  ['name', 'pt-BR', 'Tiago, T H I A G O', 'Thiago'],
  ['name', 'en-US', 'My name is John Smith, S M Y T H', 'John Smyth'],
  ['name', 'es-MX', 'Me llamo Juan Pérez', 'Juan Pérez'],
  ['name', 'pt-BR', 'agá e ele e ene a', 'Helena'],
  ['name', 'pt-BR', 'Maria Eduarda de Souza', 'Maria Eduarda de Souza'],
  ['name', 'pt-BR', 'é a Ana', 'Ana'],
  ['plate', 'pt-BR', 'ABC1D23', 'ABC1D23'],
  ['plate', 'pt-BR', 'A B C um D dois três', 'ABC1D23'],
  ['plate', 'pt-BR', 'A de amor B de bola C de casa 1234', 'ABC1234'],
  ['plate', 'pt-BR', 'bê cê dê um dois três quatro', 'BCD1234'],
  ['plate', 'pt-BR', 'a placa é ABC 1', 'incomplete'],
  ['number', 'pt-BR', 'vinte e três', '23'],
  ['number', 'pt-BR', 'três vírgula cinco', '3.5'],
  ['number', 'pt-BR', '00 12', '0012'],
  ['cnpj', 'pt-BR', 'onze, 222, 333, mil ao contrário, oitenta e um', '11222333000181'],
  ['email', 'pt-BR', 'joão.silva.arroba.gmail.com', 'joao.silva@gmail.com'],
  ['email', 'pt-BR', 'João Silva, arroba G-mail.com', 'joaosilva@gmail.com'],
  ['email', 'pt-BR', 'João ponto Silva a roba de meio ponto com.', 'joao.silva@gmail.com'],
  ['email', 'pt-BR', 'maria souza, roba-rotmeu.com', 'mariasouza@hotmail.com'],
  ['plate', 'pt-BR', 'ABC 1 de 2, 3', 'ABC1D23'],
  ['cpf', 'pt-BR', '5,2,9,98 2, 2,4,7,25.', '52998224725'],
  ['date', 'pt-BR', 'sexta da semana que vem', '2026-11-27'],
  ['date', 'en-US', 'friday next week', '2026-11-27'],
  ['date', 'pt-BR', 'amanhã às 15 horas', '2026-11-17'],
]

for (const [kind, language, text, result] of read)
  test(`${kind} in ${language}: "${text}" is ${result}`, () => {
    const reading = readValue(kind, text, { language, today })
    assert.equal(reading.isComplete ? reading.value : reading.problem, result)
  })

const states: readonly Case[] = [
  ['cpf', 'pt-BR', 'um dois três, quatro cinco seis, sete oito nove, zero nove', 'complete'],
  ['cpf', 'pt-BR', 'um dois três, quatro cinco seis, sete oito nove, zero', 'partial'],
  ['cpf', 'pt-BR', '123 456 789 10', 'invalid'],
  ['cpf', 'pt-BR', 'deixa eu ver', 'none'],
  ['phone', 'pt-BR', '11 98765 432', 'partial'],
  ['phone', 'pt-BR', '11 98765 4321', 'complete'],
  ['phone', 'pt-BR', '11 3456 7890', 'complete'],
  ['email', 'pt-BR', 'joão arroba gmail', 'partial'],
  ['email', 'pt-BR', 'joão arroba gmail ponto com', 'complete'],
  ['email', 'pt-BR', 'joão arroba empresa ponto com', 'partial'],
  ['email', 'pt-BR', 'joão arroba empresa ponto com ponto br', 'complete'],
  ['date', 'pt-BR', 'doze de março', 'partial'],
  ['date', 'pt-BR', 'doze de março de 1985', 'complete'],
  ['date', 'pt-BR', 'amanhã', 'complete'],
  ['name', 'pt-BR', 'Bruno', 'partial'],
  ['name', 'pt-BR', 'Bruno Almeida', 'complete'],
  ['number', 'pt-BR', 'doze', 'partial'],
  ['plate', 'pt-BR', 'A B C 1 D 2', 'partial'],
]

for (const [kind, language, text, result] of states)
  test(`completeness of ${kind}: "${text}" is ${result}`, () =>
    assert.equal(completeness(kind, text, language), result))

for (const language of ['pt-BR', 'en-US', 'es-MX'] as const)
  test(`every valid CPF in any grouping of words and figures is read, in ${language}`, () =>
    fc.assert(
      fc.property(validCpf, spokenDigits(language), (cpf, spoken) => {
        const text = spoken(cpf)
        assert.deepEqual(readValue('cpf', text, { language }), { isComplete: true, value: cpf }, text)
        assert.equal(completeness('cpf', text, language), 'complete')
      }),
    ))

test('a CPF without its last digit is incomplete, and one with a wrong last digit is invalid', () =>
  fc.assert(
    fc.property(validCpf, fc.integer({ min: 1, max: 9 }), (cpf, shift) => {
      const wrong = cpf.slice(0, 10) + ((Number(cpf[10]) + shift) % 10)
      assert.equal(completeness('cpf', cpf.slice(0, 10), 'pt-BR'), 'partial')
      assert.equal(completeness('cpf', wrong, 'pt-BR'), 'invalid')
    }),
  ))

test('nothing that is said makes a reader fail or take long', () =>
  fc.assert(
    fc.property(
      fc.string({ maxLength: 2000, unit: 'grapheme' }),
      fc.constantFrom('pt-BR', 'en-US', 'es', 'xx'),
      (text, language) => {
        for (const kind of [
          'cpf',
          'cnpj',
          'cep',
          'phone',
          'email',
          'date',
          'money',
          'name',
          'plate',
          'number',
        ] as const)
          readValue(kind, text, { language, today })
      },
    ),
  ))
