// Number words in Portuguese, English and Spanish, without accents.
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
}

const listed = (text: string): string[] => text.trim().split(/\s+/)

/** Values `step` apart, starting at `from`; a slash separates spellings. */
function counted(entries: readonly (readonly [from: number, step: number, words: string])[]): Map<string, number> {
  const values = new Map<string, number>()
  for (const [from, step, words] of entries)
    for (const [i, spellings] of listed(words).entries())
      for (const word of spellings.split('/')) values.set(word, from + i * step)
  return values
}

const pt: NumberWords = {
  values: counted([
    [0, 1, 'zero um/uma dois/duas tres quatro cinco seis/meia sete oito nove'],
    [
      10,
      1,
      'dez onze doze treze quatorze/catorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove',
    ],
    [20, 10, 'vinte trinta quarenta cinquenta/cinqüenta sessenta setenta oitenta noventa'],
    [100, 100, 'cem/cento duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas'],
    [600, 100, 'seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas novecentos/novecentas'],
  ]),
  multipliers: new Map([
    ['mil', 1000],
    ['milhao', 1_000_000],
    ['milhoes', 1_000_000],
  ]),
  connectors: new Set(['e']),
  repeats: new Map([
    ['duplo', 2],
    ['triplo', 3],
  ]),
  plurals: counted([
    [0, 1, 'zeros uns'],
    [4, 1, 'quatros cincos'],
    [7, 1, 'setes oitos noves'],
  ]),
  ambiguous: new Set(listed('um uma meia')),
  separators: new Set(
    listed('traco tracinho hifen ponto barra menos digito final depois ai ne entao e eh ahn hum uhm'),
  ),
}

const en: NumberWords = {
  values: counted([
    [0, 1, 'zero/oh/o/nought one two three four five six seven eight nine'],
    [10, 1, 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'],
    [20, 10, 'twenty thirty forty/fourty fifty sixty seventy eighty ninety'],
  ]),
  multipliers: new Map([
    ['hundred', 100],
    ['thousand', 1000],
    ['million', 1_000_000],
  ]),
  connectors: new Set(['and']),
  repeats: new Map([
    ['double', 2],
    ['triple', 3],
    ['treble', 3],
  ]),
  plurals: counted([[0, 1, 'zeros/zeroes/ohs ones twos threes fours fives sixes sevens eights nines']]),
  ambiguous: new Set(listed('one oh o')),
  separators: new Set(listed('dash hyphen dot point slash then and uh um er digit')),
}

const es: NumberWords = {
  values: counted([
    [0, 1, 'cero uno dos tres cuatro cinco seis siete ocho nueve'],
    [10, 1, 'diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve'],
    [
      20,
      1,
      'veinte veintiuno/veintiun/veintiuna veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
    ],
    [30, 10, 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'],
    [
      100,
      100,
      'cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas',
    ],
    [600, 100, 'seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas'],
  ]),
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
  plurals: counted([[0, 1, 'ceros unos doses treses cuatros cincos seises sietes ochos nueves']]),
  ambiguous: new Set(),
  separators: new Set(listed('guion raya punto barra menos digito luego despues y eh este')),
}

const all: Readonly<Record<DictationLanguage, NumberWords>> = { pt, en, es }

export const numberWordsOf = (language: DictationLanguage): NumberWords => all[language]
