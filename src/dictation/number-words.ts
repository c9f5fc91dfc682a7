// Number words in Portuguese, English and Spanish, without accents.
import { enNumerals, esNumerals, ptNumerals } from '../base/text/numerals.ts'
import { foldText } from '../base/text/text.ts'
import type { DictationLanguage } from './tokens.ts'

export type NumberWords = {
  /** Units, teens, tens and hundreds. */
  readonly values: ReadonlyMap<string, number>
  /** "mil", "thousand", and in English "hundred". */
  readonly multipliers: ReadonlyMap<string, number>
  /** Join the parts of one number: vinte E três. */
  readonly connectors: ReadonlySet<string>
  /** "double five", "triple oh". */
  readonly repeats: ReadonlyMap<string, number>
  /** "dois zeros": repeated by the count before them. */
  readonly plurals: ReadonlyMap<string, number>
  /** Also an article or another word: a digit only next to other numbers or at the end of a phrase. */
  readonly ambiguous: ReadonlySet<string>
  /** Separate groups of digits, without a value. */
  readonly separators: ReadonlySet<string>
  /** One, or an article: "um", "a". */
  readonly units: ReadonlySet<string>
  /** "meio", "half". */
  readonly halves: ReadonlySet<string>
  /** Counted in these: "duas dúzias". */
  readonly collectives: ReadonlyMap<string, number>
  /** The decimal sign: "vírgula", "point". */
  readonly decimals: ReadonlySet<string>
  /** Between two numbers, or before them: one of both is meant. */
  readonly choices: ReadonlySet<string>
  /** After a number: "vinte e poucos". */
  readonly vague: ReadonlySet<string>
  /** Before a number: "a couple hundred", "at most 80". */
  readonly bounds: readonly string[]
  /** Between a bound and its number: "pelo menos UNS 400". */
  readonly about: ReadonlySet<string>
}

const listed = (text: string): string[] => text.trim().split(/\s+/)
const phrases = (text: string): string[] => text.split(', ')

type Numerals = Readonly<Record<'small' | 'tens' | 'hundreds', readonly string[]>>

/** The value of each word without accents; `others`: more spellings and forms, by the word that they stand for. */
function valuesOf({ small, tens, hundreds }: Numerals, others: Readonly<Record<string, string>>): Map<string, number> {
  const values = new Map<string, number>()
  for (const [step, words] of [
    [1, small],
    [10, tens],
    [100, hundreds],
  ] as const)
    for (const [i, word] of words.entries()) if (word !== '-') values.set(foldText(word), i * step)
  for (const [word, forms] of Object.entries(others))
    for (const form of listed(forms)) values.set(form, values.get(word) ?? 0)
  // Portuguese and Spanish hundreds agree with feminine nouns.
  for (const [word, value] of values)
    if (value >= 200 && word.endsWith('os')) values.set(`${word.slice(0, -2)}as`, value)
  return values
}

/** Names of zero to nine in the plural. */
const pluralsOf = (words: string): Map<string, number> =>
  new Map(
    listed(words)
      .flatMap((forms, i) => forms.split('/').map((form) => [form, i] as const))
      .filter(([form]) => form !== '-'),
  )

/** Values, each followed by its words. */
const collected = (...entries: readonly (number | string)[]): Map<string, number> =>
  new Map(
    entries.flatMap((words, i) =>
      i % 2 === 0 ? [] : listed(String(words)).map((word) => [word, Number(entries[i - 1])] as const),
    ),
  )

const pt: NumberWords = {
  values: valuesOf(ptNumerals, {
    um: 'uma',
    dois: 'duas',
    seis: 'meia',
    quatorze: 'catorze',
    dezesseis: 'dezasseis',
    dezessete: 'dezassete',
    dezenove: 'dezanove',
    cento: 'cem',
  }),
  multipliers: new Map([
    ['mil', 1000],
    ['milhao', 1_000_000],
    ['milhoes', 1_000_000],
    ['bilhao', 1_000_000_000],
    ['bilhoes', 1_000_000_000],
  ]),
  connectors: new Set(['e']),
  repeats: new Map([
    ['duplo', 2],
    ['triplo', 3],
  ]),
  plurals: pluralsOf('zeros uns - - quatros cincos - setes oitos noves'),
  ambiguous: new Set(listed('um uma meia')),
  separators: new Set(
    listed('traco tracinho hifen ponto barra menos digito final depois ai ne entao e eh ahn hum uhm'),
  ),
  units: new Set(listed('um uma')),
  halves: new Set(listed('meio meia')),
  collectives: collected(10, 'dezena dezenas', 12, 'duzia duzias', 100, 'centena centenas', 1000, 'milhar milhares'),
  decimals: new Set(listed('virgula ponto')),
  choices: new Set(listed('ou entre')),
  vague: new Set(listed('pouco poucos pouca poucas tantos tantas quebrados')),
  bounds: phrases(
    'mais de, menos de, maximo, maximo de, minimo, minimo de, pelo menos, ao menos, a partir de, ate, alguns, varios, um quarto de',
  ),
  about: new Set(listed('uns umas cerca')),
}

const en: NumberWords = {
  values: valuesOf(enNumerals, {
    zero: 'oh o nought',
    forty: 'fourty',
  }),
  multipliers: new Map([
    ['hundred', 100],
    ['thousand', 1000],
    ['million', 1_000_000],
    ['billion', 1_000_000_000],
  ]),
  connectors: new Set(['and']),
  repeats: new Map([
    ['double', 2],
    ['triple', 3],
    ['treble', 3],
  ]),
  plurals: pluralsOf('zeros/zeroes/ohs ones twos threes fours fives sixes sevens eights nines'),
  ambiguous: new Set(listed('one oh o')),
  separators: new Set(listed('dash hyphen dot point slash then and uh um er digit')),
  units: new Set(listed('one a an')),
  halves: new Set(listed('half')),
  collectives: collected(12, 'dozen dozens', 1000, 'grand'),
  decimals: new Set(listed('point')),
  choices: new Set(listed('or between')),
  vague: new Set(listed('something odd ish few plus')),
  bounds: phrases(
    'more than, less than, at most, at least, over, under, up to, couple, couple of, few, several, quarter of, quarter of a',
  ),
  about: new Set(listed('about around')),
}

const es: NumberWords = {
  values: valuesOf(esNumerals, {
    uno: 'un una',
    veintiuno: 'veintiun veintiuna',
    ciento: 'cien',
  }),
  multipliers: new Map([
    ['mil', 1000],
    ['millon', 1_000_000],
    ['millones', 1_000_000],
  ]),
  connectors: new Set(['y']),
  repeats: new Map([
    ['doble', 2],
    ['triple', 3],
  ]),
  plurals: pluralsOf('ceros unos doses treses cuatros cincos seises sietes ochos nueves'),
  ambiguous: new Set(listed('un una')),
  separators: new Set(listed('guion raya punto barra menos digito luego despues y eh este')),
  units: new Set(listed('uno un una')),
  halves: new Set(listed('medio media')),
  collectives: collected(10, 'decena decenas', 12, 'docena docenas', 100, 'centenar centena'),
  decimals: new Set(listed('coma punto')),
  choices: new Set(listed('o u entre')),
  vague: new Set(listed('pico cacho tantos tantas')),
  bounds: phrases(
    'mas de, menos de, cuando mucho, a lo mucho, maximo, minimo, al menos, por lo menos, hasta, a partir de, algunos, varios, un cuarto de',
  ),
  about: new Set(listed('unos unas como')),
}

const all: Readonly<Record<DictationLanguage, NumberWords>> = { pt, en, es }

export const numberWordsOf = (language: DictationLanguage): NumberWords => all[language]
