// Text normalization for synthesis: numbers, dates, money, addresses, abbreviations and symbols as words. Plain prose
// is unchanged. Each rule is one regular expression with bounded repetition, so run time grows with length only.
import { addressRules } from './addresses.ts'
import { amountRules } from './amounts.ts'
import { stripMarkup } from './clean.ts'
import { dateTimeRules } from './dates-and-times.ts'
import { en, enGb } from './en.ts'
import { es, esMexico, esPeso, esPoint } from './es.ts'
import type { Language, Rule } from './language.ts'
import { pt } from './pt.ts'
import { abbreviationRules, numberSymbolRules, symbolRules } from './symbols.ts'

export type Pronunciation = readonly { from: string; to: string }[]

const built = new Map<Language, readonly Rule[]>()

/** @param language BCP 47; text in other languages than Portuguese, English and Spanish is only cleaned. */
export function normalize(text: string, language: string, pronunciation: Pronunciation = []): string {
  const clean = pronounced(stripMarkup(text), pronunciation)
  const known = languageOf(language)
  if (!known) return tidied(clean)
  let said = clean
  for (const [pattern, read] of rulesOf(known)) said = said.replace(pattern, read as (...found: string[]) => string)
  return tidied(said)
}

function languageOf(tag: string): Language | null {
  const [code = '', region = ''] = tag.toLowerCase().split(/[-_]/)
  if (code === 'pt') return pt
  if (code === 'en') return ['gb', 'ie', 'au', 'nz', 'in', 'za'].includes(region) ? enGb : en
  if (code !== 'es') return null
  if (['mx', 'do', 'cu'].includes(region)) return esMexico
  if (['us', 'pr', 'gt', 'hn', 'ni', 'pa', 'pe', 'sv'].includes(region)) return esPoint
  return ['ar', 'cl', 'co', 'uy'].includes(region) ? esPeso : es
}

function rulesOf(language: Language): readonly Rule[] {
  let rules = built.get(language)
  if (!rules) {
    rules = [
      ...addressRules(language),
      ...language.rules,
      ...dateTimeRules(language),
      ...abbreviationRules(language),
      ...numberSymbolRules(language),
      ...amountRules(language),
      ...symbolRules(language),
    ]
    built.set(language, rules)
  }
  return rules
}

/** Whole words, case-insensitive, longest first. */
function pronounced(text: string, list: Pronunciation): string {
  const entries = list.filter(({ from }) => from.trim() !== '')
  if (entries.length === 0) return text
  const spoken = new Map(entries.map(({ from, to }) => [from.trim().toLowerCase(), to]))
  const pattern = [...spoken.keys()]
    .sort((a, b) => b.length - a.length)
    .map((from) => from.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|')
  return text.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'giu'),
    (found) => spoken.get(found.toLowerCase()) ?? found,
  )
}

const tidied = (text: string) =>
  text
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ (?=[,.;:!?)])(?![.,]\p{N})/gu, '')
    .replace(/\( /g, '(')
    .replace(/,(?=[,.;:!?])/g, '')
    .replace(/ ?\n ?/g, '\n')
    .trim()
