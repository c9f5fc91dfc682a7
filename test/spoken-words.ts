// The words and phrases of spoken-values.ts, by language.
import { cardinal as enCardinal } from '../src/speech/text/en-numbers.ts'
import { cardinal as esCardinal } from '../src/speech/text/es-numbers.ts'
import { cardinal as ptCardinal } from '../src/speech/text/pt-numbers.ts'

export type Tongue = {
  tag: string
  word(n: number, isFeminine?: boolean): string
  one: string
  many: string
  cent: string
  cents: string
  symbol: string
  code: string
  and: string
  of: string
  thousands: string
  decimal: string
  point: string
  half: string
  million: readonly [string, string]
  before: readonly string[]
  after: readonly string[]
  /** After an amount: numbers that are not part of it. */
  traps: readonly string[]
  installments: readonly string[]
  repairs: readonly string[]
  ranges: readonly ((a: string, b: string) => string)[]
  fillers: readonly string[]
  things: readonly string[]
  minus: string
  months: readonly string[]
}

export const tongues: Readonly<Record<'pt' | 'en' | 'es', Tongue>> = {
  pt: {
    tag: 'pt-BR',
    word: (n, isFeminine = false) => ptCardinal(BigInt(n), isFeminine ? 'f' : 'm'),
    one: 'real',
    many: 'reais',
    cent: 'centavo',
    cents: 'centavos',
    symbol: 'R$ ',
    code: 'BRL',
    and: ' e ',
    of: ' de ',
    thousands: '.',
    decimal: ',',
    point: 'vírgula',
    half: 'e meio',
    million: ['milhão', 'milhões'],
    before: [
      '',
      '',
      'é ',
      'são ',
      'foi ',
      'acho que ',
      'o valor é ',
      'quero pagar ',
      'então, ',
      'uns ',
      'olha, ',
      'cerca de ',
      'custa ',
    ],
    after: ['', '', '.', ', por favor', ', tá', ' mesmo', ' certo', ', obrigado'],
    traps: [
      ' no dia dez',
      ' em três vezes',
      ' do boleto dois',
      ' pra dia 15',
      ' até dia 20',
      ' em 10 vezes',
      ' para duas pessoas',
    ],
    installments: ['três parcelas de ', 'em dez vezes de ', 'doze prestações de ', '3x de ', 'duas mensalidades de '],
    repairs: [', quer dizer, ', ', aliás, ', ', não, ', ', ou melhor, ', ', desculpa, '],
    ranges: [(a, b) => `entre ${a} e ${b}`, (a, b) => `${a} ou ${b}`],
    fillers: [', hum,', ', ahn,', ' eh'],
    things: ['pessoas', 'unidades', 'caixas'],
    minus: 'menos',
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' '),
  },
  en: {
    tag: 'en-US',
    word: (n) => enCardinal(BigInt(n)),
    one: 'dollar',
    many: 'dollars',
    cent: 'cent',
    cents: 'cents',
    symbol: '$',
    code: 'USD',
    and: ' and ',
    of: ' ',
    thousands: ',',
    decimal: '.',
    point: 'point',
    half: 'and a half',
    million: ['million', 'million'],
    before: [
      '',
      '',
      "it's ",
      'about ',
      'I think ',
      'the amount is ',
      'I want to pay ',
      'well, ',
      'it was ',
      'so, ',
      'around ',
      'that would be ',
    ],
    after: ['', '', '.', ', please', ' total', ', thanks', ', okay'],
    traps: [
      ' on the 10th',
      ' in three payments',
      ' for two people',
      ' by March 5',
      ' in 10 installments',
      ' for invoice 7',
    ],
    installments: ['three payments of ', 'ten installments of ', 'two payments of ', '12 payments of '],
    repairs: [', I mean, ', ', no wait, ', ', sorry, ', ', or rather, ', ', no, '],
    ranges: [(a, b) => `between ${a} and ${b}`, (a, b) => `${a} or ${b}`],
    fillers: [', um,', ', uh,', ' er'],
    things: ['people', 'units', 'boxes'],
    minus: 'minus',
    months: 'January February March April May June July August September October November December'.split(' '),
  },
  es: {
    tag: 'es-MX',
    word: (n, isFeminine = false) => esCardinal(BigInt(n), isFeminine ? 'f' : 'm'),
    one: 'peso',
    many: 'pesos',
    cent: 'centavo',
    cents: 'centavos',
    symbol: '$',
    code: 'MXN',
    and: ' con ',
    of: ' de ',
    thousands: ',',
    decimal: '.',
    point: 'punto',
    half: 'y medio',
    million: ['millón', 'millones'],
    before: [
      '',
      '',
      'son ',
      'es ',
      'fue ',
      'creo que ',
      'el monto es ',
      'quiero pagar ',
      'bueno, ',
      'unos ',
      'como ',
      'cuesta ',
    ],
    after: ['', '', '.', ', por favor', ', gracias', ' nada más', ', ¿vale?'],
    traps: [' el día diez', ' en tres pagos', ' para dos personas', ' antes del 15', ' en 10 cuotas'],
    installments: ['tres pagos de ', 'diez cuotas de ', 'dos mensualidades de ', '12 pagos de '],
    repairs: [', quiero decir, ', ', digo, ', ', no, ', ', mejor dicho, ', ', perdón, '],
    ranges: [(a, b) => `entre ${a} y ${b}`, (a, b) => `${a} o ${b}`],
    fillers: [', eh,', ', este,'],
    things: ['personas', 'unidades', 'cajas'],
    minus: 'menos',
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  },
}
