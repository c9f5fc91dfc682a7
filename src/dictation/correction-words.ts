// Words of corrections in three languages, without accents.
import type { DictationLanguage } from './tokens.ts'

export type CorrectionWords = {
  readonly no: ReadonlySet<string>
  /** With accents: "é" is a verb, "e" is not. */
  readonly is: ReadonlySet<string>
  /** "troca X por Y". */
  readonly swap: ReadonlySet<string>
  readonly by: ReadonlySet<string>
  readonly end: ReadonlySet<string>
  readonly start: ReadonlySet<string>
  /** Positions from the start; negative ones from the end. */
  readonly ordinals: ReadonlyMap<string, number>
  /** They deny what follows: "em vez de sete". */
  readonly instead: RegExp
}

const listed = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const counted = (text: string, fromEnd: string): ReadonlyMap<string, number> =>
  new Map([
    ...text.split(' ').flatMap((spellings, i) => spellings.split('/').map((word) => [word, i] as const)),
    ...fromEnd.split(' ').map((word, i) => [word, -1 - i] as const),
  ])

const pt: CorrectionWords = {
  no: listed('nao'),
  is: listed('é são sao eh era'),
  swap: listed('troca troque trocar muda mude substitui substitua corrige corrija'),
  by: listed('por para pra pelo'),
  end: listed('final finais termina terminam terminando fim ultimos ultimas'),
  start: listed('comeco inicio comeca comecam comecando primeiros primeiras'),
  ordinals: counted(
    'primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta sexto setimo oitavo nono decimo',
    'ultimo penultimo',
  ),
  instead: /\b(?:em vez|ao inv[eé]s|no lugar) d[eoa]\b/giu,
}
const en: CorrectionWords = {
  no: listed('no not isn'),
  is: listed('is it its are s'),
  swap: listed('change replace swap switch correct'),
  by: listed('to with by for'),
  end: listed('end ends ending'),
  start: listed('start starts starting begin begins beginning'),
  ordinals: counted('first second third fourth fifth sixth seventh eighth ninth tenth', 'last'),
  instead: /\b(?:instead|rather) (?:of|than)\b/giu,
}
const es: CorrectionWords = {
  no: listed('no'),
  is: listed('es son era'),
  swap: listed('cambia cambie cambiar corrige corrija sustituye'),
  by: listed('por a'),
  end: listed('final termina terminan acaba ultimos ultimas'),
  start: listed('principio inicio empieza comienza primeros primeras'),
  ordinals: counted(
    'primero/primer segundo tercero/tercer cuarto quinto sexto septimo octavo noveno decimo',
    'ultimo penultimo',
  ),
  instead: /\ben (?:vez|lugar) de\b/giu,
}

const all: Readonly<Record<DictationLanguage, CorrectionWords>> = { pt, en, es }
export const correctionWordsOf = (language: DictationLanguage): CorrectionWords => all[language]
