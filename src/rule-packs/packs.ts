// Built-in packs, and validation of packs that users wrote. A pack that cannot be read permits no calls.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Values from 'typebox/value'
import { RulePack, type WindowRule } from './pack.ts'
import { intersection, openMinutes, type Week, weekOf, wholeWeek } from './week.ts'

/** Length of a user's pack as JSON. */
const MAX_LETTERS = 100_000

/** TypeBox's own checker instead of Ajv: users read its wording. Loaded with the first check of a pack: it has 250 files. */
let library: typeof Values | undefined
function values(): typeof Values {
  library ??= createRequire(import.meta.url)('typebox/value') as typeof Values
  return library
}

const builtIn = ['br-strict', 'international'] as const
let read: readonly RulePack[] | undefined

/** A name or source of a built-in pack. Packs carry it in English. */
export type PackText = { en: string; pt: string; es: string }
const known = new Map<string, PackText>()

/** Read and checked once. */
export function builtInPacks(): readonly RulePack[] {
  read ??= builtIn.map((name) => {
    const file = readFileSync(new URL(`packs/${name}.json`, import.meta.url), 'utf8')
    const result = readPack(JSON.parse(file, (key, value) => (isText(key) ? inEnglish(value) : value)))
    if ('problem' in result) throw new Error(`rule pack ${name}: ${result.problem}`)
    return result.pack
  })
  return read
}

const isText = (key: string) => key === 'name' || key === 'source'

function inEnglish(text: PackText): string {
  known.set(text.en, text)
  return text.en
}

/** Texts of a pack that come from a built-in one, in every language; also in copies, where they are unchanged. */
export function packTexts(pack: unknown): PackText[] {
  builtInPacks()
  const found = new Set<PackText>()
  JSON.stringify(pack, (key, value) => {
    const text = isText(key) ? known.get(value) : undefined
    if (text) found.add(text)
    return value
  })
  return [...found]
}

/** The problem names the field and is shown to the user. */
export function readPack(value: unknown): { pack: RulePack } | { problem: string } {
  const problem = problemOf(value)
  return problem === null ? { pack: value as RulePack } : { problem }
}

function problemOf(value: unknown): string | null {
  let letters: number
  try {
    letters = JSON.stringify(value)?.length ?? 0
  } catch {
    return 'it is not JSON'
  }
  if (letters > MAX_LETTERS) return `it is larger than ${MAX_LETTERS} characters`
  if (!values().Check(RulePack, value)) return schemaProblem(value)
  return problemOfWindows(value) ?? problemOfIds(value) ?? problemOfDates(value) ?? problemOfShares(value)
}

/** The first useful error: a nullable field also reports that it must be null. */
function schemaProblem(value: unknown): string {
  const errors = values().Errors(RulePack, value)
  const isTelling = ({ keyword, message }: (typeof errors)[number]) =>
    keyword !== 'anyOf' && keyword !== 'additionalProperties' && message !== 'must be null'
  const error = errors.find(isTelling) ?? errors[0]
  if (!error) return 'it has another form'
  const field = fieldOf(error.instancePath)
  if (error.keyword === 'boolean') return `${field}is not a field of a rule pack`
  if (error.keyword !== 'const') return `${field}${error.message}`
  const allowed = errors.flatMap((one) =>
    one.keyword === 'const' && one.instancePath === error.instancePath ? String(one.params.allowedValue) : [],
  )
  return `${field}must be one of ${allowed.join(', ')}`
}

/** "/windows/0/source" → "windows[0].source ". */
const fieldOf = (pointer: string) => {
  const names = pointer.split('/').slice(1)
  const path = names.map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : `${index > 0 ? '.' : ''}${name}`))
  return names.length > 0 ? `${path.join('')} ` : ''
}

function problemOfWindows({ windows, countries }: RulePack): string | null {
  for (const [index, rule] of windows.entries())
    for (const [at, { from, to }] of rule.windows.entries())
      if (from >= to) return `windows[${index}].windows[${at}].to must be after from`
  const everywhere = windows.filter(({ regions }) => regions === null)
  if (countries === null && everywhere.length === 0)
    return 'windows must have a rule with regions null: it holds for the countries that no other rule names'
  for (const country of countries ?? []) {
    const ofCountry = windows.filter(({ regions }) => regions === null || regions.includes(country))
    if (ofCountry.length === 0) return `windows must have a rule for the whole of ${country}`
    if (openMinutes(common(ofCountry)) === 0) return `windows leave no minute of the week open in ${country}`
  }
  return openMinutes(common(everywhere)) === 0 ? 'windows leave no minute of the week open' : null
}

const common = (rules: readonly WindowRule[]): Week =>
  rules.map(({ windows }) => weekOf(windows)).reduce(intersection, wholeWeek)

/** Every rule of a pack, with the path of its field. */
const rulesOf = ({ windows, holidays, frequency, spacing, monthly, shortCalls, disclosure }: RulePack) => [
  ...windows.map((rule, index) => ({ rule, field: `windows[${index}]` })),
  ...frequency.map((rule, index) => ({ rule, field: `frequency[${index}]` })),
  ...Object.entries({ holidays, spacing, monthly, shortCalls, disclosure }).flatMap(([field, rule]) =>
    rule ? [{ rule, field }] : [],
  ),
]

/** Decisions name rules by their ids. */
function problemOfIds(pack: RulePack): string | null {
  const seen = new Set<string>()
  for (const { rule, field } of rulesOf(pack)) {
    if (seen.has(rule.id)) return `${field}.id: another rule has the id ${rule.id}`
    seen.add(rule.id)
  }
  return null
}

function problemOfDates(pack: RulePack): string | null {
  if (!isDate(pack.date)) return `date: ${pack.date} is not a date`
  for (const { rule, field } of rulesOf(pack))
    if (!isDate(rule.date)) return `${field}.date: ${rule.date} is not a date`
  for (const [index, date] of (pack.holidays?.dates ?? []).entries())
    if (!isDate(date)) return `holidays.dates[${index}]: ${date} is not a date`
  return null
}

/** False for 31 February. */
function isDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

const problemOfShares = ({ shortCalls }: RulePack) =>
  shortCalls && shortCalls.slowAt > shortCalls.pauseAt ? 'shortCalls.slowAt must not be above pauseAt' : null
