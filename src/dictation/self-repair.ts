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
  pt: /[,.;?!…]\s{0,9}n[aã]o(?:,\s{0,9}n[aã]o)?(?:\s{0,9}[,.;…]|\s(?:é|são|era|foi|eram)\b)/giu,
  en: /[,.;?!…]\s{0,9}(?:no|wait|actually|make that|i mean)(?:,?\s(?:no|wait|actually|it's|make that))?\s{0,9}[,.;…]|\b(?:no wait|wait no|make that)\b/giu,
  es: /[,.;?!…]\s{0,9}no(?:,\s{0,9}no)?(?:\s{0,9}[,.;…]|\s(?:es|son|era|eran)\b)/giu,
}
const more: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /\b(?:na verdade|corrigindo|errei|me enganei)\b/giu,
  en: /\b(?:actually|i meant)\b/giu,
  es: /\b(?:en realidad|m[aá]s bien|me equivoqu[eé])\b/giu,
}
/** A clause that denies: "não é cinquenta", "nem hoje nem amanhã"; a plain "não" is a repair. */
const denies: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /^[\s¿¡]{0,9}(?:(?:e|mas|é|são|só) )?(?:n[aã]o|nem|nunca) \S|\S (?:n[aã]o)\s{0,9}$/iu,
  en: /^\s{0,9}(?:(?:and|but|just|it's|that's|i'm) )?(?:not|never|don['’]t|isn['’]t|nor|neither) \S|\S not\s{0,9}$/iu,
  es: /^[\s¿¡]{0,9}(?:(?:y|pero|es|son|sólo|solo) )?(?:no|ni|nunca) \S|\S no\s{0,9}$/iu,
}

/** Clauses end with a mark before a space; 65,00 has none. */
const withoutDenied = (text: string, code: DictationLanguage): string =>
  text
    .split(/(?<=[,.;:!?…])(?=\s|$)/u)
    .filter((clause) => !denies[code].test(clause.replace(/[,.;:!?…]{1,9}$/u, '')))
    .join('')

/** What was said before and after each repair: the last version with a value counts. Denied clauses are left out. */
export function versionsIn(text: string, language: string): string[] {
  const code = dictationLanguage(language)
  const said = withoutDenied(text.slice(0, MAX_LETTERS), code)
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
