// Dictated dates as ISO: "doze de março de oitenta e cinco", 12/03/1985, "sexta que vem".
import { DAY_MS } from '../base/time/clock.ts'
import { type CalendarWords, calendarWordsOf } from './calendar-words.ts'
import { feastIn } from './feasts.ts'
import { complete, failed, type Reading, type ReadingContext } from './kinds.ts'
import { versionsIn } from './self-repair.ts'
import { type Item, itemsIn } from './spoken-numbers.ts'
import { dictationLanguage } from './tokens.ts'

/** The parts of a date that were said; null if missing. */
type DateParts = { day: number | null; month: number | null; year: number | null }

const noParts: DateParts = { day: null, month: null, year: null }
/** Two-digit years up to this many years ahead belong to this century: 26 is 2026, 85 is 1985. */
const YEARS_AHEAD = 10
/** Used when today is unknown: then only completeness matters. */
const ANY_DAY = '2026-01-01'

export function readDate(text: string, { language, today = ANY_DAY }: ReadingContext): Reading {
  const words = calendarWordsOf(dictationLanguage(language))
  let parts = noParts
  let found: Reading = failed('none')
  for (const version of versionsIn(text, language)) {
    const items = withOrdinals(joinedItems(itemsIn(version, language)), words)
    if (isChoice(items, words)) return failed('unclear')
    const said = dateParts(items, { words, isMonthFirst: isMonthFirst(language) })
    // "dia quinze, não, dezesseis": the rest of the date stays.
    const day = said.day ?? (parts.day === null ? null : onlyDay(items))
    const year = said.year ?? yearNamed(items, words, today) ?? parts.year
    parts = { day: day ?? parts.day, month: said.month ?? parts.month, year }
    const reading = dateOf(items, { words, language, today, parts })
    if (reading.isComplete || reading.problem !== 'none') found = reading
  }
  return found
}

/** "deste ano", "last year"; null if none is named. */
function yearNamed(items: readonly Item[], { years }: CalendarWords, today: string): number | null {
  const said = wordsOf(items)
  const found = years.find(([phrase]) => said.includes(` ${phrase} `))
  return found ? yearOf(today) + found[1] : null
}

/** "zero cinco" is 05, "mil, novecentos e setenta e três" is 1973. */
function joinedItems(items: readonly Item[]): Item[] {
  const result: Item[] = []
  for (const item of items) {
    const [before, last] = [result.at(-2), result.at(-1)]
    const isRest = last?.text === ',' && /^[12]000$/.test(before?.digits ?? '') && item.digits.length === 3
    if (last?.digits === '0' && last.type !== 'mark' && /^\d$/.test(item.digits))
      result.splice(-1, 1, { ...last, digits: `0${item.digits}` })
    else if (isRest) result.splice(-2, 2, { ...item, digits: String(Number(before?.digits) + Number(item.digits)) })
    else result.push(item)
  }
  return result
}

/** Between spaces, without marks. */
const wordsOf = (items: readonly Item[]): string =>
  ` ${items.flatMap(({ type, text }) => (type === 'mark' ? [] : [text])).join(' ')} `

type DateContext = { words: CalendarWords; language: string; today: string; parts: DateParts }

function dateOf(items: readonly Item[], context: DateContext): Reading {
  const { words, today, parts } = context
  if (parts.day !== null && parts.month !== null)
    return wholeDate(parts as DateParts & { day: number; month: number }, today)
  const said = wordsOf(items)
  if (parts.day !== null && words.nextMonth.some((phrase) => said.includes(` ${phrase} `)))
    return dayOfMonth(parts.day, `${monthsAfter(today, 1).slice(0, 8)}01`)
  const hasPhrase = (phrase: string) => said.includes(` ${phrase} `)
  const named = edgeOfMonth(said, context) ?? namedDay(said, context)
  if (named) return named
  // "quinta-feira, dia 19": the day of the month counts.
  const isCounted =
    countedFromToday(items, words, today) !== null || words.relative.some(([phrase]) => hasPhrase(phrase))
  if (parts.day !== null && parts.year === null && !isCounted) return dayOfMonth(parts.day, today)
  const relative = relativeDay(items, words, today)
  if (relative !== null) return complete(relative)
  if (words.vague.some(hasPhrase)) return failed('unclear')
  return parts.month !== null || parts.year !== null ? failed('incomplete', saidOf(parts)) : failed('none')
}

/** "o último dia do mês", "the first business day of next month": holidays besides New Year's Day are not known. */
function edgeOfMonth(said: string, { words, today }: DateContext): Reading | null {
  const has = (phrases: readonly string[]) => phrases.some((phrase) => said.includes(` ${phrase} `))
  const isLast = has(words.lastWorkday)
  if (!isLast && !has(words.firstWorkday) && !has(words.monthEnd)) return null
  const isNext = has(words.nextMonth)
  const end = monthsAfter(`${today.slice(0, 8)}01`, isNext ? 2 : 1)
  if (!isLast && !has(words.firstWorkday)) return complete(daysAfter(end, -1))
  const isFree = (day: string) => /^(?:0|6)$/.test(String(new Date(timeOf(day)).getUTCDay())) || day.endsWith('-01-01')
  let day = isLast ? daysAfter(end, -1) : monthsAfter(`${today.slice(0, 8)}01`, isNext ? 1 : 0)
  for (let i = 0; i < 4 && isFree(day); i++) day = daysAfter(day, isLast ? -1 : 1)
  if (day >= today) return { isComplete: true, value: day, isAssumed: true }
  return edgeOfMonth(said, { words, today: end, language: '', parts: noParts })
}

/** "Natal", "Thanksgiving": the next one, or the one of a year. */
function namedDay(said: string, { language, today, parts }: DateContext): Reading | null {
  const feast = feastIn(said, language)
  if (feast === null || feast === 'unclear') return feast && failed(feast)
  if (parts.year !== null) return complete(feast(fullYear(parts.year, today)))
  const day = [0, 1].map((ahead) => feast(yearOf(today) + ahead)).find((one) => one >= today)
  return day === undefined ? failed('unclear') : { isComplete: true, value: day, isAssumed: true }
}

/** "dia 10 ou 12", "entre sexta e sábado". */
function isChoice(items: readonly Item[], words: CalendarWords): boolean {
  const isDateLike = ({ text, digits }: Item) =>
    isDay(digits) ||
    words.weekdays.has(text) ||
    words.months.has(text) ||
    words.relative.some(([phrase]) => phrase === text)
  return items.some(({ text }, i) => {
    if (!words.choices.has(text)) return false
    const next = items.slice(i + 1, i + 4).find((one) => isDateLike(one) || one.text === 'depois')
    if (/^(?:entre|between)$/.test(text)) return next !== undefined
    const before = items.slice(Math.max(0, i - 3), i)
    return next !== undefined && before.some(isDateLike)
  })
}

/** A number that stands alone in a correction. */
function onlyDay(items: readonly Item[]): number | null {
  const numbers = items.filter(({ digits }) => digits !== '')
  return numbers.length === 1 && isDay(numbers[0]?.digits ?? '') ? Number(numbers[0]?.digits) : null
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
  for (const [i, item] of items.entries()) {
    // "vinte e sete do um de 2009"
    const isMonth = /^(?:um|uno)$/.test(item.text) && /^del?|do$/.test(items[i - 1]?.text ?? '') && items[i - 2]?.digits
    const value =
      item.type === 'word' && item.digits === '' ? (ordinals.get(item.text) ?? (isMonth ? 1 : undefined)) : undefined
    const before = result.at(-1)
    if (value === undefined) result.push(item)
    else if (before?.text === '-' && value < 10 && /^[23]0$/.test(result.at(-2)?.digits ?? '')) {
      result.pop()
      joinOrdinal(result, value)
    } else if (value < 10 && /^[23]0$/.test(before?.digits ?? '')) joinOrdinal(result, value)
    else result.push({ ...item, type: 'figures', digits: String(value) })
  }
  return result
}

function joinOrdinal(items: Item[], value: number): void {
  const tens = items.pop() as Item
  items.push({ ...tens, digits: String(Number(tens.digits) + value) })
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
  const numbers = items.slice(0, at).filter(({ digits }) => digits !== '')
  const before = numbers.at(-1)
  const after = items.slice(at + 1).filter(({ digits }) => digits !== '')
  // "two of us at 4, but it is April ninth": the number next to the month.
  const isNear = before !== undefined && at - items.indexOf(before) <= 3
  const hasDayAfter = isDay(items[at + 1]?.digits ?? '')
  const dayIsBefore =
    before !== undefined &&
    isDay(before.digits) &&
    (isNear || !hasDayAfter) &&
    !(hasDayAfter && at - items.indexOf(before) > 2)
  const dayAfter = after.findIndex(({ digits }) => isDay(digits))
  const day = dayIsBefore ? before : after[dayAfter]
  // "março de 1985, dia 12", "1985 March 12"
  const rest = dayIsBefore ? after : after.filter((_, i) => i !== dayAfter)
  const year = yearIn(rest) ?? yearIn(dayIsBefore ? numbers.slice(0, -1).slice(-3) : numbers.slice(-3))
  return { day: day ? Number(day.digits) : null, month, year }
}

/** "mil novecentos e oitenta e cinco", 1985, 85; "nineteen eighty five" and "nineteen oh five" as several numbers. */
function yearIn(items: readonly Item[]): number | null {
  const [first, second, third] = items
  if (!first) return null
  const digits = `${second?.digits}${third?.digits}`
  if (/^(?:19|20)$/.test(first.digits) && /^0\d$/.test(digits)) return Number(first.digits + digits)
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
  // "zero cinco, zero três, oitenta e um"
  if (/^\d{6}$/.test(joined) && numbers.length === 3 && isDay(joined.slice(0, 2)) && Number(joined.slice(2, 4)) <= 12)
    return { ...ordered(joined.slice(0, 2), joined.slice(2, 4)), year: Number(joined.slice(4)) }
  if (/^\d{8}$/.test(joined) && numbers.length <= 4)
    return { ...ordered(joined.slice(0, 2), joined.slice(2, 4)), year: Number(joined.slice(4)) }
  const lead = items[(first?.at ?? 0) - 1]?.text ?? ''
  // "dia 15", "el martes 24", "terça-feira 24"
  const isLed =
    first && isDay(first.digits) && (words.dayLeads.has(lead) || words.weekdays.has(lead) || lead === 'feira')
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

const daysAfter = (today: string, days: number) => isoOf(timeOf(today) + days * DAY_MS)

/** The same day of another month, or its last one. */
function monthsAfter(today: string, months: number): string {
  const [year, month, day] = [yearOf(today), Number(today.slice(5, 7)) + months, Number(today.slice(8, 10))]
  const last = new Date(Date.UTC(year, month, 0))
  return isoOf(Math.min(last.getTime(), Date.UTC(year, month - 1, day)))
}

/** "amanhã", "daqui a três dias", "a week ago", "sexta que vem". */
function relativeDay(items: readonly Item[], words: CalendarWords, today: string): string | null {
  const counted = countedFromToday(items, words, today)
  if (counted !== null) return counted
  const days = daysFromNow(items, words, today)
  return days === null ? null : daysAfter(today, days)
}

const article = /^(?:uma?|una?|an?|one)$/

function countedFromToday(items: readonly Item[], words: CalendarWords, today: string): string | null {
  const isUnit = (text: string) => words.days.has(text) || words.weeks.has(text) || words.monthUnits.has(text)
  const at = items.findIndex(({ text }, i) => isUnit(text) && countBefore(items, i) !== null)
  const isAgo = items.some(({ text }) => words.ago.has(text))
  if (at === -1 || !(isAgo || items.some(({ text }) => words.fromNow.has(text)))) return null
  const count = Math.min(countBefore(items, at) ?? 0, 3660) * (isAgo ? -1 : 1)
  const unit = items[at]?.text ?? ''
  if (words.monthUnits.has(unit)) return monthsAfter(today, count)
  // "a week from tomorrow"
  const start = items.some(({ text }) => text === 'tomorrow') ? 1 : 0
  return daysAfter(today, start + (words.weeks.has(unit) ? count * 7 : count))
}

function countBefore(items: readonly Item[], at: number): number | null {
  const { digits = '', text = '' } = items[at - 1] ?? {}
  return digits !== '' ? Number(digits.slice(0, 4)) : article.test(text) ? 1 : null
}

function daysFromNow(items: readonly Item[], words: CalendarWords, today: string): number | null {
  const said = wordsOf(items)
  const found = words.relative.find(([phrase]) => said.includes(` ${phrase} `))
  if (found) return found[1]
  const weekday = items.find(({ type, text }) => type === 'word' && words.weekdays.has(text))
  if (!weekday) return null
  const isNextWeek = words.nextWeek.some((phrase) => said.includes(` ${phrase} `))
  if (isNextWeek)
    return 7 + fromMonday(words.weekdays.get(weekday.text) ?? 0) - fromMonday(new Date(timeOf(today)).getUTCDay())
  const ahead = ((words.weekdays.get(weekday.text) ?? 0) - new Date(timeOf(today)).getUTCDay() + 7) % 7
  if (items.some(({ text }) => words.past.has(text))) return ahead - 7
  // "el jueves en ocho"
  const later = / en (?:ocho|8) /.test(said) ? 7 : 0
  return (ahead === 0 ? 7 : ahead) + later
}
