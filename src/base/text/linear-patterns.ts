// Users' patterns, run by RE2 in linear time. Compiling costs in proportion to the pattern's size, matching to its size
// times the text's length: both are limited.
import { RE2JS } from 're2js'
import { appError } from '../errors/errors.ts'

const MAX_STEPS = 5000 // for all patterns of a schema; about 20 microseconds each
const CLASS_STEPS = 50 // a Unicode class such as \pL is a long table
/** Steps times characters, for one match and for all matches in a value; about a tenth of a microsecond each. */
const MAX_WORK = 2_000_000
/** Assumed for a text whose schema has no maxLength; a smaller pattern may still match a longer one. */
const USUAL_LETTERS = 1000

export type Pattern = {
  /** Throws TextTooLong, before it starts, if there is too much to match. */
  test(text: string): boolean
}
export type Patterns = {
  /** Throws an AppError if the pattern is invalid, or too large for texts of this length. */
  compile(pattern: string, maxLength?: number): Pattern
  /** Call before matching another value. */
  restart(): void
}

export class TextTooLong extends Error {}

/** For the patterns of one schema. `maxWork`: for all matches until the next restart. */
export function patternCompiler(maxWork = MAX_WORK): Patterns {
  const compiled = new Map<string, { steps: number; made: RE2JS }>()
  let left = MAX_STEPS
  let work = 0

  function compileOnce(pattern: string): { steps: number; made: RE2JS } {
    const known = compiled.get(pattern)
    if (known) return known
    const steps = stepsOf(pattern)
    left -= steps
    if (left < 0) throw appError('schema_patterns_too_large')
    try {
      const entry = { steps, made: RE2JS.compile(pattern) }
      compiled.set(pattern, entry)
      return entry
    } catch {
      const shown = JSON.stringify(pattern.slice(0, 100))
      throw appError('schema_pattern', { pattern: shown })
    }
  }

  return {
    compile(pattern, maxLength = USUAL_LETTERS) {
      const { steps, made } = compileOnce(pattern)
      if (steps * Math.min(maxLength, USUAL_LETTERS) > MAX_WORK) throw appError('schema_patterns_too_large')
      return {
        test(text) {
          work += steps * text.length
          if (work > maxWork) throw new TextTooLong('a text is too long for its pattern')
          return made.matcher(text).find()
        },
      }
    },
    restart() {
      work = 0
    },
  }
}

const token = /\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*(?:\]|$)|[()]|\{(\d+)(?:,(\d*))?\}|./gs

/** Upper bound of the steps it compiles to: a count in braces repeats its operand that many times. */
function stepsOf(pattern: string): number {
  if (pattern.includes('\\Q')) return Number.POSITIVE_INFINITY // quoting would hide which brackets are groups
  const groups = [0] // the steps in each open group
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
