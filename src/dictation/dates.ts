// Dictated dates as ISO: "doze de março de oitenta e cinco", 12/03/1985, "sexta que vem".
import { DAY_MS } from '../base/time/clock.ts'
import { type CalendarWords, calendarWordsOf } from './calendar-words.ts'
import { complete, failed, type Reading, type ReadingContext } from './kinds.ts'
import { type Item, itemsIn } from './spoken-numbers.ts'
import { dictationLanguage } from './tokens.ts'

/** The parts of a date that were said; null if missing. */
type DateParts = { day: number | null; month: number | null; year: number | null }

/** Two-digit years up to this many years ahead belong to this century: 26 is 2026, 85 is 1985. */
const YEARS_AHEAD = 10
/** Used when today is unknown: then only completeness matters. */
const ANY_DAY = '2026-01-01'

export function readDate(text: string, { language, today = ANY_DAY }: ReadingContext): Reading {
  const words = calendarWordsOf(dictationLanguage(language))
  const items = withOrdinals(itemsIn(text, language), words)
  const parts = dateParts(items, { words, isMonthFirst: isMonthFirst(language) })
  if (parts.day !== null && parts.month !== null)
    return wholeDate(parts as DateParts & { day: number; month: number }, today)
  const offset = daysFromNow(items, words, today)
  if (offset !== null) return complete(isoOf(timeOf(today) + offset * DAY_MS))
  if (parts.day !== null) return dayOfMonth(parts.day, today)
  return parts.month !== null || parts.year !== null ? failed('incomplete', saidOf(parts)) : failed('none')
}

/** The parts that were said, for a correction of one of them. */
export function datePartsIn(text: string, language: string): DateParts {
  const words = calendarWordsOf(dictationLanguage(language))
  return dateParts(withOrdinals(itemsIn(text, language), words), { words, isMonthFirst: isMonthFirst(language) })
}

const saidOf = ({ month, year }: DateParts) => [month, year].filter((part) => part !== null).join(' ')

/** Month before day: American English. */
const isMonthFirst = (language: string) => /^en(?:-us|-ph|$)/i.test(language)

const timeOf = (iso: string) => Date.parse(`${iso.slice(0, 10)}T00:00:00Z`)
const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const yearOf = (iso: string) => Number(iso.slice(0, 4))

const written = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** Null for 30 February and the like. */
export function isoDate(year: number, month: number, day: number): string | null {
  const iso = written(year, month, day)
  const ms = timeOf(iso)
  return Number.isNaN(ms) || isoOf(ms) !== iso ? null : iso
}

/** Without a year, the next such day; the year may still follow, so it counts as assumed. */
function wholeDate({ day, month, year }: { day: number; month: number; year: number | null }, today: string): Reading {
  if (year !== null) {
    const iso = isoDate(fullYear(year, today), month, day)
    return iso ? complete(iso) : failed('invalid', [day, month, year].join('/'))
  }
  for (let next = yearOf(today); next < yearOf(today) + 9; next++) {
    const iso = isoDate(next, month, day)
    if (iso && iso >= today) return { isComplete: true, value: iso, isAssumed: true }
  }
  return failed('invalid', `${day}/${month}`)
}

function fullYear(year: number, today: string): number {
  if (year >= 100) return year
  const century = yearOf(today) - (yearOf(today) % 100)
  return century + year <= yearOf(today) + YEARS_AHEAD ? century + year : century - 100 + year
}

function dayOfMonth(day: number, today: string): Reading {
  for (let i = 0; i < 12; i++) {
    const first = new Date(Date.UTC(yearOf(today), Number(today.slice(5, 7)) - 1 + i, 1))
    const iso = isoDate(first.getUTCFullYear(), first.getUTCMonth() + 1, day)
    if (iso && iso >= today) return { isComplete: true, value: iso, isAssumed: true }
  }
  return failed('invalid', String(day))
}

/** "twenty first": ordinals as numbers. */
function withOrdinals(items: readonly Item[], { ordinals }: CalendarWords): Item[] {
  const result: Item[] = []
  for (const item of items) {
    const value = item.type === 'word' ? ordinals.get(item.text) : undefined
    const before = result.at(-1)
    if (value === undefined) result.push(item)
    else if (value < 10 && (before?.digits === '20' || before?.digits === '30'))
      result[result.length - 1] = { ...before, digits: String(Number(before.digits) + value) }
    else result.push({ ...item, type: 'figures', digits: String(value) })
  }
  return result
}

type PartsContext = { words: CalendarWords; isMonthFirst: boolean }

function dateParts(items: readonly Item[], context: PartsContext): DateParts {
  const { words } = context
  const written = isoParts(items)
  if (written) return written
  const at = items.findIndex(({ type, text }) => type === 'word' && words.months.has(text))
  if (at !== -1) return aroundMonth(items, at, words)
  return allNumbers(items, context)
}

/** 2026-03-12. */
function isoParts(items: readonly Item[]): DateParts | null {
  const at = items.findIndex(
    ({ digits }, i) => digits.length === 4 && items[i + 1]?.text === '-' && items[i + 4] !== undefined,
  )
  const [year, month, day] = [items[at]?.digits, items[at + 2]?.digits, items[at + 4]?.digits]
  if (at === -1 || !year || !month || !day || items[at + 3]?.text !== '-') return null
  return { year: Number(year), month: Number(month), day: Number(day) }
}

const isDay = (digits: string) => digits !== '' && digits.length <= 2 && Number(digits) >= 1 && Number(digits) <= 31

function aroundMonth(items: readonly Item[], at: number, words: CalendarWords): DateParts {
  const month = words.months.get(items[at]?.text ?? '') ?? null
  const before = items.slice(0, at).findLast(({ digits }) => digits !== '')
  const after = items.slice(at + 1).filter(({ digits }) => digits !== '')
  const dayIsBefore = before !== undefined && isDay(before.digits)
  const day = dayIsBefore ? before : after[0]
  const year = yearIn(dayIsBefore ? after : after.slice(1))
  return { day: day && isDay(day.digits) ? Number(day.digits) : null, month, year }
}

/** "mil novecentos e oitenta e cinco", 1985, 85, and "nineteen eighty five" as two numbers. */
function yearIn(items: readonly Item[]): number | null {
  const [first, second] = items
  if (!first) return null
  if (first.digits.length === 2 && second?.digits.length === 2 && /^(?:19|20)$/.test(first.digits))
    return Number(first.digits + second.digits)
  return first.digits.length === 2 || first.digits.length === 4 ? Number(first.digits) : null
}

/** 12/03/1985, "doze do três de oitenta e cinco", 12031985; a single number only after "dia". */
function allNumbers(items: readonly Item[], { words, isMonthFirst }: PartsContext): DateParts {
  const numbers = items.flatMap((item, i) => (item.digits === '' ? [] : [{ ...item, at: i }]))
  const joined = numbers.map(({ digits }) => digits).join('')
  const none: DateParts = { day: null, month: null, year: null }
  const ordered = (first: string, second: string): DateParts => {
    const [a, b] = [Number(first), Number(second)]
    return (isMonthFirst && a <= 12) || b > 12 ? { ...none, day: b, month: a } : { ...none, day: a, month: b }
  }
  const [first, second] = numbers
  if (
    first &&
    second &&
    isDay(first.digits) &&
    second.digits.length <= 2 &&
    isLinked(items, first.at, { to: second.at, words })
  )
    return { ...ordered(first.digits, second.digits), year: yearIn(numbers.slice(2)) }
  if (/^\d{8}$/.test(joined) && numbers.length <= 4)
    return { ...ordered(joined.slice(0, 2), joined.slice(2, 4)), year: Number(joined.slice(4)) }
  const isLed = first && isDay(first.digits) && words.dayLeads.has(items[first.at - 1]?.text ?? '')
  const isCount =
    first && (words.days.has(items[first.at + 1]?.text ?? '') || words.weeks.has(items[first.at + 1]?.text ?? ''))
  if (isLed && !isCount) return { ...none, day: Number(first.digits) }
  const isYear = numbers.length === 1 && /^(?:19|20)\d\d$/.test(joined)
  return isYear ? { ...none, year: Number(joined) } : none
}

function isLinked(items: readonly Item[], from: number, { to, words }: { to: number; words: CalendarWords }): boolean {
  const between = items.slice(from + 1, to)
  return between.every(({ text }) => words.links.has(text) || text === ',') && between.length <= 3
}

/** Days since Monday. */
const fromMonday = (weekday: number): number => (weekday + 6) % 7

/** "amanhã", "daqui a três dias", "sexta que vem". */
function daysFromNow(items: readonly Item[], words: CalendarWords, today: string): number | null {
  const said = ` ${items.map(({ text }) => text).join(' ')} `
  const found = words.relative.find(([phrase]) => said.includes(` ${phrase} `))
  if (found) return found[1]
  const at = items.findIndex(({ digits }) => digits !== '')
  const unit = items[at + 1]?.text ?? ''
  if (at !== -1 && items.some(({ text }) => words.fromNow.has(text))) {
    const count = Math.min(Number(items[at]?.digits.slice(0, 4)), 3660)
    if (words.days.has(unit)) return count
    if (words.weeks.has(unit)) return count * 7
  }
  const weekday = items.find(({ type, text }) => type === 'word' && words.weekdays.has(text))
  if (!weekday) return null
  const isNextWeek = words.nextWeek.some((phrase) => said.includes(` ${phrase} `))
  if (isNextWeek)
    return 7 + fromMonday(words.weekdays.get(weekday.text) ?? 0) - fromMonday(new Date(timeOf(today)).getUTCDay())
  const ahead = ((words.weekdays.get(weekday.text) ?? 0) - new Date(timeOf(today)).getUTCDay() + 7) % 7
  return ahead === 0 ? 7 : ahead
}
