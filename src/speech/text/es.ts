// Text normalization in Spanish.
import { esAbbreviations } from './abbreviations.ts'
import { agreementWith, cardinal, ordinal } from './es-numbers.ts'
import type { Currency, Language, Noun, Rule } from './language.ts'
import { readDigits, readGroups } from './language.ts'
import { romanOf } from './roman.ts'
import { telephoneRules } from './telephone.ts'

const months = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')
const noun = (one: string, many = `${one}s`, gender: 'm' | 'f' = 'm'): Noun => ({ one, many, gender })
const money = (main: Noun, cent = noun('centavo')): Currency => ({ ...main, cent })
const dollar = money(noun('dólar', 'dólares'))
const euro = money(noun('euro'), noun('céntimo'))
const pound = money(noun('libra', 'libras', 'f'), noun('penique'))
const real = money(noun('real', 'reales'))
const peso = money(noun('peso'))

const letters: Record<string, string> = Object.fromEntries(
  'a a|b be|c ce|d de|e e|f efe|g ge|h hache|i i|j jota|k ca|l ele|m eme|n ene|ñ eñe|o o|p pe|q cu|r erre|s ese|t te|u u|v uve|w uve doble|x equis|y i griega|z zeta'
    .split('|')
    .map((pair) => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)] as [string, string]),
)
const letterByLetter = (text: string) => [...text.toLowerCase()].map((letter) => letters[letter] ?? letter).join(' ')
const groups = (...all: string[]) => readGroups(all, es)
const kings =
  'Felipe|Carlos|Alfonso|Fernando|Juan|Pablo|Benedicto|Pío|Luis|Enrique|León|Francisco|Napoleón|Ricardo|Jorge|Eduardo|Guillermo|Federico|Alejandro|Nicolás|Gregorio|Clemente|Inocencio|Pedro|Sancho|Ramsés|Jaime'
const queens = 'Isabel|María|Catalina|Cristina|Margarita'

const rules: Rule[] = [
  ...telephoneRules(
    () => es,
    () => null,
  ),
  [
    /(?<![\p{L}\p{N}.,])([6789]\d{2})[ .-](\d{3})[ .-](\d{3})(?![\p{L}\p{N}]|[.,]\d)/gu,
    (_, a = '', b = '', c = '') => groups(a, b, c),
  ],
  [
    /(?<![\p{L}\p{N}.,])([6789]\d{2})[ .-](\d{2})[ .-](\d{2})[ .-](\d{2})(?![\p{L}\p{N}])/gu,
    (_, a = '', b = '', c = '', d = '') => groups(a, b, c, d),
  ],
  [
    /(?<![\p{L}\p{N}.,])([89]\d)[ .-](\d{3})[ .-](\d{2})[ .-](\d{2})(?![\p{L}\p{N}])/gu,
    (_, a = '', b = '', c = '', d = '') => groups(a, b, c, d),
  ],
  [
    /(?<![\p{L}\p{N}.,])\(?(\d{2,3})\)?[ .-](\d{3,4})[ .-](\d{4})(?![\p{L}\p{N}])/gu,
    (_, a = '', b = '', c = '') => groups(a, b, c),
  ],
  // Identity document: eight digits and a letter
  [
    /(?<![\p{L}\p{N}.,])(\d{2})\.?(\d{3})\.?(\d{3})-?([A-Z])(?![\p{L}\p{N}])/gu,
    (_, a = '', b = '', c = '', d = '') => `${groups(a, b, c)}, ${letterByLetter(d)}`,
  ],
  [/(?<![\p{L}\p{N}])(\d{1,4})\.?([ºª])/gu, (_, n = '', mark = '') => ordinal(Number(n), mark === 'ª' ? 'f' : 'alone')],
  [/(?<![\p{L}\p{N}])([13])er(?![\p{L}\p{N}])/gu, (_, n = '') => ordinal(Number(n), 'm')],
  [
    /(?<=\b(?:siglo|siglos)\s)([IVX]{1,6})(?![\p{L}\p{N}])/gu,
    (all, n = '') => {
      const value = romanOf(n)
      return value === null ? all : value <= 10 ? ordinal(value, 'alone') : cardinal(BigInt(value), 'alone')
    },
  ],
  [
    /(?<=(?:^|[^\p{L}])(?:capítulo|volumen|tomo|parte|acto|fase|título|artículo|anexo|tipo|grupo|clase|nivel|módulo|Guerra Mundial)\s)([IVXL]{1,6})(?![\p{L}\p{N}])/giu,
    (all, n = '') => {
      const value = n === n.toUpperCase() ? romanOf(n) : null
      return value === null ? all : cardinal(BigInt(value), 'alone')
    },
  ],
  [
    new RegExp(`(?<=(?:^|[^\\p{L}])(?:${kings}|(${queens}))\\s)([IVX]{1,5})(?![\\p{L}\\p{N}])`, 'gu'),
    (all, queen, n = '') => {
      const value = romanOf(n)
      if (value === null) return all
      return value <= 10 ? ordinal(value, queen ? 'f' : 'alone') : cardinal(BigInt(value), 'alone')
    },
  ],
  [new RegExp(`(?<![\\p{L}\\p{N}])1(?=\\sde\\s(?:${months.join('|')})(?![\\p{L}]))`, 'giu'), () => 'primero'],
  [/(?<=(?:^|\s)la\s)1(?=\s(?:de la|y\s|menos|en punto)|[.,;?!](?!\d)|$)/giu, () => 'una'],
  [/(?<=\d)[kK](?![\p{L}\p{N}])/gu, () => ' mil'],
  [/(?<![\p{L}\p{N}])km\s(?=\d)/gu, () => 'kilómetro '],
  [
    /(?<![\p{L}\p{N}])(código|clave|contraseña|PIN|cuenta|contrato)((?:\s(?:n\.º|número|es))?:?\s)(\d{3,20})(?![\p{L}\p{N}/-]|[.,]\d)/giu,
    (_, name = '', between = '', n = '') => name + between + readDigits(n, es),
  ],
  [/(?<=\d(?:\s?€)?)\/(?=(?:mes|año|día|semana|hora|persona|noche)(?![\p{L}]))/gu, () => ' por '],
  [/(?<![\p{L}\p{N}])etc\.(?=\s+\p{Lu})/gu, () => 'etcétera.'],
  [/(?<![\p{L}\p{N}])[Cc]\/\s?(?=\p{Lu})/gu, () => 'calle '],
  [/(?<![\p{L}\p{N}])D\.\s(?=\p{Lu}\p{Ll})/gu, () => 'don '],
  [/(?<![\p{L}\p{N}])(?:D\.ª|Dña\.)\s(?=\p{Lu}\p{Ll})/gu, () => 'doña '],
  [/(?<![\p{L}\p{N}])(?:y\/o)(?![\p{L}\p{N}])/gu, () => 'y o'],
  [
    /(?<![\p{L}\p{N}.]|\p{Lu}\s|\p{N}\s)([BCDFGHJKLMNPQRSTVWXZ]{2,5})(?![\p{L}\p{N}]|\s\p{Lu}{2})/gu,
    (all) => (romanOf(all) !== null ? all : letterByLetter(all)),
  ],
  [
    /(?<![\p{L}\p{N}])(DNI|IVA|NIE|URL|USB|API|GPS)(?![\p{L}\p{N}])/gu,
    (all) => (all === 'IVA' || all === 'NIE' ? all : letterByLetter(all)),
  ],
]

export const es: Language = {
  decimal: ',',
  cardinal,
  ordinal,
  digits: 'cero uno dos tres cuatro cinco seis siete ocho nueve'.split(' '),
  agreementWith,
  isMonthFirst: false,
  date: (day, month, year) =>
    `${day === 1 ? 'primero' : cardinal(BigInt(day), 'alone')} de ${months[month - 1]}${year === null ? '' : ` de ${cardinal(BigInt(year), 'alone')}`}`,
  month: (month, year) => `${months[month - 1]} de ${cardinal(BigInt(year), 'alone')}`,
  time(hour, minute, half) {
    const part = half === null ? '' : half === 'am' ? ' de la mañana' : hour % 12 < 8 ? ' de la tarde' : ' de la noche'
    const said = hour === 1 ? 'una' : hour === 21 ? 'veintiuna' : cardinal(BigInt(hour), 'alone')
    if (minute === 0) return half === null ? `${said} ${hour === 1 ? 'hora' : 'horas'}` : said + part
    const minutes = cardinal(BigInt(minute), 'alone')
    if (hour > 12 || hour === 0) return `${said} ${minute < 10 ? 'y ' : ''}${minutes}`
    return `${said} y ${minute === 30 ? 'media' : minute === 15 ? 'cuarto' : minutes}${part}`
  },
  scales: /mil(?:lón|lones)?|millardos?|bill(?:ón|ones)/,
  of: 'de ',
  currencies: {
    '€': euro,
    EUR: euro,
    US$: dollar,
    USD: dollar,
    $: dollar,
    MXN: peso,
    '£': pound,
    GBP: pound,
    R$: real,
    BRL: real,
  },
  units: {
    km: noun('kilómetro'),
    m: noun('metro'),
    cm: noun('centímetro'),
    mm: noun('milímetro'),
    'm²': noun('metro cuadrado', 'metros cuadrados'),
    m2: noun('metro cuadrado', 'metros cuadrados'),
    'm³': noun('metro cúbico', 'metros cúbicos'),
    'km²': noun('kilómetro cuadrado', 'kilómetros cuadrados'),
    ha: noun('hectárea', 'hectáreas', 'f'),
    kg: noun('kilo'),
    g: noun('gramo'),
    mg: noun('miligramo'),
    t: noun('tonelada', 'toneladas', 'f'),
    l: noun('litro'),
    L: noun('litro'),
    ml: noun('mililitro'),
    mL: noun('mililitro'),
    'km/h': noun('kilómetro por hora', 'kilómetros por hora'),
    'm/s': noun('metro por segundo', 'metros por segundo'),
    GB: noun('gigabyte'),
    MB: noun('megabyte'),
    KB: noun('kilobyte'),
    TB: noun('terabyte'),
    Mbps: noun('megabit por segundo', 'megabits por segundo'),
    GHz: noun('gigahercio'),
    MHz: noun('megahercio'),
    kHz: noun('kilohercio'),
    Hz: noun('hercio'),
    W: noun('vatio'),
    kW: noun('kilovatio'),
    kWh: noun('kilovatio hora', 'kilovatios hora'),
    V: noun('voltio'),
    '°C': noun('grado Celsius', 'grados Celsius'),
    ºC: noun('grado Celsius', 'grados Celsius'),
    '°F': noun('grado Fahrenheit', 'grados Fahrenheit'),
    h: noun('hora', 'horas', 'f'),
    min: noun('minuto'),
    seg: noun('segundo'),
    s: noun('segundo'),
    ms: noun('milisegundo'),
  },
  fractions: {
    '1/2': 'medio',
    '1/3': 'un tercio',
    '2/3': 'dos tercios',
    '1/4': 'un cuarto',
    '3/4': 'tres cuartos',
    '1/5': 'un quinto',
    '2/5': 'dos quintos',
    '3/5': 'tres quintos',
    '4/5': 'cuatro quintos',
    '1/8': 'un octavo',
    '1/10': 'un décimo',
  },
  feminineHalf: 'media',
  words: {
    decimal: 'coma',
    point: 'punto',
    minus: 'menos',
    plus: 'más',
    percent: 'por ciento',
    to: 'a',
    by: 'por',
    times: 'veces',
    and: 'y',
    equals: 'igual a',
    slash: 'barra',
    number: 'número',
    hash: 'almohadilla',
    hashtag: 'hashtag',
    star: 'asterisco',
    at: 'arroba',
    colon: 'dos puntos',
    tilde: 'virgulilla',
    dash: 'guion',
    underscore: 'guion bajo',
    www: 'uve doble uve doble uve doble',
    degrees: 'grados',
    less: 'menor que',
    more: 'mayor que',
    about: 'cerca de',
  },
  endings: {
    br: 'be erre',
    es: 'e ese',
    mx: 'eme equis',
    ar: 'a erre',
    us: 'u ese',
    uk: 'u ca',
    io: 'i o',
    ai: 'a i',
    tv: 'te uve',
    pt: 'pe te',
  },
  abbreviations: esAbbreviations,
  rules,
}

/** Mexico and others write numbers as the United States does. */
export const esPoint: Language = { ...es, decimal: '.', words: { ...es.words, decimal: 'punto' } }
export const esMexico: Language = { ...esPoint, currencies: { ...es.currencies, $: peso } }

/** Countries where the dollar sign means pesos. */
export const esPeso: Language = { ...es, currencies: { ...es.currencies, $: peso } }
