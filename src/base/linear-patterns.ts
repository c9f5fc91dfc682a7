// Patterns in a user's JSON Schema: RE2, in linear time, with a limit on compilation cost.
import { RE2JS } from 're2js'
import { appError } from './errors.ts'

const MAX_STEPS = 5000 // for all patterns of one schema; about 20 microseconds each
const CLASS_STEPS = 50 // a Unicode class, such as \pL, is a long table

export type CompilePattern = (pattern: string) => RE2JS

/** For the patterns of one schema. */
export function patternCompiler(): CompilePattern {
  const compiled = new Map<string, RE2JS>()
  let left = MAX_STEPS
  return (pattern) => {
    const known = compiled.get(pattern)
    if (known) return known
    left -= stepsOf(pattern)
    if (left < 0) throw appError('schema_patterns_too_large')
    try {
      const made = RE2JS.compile(pattern)
      compiled.set(pattern, made)
      return made
    } catch {
      const shown = JSON.stringify(pattern.slice(0, 100))
      throw appError('schema_pattern', { pattern: shown })
    }
  }
}

const token = /\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*(?:\]|$)|[()]|\{(\d+)(?:,(\d*))?\}|./gs

/** Upper bound of the steps it compiles to: a count in braces repeats its operand that many times. */
function stepsOf(pattern: string): number {
  if (pattern.includes('\\Q')) return Number.POSITIVE_INFINITY // quoting would hide which brackets are groups
  const groups = [0] // the steps of each open group
  const add = (steps: number) => groups.push((groups.pop() ?? 0) + steps)
  let last = 0
  for (const [text, least, most] of pattern.matchAll(token)) {
    if (least !== undefined) {
      const repeats = Math.max(1, Number(least), Number(most || 0)) - 1
      add(last * repeats)
      last *= repeats + 1
    } else if (text === '(') {
      groups.push(0)
      last = 0
    } else if (text === ')' && groups.length > 1) {
      last = (groups.pop() ?? 0) + 2
      add(last)
    } else {
      last = 1
      add(text.length)
    }
  }
  const tables = pattern.match(/\\p/gi)?.length ?? 0
  return groups.reduce((sum, steps) => sum + steps, 0) + tables * CLASS_STEPS
}
