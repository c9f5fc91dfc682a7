// A plain number: an order number keeps its zeros, a quantity may have decimals.
import { complete, failed, type Reading } from './kinds.ts'
import { type Item, itemsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

const decimalWords: Readonly<Record<DictationLanguage, ReadonlySet<string>>> = {
  pt: new Set(['virgula']),
  en: new Set(['point']),
  es: new Set(['coma']),
}

export function readNumber(text: string, language: string): Reading {
  const items = itemsIn(text, language)
  const digits = items.map((item) => item.digits).join('')
  if (digits === '') return failed('none')
  const at = items.findIndex((item, i) => isDecimalSign(items, i, dictationLanguage(language)) && item.digits === '')
  if (at === -1) return complete(digits)
  const [whole, part] = [items.slice(0, at), items.slice(at)].map((some) => some.map((each) => each.digits).join(''))
  return complete(`${whole}.${part}`)
}

/** "três vírgula cinco" or 3,5; a comma between groups of digits is not a decimal sign. */
function isDecimalSign(items: readonly Item[], at: number, code: DictationLanguage): boolean {
  const [before, item, after] = [items[at - 1], items[at], items[at + 1]]
  if (!before?.digits || !after?.digits || !item) return false
  if (item.type === 'word') return decimalWords[code].has(item.text)
  const sign = code === 'en' ? '.' : ','
  return item.text === sign && item.isTight && after.isTight && after.digits.length <= 2
}
