import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { validCpf } from '../../test/dictated-digits.ts'
import { isNearlyWhole, mergedHearings } from './merge-hearings.ts'

test('two hearings that each lost another digit give the number', () =>
  assert.equal(mergedHearings('cpf', '5299822725', '5299822475'), '52998224725'))

test('other kinds, and hearings far from whole, are not merged', () => {
  assert.equal(mergedHearings('phone', '1198754321', '1198765432'), null)
  assert.equal(mergedHearings('cpf', '529982', '5299822475'), null)
  assert.equal(isNearlyWhole('cpf', '529982'), false)
})

type Edit = { at: number; how: 'missed' | 'misheard' | 'too many'; digit: number }
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.integer({ min: 0, max: 10 }),
  how: fc.constantFrom('missed', 'misheard', 'too many'),
  digit: fc.integer({ min: 0, max: 9 }),
})
const heard = (cpf: string, { at, how, digit }: Edit): string =>
  cpf.slice(0, at) + (how === 'missed' ? '' : digit) + cpf.slice(how === 'too many' ? at : at + 1)

test('what two hearings with one error each give is valid and nearly always the number', () => {
  let [right, wrong] = [0, 0]
  fc.assert(
    fc.property(validCpf, edit, edit, (cpf, first, second) => {
      const merged = mergedHearings('cpf', heard(cpf, first), heard(cpf, second))
      if (merged === cpf) right++
      else if (merged !== null) wrong++
    }),
    { numRuns: 2000, seed: 16 },
  )
  assert.equal(wrong, 0, 'the number itself always explains both')
  assert.ok(right > 1400, `${right} of 2000`)
})
