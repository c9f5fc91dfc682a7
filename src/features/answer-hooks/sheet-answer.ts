// Answers from a spreadsheet: the ways a caller's number may be written in it, and what the columns of a row mean.
// Pure.
import { DEFAULT_REFUSAL } from '../../base/domain/hook-statuses.ts'
import { countryCodeOf, digitsOf, isE164, normalizeNumber } from '../../base/phone-numbers/phone-number.ts'
import { foldSpaces } from '../../base/text/text.ts'
import { variableNameOf } from '../../base/text/variable-names.ts'
import type { SheetRow } from '../spreadsheets/schema.ts'
import type { SheetLookup } from './schema.ts'

type Cell = string | number | boolean | null

const MIN_NATIONAL = 7
const yes = new Set(['yes', 'y', 'true', 'sim', 's', 'si', 'x', 'verdadeiro', 'verdadero'])
const no = new Set(['', 'no', 'n', 'false', 'nao', 'falso', '-', '0'])

/**
 * The number's digits as people write them, with and without country code and trunk prefix. `called` gives the country
 * of a national number.
 */
export function writtenForms(caller: string, called: string | null): string[] {
  const digits = digitsOf(caller)
  if (digits === null) return []
  const number = normalizeNumber(caller) ?? ''
  if (isE164(number)) return withNational(digits, countryCodeOf(number))
  const bare = digits.replace(/^0+/, '')
  const country = called !== null && isE164(called) ? countryCodeOf(called) : null
  // Many networks send the full number without the plus sign.
  const full = country !== null && bare.startsWith(country) && bare.length > 10 ? withNational(bare, country) : []
  const inCountry = country === null ? [] : [`${country}${bare}`]
  return [...new Set([digits, bare, `0${bare}`, ...inCountry, ...full])].filter((form) => form.length >= 3)
}

function withNational(digits: string, country: string): string[] {
  const national = digits.slice(country.length)
  return national.length < MIN_NATIONAL ? [digits] : [digits, national, `0${national}`]
}

/** Builds the answer a server would have sent, for `readAnswer`. Every column becomes a variable. */
export function answerOfRow({ values }: Pick<SheetRow, 'values'>, lookup: SheetLookup): Record<string, unknown> {
  const cells = values as Record<string, Cell>
  const cell = (column: string | null | undefined): Cell =>
    column !== null && column !== undefined && Object.hasOwn(cells, column) ? (cells[column] ?? null) : null
  const text = (column: string | null | undefined) => {
    const value = cell(column)
    return value === null ? null : String(value).trim() || null
  }
  return {
    agentId: text(lookup.agentColumn),
    language: text(lookup.languageColumn),
    refuse: refusalIn(cell(lookup.refuseColumn)),
    transferTo: text(lookup.transferColumn),
    context: text(lookup.contextColumn),
    variables: variablesOf(cells),
  }
}

/** A cell that is neither a code nor a word for yes or no is kept, so that it is rejected as an answer. */
function refusalIn(value: Cell): unknown {
  if (value === null || typeof value === 'boolean') return value ? DEFAULT_REFUSAL : null
  const word = foldSpaces(String(value))
  if (no.has(word)) return null
  if (yes.has(word)) return DEFAULT_REFUSAL
  return /^\d{3}$/.test(word) ? Number(word) : String(value)
}

const MAX_VARIABLES = 100
/** Stays below the limit of `readAnswer`, with up to three bytes per character. */
const MAX_LETTERS = 10_000

/** As many of the first columns as fit. */
function variablesOf(cells: Record<string, Cell>): Record<string, string> {
  const variables = new Map<string, string>()
  let left = MAX_LETTERS
  for (const [column, value] of Object.entries(cells)) {
    const name = variableNameOf(column)
    if (value === null || name === null || variables.has(name)) continue
    const text = String(value)
    left -= name.length + text.length
    if (left < 0 || variables.size === MAX_VARIABLES) break
    variables.set(name, text)
  }
  return Object.fromEntries(variables)
}
