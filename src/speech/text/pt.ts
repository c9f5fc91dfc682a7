// Text normalization in Brazilian Portuguese.
import { ptAbbreviations } from './abbreviations.ts'
import type { Currency, Language, Noun, Rule } from './language.ts'
import { readDigits, readGroups, spelled } from './language.ts'
import { agreementWith, cardinal, ordinal } from './pt-numbers.ts'
import { romanOf } from './roman.ts'
import { telephoneRules } from './telephone.ts'

const months = 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')
const days: Readonly<Record<string, string>> = {
  seg: 'segunda',
  ter: 'terça',
  qua: 'quarta',
  qui: 'quinta',
  sex: 'sexta',
  sáb: 'sábado',
  dom: 'domingo',
}
const noun = (one: string, many = `${one}s`, gender: 'm' | 'f' = 'm'): Noun => ({ one, many, gender })
const money = (main: Noun, cent = noun('centavo')): Currency => ({ ...main, cent })
const real = money(noun('real', 'reais'))
const dollar = money(noun('dólar', 'dólares'))
const euro = money(noun('euro'), noun('cêntimo'))
const pound = money(noun('libra', 'libras', 'f'), noun('pêni', 'pence'))

const letters: Record<string, string> = Object.fromEntries(
  'a á|b bê|c cê|d dê|e é|f éfe|g gê|h agá|i í|j jota|k cá|l éle|m ême|n êne|o ó|p pê|q quê|r érre|s ésse|t tê|u ú|v vê|w dáblio|x xis|y ípsilon|z zê'
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)
const letterByLetter = (text: string) => [...text.toLowerCase()].map((letter) => letters[letter] ?? letter).join(' ')
const number = (text: string) => cardinal(BigInt(text), 'alone')

/** Six is "meia" in dictated digits: "três" and "seis" sound alike on the telephone. */
const dictated = 'zero um dois três quatro cinco meia sete oito nove'.split(' ')
const groups = (...all: string[]) => readGroups(all, pt)
const areaCode = (code: string, country: string) => (country === '55' && code.length === 2 ? number(code) : null)
const isYear = (text: string) => /^(?:19|20)\d\d$/.test(text)

const kings =
  'Pedro|João|Paulo|Bento|Pio|Luís|Luiz|Henrique|Carlos|Filipe|Felipe|Leão|Manuel|Afonso|José|Francisco|Napoleão|Ricardo|Jorge|Eduardo|Guilherme|Frederico|Alexandre|Nicolau|Gregório|Clemente|Inocêncio|Ramsés|Xerxes|Dario|Fernando|Sancho|Sebastião'
const queens = 'Maria|Isabel|Elizabeth|Elisabete|Catarina|Cristina|Margarida'

const rules: Rule[] = [
  // CNPJ (also the alphanumeric one), CPF, CEP
  [
    /(?<![\p{L}\p{N}])([\dA-Z]{2})\.([\dA-Z]{3})\.([\dA-Z]{3})\/([\dA-Z]{4})-(\d{2})(?![\p{L}\p{N}])/gu,
    (_, a = '', b = '', c = '', d = '', e = '') =>
      `${groups(a, b, c)}, barra, ${groups(d, e)}`.replace(/(?<![\p{L}])[A-Z](?![\p{L}])/gu, letterByLetter),
  ],
  [/(?<!\p{N})(\d{3})\.(\d{3})\.(\d{3})-(\d{2})(?!\p{N})/gu, (_, a = '', b = '', c = '', d = '') => groups(a, b, c, d)],
  [/(?<![\p{L}\p{N}.-])(\d{5})-(\d{3})(?![\p{L}\p{N}-])/gu, (_, a = '', b = '') => groups(a, b)],
  [
    /(?<![\p{L}\p{N}])(CPF|CEP|CNPJ|protocolo|código|senha|PIN|token|matrícula|conta|agência)((?:\s(?:nº|n\.º|número|é))?:?\s)(\d{3,20})(?![\p{L}\p{N}/-]|[.,]\d)/giu,
    (_, name = '', between = '', n = '') => name + between + readDigits(n, pt),
  ],
  ...telephoneRules(() => pt, areaCode),
  [
    /(?<![\p{L}\p{N}.,])\(?(\d{2})\)?\s?(9\d{4}|[2-5]\d{3})[-\s](\d{4})(?![\p{L}\p{N}]|-\d)/gu,
    (_, area = '', a = '', b = '') => `${number(area)}, ${groups(a, b)}`,
  ],
  [/\((\d{2})\)\s?(9?\d{4})(\d{4})(?!\p{N})/gu, (_, area = '', a = '', b = '') => `${number(area)}, ${groups(a, b)}`],
  [
    /(?<![\p{L}\p{N}.,-])0([3589]00)[\s-]?(\d{3})[\s-]?(\d{3,4})(?![\p{L}\p{N}])/gu,
    (_, service = '', a = '', b = '') => `zero ${number(service)}, ${groups(a, b)}`,
  ],
  [
    /(?<![\p{L}\p{N}.,-])(9?\d{4})-(\d{4})(?![\p{L}\p{N}]|-\d)/gu,
    (all, a = '', b = '') => (isYear(a) && isYear(b) ? all : groups(a, b)),
  ],
  [
    /(?<=\b(?:ligue|disque|ligar|telefone)\s(?:para\s)?(?:o\s)?)(\d{3})(?![\p{L}\p{N}.,-]\d?)/giu,
    (_, n = '') => spelled(n, pt),
  ],
  [
    /(?<![\p{L}\p{N}])1º?(?=\s(?:de\s)?(?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro))/giu,
    () => 'primeiro',
  ],
  [
    /(?<![\p{L}\p{N}])(\d{1,4})\.?([ºªo°])(?=[\s,.;:!?)]|$)/gu,
    (all, n = '', mark = '') =>
      mark === 'o' || (mark === '°' && Number(n) > 31) ? all : ordinal(Number(n), mark === 'ª' ? 'f' : 'm'),
  ],
  [
    /(?<=\b(?:século|séculos|séc\.)\s)([IVX]{1,6})(?![\p{L}\p{N}])/gu,
    (all, n = '') => {
      const value = romanOf(n)
      return value === null ? all : value <= 10 ? ordinal(value, 'm') : cardinal(BigInt(value), 'alone')
    },
  ],
  [
    /(?<=(?:^|[^\p{L}])(?:capítulo|volume|tomo|parte|ato|fase|título|artigo|inciso|anexo|tipo|grupo|classe|nível|módulo|Guerra Mundial)\s)([IVXL]{1,6})(?![\p{L}\p{N}])/giu,
    (all, n = '') => {
      const value = romanOf(n)
      return value === null ? all : cardinal(BigInt(value), 'alone')
    },
  ],
  [
    new RegExp(`(?<=(?:^|[^\\p{L}])(?:${kings}|(${queens}))\\s)([IVX]{1,5})(?![\\p{L}\\p{N}])`, 'gu'),
    (all, queen, n = '') => {
      const value = romanOf(n)
      if (value === null) return all
      return value <= 10 ? ordinal(value, queen ? 'f' : 'm') : cardinal(BigInt(value), 'alone')
    },
  ],
  // Hours without "h", as in "às 2 da tarde", are feminine.
  [
    /(?<=(?:^|\s)(?:à|às|das|até as|pelas|umas)\s)(\d{1,2})(?=\s(?:da\s|horas?|e\s(?:meia|pouco)|em ponto)|[.,;?!](?!\d)|$)/giu,
    (_, n = '') => cardinal(BigInt(n), 'f'),
  ],
  [
    /(R\$\s?)(\d[\d.,]{0,12})\s?(mi|bi|tri)(?![\p{L}])/gu,
    (_, sign = '', n = '', scale = '') =>
      `${sign}${n} ${scale === 'mi' ? 'milh' : `${scale}lh`}${n === '1' ? 'ão' : 'ões'}`,
  ],
  [/(?<=\d)[kK](?![\p{L}\p{N}])/gu, () => ' mil'],
  [/(?<=%\s?)a\.m\./gu, () => ' ao mês'],
  [/(?<=%\s?)a\.a\./gu, () => ' ao ano'],
  [/(?<![\p{L}\p{N}])km\s(?=\d)/gu, () => 'quilômetro '],
  [
    /(?<![\p{L}\p{N}])(seg|ter|qua|qui|sex|sáb|dom)\.?\s?(-|–|a|à|e|até)\s?(seg|ter|qua|qui|sex|sáb|dom)(?![\p{L}\p{N}])\.?/giu,
    (_, a = '', joint = '', b = '') =>
      `${days[a.toLowerCase()]} ${/[-–]/.test(joint) ? 'a' : joint} ${days[b.toLowerCase()]}`,
  ],
  [/(?<=\d)\/(?=(?:mês|ano|dia|semana|hora|pessoa|noite|unidade|kg)(?![\p{L}]))/gu, () => ' por '],
  [
    new RegExp(`(?<![\\p{L}\\p{N}])D\\.\\s(?=(?:(${queens})|${kings})(?![\\p{L}]))`, 'gu'),
    (_, queen) => (queen ? 'Dona ' : 'Dom '),
  ],
  [/(?<![\p{L}\p{N}])etc\.(?=\s+\p{Lu})/gu, () => 'etcétera.'],
  [/(?<![\p{L}\p{N}])R\.\s(?=\p{Lu}\p{Ll})/gu, () => 'Rua '],
  [/(?<![\p{L}\p{N}])(?:e\/ou)(?![\p{L}\p{N}])/gu, () => 'e ou'],
  [/(?<=\p{L})\((a|as|o|os)\)/gu, () => ''],
  // Letters without a syllable are spelled: CPF, RG, PDF. Not if the whole text is in capitals.
  [
    /(?<![\p{L}\p{N}.]|\p{Lu}\s|\p{N}\s)([BCDFGHJKLMNPQRSTVWXZ]{2,5})(?![\p{L}\p{N}]|\s\p{Lu}{2})/gu,
    (all) => (romanOf(all) !== null ? all : letterByLetter(all)),
  ],
  [
    /(?<![\p{L}\p{N}])(INSS|IBGE|IPTU|IPVA|ICMS|IRPF|FGTS|MEI|API|SAC|URL|USB|DDD|GPS|ONG)(?=s?(?![\p{L}\p{N}]))/gu,
    (all) => (['MEI', 'SAC', 'ONG'].includes(all) ? all : letterByLetter(all)),
  ],
]

export const pt: Language = {
  decimal: ',',
  cardinal,
  ordinal,
  digits: dictated,
  agreementWith,
  isMonthFirst: false,
  date: (day, month, year) =>
    `${day === 1 ? 'primeiro' : cardinal(BigInt(day), 'm')} de ${months[month - 1]}${year === null ? '' : ` de ${cardinal(BigInt(year), 'm')}`}`,
  month: (month, year) => `${months[month - 1]} de ${cardinal(BigInt(year), 'm')}`,
  time(hour, minute, half) {
    const part = half === null ? '' : half === 'am' ? ' da manhã' : hour % 12 < 6 ? ' da tarde' : ' da noite'
    const said = hour === 0 ? 'zero hora' : cardinal(BigInt(hour), 'f')
    if (minute === 0 && half === null) return hour === 0 ? said : `${said} ${hour === 1 ? 'hora' : 'horas'}`
    if (minute === 0) return said + part
    return `${said} e ${cardinal(BigInt(minute), 'm')}${part}`
  },
  scales: /mil(?:hão|hões)?|bi(?:lhão|lhões)?|tri(?:lhão|lhões)/,
  of: 'de ',
  currencies: {
    R$: real,
    BRL: real,
    US$: dollar,
    USD: dollar,
    U$: dollar,
    $: dollar,
    '€': euro,
    EUR: euro,
    '£': pound,
    GBP: pound,
  },
  units: {
    km: noun('quilômetro'),
    m: noun('metro'),
    cm: noun('centímetro'),
    mm: noun('milímetro'),
    'm²': noun('metro quadrado', 'metros quadrados'),
    m2: noun('metro quadrado', 'metros quadrados'),
    'm³': noun('metro cúbico', 'metros cúbicos'),
    m3: noun('metro cúbico', 'metros cúbicos'),
    'km²': noun('quilômetro quadrado', 'quilômetros quadrados'),
    ha: noun('hectare'),
    kg: noun('quilo'),
    g: noun('grama'),
    mg: noun('miligrama'),
    t: noun('tonelada', 'toneladas', 'f'),
    l: noun('litro'),
    L: noun('litro'),
    ml: noun('mililitro'),
    mL: noun('mililitro'),
    'km/h': noun('quilômetro por hora', 'quilômetros por hora'),
    'm/s': noun('metro por segundo', 'metros por segundo'),
    GB: noun('gigabyte'),
    MB: noun('megabyte'),
    KB: noun('quilobyte'),
    kB: noun('quilobyte'),
    TB: noun('terabyte'),
    Mbps: noun('megabit por segundo', 'megabits por segundo'),
    GHz: noun('gigahertz', 'gigahertz'),
    MHz: noun('megahertz', 'megahertz'),
    kHz: noun('quilohertz', 'quilohertz'),
    Hz: noun('hertz', 'hertz'),
    W: noun('watt'),
    kW: noun('quilowatt'),
    kWh: noun('quilowatt-hora', 'quilowatts-hora'),
    V: noun('volt'),
    '°C': noun('grau Celsius', 'graus Celsius'),
    ºC: noun('grau Celsius', 'graus Celsius'),
    '°F': noun('grau Fahrenheit', 'graus Fahrenheit'),
    h: noun('hora', 'horas', 'f'),
    min: noun('minuto'),
    seg: noun('segundo'),
    s: noun('segundo'),
    ms: noun('milissegundo'),
  },
  fractions: {
    '1/2': 'meio',
    '1/3': 'um terço',
    '2/3': 'dois terços',
    '1/4': 'um quarto',
    '3/4': 'três quartos',
    '1/5': 'um quinto',
    '2/5': 'dois quintos',
    '3/5': 'três quintos',
    '4/5': 'quatro quintos',
    '1/8': 'um oitavo',
    '1/10': 'um décimo',
  },
  feminineHalf: 'meia',
  words: {
    decimal: 'vírgula',
    point: 'ponto',
    minus: 'menos',
    plus: 'mais',
    percent: 'por cento',
    to: 'a',
    by: 'por',
    times: 'vezes',
    and: 'e',
    equals: 'igual a',
    slash: 'barra',
    number: 'número',
    hash: 'jogo da velha',
    hashtag: 'hashtag',
    star: 'asterisco',
    at: 'arroba',
    colon: 'dois pontos',
    tilde: 'til',
    dash: 'hífen',
    underscore: 'underline',
    www: 'dáblio dáblio dáblio',
    degrees: 'graus',
    less: 'menor que',
    more: 'maior que',
    about: 'cerca de',
  },
  endings: {
    br: 'bê érre',
    pt: 'pê tê',
    es: 'é ésse',
    us: 'ú ésse',
    uk: 'ú cá',
    io: 'í ó',
    ai: 'á í',
    tv: 'tê vê',
    me: 'ême é',
    ar: 'á érre',
    mx: 'ême xis',
  },
  abbreviations: ptAbbreviations,
  rules,
}
