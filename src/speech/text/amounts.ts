// Normalization rules for money, percentages, measures, ordinals, fractions, ranges and plain numbers.
import {
  END,
  type Language,
  type Noun,
  numberPattern,
  partsOf,
  type Rule,
  readDigits,
  readNumber,
  START,
  spelled,
} from './language.ts'

const MILLION = 1_000_000n

/** The order matters: each rule sees the result of the earlier ones. */
export const amountRules = (language: Language): Rule[] => [
  ...moneyRules(language),
  ...measureRules(language),
  ...numberRules(language),
]

/** A pattern of any of these names, the longest first. */
const alternatives = (names: Iterable<string>) =>
  [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|')
const minus = `((?<![\\p{L}\\p{N}.,)])[-−–]\\s?)?`

function moneyRules(language: Language): Rule[] {
  const { words } = language
  const number = numberPattern(language)
  const currency = alternatives(Object.keys(language.currencies))
  const [other, own] = language.decimal === ',' ? ['.', ','] : [',', '.']
  // "14.30 h" is a time.
  const unit = alternatives(Object.keys(language.units).filter((name) => !/^(?:h|hrs?|mins?|s|secs?|seg)$/.test(name)))
  return [
    // A number in the other notation, where it is unambiguous: 1,234.50 in Brazil, 1.234,50 in the United States.
    language.decimal === ','
      ? [
          /(?<![\p{L}\p{N}.,])(\d{1,3}(?:,\d{3}){1,5})\.(\d{1,2})(?![.,]?\p{N})/gu,
          (_, a = '', b = '') => `${a.replaceAll(',', '.')},${b}`,
        ]
      : [
          /(?<![\p{L}\p{N}.,])(\d{1,3}(?:\.\d{3}){1,5}),(\d{1,2})(?![.,]?\p{N})/gu,
          (_, a = '', b = '') => `${a.replaceAll('.', ',')}.${b}`,
        ],
    // 10.50 in Brazil, 10,50 in the United States: no thousands have two digits.
    [
      new RegExp(`(?<=(?<![\\p{L}\\p{N}])(?:${currency})\\s?)(\\d{1,6})[${other}](\\d{1,2})(?![.,]?\\p{N})`, 'gu'),
      (_, a = '', b = '') => `${a}${own}${b}`,
    ],
    [
      new RegExp(
        `(?<![\\p{L}\\p{N}.,])(\\d{1,6})[${other}](\\d{1,2})(?=\\s?(?:%|(?:${currency}|${unit})(?![\\p{L}\\p{N}²³]|/[\\p{L}])))`,
        'gu',
      ),
      (_, a = '', b = '') => `${a}${own}${b}`,
    ],
    // $10-$15 and R$ 10-15
    [
      new RegExp(`(?<=(?:${currency})\\s?[\\d.,]{1,15})\\s?[-–]\\s?(?=(?:${currency})\\s?\\d)`, 'gu'),
      () => ` ${words.to} `,
    ],
    [
      new RegExp(`(?<![\\p{L}\\p{N}])(${currency})\\s?(${number})\\s?[-–]\\s?(?=${number}(?!-))`, 'gu'),
      (_, symbol = '', a = '') => `${readNumber(a, language)} ${words.to} ${symbol} `,
    ],
    [
      new RegExp(
        `${minus}(?<![\\p{L}\\p{N}])(${currency})\\s?(${number})(\\s(?:${language.scales.source})${END})?`,
        'gu',
      ),
      (_, sign = '', symbol = '', written = '', scale = '') => money({ sign, written, symbol, scale }, language),
    ],
    [
      new RegExp(
        `${minus}(?<![\\p{L}\\p{N}.,])(${number})(\\s(?:${language.scales.source}))?\\s?(${currency})${END}`,
        'gu',
      ),
      (_, sign = '', written = '', scale = '', symbol = '') => money({ sign, written, symbol, scale }, language),
    ],
  ]
}

/** Percentages, measures, card numbers and fractions. */
function measureRules(language: Language): Rule[] {
  const { words } = language
  const number = numberPattern(language)
  const unit = alternatives(Object.keys(language.units))
  return [
    [
      /(\d)?\s?([½¼¾⅓⅔])/gu,
      (_, whole = '', mark = '') =>
        `${whole && `${whole} `}${{ '½': '1/2', '¼': '1/4', '¾': '3/4', '⅓': '1/3', '⅔': '2/3' }[mark]}`,
    ],
    [
      new RegExp(
        `(?<![\\p{L}\\p{N}.,/$€£])(?:(\\d{1,3})\\s)?(\\d{1,2}/\\d{1,2})(?![\\p{L}\\p{N}/])(?:\\s?(${unit})(?![\\p{L}\\p{N}²³]|/[\\p{L}]))?(?=(?:\\s(\\p{L}+))?)`,
        'gu',
      ),
      (all, whole, part = '', symbol, next) => fraction({ all, whole, part, symbol, next }, language),
    ],
    [
      new RegExp(`${START}(${number})\\s?[-–]\\s?(${number})\\s?%`, 'gu'),
      (_, a = '', b = '') => `${range(a, b, language)} ${words.percent}`,
    ],
    [
      new RegExp(`${minus}${START}(${number})\\s?%`, 'gu'),
      (_, sign = '', written = '') => `${sign && `${words.minus} `}${readNumber(written, language)} ${words.percent}`,
    ],
    [
      new RegExp(`${minus}${START}(${number})\\s?(${unit})(?![\\p{L}\\p{N}²³]|/[\\p{L}])(?:\\.(?=\\s\\p{Ll}))?`, 'gu'),
      (_, sign = '', written = '', symbol = '') => measured({ sign, written, symbol }, language),
    ],
    [
      /(?<![\p{L}\p{N}])(\d{1,4})\s?[°](?![\p{L}\p{N}])/gu,
      (_, n = '') => `${readNumber(n, language)} ${words.degrees}`,
    ],
    [
      /(?<![\p{L}\p{N}])(\d{4})\s(\d{4})\s(\d{4})\s(\d{4})(?![\p{L}\p{N}])/gu,
      (_, ...groups) =>
        groups
          .slice(0, 4)
          .map((group) => spelled(group, language))
          .join(', '),
    ],
    [
      /(?<![\p{L}\p{N}.,/])24\/7(?![\p{L}\p{N}/])/gu,
      () => `${readNumber('24', language)} ${words.by} ${readNumber('7', language)}`,
    ],
  ]
}

/** Versions, ranges, and finally plain numbers. */
function numberRules(language: Language): Rule[] {
  const { words } = language
  const number = numberPattern(language)
  return [
    // 1.2.3 and 192.168.0.1
    [
      /(?<![\p{L}\p{N}.,])\d{1,5}(?:\.\d{1,5}){2,6}(?![\p{L}\p{N}]|\.\d)/gu,
      (all) =>
        isGrouped(all, language)
          ? all
          : all
              .split('.')
              .map((part) => readNumber(part, language))
              .join(` ${words.point} `),
    ],
    [
      /(?<![\p{L}\p{N}.,])(\d{1,3})\s?[x×]\s?(\d{1,5})(?![\p{L}\p{N}])/gu,
      (_, a = '', b = '') => `${readNumber(a, language)} ${words.by} ${readNumber(b, language)}`,
    ],
    [
      /(?<![\p{L}\p{N}.,])(\d{1,3})[x×](?![\p{L}\p{N}])/gu,
      (_, n = '') => `${language.cardinal(BigInt(n), 'f')} ${words.times}`,
    ],
    [
      new RegExp(`(?<![\\p{L}\\p{N}.,-])(${number})\\s?[–-]\\s?(${number})${END}(?!-)`, 'gu'),
      (_, a = '', b = '') => range(a, b, language),
    ],
    // 3.5 in a language with decimal commas
    ...(language.decimal === ','
      ? [
          [
            /(?<![\p{L}\p{N}.,])(\d{1,6})\.(\d{1,2})(?![\p{L}\p{N}]|[.,]\d)/gu,
            (_: string, a = '', b = '') =>
              `${readNumber(a, language)} ${words.point} ${b.startsWith('0') ? spelled(b, language) : readNumber(b, language)}`,
          ] as Rule,
        ]
      : []),
    // Digits next to letters (a model, a plate, a seat) are separated and, if there are many, spelled.
    [
      /(?<=\p{L})-?(\d{1,40}(?:\.\d{1,4}){0,3})(?!\d)(?=(\p{L})?)/gu,
      (_, n = '', next) => {
        const parts = n
          .split('.')
          .map((part) => (part.length > 2 ? readDigits(part, language) : readNumber(part, language)))
        return ` ${parts.join(` ${words.point} `)}${next ? ' ' : ''}`
      },
    ],
    [/(?<![\p{L}\p{N}.,:])(\d{1,4}):(\d{1,4})(?![\p{L}\p{N}:])/gu, (_, a = '', b = '') => range(a, b, language)],
    [/(?<![\p{L}\p{N}.,])(\d{1,40})(?=\p{L}{1,3}(?!\p{L}))/gu, (_, n = '') => `${readNumber(n, language)} `],
    [
      new RegExp(
        `${minus}(?<!\\p{N})(${number})(?!\\p{N})(?=(?:(?:\\s(?:ou|e|a|o|u|y)\\s\\d{1,6})?\\s(\\p{L}+))?)`,
        'gu',
      ),
      (_, sign = '', written = '', next = '') =>
        `${sign && `${words.minus} `}${readNumber(written, language, next ? language.agreementWith(next.toLowerCase()) : 'alone')}`,
    ],
  ]
}

/** "duas libras", "um milhão de reais" */
function counted(whole: string, noun: Noun, language: Language): string {
  const n = BigInt(whole)
  const isRound = n >= MILLION && n % MILLION === 0n
  return `${language.cardinal(n, noun.gender)} ${isRound ? language.of : ''}${n === 1n ? noun.one : noun.many}`
}

type Amount = { sign: string; written: string; symbol: string; scale?: string }

function money({ sign, written, symbol, scale = '' }: Amount, language: Language): string {
  const { words } = language
  const kind = language.currencies[symbol] ?? language.currencies[symbol.toUpperCase()]
  if (!kind) return `${sign}${written}${scale} ${symbol}`
  const { whole, decimals } = partsOf(written, language)
  const before = sign === '' ? '' : `${words.minus} `
  if (whole.length > 18) return `${before}${readDigits(whole, language)} ${kind.many}`
  if (scale !== '') {
    const of = /^(mil|thousand)$/i.test(scale.trim()) ? '' : language.of
    return `${before}${readNumber(written, language, kind.gender)} ${scale.trim()} ${of}${kind.many}`
  }
  if (decimals.length > 2) return `${before}${readNumber(written, language)} ${kind.many}`
  const cents = BigInt(decimals.padEnd(2, '0') || '0')
  if (cents === 0n) return before + counted(whole, kind, language)
  const small = counted(String(cents), kind.cent, language)
  return before + (BigInt(whole) === 0n ? small : `${counted(whole, kind, language)} ${words.and} ${small}`)
}

function measured({ sign, written, symbol }: Amount, language: Language): string {
  const { words } = language
  const noun = language.units[symbol]
  if (!noun) return `${sign}${written} ${symbol}`
  const { whole, decimals } = partsOf(written, language)
  const before = sign === '' ? '' : `${words.minus} `
  if (decimals !== '') {
    const isOne = language.decimal === ',' && /^[01]$/.test(whole)
    return `${before}${readNumber(written, language)} ${isOne ? noun.one : noun.many}`
  }
  return whole.length > 18
    ? `${before}${readDigits(whole, language)} ${noun.many}`
    : before + counted(whole, noun, language)
}

type Fraction = { all: string; whole?: string; part: string; symbol?: string; next?: string }

/** "meia xícara", "três quartos de quilo", "two and one half cups" */
function fraction({ all, whole, part, symbol, next }: Fraction, language: Language): string {
  const fractional = language.fractions[part]
  if (fractional === undefined) return all
  const noun = symbol === undefined ? undefined : language.units[symbol]
  const agreement = noun?.gender ?? (next === undefined ? 'alone' : language.agreementWith(next.toLowerCase()))
  const isHalf = part === '1/2'
  const said = isHalf && agreement === 'f' ? language.feminineHalf : fractional
  if (whole === undefined) return noun ? `${said} ${isHalf ? '' : language.of}${noun.one}` : said
  const name = noun ? ` ${whole === '1' && language.of !== '' ? noun.one : noun.many}` : ''
  return `${language.cardinal(BigInt(whole), agreement)} ${language.words.and} ${said}${name}`
}

const range = (a: string, b: string, language: Language) =>
  `${readNumber(a, language)} ${language.words.to} ${readNumber(b, language)}`

const isGrouped = (text: string, { decimal }: Language) => decimal === ',' && /^\d{1,3}(?:\.\d{3})+$/.test(text)
