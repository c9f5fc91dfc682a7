// Sentences that say a known value: amounts of money, numbers, times and dates, as callers say them and Whisper writes them.
import { type Tongue, tongues } from './spoken-words.ts'

export type SpokenKind = 'money' | 'number' | 'time' | 'date'
/** `value`: null where the sentence leaves it open and the caller must be asked. */
export type Spoken = { kind: SpokenKind; text: string; value: string | null }
type Random = () => number

/** A reproducible sequence from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const between = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

export type Code = keyof typeof tongues
export const tagOf = (code: Code): string => tongues[code].tag

const whole = (random: Random): number => {
  const size = pick(random, [1, 1, 2, 2, 3, 3, 4, 5, 6])
  const n = between(random, size === 1 ? 1 : 10 ** (size - 1), 10 ** size - 1)
  return random() < 0.4 && n > 100 ? Math.max(100, n - (n % (10 ** (size - 1) / (size > 2 ? 10 : 1)))) : n
}

/** Figures with the separators of the language. */
const figures = (n: number, { thousands }: Tongue, hasSeparators: boolean): string =>
  hasSeparators ? String(n).replace(/\B(?=(\d{3})+$)/g, thousands) : String(n)

/** Words, sometimes with the commas that Whisper writes after thousands. */
function inWords(random: Random, n: number, { word }: Tongue): string {
  const said = word(n)
  return random() < 0.4
    ? said.replace(/(mil|milh(?:ão|ões)|thousand|million|mill(?:ón|ones)) (?!e |y |and |mil)(?=\S{3,})/g, '$1, ')
    : said
}

/** An amount in hundredths. */
function amount(random: Random, total: number, tongue: Tongue): string {
  const [units, cents] = [Math.floor(total / 100), total % 100]
  const { one, many, symbol, decimal, and, word } = tongue
  const name = units === 1 ? one : many
  const centsName = cents === 1 ? tongue.cent : tongue.cents
  const form = random()
  if (form < 0.2) {
    const withCents = cents > 0 || random() < 0.5 ? `${decimal}${String(cents).padStart(2, '0')}` : ''
    return `${symbol}${figures(units, tongue, units > 999)}${withCents}`
  }
  if (form < 0.35)
    return `${figures(units, tongue, random() < 0.5)} ${name}${cents > 0 ? `${and}${cents} ${centsName}` : ''}`
  if (cents === 50 && form < 0.6) return `${inWords(random, units, tongue)} ${name} ${tongue.half}`
  const hasName = cents < 10 || tongue.tag === 'en-US' || random() < 0.6
  const tail = cents === 0 ? '' : `${and}${word(cents)}${hasName ? ` ${centsName}` : ''}`
  return `${inWords(random, units, tongue)} ${name}${tail}`
}

const written = (total: number, { code }: Tongue): string => `${(total / 100).toFixed(2)} ${code}`
const someTotal = (random: Random): number =>
  whole(random) * 100 + (random() < 0.4 ? pick(random, [50, 90, 99, 5, 10, 25, between(random, 1, 99)]) : 0)
const framed = (random: Random, text: string, { before, after }: Tongue): string =>
  `${pick(random, before)}${text}${pick(random, after)}`

function money(random: Random, tongue: Tongue): Omit<Spoken, 'kind'> {
  const total = someTotal(random)
  const value = written(total, tongue)
  const said = amount(random, total, tongue)
  const form = random()
  if (form < 0.45) return { text: framed(random, said, tongue), value }
  if (form < 0.55) return { text: `${pick(random, tongue.before)}${said}${pick(random, tongue.traps)}`, value }
  if (form < 0.63) return { text: framed(random, pick(random, tongue.installments) + said, tongue), value }
  if (form < 0.73) {
    const wrong = amount(random, someTotal(random), tongue)
    return { text: framed(random, `${wrong}${pick(random, tongue.repairs)}${said}`, tongue), value }
  }
  if (form < 0.8) {
    const other = whole(random)
    const low = random() < 0.5 ? String(other) : tongue.word(other)
    return { text: pick(random, tongue.ranges)(low, said), value: total === other * 100 ? value : null }
  }
  if (form < 0.88) {
    const cents = between(random, 1, 99)
    const count = random() < 0.5 ? tongue.word(cents) : String(cents)
    return {
      text: framed(random, `${count} ${cents === 1 ? tongue.cent : tongue.cents}`, tongue),
      value: written(cents, tongue),
    }
  }
  if (form < 0.94) {
    const [tens, digit] = [between(random, 2, 9) * 10, between(random, 1, 9)]
    const joint = tongue.tag === 'en-US' ? '' : tongue.tag === 'pt-BR' ? ' e' : ' y'
    const hesitating = `${tongue.word(tens === 20 ? 30 : tens)}${joint}${pick(random, tongue.fillers)} ${tongue.word(digit)} ${tongue.many}`
    return { text: hesitating, value: written(((tens === 20 ? 30 : tens) + digit) * 100, tongue) }
  }
  const millions = between(random, 1, 9)
  const name = tongue.million[millions === 1 ? 0 : 1]
  const isHalf = random() < 0.5
  const count = `${tongue.word(millions)} ${name}${isHalf ? ` ${tongue.half}` : ''}`
  return {
    text: framed(random, `${count}${tongue.of}${tongue.many}`, tongue),
    value: written((millions + (isHalf ? 0.5 : 0)) * 1e8, tongue),
  }
}

function number(random: Random, tongue: Tongue): Omit<Spoken, 'kind'> {
  const n = whole(random)
  const said = random() < 0.5 ? inWords(random, n, tongue) : figures(n, tongue, random() < 0.3)
  const form = random()
  if (form < 0.4) return { text: framed(random, said, tongue), value: String(n) }
  if (form < 0.55) return { text: framed(random, `${said} ${pick(random, tongue.things)}`, tongue), value: String(n) }
  if (form < 0.65) return { text: `${tongue.minus} ${said}`, value: String(-n) }
  if (form < 0.75)
    return {
      text: framed(random, `${tongue.word(n)} ${tongue.half}`, tongue),
      value: n < 1000 || n % 1000 > 0 ? String(n + 0.5) : null,
    }
  if (form < 0.85) {
    const part = between(random, 1, 9)
    return {
      text: framed(random, `${tongue.word(n)} ${tongue.point} ${tongue.word(part)}`, tongue),
      value: `${n}.${part}`,
    }
  }
  const other = whole(random)
  if (form < 0.93)
    return {
      text: framed(random, `${tongue.word(other)}${pick(random, tongue.repairs)}${said}`, tongue),
      value: String(n),
    }
  return { text: pick(random, tongue.ranges)(said, tongue.word(other)), value: other === n ? String(n) : null }
}

type TimeForms = (hour: number, minute: number, tongue: Tongue) => string[]
const twelve = (hour: number): number => (hour % 12 === 0 ? 12 : hour % 12)
const two = (n: number): string => String(n).padStart(2, '0')

const timeForms: Readonly<Record<Code, TimeForms>> = {
  pt(hour, minute, { word }) {
    const part = hour < 12 ? 'da manhã' : hour < 19 ? 'da tarde' : 'da noite'
    const as = (h: number) => (h === 1 ? 'à' : 'às')
    const h12 = twelve(hour)
    const said = word(h12, true)
    const forms = [
      `às ${hour}:${two(minute)}`,
      `às ${hour}h${minute === 0 ? '' : two(minute)}`,
      `${as(hour)} ${word(hour, true)} horas${minute === 0 ? '' : ` e ${word(minute)} minutos`}`,
    ]
    if (hour !== 12)
      forms.push(`${as(h12)} ${said}${minute === 0 ? '' : minute === 30 ? ' e meia' : ` e ${word(minute)}`} ${part}`)
    if (hour === 12) forms.push(`ao meio-dia${minute === 0 ? '' : minute === 30 ? ' e meia' : ` e ${word(minute)}`}`)
    const next = hour + 1
    if (minute >= 40 && minute <= 55 && next !== 13) {
      const target = next === 12 ? 'o meio-dia' : `${twelve(next) === 1 ? 'a' : 'as'} ${word(twelve(next), true)}`
      const p = next < 12 || next === 12 ? (next === 12 ? '' : ' da manhã') : next < 19 ? ' da tarde' : ' da noite'
      forms.push(`às ${word(60 - minute)} para ${target}${p}`)
    }
    return forms
  },
  en(hour, minute, { word }) {
    const half = hour < 12 ? 'am' : 'pm'
    const part = hour < 12 ? 'in the morning' : hour < 18 ? 'in the afternoon' : 'in the evening'
    const h = twelve(hour)
    const spoken = minute === 0 ? '' : minute < 10 ? ` oh ${word(minute)}` : ` ${word(minute)}`
    const forms = [
      `at ${h}:${two(minute)} ${half}`,
      `at ${word(h)}${spoken} ${half}`,
      `at ${word(h)}${spoken} ${part}`,
      `at ${h}${minute === 0 ? '' : `:${two(minute)}`}${half}`,
    ]
    if (minute === 30) forms.push(`at half past ${word(h)} ${part}`)
    if (minute === 15) forms.push(`at quarter past ${word(h)} ${part}`, `at a quarter after ${word(h)} ${part}`)
    if (minute === 45 && hour !== 11)
      forms.push(
        `at quarter to ${word(twelve(hour + 1))} ${hour + 1 < 12 ? 'in the morning' : hour + 1 < 18 ? 'in the afternoon' : 'in the evening'}`,
      )
    if (minute === 0 && hour !== 12) forms.push(`at ${word(h)} o'clock ${part}`)
    if (hour === 12 && minute === 0) forms.push('at noon')
    return hour === 12 ? forms.filter((form) => !form.includes('in the')) : forms
  },
  es(hour, minute, { word }) {
    const part = hour < 12 ? 'de la mañana' : hour < 20 ? 'de la tarde' : 'de la noche'
    const h = twelve(hour)
    const las = (n: number) => (n === 1 ? 'a la' : 'a las')
    const said = h === 1 ? 'una' : word(h, true)
    const tail = minute === 0 ? '' : minute === 30 ? ' y media' : minute === 15 ? ' y cuarto' : ` y ${word(minute)}`
    const forms = [`a las ${hour}:${two(minute)}`]
    if (hour !== 12) forms.push(`${las(h)} ${said}${tail} ${part}`)
    if (hour === 12) forms.push(`a mediodía${tail}`)
    const next = hour + 1
    if (minute >= 40 && minute <= 55 && next !== 13 && next !== 12) {
      const to = twelve(next) === 1 ? 'una' : word(twelve(next), true)
      const left = minute === 45 ? 'cuarto' : word(60 - minute)
      const p = next < 12 ? 'de la mañana' : next < 20 ? 'de la tarde' : 'de la noche'
      forms.push(`${las(twelve(next))} ${to} menos ${left} ${p}`, `a ${left} para las ${to} ${p}`)
    }
    return forms
  },
}
const tomorrow: Readonly<Record<Code, readonly string[]>> = {
  pt: ['amanhã ', 'me liga amanhã ', 'pode ser amanhã ', 'só amanhã '],
  en: ['tomorrow ', 'call me tomorrow ', 'can you call tomorrow ', 'only tomorrow '],
  es: ['mañana ', 'llámeme mañana ', 'puede ser mañana ', 'mejor mañana '],
}
const either: Readonly<Record<Code, string>> = { pt: ' ou ', en: ' or ', es: ' o ' }

/** On the day after `TODAY`: "HH:MM". */
function time(random: Random, tongue: Tongue, code: Code): Omit<Spoken, 'kind'> {
  const [hour, minute] = [
    between(random, 8, 20),
    pick(random, [0, 0, 0, 30, 30, 15, 45, 10, 20, 40, 50, 55, between(random, 1, 59)]),
  ]
  const said = pick(random, timeForms[code](hour, minute, tongue))
  const lead = pick(random, tomorrow[code])
  const value = `${two(hour)}:${two(minute)}`
  const form = random()
  if (form < 0.8) return { text: `${lead}${said}${pick(random, tongue.after)}`, value }
  const other = pick(random, timeForms[code](between(random, 8, 11), 0, tongue))
  if (form < 0.92) return { text: `${lead}${other}${pick(random, tongue.repairs)}${said}`, value }
  return { text: `${lead}${said}${either[code]}${other}`, value: other === said ? value : null }
}

export const TODAY = '2026-11-16'

function date(random: Random, tongue: Tongue, code: Code): Omit<Spoken, 'kind'> {
  const [year, month, day] = [between(random, 1931, 2025), between(random, 1, 12), between(random, 1, 28)]
  const name = tongue.months[month - 1] ?? ''
  const value = `${year}-${two(month)}-${two(day)}`
  const { word } = tongue
  const first = { pt: 'primeiro', en: 'first', es: 'primero' }[code]
  const saidDay = day === 1 ? first : word(day)
  const forms = {
    pt: [
      `${day} de ${name} de ${year}`,
      `${saidDay} de ${name} de ${word(year)}`,
      `${two(day)}/${two(month)}/${year}`,
      `dia ${saidDay} de ${name} de ${word(year)}`,
      `${saidDay} do ${word(month)} de ${year}`,
    ],
    en: [
      `${name} ${day}, ${year}`,
      `${two(month)}/${two(day)}/${year}`,
      `${day} of ${name} ${year}`,
      `${name} ${word(day)} ${year}`,
      `${name} ${day} ${yearWords(year, word)}`,
    ],
    es: [
      `${day} de ${name} de ${year}`,
      `${saidDay} de ${name} de ${word(year)}`,
      `${two(day)}/${two(month)}/${year}`,
      `el ${saidDay} de ${name} del ${year}`,
    ],
  }[code]
  const said = pick(random, forms)
  const lead = pick(
    random,
    {
      pt: ['', 'nasci em ', 'é ', 'foi em ', 'dia '],
      en: ['', 'I was born on ', "it's ", 'on '],
      es: ['', 'nací el ', 'es el ', 'fue el '],
    }[code],
  )
  if (random() < 0.85) return { text: `${lead}${said}${pick(random, tongue.after)}`, value }
  const wrong = pick(random, forms).replace(String(year), String(year - 1))
  return { text: `${lead}${wrong}${pick(random, tongue.repairs)}${said}`, value }
}

const yearWords = (year: number, word: Tongue['word']): string =>
  year >= 2000 && year < 2010
    ? word(year)
    : `${word(Math.floor(year / 100))} ${year % 100 < 10 ? `oh ${word(year % 100)}` : word(year % 100)}`

/** Sentences of all kinds, in turn; the same ones for the same seed. */
export function spokenValues(code: Code, count: number, seed: number): Spoken[] {
  const random = randomFrom(seed)
  const tongue = tongues[code]
  const makers = { money, number, time, date }
  const kinds = Object.keys(makers) as SpokenKind[]
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length] as SpokenKind
    return { kind, ...makers[kind](random, tongue, code) }
  })
}
