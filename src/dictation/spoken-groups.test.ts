import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { validCpf } from '../../test/dictated-digits.ts'
import type { ValueKind } from './kinds.ts'
import { spokenGroups } from './spoken-groups.ts'
import { digitsIn } from './spoken-numbers.ts'

const groups: readonly (readonly [kind: ValueKind, language: string, value: string, spoken: string])[] = [
  ['cpf', 'pt-BR', '12345678909', '1 2 3, 4 5 meia, 7 8 9, traço 0 9'],
  ['cpf', 'pt-BR', '12345', '1 2 3, 4 5'],
  ['cpf', 'en-US', '12345678909', '1 2 3, 4 5 6, 7 8 9, dash 0 9'],
  ['cnpj', 'pt-BR', '11222333000181', '1 1, 2 2 2, 3 3 3, barra 0 0 0 1, traço 8 1'],
  ['cep', 'es-MX', '01310100', '0 1 3 1 0, guion 1 0 0'],
  ['phone', 'pt-BR', '+5511987654321', '1 1, 9 8 7 meia 5, 4 3 2 1'],
  ['phone', 'en-US', '+14155551212', '4 1 5, 5 5 5, 1 2 1 2'],
  ['phone', 'es-ES', '+34612345678', 'más 3 4, 6 1 2, 3 4 5, 6 7 8'],
  ['email', 'pt-BR', 'joao.silva85@gmail.com', 'joao ponto silva 8 5 arroba gmail ponto com'],
  ['email', 'en-US', 'jsb_k@acme.com', 'J, S, B underscore K at acme dot com'],
  ['name', 'pt-BR', 'Bruno', 'Bruno: B, R, U, N, O'],
  ['name', 'pt-BR', 'Ana Souza', 'Ana Souza'],
  ['plate', 'pt-BR', 'ABC1D23', 'A B C 1 D 2 3'],
  ['date', 'es-MX', '1985-03-12', '12 de marzo de 1985'],
  ['money', 'pt-BR', '1500.50 BRL', 'R$\u00a01.500,50'],
  ['number', 'pt-BR', '1234', '1 2, 3 4'],
]

for (const [kind, language, value, spoken] of groups)
  test(`${kind} ${value} in ${language} is "${spoken}"`, () =>
    assert.equal(spokenGroups(kind, value, language), spoken))

test('what is read back is the number itself, in every language', () =>
  fc.assert(
    fc.property(validCpf, fc.constantFrom('pt-BR', 'en-US', 'es-MX'), (cpf, language) =>
      assert.equal(digitsIn(spokenGroups('cpf', cpf, language), language), cpf),
    ),
  ))
