// Normalization rules for dates and times.
import type { Language, Rule } from './language.ts'

const BEFORE = '(?<![\\p{L}\\p{N}/.,:-])'
/** Laws, cases and orders are numbered like months: "Lei 12/2026". */
const NUMBERED =
  '(?<!(?:n[º°.o]\\.?|n\\.º|número|number|lei|decreto|portaria|resolução|edital|processo|protocolo|contrato|ofício|pedido|nota|law|case|order|invoice|ley|resolución|expediente|factura|contract|contrato):?\\s)'
const AFTER = '(?![\\p{L}\\p{N}]|[/:.,-]\\d)'

export function dateTimeRules(language: Language): Rule[] {
  const isDay = (day: number, month: number) => day >= 1 && day <= 31 && month >= 1 && month <= 12
  const yearOf = (text: string) => (text.length === 4 ? Number(text) : Number(text) + (Number(text) < 50 ? 2000 : 1900))

  function figures(all: string, a: string, b: string, year: string | null): string {
    const [day, month] = language.isMonthFirst ? [Number(b), Number(a)] : [Number(a), Number(b)]
    // If the usual order is impossible the other one applies, as for 11/15/2026 written in Brazil.
    if (isDay(day, month)) return language.date(day, month, year === null ? null : yearOf(year))
    if (isDay(month, day)) return language.date(month, day, year === null ? null : yearOf(year))
    return all
  }

  const time = (all: string, hour: string, minute = '', half = ''): string => {
    const h = Number(hour)
    const m = Number(minute || 0)
    const marked = half === '' ? null : half.toLowerCase().startsWith('a') ? 'am' : 'pm'
    if (h > 24 || m > 59 || (marked && (h > 12 || h === 0))) return all
    return language.time(h === 24 ? 0 : h, m, marked)
  }
  const half = '([ap])\\.?\\s?m(?:\\.|(?![\\p{L}]))'

  return [
    // 8h-18h, 9am-5pm, 10:00-11:30
    [
      /(?<=(?<!\d)\d{1,2}(?:[hH]|[hH:]\d{2})(?:\s?[ap]\.?m\.?)?|(?<!\d)\d{1,2}\s?[ap]\.?m\.?)\s?[-–]\s?(?=\d{1,2}(?:[hH:]|\s?[ap]\.?m))/giu,
      () => ` ${language.words.to} `,
    ],
    // 2026-11-15T14:30:00Z: the date, then the time
    [/(?<=\d{4}-\d\d-\d\d)T(?=\d\d:\d\d)/g, () => ' '],
    [/(?<=\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z(?![\p{L}\p{N}])/gu, () => ''],
    [
      new RegExp(`${BEFORE}(\\d{4})[-/](\\d{2})[-/](\\d{2})${AFTER}`, 'gu'),
      (all, year = '', month = '', day = '') =>
        isDay(Number(day), Number(month)) ? language.date(Number(day), Number(month), Number(year)) : all,
    ],
    [
      new RegExp(`${BEFORE}(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})${AFTER}`, 'gu'),
      (all, a = '', _, b = '', year = '') => figures(all, a, b, year),
    ],
    [
      new RegExp(
        `${BEFORE}${NUMBERED}(0[1-9]|1[0-2]|(?<=(?:^|\\s)(?:em|desde|até|in|since|until|by|en|hasta)\\s)[1-9])/((?:19|20)\\d\\d)${AFTER}`,
        'giu',
      ),
      (_, month = '', year = '') => language.month(Number(month), Number(year)),
    ],
    // Without a year only if both have two digits: 1/2 is a half.
    [new RegExp(`${BEFORE}(\\d{2})/(\\d{2})${AFTER}`, 'gu'), (all, a = '', b = '') => figures(all, a, b, null)],
    [
      new RegExp(`(?<![\\p{L}\\p{N}:.,])(\\d{1,2}):(\\d{2})(?::\\d{2})?\\s?(?:${half})(?![\\p{L}\\p{N}])`, 'giu'),
      (all, hour = '', minute = '', mark = '') => time(all, hour, minute, mark),
    ],
    [
      new RegExp(`(?<![\\p{L}\\p{N}:.,])(\\d{1,2})\\s?(?:${half})(?![\\p{L}\\p{N}])`, 'giu'),
      (all, hour = '', mark = '') => time(all, hour, '', mark),
    ],
    [
      /(?<![\p{L}\p{N}:.,])(\d{1,2}):(\d{2})(?::\d{2})?(?:\s?(?:hs?|hrs?)(?:\.(?=\s\p{Ll}))?(?![\p{L}\p{N}]))?(?![\p{L}\p{N}]|:\d)/gu,
      (all, hour = '', minute = '') => time(all, hour, minute),
    ],
    [
      /(?<![\p{L}\p{N}:.,])(\d{1,2})\s?[hH]\s?(\d{2})(?:\s?(?:min|m)(?![\p{L}]))?(?![\p{L}\p{N}])/gu,
      (all, hour = '', minute = '') => time(all, hour, minute),
    ],
    [
      /(?<![\p{L}\p{N}:.,])(\d{1,2})\s?(?:hs|h|H|hrs)(?![\p{L}\p{N}])/gu,
      (all, hour = '') => (Number(hour) >= 24 ? all : time(all, hour)),
    ],
  ]
}
