// Self-repair inside one dictation: "788, quer dizer, 789" replaces what it repeats.
import { digitsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage, MAX_LETTERS } from './tokens.ts'

const markers: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /\b(?:quer dizer|ali[aá]s|digo|minto|ou melhor|opa|perd[aã]o|desculpa|desculpe)\b/giu,
  en: /\b(?:i mean|sorry|or rather|correction|scratch that)\b/giu,
  es: /\b(?:quiero decir|digo|mejor dicho|perd[oó]n|disculpe|disculpa)\b/giu,
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
