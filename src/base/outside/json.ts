// Parses untrusted JSON: its size and shape are checked before the parser sees it.
import { type JsonProblem, jsonProblem } from './json-guard.ts'
import type { JsonBounds } from './limits.ts'

/** Quotes no part of the text, which may contain a secret or a conversation. */
export class JsonRefused extends Error {
  readonly problem: JsonProblem | 'syntax'
  constructor(problem: JsonRefused['problem']) {
    super(problem === 'syntax' ? 'it is not JSON' : 'it is too large, nested too deeply, or has too many entries')
    this.problem = problem
  }
}

/** Bytes must be UTF-8. Throws JsonRefused. */
export function parseOutside(given: string | Uint8Array, bounds: JsonBounds): unknown {
  const bytes = typeof given === 'string' ? Buffer.from(given) : given
  const problem = jsonProblem(bytes, bounds)
  if (problem) throw new JsonRefused(problem)
  try {
    return JSON.parse(typeof given === 'string' ? given : new TextDecoder('utf-8', { fatal: true }).decode(given))
  } catch {
    throw new JsonRefused('syntax') // the parser's own message would quote the text
  }
}

/** Undefined if it cannot be parsed. */
export function parsedOutside(given: string | Uint8Array, bounds: JsonBounds): unknown {
  try {
    return parseOutside(given, bounds)
  } catch {
    return undefined
  }
}

/** An empty object for anything that is not a JSON object. */
export function fieldsOutside(given: string | Uint8Array, bounds: JsonBounds): Record<string, unknown> {
  const value = parsedOutside(given, bounds)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
