// Text normalization in American English (British if the language says so: only the date order changes).
import { enAbbreviations } from './abbreviations.ts'
import { cardinal, ordinal, year } from './en-numbers.ts'
import type { Currency, Language, Noun, Rule } from './language.ts'
import { readDigits, readGroups, spelled } from './language.ts'
import { romanOf } from './roman.ts'
import { telephoneRules } from './telephone.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const monthNames = `${months.join('|')}|Jan\\.?|Feb\\.?|Mar\\.?|Apr\\.?|Jun\\.?|Jul\\.?|Aug\\.?|Sept?\\.?|Oct\\.?|Nov\\.?|Dec\\.?`
const monthOf = (text: string) => months.find((month) => month.startsWith(text.slice(0, 3))) ?? text
const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const dayOf = (text: string) => days.find((day) => day.startsWith(text.slice(0, 3))) ?? text
const noun = (one: string, many = `${one}s`): Noun => ({ one, many, gender: 'm' })
const money = (one: string, many = `${one}s`, cent = noun('cent')): Currency => ({ ...noun(one, many), cent })
const dollar = money('dollar')
const euro = money('euro')
const pound = money('pound', 'pounds', { one: 'penny', many: 'pence', gender: 'm' })
const real = money('real', 'reais', noun('centavo'))

const groups = (...all: string[]) => readGroups(all, en)
const tollFree = (code: string) => (code === '800' ? 'eight hundred' : spelled(code, en))
const kings =
  'Henry|George|Edward|William|Charles|James|Richard|Louis|John Paul|Pius|Benedict|Leo|Philip|Alexander|Nicholas|Frederick|Peter|Elizabeth|Mary|Catherine|Napoleon|Francis|Ramses|Xerxes'

const rules: Rule[] = [
  ...telephoneRules(
    () => en,
    () => null,
  ),
  [
    /(?<![\p{L}\p{N}.,-])(?:(1)[ .-])?\(?(\d{3})\)?[ .-]\s?(\d{3})[ .-](\d{4})(?![\p{L}\p{N}]|-\d)/gu,
    (_, one = '', area = '', a = '', b = '') => `${one ? 'one, ' : ''}${tollFree(area)}, ${groups(a, b)}`,
  ],
  [/\((\d{3})\)\s?(\d{3})(\d{4})(?!\p{N})/gu, (_, area = '', a = '', b = '') => groups(area, a, b)],
  [/(?<![\p{L}\p{N}.,-])(\d{3})-(\d{2})-(\d{4})(?![\p{L}\p{N}-])/gu, (_, a = '', b = '', c = '') => groups(a, b, c)],
  [/(?<![\p{L}\p{N}.,-])(\d{3})-(\d{4})(?![\p{L}\p{N}-])/gu, (_, a = '', b = '') => groups(a, b)],
  [
    /(?<=(?:^|[^\p{L}])[A-Z]{2}\s|ZIP(?: code)?:?\s)(\d{5})(?:-(\d{4}))?(?![\p{L}\p{N}-])/gu,
    (_, a = '', b) => (b ? groups(a, b) : groups(a)),
  ],
  // Dates with the month in letters
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(${monthNames})\\s(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s(\\d{4}))?(?![\\p{L}\\p{N}:]|[.,]\\d)`,
      'gu',
    ),
    (all, month = '', day = '', y) =>
      Number(day) < 1 || Number(day) > 31
        ? all
        : `${monthOf(month)} ${ordinal(Number(day))}${y ? `, ${year(Number(y))}` : ''}`,
  ],
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:the\\s)?(\\d{1,2})(?:st|nd|rd|th)?(?:\\sof)?\\s(${monthNames})(?:,?\\s(\\d{4}))?(?![\\p{L}\\p{N}])`,
      'gu',
    ),
    (_, day = '', month = '', y) =>
      `the ${ordinal(Number(day))} of ${monthOf(month)}${y ? `, ${year(Number(y))}` : ''}`,
  ],
  [
    new RegExp(
      `(?<=(?:${months.join('|')}|[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Yy]ear|[Ff]all|[Ss]ummer|[Ss]pring|[Ww]inter)\\s)((?:1[1-9]|20)\\d\\d)(?![\\p{L}\\p{N}]|[.,]\\d|\\s(?:dollars|people|euros|units))`,
      'gu',
    ),
    (_, y = '') => year(Number(y)),
  ],
  [
    /(?<![\p{L}\p{N}])((?:1[1-9]|20)\d0)s(?![\p{L}\p{N}])/gu,
    (_, y = '') => year(Number(y)).replace(/y$/, 'ie').replace(/$/, 's'),
  ],
  [
    /(?<![\p{L}\p{N}.,])(\d{1,3}(?:,\d{3}){0,3}|\d{1,6})(?:st|nd|rd|th)(?![\p{L}\p{N}])/gu,
    (_, n = '') => ordinal(Number(n.replaceAll(',', ''))),
  ],
  [
    new RegExp(
      `(?<=(?:^|[^\\p{L}])(?:${kings})\\s)(?!I(?![VX]|I))([IVX]{1,5})(?![\\p{L}\\p{N}])`, // "I" alone is a word
      'gu',
    ),
    (all, n = '') => {
      const value = romanOf(n)
      return value === null ? all : `the ${ordinal(value)}`
    },
  ],
  [
    /(?<=(?:^|[^\p{L}])(?:chapter|volume|part|act|phase|type|class|level|section|title|book|World War|Super Bowl|stage)\s)(?!I(?![VXI]))([IVXL]{1,6})(?![\p{L}\p{N}])/giu,
    (all, n = '') => {
      const value = n === n.toUpperCase() ? romanOf(n) : null
      return value === null ? all : cardinal(BigInt(value))
    },
  ],
  [
    /(?<![\p{L}\p{N}.,$-])((?:19|20)\d\d)(\s?[-–]\s?|\s(?:and|to|through|or)\s)((?:19|20)\d\d)(?![\p{L}\p{N}]|[.,-]\d)/gu,
    (_, a = '', joint = '', b = '') =>
      `${year(Number(a))} ${/[-–]/.test(joint) ? 'to' : joint.trim()} ${year(Number(b))}`,
  ],
  [/(?<=\d)[kK](?![\p{L}\p{N}])/gu, () => ' thousand'],
  [/(?<=\$\d[\d.,]{0,9})(M|B)(?![\p{L}\p{N}])/gu, (all) => (all === 'M' ? ' million' : ' billion')],
  [
    /(?<![\p{L}\p{N}])(Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun)\.?\s?(?:-|–|to|through)\s?(Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun)(?![\p{L}\p{N}])\.?/gu,
    (_, a = '', b = '') => `${dayOf(a)} to ${dayOf(b)}`,
  ],
  [
    /(?<=\d\s(?:\p{Lu}\p{L}{1,30}\s){1,3})(?:St|Ave|Rd|Blvd)(?=[,\n]|$)/gu,
    (all) => ({ St: 'Street', Ave: 'Avenue', Rd: 'Road', Blvd: 'Boulevard' })[all] ?? all,
  ],
  [/(?<![\p{L}\p{N}])Apt(?=\s#?\d)/gu, () => 'Apartment'],
  [
    /(?<![\p{L}\p{N}])(code|PIN|passcode|password|account(?:\snumber)?|confirmation(?:\snumber)?)((?:\sis)?:?\s)(\d{3,20})(?![\p{L}\p{N}/-]|[.,]\d)/giu,
    (_, name = '', between = '', n = '') => name + between + readDigits(n, en),
  ],
  [
    /(?<=\d)\/(mo|month|yr|year|day|week|hr|hour|person|night)(?![\p{L}])(?:\.(?=\s\p{Ll}))?/gu,
    (_, unit = '') => ` per ${({ mo: 'month', yr: 'year', hr: 'hour' } as Record<string, string>)[unit] ?? unit}`,
  ],
  [/(?<![\p{L}\p{N}])etc\.(?=\s+\p{Lu})/gu, () => 'et cetera.'],
  // "St." before a name is a saint, after one a street.
  [/(?<=\p{Lu}\p{Ll}+\s|\d(?:st|nd|rd|th)\s)St\.(?=\s\p{Lu}|[\s,;.]|$)/gu, () => 'Street'],
  [/(?<![\p{L}\p{N}])St\.(?=\s\p{Lu})/gu, () => 'Saint'],
  [/(?<=\d\s(?:\p{Lu}\p{L}+\s){1,3})Dr\.(?=[\s,;.]|$)/gu, () => 'Drive'],
  [/(?<![\p{L}\p{N}])No\.\s?(?=\d)/gu, () => 'number '],
  [/(?<![\p{L}\p{N}])(?:and\/or)(?![\p{L}\p{N}])/gu, () => 'and or'],
]

export const en: Language = {
  decimal: '.',
  cardinal,
  ordinal,
  digits: 'zero one two three four five six seven eight nine'.split(' '),
  agreementWith: () => 'alone',
  isMonthFirst: true,
  date: (day, month, y) => `${months[month - 1]} ${ordinal(day)}${y === null ? '' : `, ${year(y)}`}`,
  month: (month, y) => `${months[month - 1]} ${year(y)}`,
  time(hour, minute, half) {
    const isAfternoon = half === 'pm' || (half === null && hour > 12)
    const mark = half === null && hour >= 1 && hour <= 12 ? '' : isAfternoon ? ' p m' : ' a m'
    const said = cardinal(BigInt(hour % 12 === 0 ? 12 : hour % 12))
    if (minute === 0) return mark === '' ? `${said} o'clock` : said + mark
    return `${said} ${minute < 10 ? 'oh ' : ''}${cardinal(BigInt(minute))}${mark}`
  },
  scales: /thousand|million|billion|trillion/,
  of: '',
  currencies: {
    US$: dollar,
    $: dollar,
    USD: dollar,
    '€': euro,
    EUR: euro,
    '£': pound,
    GBP: pound,
    R$: real,
    BRL: real,
  },
  units: {
    km: noun('kilometer'),
    m: noun('meter'),
    cm: noun('centimeter'),
    mm: noun('millimeter'),
    mi: noun('mile'),
    ft: noun('foot', 'feet'),
    yd: noun('yard'),
    'sq ft': noun('square foot', 'square feet'),
    'm²': noun('square meter'),
    m2: noun('square meter'),
    kg: noun('kilogram'),
    g: noun('gram'),
    mg: noun('milligram'),
    lb: noun('pound'),
    lbs: noun('pound'),
    oz: noun('ounce'),
    l: noun('liter'),
    L: noun('liter'),
    ml: noun('milliliter'),
    mL: noun('milliliter'),
    gal: noun('gallon'),
    'km/h': noun('kilometer per hour', 'kilometers per hour'),
    mph: noun('mile per hour', 'miles per hour'),
    GB: noun('gigabyte'),
    MB: noun('megabyte'),
    KB: noun('kilobyte'),
    TB: noun('terabyte'),
    Mbps: noun('megabit per second', 'megabits per second'),
    GHz: noun('gigahertz', 'gigahertz'),
    MHz: noun('megahertz', 'megahertz'),
    kHz: noun('kilohertz', 'kilohertz'),
    Hz: noun('hertz', 'hertz'),
    W: noun('watt'),
    kW: noun('kilowatt'),
    kWh: noun('kilowatt-hour'),
    V: noun('volt'),
    '°C': noun('degree Celsius', 'degrees Celsius'),
    '°F': noun('degree Fahrenheit', 'degrees Fahrenheit'),
    h: noun('hour'),
    hr: noun('hour'),
    hrs: noun('hour'),
    min: noun('minute'),
    mins: noun('minute'),
    sec: noun('second'),
    secs: noun('second'),
    ms: noun('millisecond'),
  },
  fractions: {
    '1/2': 'one half',
    '1/3': 'one third',
    '2/3': 'two thirds',
    '1/4': 'one quarter',
    '3/4': 'three quarters',
    '1/5': 'one fifth',
    '2/5': 'two fifths',
    '3/5': 'three fifths',
    '4/5': 'four fifths',
    '1/8': 'one eighth',
    '1/10': 'one tenth',
  },
  feminineHalf: 'one half',
  words: {
    decimal: 'point',
    point: 'dot',
    minus: 'minus',
    plus: 'plus',
    percent: 'percent',
    to: 'to',
    by: 'by',
    times: 'times',
    and: 'and',
    equals: 'equals',
    slash: 'slash',
    number: 'number',
    hash: 'pound',
    hashtag: 'hashtag',
    star: 'star',
    at: 'at',
    colon: 'colon',
    tilde: 'tilde',
    dash: 'dash',
    underscore: 'underscore',
    www: 'w w w',
    degrees: 'degrees',
    less: 'is less than',
    more: 'is more than',
    about: 'about',
  },
  endings: {
    br: 'b r',
    us: 'u s',
    uk: 'u k',
    io: 'i o',
    ai: 'a i',
    tv: 't v',
    gov: 'gov',
    edu: 'e d u',
    es: 'e s',
    mx: 'm x',
  },
  abbreviations: enAbbreviations,
  rules,
}

export const enGb: Language = { ...en, isMonthFirst: false }
