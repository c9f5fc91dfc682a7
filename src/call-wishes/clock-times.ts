// Times of day in spoken text: "às vinte para as quatro", "half past three", "tres menos cuarto", "entre 10 e 11". Pure.
import type { PartOfDay } from '../base/time/zone.ts'

export type TimeOfDay = {
  /** Words, without the last. */
  from: number
  to: number
  /** 24 for midnight. */
  hour: number
  /** Negative: before the hour. */
  minute: number
  part: PartOfDay | null
  /** "antes das dez": an hour before. */
  isBefore: boolean
  /** The start of a range: "entre 10 e 11". */
  isRange: boolean
}

type Clock = { hour: number; minute: number; to: number; isMarked: boolean; part: PartOfDay | null }
type Words = readonly string[]

/** Longest first. */
const leads = [
  'por volta das|por volta de|la pelas|ali pelas|la pra|a partir das|a partir de las|despues de las|antes de las|como a las|tipo|depois das|apos as|antes das|antes do|antes da|antes del|ate as|ate|hasta las',
  'a las|a la|de las|pelas|as|das|umas|las|sobre las|after|before|around|about|at|by|until|from',
]
  .flatMap((line) => line.split('|'))
  .map((phrase) => phrase.split(' '))
const noons: readonly (readonly [words: Words, hour: number])[] = (
  [
    ['meio-dia', 12],
    ['meio dia', 12],
    ['mediodia', 12],
    ['medio dia', 12],
    ['noon', 12],
    ['midday', 12],
    ['meia-noite', 24],
    ['meia noite', 24],
    ['medianoche', 24],
    ['midnight', 24],
  ] as const
).map(([phrase, hour]) => [phrase.split(' '), hour])
const parts: readonly (readonly [words: Words, part: PartOfDay])[] = (
  [
    [
      'da manha|de manha|da madrugada|de la manana|de la madrugada|in the morning|this morning|tomorrow morning',
      'morning',
    ],
    [
      'da tarde|de tarde|a tarde|de la tarde|por la tarde|in the afternoon|this afternoon|tomorrow afternoon',
      'afternoon',
    ],
    ['da noite|de noite|a noite|de la noche|por la noche|in the evening|at night|tonight|this evening', 'evening'],
  ] as const
).flatMap(([phrases, part]) => phrases.split('|').map((phrase) => [phrase.split(' '), part] as const))
const units = /^(?:horas?|hs?|hrs?|oclock)$/
/** A number before one of these is not an hour. */
const otherUnits =
  /^(?:dias?|semanas?|mes|meses|days?|weeks?|months?|minutos?|minutes?|anos?|years?|reais|dolares|dollars)\b|^[/-]/
const ones = /^(?:uma|una|one)$/
const joints = /^(?:e|y|and|con|com)$/
const quarters: Readonly<Record<string, number>> = {
  meia: 30,
  media: 30,
  half: 30,
  cuarto: 15,
  quarter: 15,
  quarto: 15,
}

const startsWith = (words: Words, at: number, phrase: Words): boolean =>
  phrase.every((word, i) => words[at + i] === word)
const numberAt = (words: Words, at: number): number | null =>
  /^\d{1,2}$/.test(words[at] ?? '') ? Number(words[at]) : null

/** The first time of day; `unclear` if the caller left the choice open: "às 10 ou às 11". */
export function timeIn(words: Words): TimeOfDay | 'unclear' | null {
  for (let i = 0; i < words.length; i++) {
    const found = rangeAt(words, i) ?? timeAt(words, i)
    if (!found) continue
    return isChoice(words, found.to) ? 'unclear' : found
  }
  return null
}

/** "… ou às 11": another time follows. */
function isChoice(words: Words, at: number): boolean {
  if (!/^(?:ou|or|o)$/.test(words[at] ?? '')) return false
  return timeAt(words, at + 1) !== null || numberAt(words, at + 1) !== null
}

/** "entre 10 e 11", "das 2 às 4", "between two and four pm": its start. */
function rangeAt(words: Words, at: number): TimeOfDay | null {
  const isBetween = /^(?:entre|between)$/.test(words[at] ?? '')
  if (!isBetween && !/^(?:das|from|de)$/.test(words[at] ?? '')) return null
  const start = leadAt(words, isBetween ? at + 1 : at)
  const first = clockAt(words, start, { hasLead: true, isRange: true })
  if (!first) return null
  const isLinked = isBetween
    ? joints.test(words[first.to] ?? '')
    : /^(?:as|ate|to|until|till|a|hasta)$/.test(words[first.to] ?? '')
  const second = isLinked ? clockAt(words, leadAt(words, first.to + 1), { hasLead: true, isRange: true }) : null
  if (!second) return null
  const { hour, minute } = first
  return { from: at, to: second.to, hour, minute, part: first.part ?? second.part, isBefore: false, isRange: true }
}

/** The word after a lead: "às", "a las", "around". */
function leadAt(words: Words, at: number): number {
  const lead = leads.find((phrase) => startsWith(words, at, phrase))
  return at + (lead?.length ?? 0)
}

function timeAt(words: Words, at: number): TimeOfDay | null {
  const start = leadAt(words, at)
  // "la" and "a" alone are articles.
  const hasLead = start > at || (words[at] === 'a' && ones.test(words[at + 1] ?? ''))
  const place = start > at ? start : hasLead ? at + 1 : at
  const clock = minutesToAt(words, place) ?? clockAt(words, place, { hasLead, isRange: false })
  if (!clock || !isMeant(words, at, { ...clock, isMarked: clock.isMarked || hasLead })) return null
  const { hour, minute, part, to } = clock
  const isBefore = /^(?:antes|before)$/.test(words[at] ?? '')
  const isRange = /^(?:ate|hasta|until)$/.test(words[at] ?? '')
  return { from: at, to, hour, minute, part, isBefore, isRange }
}

/** Not the 20 of "dia 20", nor that of "20 dias". */
function isMeant(words: Words, from: number, { to, isMarked }: Clock): boolean {
  if (otherUnits.test(words[to] ?? '')) return false
  if (words[from - 1] === 'dia' && numberAt(words, from) !== null) return false
  return isMarked || (from === 0 && to === words.length)
}

/** "vinte para as quatro", "quarter to one", "ten past three", "cuarto para las tres". */
function minutesToAt(words: Words, at: number): Clock | null {
  const skipped = /^(?:a|um|un|faltam|faltan)$/.test(words[at] ?? '') ? at + 1 : at
  const count = numberAt(words, skipped) ?? quarters[words[skipped] ?? '']
  const joint = words[skipped + 1] ?? ''
  const isTo =
    /^(?:para|pra|pras|pro|to|till|til|before)$/.test(joint) || (joint === 'of' && words[skipped] === 'quarter')
  if (count === undefined || count > 59 || (!isTo && !/^(?:past|after)$/.test(joint))) return null
  const start = /^(?:as|a|o|las|la)$/.test(words[skipped + 2] ?? '') ? skipped + 3 : skipped + 2
  const hour = hourAt(words, start, true)
  if (hour?.minute !== 0) return null
  return suffixed(words, { ...hour, minute: isTo ? -count : count, isMarked: true, part: null })
}

type Place = { hasLead: boolean; isRange: boolean }

function clockAt(words: Words, at: number, { hasLead, isRange }: Place): Clock | null {
  const hour = hourAt(words, at, hasLead)
  if (!hour) return null
  const withUnit = units.test(words[hour.to] ?? '') ? { ...hour, to: hour.to + 1, isMarked: true } : hour
  const minutes = hour.hasMinutes || isRange ? null : minutesAfter(words, withUnit.to, hasLead)
  const clock = minutes
    ? { ...withUnit, minute: minutes.minute, to: minutes.to, isMarked: withUnit.isMarked || minutes.isMarked }
    : withUnit
  const whole = suffixed(words, { ...clock, part: null })
  return whole.hour <= 24 && Math.abs(whole.minute) <= 59 ? whole : null
}

type Hour = { hour: number; minute: number; to: number; isMarked: boolean; hasMinutes: boolean }

function hourAt(words: Words, at: number, hasLead: boolean): Hour | null {
  const article = /^(?:ao|no|a|al|at)$/.test(words[at] ?? '') ? at + 1 : at
  const noon = noons.find(([phrase]) => startsWith(words, article, phrase))
  if (noon) return { hour: noon[1], minute: 0, to: article + noon[0].length, isMarked: true, hasMinutes: false }
  const tight = /^(\d{1,2})(?::|h)(\d{2})$/.exec(words[at] ?? '')
  if (tight) return { hour: Number(tight[1]), minute: Number(tight[2]), to: at + 1, isMarked: true, hasMinutes: true }
  const short = /^(\d{1,2})(?:h|hs|hrs)$/.exec(words[at] ?? '')
  if (short) return { hour: Number(short[1]), minute: 0, to: at + 1, isMarked: true, hasMinutes: false }
  const hour = numberAt(words, at)
  if (hour !== null && hour <= 24) return { hour, minute: 0, to: at + 1, isMarked: false, hasMinutes: false }
  return hasLead && ones.test(words[at] ?? '')
    ? { hour: 1, minute: 0, to: at + 1, isMarked: true, hasMinutes: false }
    : null
}

type Minutes = { minute: number; to: number; isMarked: boolean }

/** "e meia", "y cuarto", "menos cuarto", "thirty", "oh five". */
function minutesAfter(words: Words, at: number, hasLead: boolean): Minutes | null {
  const isLess = words[at] === 'menos'
  if (isLess || joints.test(words[at] ?? '')) {
    const place = /^(?:a|um|un)$/.test(words[at + 1] ?? '') && quarters[words[at + 2] ?? ''] ? at + 2 : at + 1
    const isOne = ones.test(words[place] ?? '') || words[place] === 'un' || words[place] === 'um'
    const minute = quarters[words[place] ?? ''] ?? (isOne ? 1 : numberAt(words, place))
    if (minute === null || minute === undefined || otherUnits.test(words[place + 1]?.replace(/^minut.*/, '') ?? ''))
      return null
    const to = /^minut[eo]s?$/.test(words[place + 1] ?? '') ? place + 2 : place + 1
    return { minute: isLess ? -minute : minute, to, isMarked: true }
  }
  const [tens, digit] = [words[at] ?? '', words[at + 1] ?? '']
  // "nine thirty tomorrow"
  const isUsual = /^(?:15|30|45)$/.test(tens) && Number(words[at - 1]) <= 12
  const isMarked =
    hasLead || isUsual || /^(?:am|pm)$/.test(words[at + 1] ?? '') || /^(?:am|pm)$/.test(words[at + 2] ?? '')
  if (!isMarked && !isPart(words, at + 1)) return null
  if (tens === '0' && /^\d$/.test(digit)) return { minute: Number(digit), to: at + 2, isMarked: true }
  if (!/^(?:0\d|[1-5]\d)$/.test(tens) || otherUnits.test(digit)) return null
  return { minute: Number(tens), to: at + 1, isMarked: true }
}

const isPart = (words: Words, at: number): boolean => parts.some(([phrase]) => startsWith(words, at, phrase))

/** "da tarde", "pm", "em ponto". */
function suffixed(words: Words, clock: Clock): Clock {
  const exact = startsWith(words, clock.to, ['em', 'ponto']) || startsWith(words, clock.to, ['en', 'punto'])
  const at = clock.to + (exact ? 2 : units.test(words[clock.to] ?? '') ? 1 : 0)
  const meridiem = /^(am|pm)$/.exec(words[at] ?? '')
  if (meridiem) return { ...clock, to: at + 1, isMarked: true, part: meridiem[1] === 'am' ? 'morning' : 'afternoon' }
  const found = parts.find(([phrase]) => startsWith(words, at, phrase))
  if (found) return { ...clock, to: at + found[0].length, isMarked: true, part: found[1] }
  return at === clock.to ? clock : { ...clock, to: at, isMarked: true }
}
