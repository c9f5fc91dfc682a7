// Reads a dictated value: validates its format and check digits, and says what is missing.

import { readDate } from './dates.ts'
import { CEP_DIGITS, CNPJ_CHARACTERS, CPF_DIGITS, isCep, isCnpj, isCpf, isPlate } from './documents.ts'
import { readEmail } from './email.ts'
import { complete, failed, type Reading, type ReadingContext, type ValueKind } from './kinds.ts'
import { charactersIn } from './letters.ts'
import { readMoney } from './money.ts'
import { readName } from './names.ts'
import { readPhone } from './phone-numbers.ts'
import { readNumber } from './plain-numbers.ts'
import { repairedDigits } from './self-repair.ts'
import { MAX_LETTERS } from './tokens.ts'

const PLATE_CHARACTERS = 7

const readers: Readonly<Record<ValueKind, (text: string, context: ReadingContext) => Reading>> = {
  cpf: (text, { language }) => readDigits(repairedDigits(text, language), { length: CPF_DIGITS, isValid: isCpf }),
  cnpj: readCnpj,
  cep: (text, { language }) => readDigits(repairedDigits(text, language), { length: CEP_DIGITS, isValid: isCep }),
  phone: (text, { language }) => readPhone(text, language),
  email: (text, { language }) => readEmail(text, language),
  date: readDate,
  money: (text, { language }) => readMoney(text, language),
  name: (text, { language }) => readName(text, language),
  plate: (text, { language }) => readPlate(text, language),
  number: (text, { language }) => readNumber(text, language),
}

export const readValue = (kind: ValueKind, text: string, context: ReadingContext): Reading =>
  readers[kind](text, context)

export type Completeness = 'none' | 'partial' | 'complete' | 'invalid'

/** Kinds without a fixed length: more may always follow. */
const openEnded: ReadonlySet<ValueKind> = new Set(['number', 'money'])

/** How much of the value was said, for endpointing: eleven digits of a CPF are complete at once, ten are partial. */
export function completeness(kind: ValueKind, text: string, language: string): Completeness {
  const reading = readValue(kind, text, { language })
  if (reading.isComplete) return reading.isAssumed || openEnded.has(kind) ? 'partial' : 'complete'
  return reading.problem === 'incomplete' || reading.problem === 'unclear' ? 'partial' : reading.problem
}

type DigitRules = { length: number; isValid: (digits: string) => boolean }

/** More digits than the format has: the caller started over. The last ones count if valid, else the first. */
function readDigits(digits: string, { length, isValid }: DigitRules): Reading {
  if (digits === '') return failed('none')
  if (digits.length < length) return failed('incomplete', digits)
  const found = [digits.slice(-length), digits.slice(0, length)].find(isValid)
  return found === undefined ? failed('invalid', digits) : complete(found)
}

/** Brazilians say the 0001 of a head office as "mil ao contrário". */
const reversedThousand = /\bmil (?:ao contr[aá]rio|invertido)/giu

function readCnpj(said: string, { language }: ReadingContext): Reading {
  const text = said.slice(0, MAX_LETTERS).replace(reversedThousand, '0001')
  const reading = readDigits(repairedDigits(text, language), { length: CNPJ_CHARACTERS, isValid: isCnpj })
  if (reading.isComplete) return reading
  const characters = charactersIn(text, language)
  if (!/[A-Z]/.test(characters)) return reading
  if (isCnpj(characters.slice(-CNPJ_CHARACTERS))) return complete(characters.slice(-CNPJ_CHARACTERS))
  // Letters without a valid number may have been words.
  return characters.length < CNPJ_CHARACTERS && reading.partial !== '' ? failed('incomplete', characters) : reading
}

function readPlate(text: string, language: string): Reading {
  const characters = charactersIn(text, language)
  if (characters === '') return failed('none')
  const found = [characters.slice(-PLATE_CHARACTERS), characters].find((each) => isPlate(each, language))
  if (found !== undefined) return complete(found)
  return failed(characters.length < PLATE_CHARACTERS ? 'incomplete' : 'invalid', characters)
}
