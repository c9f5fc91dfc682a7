// The {{variables}} in an agent's texts: which ones are used, and which have no value. Pure.
const name = '[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,63}'
const placeholder = new RegExp(`\\{\\{\\s*(${name})\\s*\\}\\}`, 'gu')
const validName = new RegExp(`^${name}$`, 'u')

/** Set by the platform in every call. */
export const builtInVariables = ['caller', 'callee', 'date', 'time', 'weekday'] as const
/** Determines the date and time variables; not used in texts itself. */
export const TIME_ZONE = 'timeZone'

/** Unique, in order of appearance. */
export function namesIn(...texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(placeholder)].map((match) => match[1] as string)))]
}

export type Variable = { name: string; value: string; isUsed: boolean }

/** Variables used in the texts, then those that have a value but are unused. */
export function listVariables(texts: readonly string[], values: Readonly<Record<string, string>>): Variable[] {
  const used = namesIn(...texts).filter((name) => !builtInVariables.some((known) => known === name) || name in values)
  const others = Object.keys(values).filter((name) => name !== TIME_ZONE && !used.includes(name))
  return [
    ...used.map((name) => ({ name, value: values[name] ?? '', isUsed: true })),
    ...others.map((name) => ({ name, value: values[name] ?? '', isUsed: false })),
  ]
}

export const fillVariables = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (_, name: string) => values[name] ?? '')

/**
 * `variable`: a valid placeholder. `badName`: the server treats it as plain text. `oneBrace`: possibly meant as a
 * variable.
 */
export type BraceSpan = { kind: 'variable' | 'badName' | 'oneBrace'; name: string; from: number; to: number }

const braces = /\{\{([^{}\n]{1,100})\}\}|\{{1,2}(\p{L}[\p{L}\p{N}_]{0,63})\}/gu

export function braceSpans(text: string): BraceSpan[] {
  return [...text.matchAll(braces)].flatMap((match): BraceSpan[] => {
    const place = { from: match.index, to: match.index + match[0].length }
    if (match[2] !== undefined) return [{ kind: 'oneBrace', name: match[2], ...place }]
    const inside = (match[1] ?? '').trim()
    if (inside === '') return []
    return [{ kind: validName.test(inside) ? 'variable' : 'badName', name: inside, ...place }]
  })
}

export type VariableIssue = {
  kind: 'unknown' | 'badName' | 'oneBrace'
  name: string
  /** Position of the first occurrence. */
  from: number
  to: number
  /** Suggested replacement: a similar existing name, or a valid form of this one. */
  suggestion: string | null
}

/** Each kind and name once, in order of appearance. `known` are the names that have a value. */
export function variableIssues(text: string, known: readonly string[]): VariableIssue[] {
  const issues = new Map<string, VariableIssue>()
  for (const { kind, name, from, to } of braceSpans(text)) {
    if (kind === 'variable' && known.includes(name)) continue
    const issue = kind === 'variable' ? 'unknown' : kind
    const suggestion = issue === 'unknown' ? similarName(name, known) : validForm(name)
    const key = `${issue} ${name}`
    if (!issues.has(key)) issues.set(key, { kind: issue, name, from, to, suggestion })
  }
  return [...issues.values()]
}

/** The text with the placeholders of this issue replaced by its suggestion. */
export function applySuggestion(text: string, { kind, name, suggestion }: VariableIssue): string {
  if (suggestion === null) return text
  const spanKind = kind === 'unknown' ? 'variable' : kind
  let fixed = ''
  let at = 0
  for (const span of braceSpans(text)) {
    if (span.kind !== spanKind || span.name !== name) continue
    fixed += `${text.slice(at, span.from)}{{${suggestion}}}`
    at = span.to
  }
  return fixed + text.slice(at)
}

/** "nome com espaço" becomes nome_com_espaço. */
function validForm(name: string): string | null {
  const form = name
    .trim()
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .replace(/^[_.-]+/u, '')
    .slice(0, 64)
  return validName.test(form) ? form : null
}

const MAX_TYPOS = 2

function similarName(name: string, known: readonly string[]): string | null {
  const near = known.filter((one) => one !== TIME_ZONE).map((one) => ({ one, typos: editDistance(name, one) }))
  const [best] = near.sort((a, b) => a.typos - b.typos)
  return best && best.typos <= Math.min(MAX_TYPOS, Math.floor(name.length / 3)) ? best.one : null
}

/** Levenshtein distance; names have at most 64 characters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1]?.toLowerCase() === b[j - 1]?.toLowerCase() ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}
