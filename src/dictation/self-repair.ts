// Self-repair inside one dictation: "788, quer dizer, 789" replaces what it repeats.
import { digitsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage, MAX_LETTERS } from './tokens.ts'

const markers: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /\b(?:quer dizer|ali[aá]s|digo|minto|ou melhor|opa|perd[aã]o|desculpa|desculpe)\b/giu,
  en: /\b(?:i mean|sorry|or rather|correction|scratch that)\b/giu,
  es: /\b(?:quiero decir|digo|mejor dicho|perd[oó]n|disculpe|disculpa)\b/giu,
}

/** A plain "no" between two versions: "cinquenta, não, sessenta". */
const plainNo: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /[,.;…]\s{0,9}n[aã]o(?:,\s{0,9}n[aã]o)?(?:\s{0,9}[,.;…]|\s(?:é|são|era|foi|eram)\b)/giu,
  en: /[,.;…]\s{0,9}(?:no|wait|actually|make that|i mean)(?:,?\s(?:no|wait|actually|it's|make that))?\s{0,9}[,.;…]|\b(?:no wait|wait no|make that)\b/giu,
  es: /[,.;…]\s{0,9}no(?:,\s{0,9}no)?(?:\s{0,9}[,.;…]|\s(?:es|son|era|eran)\b)/giu,
}
const more: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /\b(?:na verdade|corrigindo|errei|me enganei)\b/giu,
  en: /\b(?:actually|i meant)\b/giu,
  es: /\b(?:en realidad|m[aá]s bien|me equivoqu[eé])\b/giu,
}
/** "não é cinquenta, é sessenta": what is denied. */
const denied: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /\bn[aã]o (?:é|são|era|eram|foi|foram)? ?[^,.;]{1,80}[,.;] ?(?:e |é |são |mas |sim |era |foi ){1,3}/giu,
  en: /\b(?:not|it's not|isn't) [^,.;]{1,80}[,.;] ?(?:but |it's |it is |its ){1,3}/giu,
  es: /\bno (?:es|son|era|eran|fue)? ?[^,.;]{1,80}[,.;] ?(?:sino |es |son |era |fue ){1,3}/giu,
}

/** What was said before and after each repair: the last version with a value counts. */
export function versionsIn(text: string, language: string): string[] {
  const code = dictationLanguage(language)
  const said = text.slice(0, MAX_LETTERS).replace(denied[code], ' ')
  const all = new RegExp([markers, plainNo, more].map((some) => some[code].source).join('|'), 'giu')
  return said.split(all)
}

/** All digits, with each repair replacing what it repeats. */
export function repairedDigits(text: string, language: string): string {
  const pieces = text.slice(0, MAX_LETTERS).split(markers[dictationLanguage(language)])
  return pieces.map((piece) => digitsIn(piece, language)).reduce(repaired)
}

/**
 * A repair repeats the digits before the wrong one and continues: in 456788, "78900" replaces 788. Without a repeated
 * digit it replaces the last one.
 */
export function repaired(before: string, repair: string): string {
  if (before === '' || repair === '') return before + repair
  for (let at = Math.max(0, before.length - repair.length); at < before.length; at++)
    if (repair.startsWith(before.slice(at, -1))) return before.slice(0, at) + repair
  return before + repair
}
