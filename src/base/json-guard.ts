// Limits the depth and entries of JSON while its bytes arrive: parsing 1 MB of brackets or distinct keys is a hundred times slower than 1 MB of text.

const [QUOTE, BACKSLASH, LF, CR, COMMA] = [0x22, 0x5c, 0x0a, 0x0d, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** `keys`: per object; `items`: per list. */
export type JsonBounds = { depth: number; keys?: number; items?: number }
export type JsonProblem = 'depth' | 'entries'

export type JsonGuard = {
  /** The problem in the JSON received so far; null when there is none. */
  problemIn(piece: Uint8Array): JsonProblem | null
  /** Starts a new text. */
  restart(): void
}

/** A string ends at a line break, so an unterminated quote outside JSON cannot hide what follows it. */
export function jsonGuard({ depth: most, keys = Infinity, items = Infinity }: JsonBounds): JsonGuard {
  const left = new Float64Array(most + 1) // entries that each open object or list may still have
  let depth = 0
  let isString = false
  let isEscaped = false
  let problem: JsonProblem | null = null

  function open(entries: number): void {
    depth++
    if (depth > most) problem ??= 'depth'
    else left[depth] = entries - 1
  }

  function comma(): void {
    if (depth === 0 || depth > most) return
    const rest = (left[depth] as number) - 1
    left[depth] = rest
    if (rest < 0) problem ??= 'entries'
  }

  return {
    problemIn(piece) {
      for (const byte of piece) {
        if (problem) break
        if (isEscaped) isEscaped = false
        else if (byte === LF || byte === CR) isString = false
        else if (byte === QUOTE) isString = !isString
        else if (isString) isEscaped = byte === BACKSLASH
        else if (byte === COMMA) comma()
        else if (byte === OPEN_LIST) open(items)
        else if (byte === OPEN_OBJECT) open(keys)
        else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && depth > 0) depth--
      }
      return problem
    },
    restart() {
      depth = 0
    },
  }
}

export const jsonProblem = (bytes: Uint8Array, bounds: JsonBounds): JsonProblem | null =>
  jsonGuard(bounds).problemIn(bytes)
