// Arbitraries for dictation: valid CPFs, and digits spoken in groups of words and figures.
import fc from 'fast-check'
import { normalize } from '../src/speech/text/normalize.ts'

const checkDigit = (digits: string): number => {
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (digits.length + 1 - i), 0)
  return ((sum * 10) % 11) % 10
}

export const cpfOf = (nine: string): string => {
  const ten = nine + checkDigit(nine)
  return ten + checkDigit(ten)
}

export const validCpf = fc
  .stringMatching(/^[0-9]{9}$/)
  .filter((nine) => !/^(.)\1*$/.test(nine))
  .map(cpfOf)

type Group = { length: number; form: 'figures' | 'words' | 'digit-words' }
const group: fc.Arbitrary<Group> = fc.record({
  length: fc.integer({ min: 1, max: 4 }),
  form: fc.constantFrom('figures', 'words', 'digit-words'),
})

/** A group with a leading zero is spoken digit by digit, any other as one number or several. */
function saidGroup(digits: string, form: Group['form'], language: string): string {
  if (form === 'figures') return digits
  const isPlain = form === 'words' && !digits.startsWith('0')
  return isPlain ? normalize(digits, language) : [...digits].map((digit) => normalize(digit, language)).join(' ')
}

/** Speaks digits in groups, as Whisper transcribes them. */
export const spokenDigits = (language: string): fc.Arbitrary<(digits: string) => string> =>
  fc
    .record({ groups: fc.array(group, { minLength: 16, maxLength: 16 }), separator: fc.constantFrom(', ', '. ', '; ') })
    .map(({ groups, separator }) => (digits) => {
      const said: string[] = []
      let at = 0
      for (const { length, form } of groups) {
        if (at < digits.length) said.push(saidGroup(digits.slice(at, at + length), form, language))
        at += length
      }
      return said.join(separator)
    })
