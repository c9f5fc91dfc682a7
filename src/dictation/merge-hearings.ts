// Merges two hearings of a document number, each one digit off, into the number that explains both.
import { CNPJ_CHARACTERS, CPF_DIGITS, isCnpj, isCpf } from './documents.ts'
import type { ValueKind } from './kinds.ts'

type Checked = { length: number; isValid: (digits: string) => boolean }
const checks: Partial<Readonly<Record<ValueKind, Checked>>> = {
  cpf: { length: CPF_DIGITS, isValid: isCpf },
  cnpj: { length: CNPJ_CHARACTERS, isValid: isCnpj },
}
const DIGITS = [...'0123456789']

/** Complete, or one digit short or over. */
export function isNearlyWhole(kind: ValueKind, digits: string): boolean {
  const check = checks[kind]
  return check !== undefined && Math.abs(digits.length - check.length) <= 1
}

/** Null if no number explains both, or several do. */
export function mergedHearings(kind: ValueKind, first: string, second: string): string | null {
  const check = checks[kind]
  if (!check || !isNearlyWhole(kind, first) || !isNearlyWhole(kind, second)) return null
  const valid = new Set(oneEditFrom(first, check.length).filter(check.isValid))
  const both = [...valid].filter((each) => isOneEdit(each, second))
  return both.length === 1 ? (both[0] ?? null) : null
}

/** Every number of this length that is one edit away from the hearing. */
function oneEditFrom(heard: string, length: number): string[] {
  const places = Array.from({ length: heard.length + 1 }, (_, at) => at)
  if (heard.length > length)
    return places.map((at) => heard.slice(0, at) + heard.slice(at + 1)).filter((each) => each.length === length)
  const skip = heard.length === length ? 1 : 0
  return places
    .slice(0, heard.length + 1 - skip)
    .flatMap((at) => DIGITS.map((digit) => heard.slice(0, at) + digit + heard.slice(at + skip)))
}

/** Equal, or one digit missing, misheard or extra. */
function isOneEdit(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [restA, restB] = [a.slice(same), b.slice(same)]
  if (a.length === b.length) return restA.slice(1) === restB.slice(1)
  return a.length > b.length ? restA.slice(1) === restB : restA === restB.slice(1)
}
