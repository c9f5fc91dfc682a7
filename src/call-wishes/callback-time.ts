// Parses the time of a call-back: "amanhã às 10", "daqui a duas horas", "segunda de manhã", or a local ISO time. Pure.
import { DAY_MS } from '../base/time/clock.ts'
import { instantOf, localDate, offsetAt, type PartOfDay } from '../base/time/zone.ts'
import { calendarWordsOf } from '../dictation/calendar-words.ts'
import { readDate } from '../dictation/dates.ts'
import { versionsIn } from '../dictation/self-repair.ts'
import { itemsIn } from '../dictation/spoken-numbers.ts'
import { dictationLanguage } from '../dictation/tokens.ts'
import { type TimeOfDay, timeIn } from './clock-times.ts'

type CallbackTimeContext = {
  /** BCP 47. */
  language: string
  nowMs: number
  /** IANA name of the person's time zone. */
  timeZone: string
}

export type CallbackTime =
  /** `isExact`: a time of day was given; otherwise one was chosen for the day or its part. */
  | { atMs: number; isExact: boolean }
  /** `incomplete`: a call-back without a time; `past`: the time has passed; `too_far`: more than MAX_DAYS ahead. */
  | { problem: 'none' | 'incomplete' | 'past' | 'too_far' }

export const MAX_DAYS = 90
const MINUTE_MS = 60_000
/** Used for a day without a time. */
const ANY_TIME = 10 * 60
/** Earlier hours must be explicit: "às três" means the afternoon. */
const FIRST_HOUR = 8
const LAST_HOUR = 20

const partMinutes: Readonly<Record<PartOfDay, number>> = { morning: 9 * 60, afternoon: 14 * 60, evening: 19 * 60 }

const isoTime = /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?\s*$/

export function readCallbackTime(text: string, context: CallbackTimeContext): CallbackTime {
  const found = isoReading(text, context) ?? spokenReading(text, context)
  if ('problem' in found) return found
  if (found.atMs <= context.nowMs) return { problem: 'past' }
  return found.atMs > context.nowMs + MAX_DAYS * DAY_MS ? { problem: 'too_far' } : found
}

function isoReading(text: string, { timeZone }: CallbackTimeContext): CallbackTime | null {
  const [, date, hour, minute, offset] = isoTime.exec(text.slice(0, 60)) ?? []
  if (!date || !hour || !minute) return null
  const atMs = offset
    ? Date.parse(`${date}T${hour}:${minute}:00${offset === 'Z' ? offset : `${offset.slice(0, 3)}:${offset.slice(-2)}`}`)
    : localMs(date, Number(hour) * 60 + Number(minute), timeZone)
  return Number.isNaN(atMs) || Number(hour) > 23 ? { problem: 'none' } : { atMs, isExact: true }
}

/** What follows is meant for the call: "saio às cinco, então me liga às seis". */
const callVerbs =
  /(?<!\p{L})(?:liga|ligue|ligar|retorna|retorne|ent[aã]o|call me|call|try me|so,?|let['’]?s say|llame|ll[aá]me(?:me)?|m[aá]rque(?:me)?|entonces|h[aá]bleme)(?!\p{L})/iu

type Parts = { time: TimeOfDay | null; part: PartOfDay | null; date: string | null; isVague: boolean }

function spokenReading(text: string, context: CallbackTimeContext): CallbackTime {
  const { language, nowMs, timeZone } = context
  const today = localDate(timeZone, nowMs)
  let said: Parts = { time: null, part: null, date: null, isVague: false }
  // "às três, não, às quatro": the later version of each part counts.
  for (const version of versionsIn(text, language).flatMap((one) => one.split(callVerbs))) {
    const plain = plainText(version, language)
    const laterMs = durationIn(plain)
    if (laterMs !== null) return { atMs: nowMs + laterMs, isExact: true }
    const found = partsIn(plain, { language, today })
    if (found === 'unclear') return { problem: 'incomplete' }
    said = {
      time: found.time ?? said.time,
      // "às oito da noite, não, às nove": in the evening too.
      part: found.part ?? (found.time && found.time.hour >= 12 ? null : said.part),
      date: found.date ?? said.date,
      isVague: said.isVague || found.isVague,
    }
  }
  return instantFor(said, today, context)
}

function partsIn(plain: string, day: { language: string; today: string }): Parts | 'unclear' {
  const words = plain.trim().split(' ')
  const time = timeIn(words)
  if (time === 'unclear') return time
  const rest = time ? ` ${words.slice(0, time.from).join(' ')} ${words.slice(time.to).join(' ')} ` : plain
  const date = dayIn(rest, day)
  if (date === 'unclear') return date
  return { time, part: time?.part ?? partIn(rest), date, isVague: vague.test(plain) }
}

function instantFor(
  { time, part, date, isVague }: Parts,
  today: string,
  { nowMs, timeZone }: CallbackTimeContext,
): CallbackTime {
  if (!time && !part && (date === null || date === today))
    return { problem: isVague || date !== null ? 'incomplete' : 'none' }
  const minutes = time ? minutesOf(time, part) : part ? partMinutes[part] : ANY_TIME
  const atMs = localMs(date ?? today, minutes, timeZone)
  if (!time) return { atMs: date === today || date === null ? nextInPart(atMs, nowMs) : atMs, isExact: false }
  const isExact = !time.isRange && !time.isBefore
  if (date !== null || atMs > nowMs) return { atMs, isExact }
  // "às 9", said at eleven: this evening, or tomorrow if that would be too late.
  const isUnmarked = part === null && minutes < 12 * 60 && minutes + 12 * 60 <= LAST_HOUR * 60
  const inEvening = localMs(today, minutes + 12 * 60, timeZone)
  if (isUnmarked && inEvening > nowMs) return { atMs: inEvening, isExact }
  return { atMs: localMs(dayAfter(today), minutes, timeZone), isExact }
}

/** "hoje à tarde", said in the afternoon: in an hour. */
const nextInPart = (atMs: number, nowMs: number) => Math.max(atMs, nowMs + 60 * MINUTE_MS)

/** Folded text, with numbers in figures. */
function plainText(text: string, language: string): string {
  const spoken = text
    .replace(/\b([ap])\.\s?m\b\.?/gi, '$1m')
    .replace(/o['’]clock/gi, 'oclock')
    .replace(/(\d)([ap]m)\b/gi, '$1 $2')
  let said = ''
  for (const { isTight, digits, text: word, raw } of itemsIn(spoken, language)) {
    const shown = word === 'meia' || digits === '' ? word || raw.toLowerCase() : digits
    said += isTight ? shown : ` ${shown}`
  }
  return ` ${said
    .replace(/[,.;!?¿¡]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `
}

const duration =
  / (?:daqui(?: a)?|dentro de|em|in|within|en|de aqui a|give me|me da|me de|deme|dame|espera|espere) (?:uma?s |unas |unos |mais |about |another )?(\d{1,4}|uma?|una?|an|a couple of|um par de|un par de|a|one|meia|media|half an?)(?: (?:and a half|e meia|y media))? (horas?|horinhas?|horitas?|h|hours?|minutos?|minutinhos?|minutitos?|minutes?|min)\b(?: (?:e|y|and) (meia|media|a half|\d{1,2})\b)?/
const singular = /^(?:uma?|una?|an|a|one)$/

/** "daqui a duas horas" and the like, in milliseconds. */
function durationIn(said: string): number | null {
  if (
    / (?:tres quartos de hora|tres cuartos de hora|3 quartos de hora|3 cuartos de hora|three quarters of an hour) /.test(
      said,
    )
  )
    return 45 * MINUTE_MS
  if (/ (?:en|em|in) (?:hora y media|hora e meia) /.test(said)) return 90 * MINUTE_MS
  const found = duration.exec(said)
  if (!found) return null
  const [whole, count = '', unit = '', more] = found
  const isHalf = /^(?:meia|media|half)/.test(count)
  const number = isHalf ? 0.5 : singular.test(count) ? 1 : /par|couple/.test(count) ? 2 : Number(count)
  const unitMs = unit.startsWith('h') ? 60 * MINUTE_MS : MINUTE_MS
  const half = / (?:and a half|e meia|y media)/.test(whole) ? unitMs / 2 : 0
  const minutes = more && /^\d/.test(more) ? Number(more) * MINUTE_MS : 0
  return number * unitMs + half + minutes
}

function minutesOf({ hour, minute, isBefore }: TimeOfDay, part: PartOfDay | null): number {
  const isLate = part === 'afternoon' || part === 'evening' || (part === null && hour >= 1 && hour < FIRST_HOUR)
  // "12 da noite" is midnight, "12 am" too.
  const base =
    hour === 12 && part === 'evening'
      ? 24
      : isLate && hour < 12
        ? hour + 12
        : part === 'morning' && hour === 12
          ? 0
          : hour
  return base * 60 + minute - (isBefore ? 60 : 0)
}

const inMorning = / (?:(?:de|da|pela|na|a) manha|manha|(?:por|de|en|a) la manana|morning) /
const inAfternoon = / (?:afternoon|tarde) /
const inEvening = / (?:noite|noche|evening|tonight|night) /
const later = / (?:mais|mas) tarde /g

function partIn(said: string): PartOfDay | null {
  const plain = said.replace(later, ' ')
  if (inMorning.test(plain)) return 'morning'
  if (inAfternoon.test(plain)) return 'afternoon'
  return inEvening.test(plain) ? 'evening' : null
}

const vague =
  / (?:mais tarde|mas tarde|depois|outr[oa] (?:hora|dia|horario|momento)|otr[oa] (?:hora|dia|momento)|luego|later|another (?:time|day)|some other time|daqui a pouco|em breve|soon) /

/** The day as an ISO date; null if none was given. */
function dayIn(said: string, { language, today }: { language: string; today: string }): string | 'unclear' | null {
  const words = calendarWordsOf(dictationLanguage(language))
  const plain = said.replace(/ (?:por|de|en|a) la manana /g, ' ').replace(/ to(?:night) /g, ' today ')
  const reading = readDate(plain, { language, today })
  if (reading.isComplete) return reading.value
  if (reading.problem === 'unclear') return 'unclear'
  return words.nextWeek.some((phrase) => plain.includes(` ${phrase} `)) ? plusDays(today, 7) : null
}

const plusDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
const dayAfter = (date: string) => plusDays(date, 1)

/** The instant of a local date and minute of the day. A time that a clock change skips is moved forward by the gap. */
function localMs(date: string, minutes: number, timeZone: string): number {
  const asUtc = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS
  if (Number.isNaN(asUtc)) return asUtc
  return instantOf(asUtc, (atMs) => offsetAt(timeZone, atMs))
}

/** In words, to be spoken: "terça-feira, 17 de novembro, às 10:00". */
export const spokenTime = (atMs: number, { language, timeZone }: Pick<CallbackTimeContext, 'language' | 'timeZone'>) =>
  new Intl.DateTimeFormat(language, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
  }).format(atMs)
