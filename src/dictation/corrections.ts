// Corrections of a dictated value: "não, quatro, não cinco", "troca o três por seis", "o final é 35".
import { type Instruction, instructionIn } from './correction-instruction.ts'
import { datePartsIn, isoDate } from './dates.ts'
import { isCnpj, isCpf } from './documents.ts'
import type { ReadingContext, ValueKind } from './kinds.ts'
import { charactersIn } from './letters.ts'
import { readValue } from './read-value.ts'
import { groupLengths } from './spoken-groups.ts'
import { digitsIn } from './spoken-numbers.ts'
import { tokensIn } from './tokens.ts'

type Correction = ReadingContext & { readonly text: string }

const ofDigits: ReadonlySet<ValueKind> = new Set(['cpf', 'cnpj', 'cep', 'phone', 'number'])

/** The corrected value; null if the text corrects nothing. `current` may be incomplete. */
export function applyCorrection(kind: ValueKind, current: string, correction: Correction): string | null {
  const { text, language } = correction
  const whole = readValue(kind, text, correction)
  const said = kind === 'date' || kind === 'money' ? null : instructionIn(text, language, partReader(kind, language))
  if (whole.isComplete && isNewValue(kind, whole, said)) return whole.value
  if (kind === 'date') return correctedDate(current, correction)
  if (kind === 'money') return null
  if (said) return applied(kind, current, said)
  return kind === 'number' && whole.isComplete ? whole.value : bareDigits(kind, current, correction)
}

/** A number, or a name in an instruction, is only a part of the value; so may be a day without its year. */
function isNewValue(
  kind: ValueKind,
  { isAssumed = false }: { isAssumed?: boolean },
  said: Instruction | null,
): boolean {
  if (kind === 'number') return false
  if (kind === 'date') return !isAssumed
  return kind !== 'name' || said === null
}

const partReader =
  (kind: ValueKind, language: string) =>
  (text: string): string => {
    if (ofDigits.has(kind)) return digitsIn(text, language)
    const spelled = charactersIn(text, language)
    if (kind === 'plate') return spelled
    return spelled === '' ? plainWord(text) : spelled.toLowerCase()
  }

/** "gmail" in "não é gmail, é hotmail". */
const plainWord = (text: string): string =>
  tokensIn(text)
    .filter(({ type }) => type === 'word')
    .map(({ text: word }) => word)
    .join('')

function applied(kind: ValueKind, current: string, { right, wrong, place }: Instruction): string | null {
  if (current === '') return null
  if (place === 'end') return right.length > current.length ? null : current.slice(0, -right.length) + right
  if (place === 'start') return right.length > current.length ? null : right + current.slice(right.length)
  if (typeof place === 'number') return atPosition(kind, current, { right, position: place })
  return wrong === null ? null : replaced(kind, current, { wrong, right })
}

/** Replaces one digit, or a whole group of digits. */
function atPosition(
  kind: ValueKind,
  current: string,
  { right, position }: { right: string; position: number },
): string | null {
  const lengths = groupLengths(kind)
  const length = right.length === 1 ? 1 : lengths[position < 0 ? lengths.length + position : position]
  const groupsBefore = lengths.slice(0, position < 0 ? lengths.length + position : position)
  const from =
    right.length > 1
      ? groupsBefore.reduce((sum, each) => sum + each, 0)
      : position < 0
        ? current.length + position
        : position
  if (length !== right.length || from < 0 || from + length > current.length) return null
  return current.slice(0, from) + right + current.slice(from + length)
}

/** If the wrong part occurs several times: the place that makes the check digits valid, else the last. */
function replaced(kind: ValueKind, current: string, { wrong, right }: { wrong: string; right: string }): string | null {
  const subject = kind === 'name' ? current.toLowerCase() : current
  const candidates: string[] = []
  for (let at = subject.lastIndexOf(wrong); at !== -1; at = at === 0 ? -1 : subject.lastIndexOf(wrong, at - 1))
    candidates.push(subject.slice(0, at) + right + subject.slice(at + wrong.length))
  const best = candidates.find((each) => isChecked(kind, each)) ?? candidates[0] ?? null
  return best !== null && kind === 'name' ? best.replace(/(^|\s)\p{L}/gu, (start) => start.toUpperCase()) : best
}

const isChecked = (kind: ValueKind, value: string): boolean =>
  kind === 'cpf' ? isCpf(value) : kind === 'cnpj' && isCnpj(value)

/** Digits without a position go where they make the check digits valid, or change a single digit. */
function bareDigits(kind: ValueKind, current: string, { text, language }: Correction): string | null {
  const digits = ofDigits.has(kind) ? digitsIn(text, language) : ''
  if (digits === '' || digits.length >= current.length) return null
  const places = Array.from({ length: current.length - digits.length + 1 }, (_, at) => at)
  const all = places.map((at) => current.slice(0, at) + digits + current.slice(at + digits.length))
  const candidates = [...new Set(all.filter((each) => each !== current))]
  const checked = candidates.filter((each) => isChecked(kind, each))
  if (checked.length === 1) return checked[0] ?? null
  // Never turn a valid number into an invalid one.
  if (digits.length < 2 || isChecked(kind, current)) return null
  const closest = candidates.filter((each) => difference(each, current) === 1)
  return closest.length === 1 ? (closest[0] ?? null) : null
}

const difference = (a: string, b: string): number => [...a].filter((each, i) => each !== b[i]).length

/** "não, dia quinze" changes only the day. */
function correctedDate(current: string, correction: Correction): string | null {
  const { day, month, year } = datePartsIn(correction.text, correction.language)
  const [y = 0, m = 0, d = 0] = current.split('-').map(Number)
  const bare = day ?? (month === null && year === null ? bareDay(correction) : null)
  if (bare !== null || month !== null || year !== null) return isoDate(year ?? y, month ?? m, bare ?? d)
  const reading = readValue('date', correction.text, correction)
  return reading.isComplete ? reading.value : null
}

function bareDay({ text, language }: Correction): number | null {
  const digits = digitsIn(text, language)
  return /^\d{1,2}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= 31 ? Number(digits) : null
}
