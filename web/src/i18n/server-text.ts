// Translates English server texts that are part of a record (states, details, reasons).
import type { Language } from './language.ts'

/** Keys are English texts with {names} as placeholders; values are the translations into Portuguese and Spanish. */
export type ServerTexts = Readonly<Record<string, readonly [pt: string, es: string]>>

type Template = { pattern: RegExp; names: string[]; words: readonly [pt: string, es: string] }

const compiled = new WeakMap<ServerTexts, readonly Template[]>()
/** A placeholder's value may itself be a server text: "WhatsApp refuses: {reason}". */
const MAX_DEPTH = 3
/** Longer texts come from third-party servers. */
const MAX_LENGTH = 1000

/** Returns the text unchanged in English, or if it is unknown. */
export function translated(text: string, language: Language, texts: ServerTexts, depth = 0): string {
  if (language === 'en' || depth > MAX_DEPTH || text.length > MAX_LENGTH) return text
  const index = language === 'pt' ? 0 : 1
  const whole = Object.hasOwn(texts, text) ? texts[text] : undefined
  if (whole) return whole[index]
  for (const { pattern, names, words } of templatesOf(texts)) {
    const match = pattern.exec(text)
    if (!match) continue
    const values = new Map(names.map((name, i) => [name, match[i + 1] ?? '']))
    return words[index].replace(/\{(\w+)\}/g, (_, name: string) =>
      translated(values.get(name) ?? '', language, texts, depth + 1),
    )
  }
  return text
}

/** Sorted by specificity: the template with the most fixed text first. */
function templatesOf(texts: ServerTexts): readonly Template[] {
  const known = compiled.get(texts)
  if (known) return known
  const fixedLength = (text: string) => text.replace(/\{\w+\}/g, '').length
  const templates = Object.keys(texts)
    .filter((text) => text.includes('{'))
    .sort((a, b) => fixedLength(b) - fixedLength(a))
    .map((text) => templateOf(text, texts[text] ?? ['', '']))
  compiled.set(texts, templates)
  return templates
}

function templateOf(text: string, words: readonly [pt: string, es: string]): Template {
  const parts = text.split(/\{(\w+)\}/) // alternates: fixed, name, fixed, name, … fixed
  const names = parts.filter((_, i) => i % 2 === 1)
  const source = parts.map((part, i) => (i % 2 === 1 ? '(.+?)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))).join('')
  return { pattern: new RegExp(`^${source}$`, 's'), names, words }
}
