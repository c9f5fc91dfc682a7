// Counts the bytes, depth and entries of JSON while it arrives: parsing 1 MB of brackets or distinct keys is a hundred
// times slower than 1 MB of text.
import type { JsonBounds } from './limits.ts'

const [QUOTE, BACKSLASH, LF, CR, COMMA] = [0x22, 0x5c, 0x0a, 0x0d, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Most bytes are none of these and are skipped within a nanosecond. */
const isMark = new Uint8Array(256)
for (const mark of [QUOTE, BACKSLASH, LF, CR, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]) isMark[mark] = 1

const isLineEnd = (byte: number | undefined) => byte === LF || byte === CR

/** `entries`: in one list or object; `total`: overall. */
export type JsonProblem = 'bytes' | 'depth' | 'entries' | 'total'

export type JsonGuard = {
  /** The problem in what was received so far; null if there is none. */
  problemIn(piece: Uint8Array): JsonProblem | null
}

/** `isEvents`: an empty line ends an event, and each event is a text of its own. */
export function jsonGuard(bounds: JsonBounds, { isEvents = false } = {}): JsonGuard {
  const { depth: most, keys = Infinity, items = Infinity } = bounds
  const left = new Float64Array(most + 1) // entries that each open object or list may still contain
  let depth = 0
  let size = 0
  let containers = 0
  let entries = 0
  let isString = false
  let isEscaped = false // refers to the first byte of the next piece
  let last = LF
  let problem: JsonProblem | null = null

  function open(allowed: number): void {
    if (++containers > bounds.containers || ++entries > bounds.entries) problem ??= 'total'
    if (++depth > most) problem ??= 'depth'
    else left[depth] = allowed - 1
  }

  function comma(): void {
    if (depth === 0) return
    const rest = (left[depth] as number) - 1
    left[depth] = rest
    if (rest < 0) problem ??= 'entries'
    else if (++entries > bounds.entries) problem ??= 'total'
  }

  function endEvent(): void {
    if (size > bounds.bytes) problem ??= 'bytes'
    depth = 0
    size = 0
    containers = 0
    entries = 0
  }

  return {
    problemIn(piece) {
      if (piece.length === 0) return problem
      let counted = 0
      let i = isEscaped && !isLineEnd(piece[0]) ? 1 : 0
      isEscaped = false
      for (; i < piece.length && problem === null; i++) {
        const byte = piece[i] as number
        if (isMark[byte] === 0) continue
        if (byte === LF || byte === CR) {
          // No string continues after a line break, so an unterminated quote outside JSON cannot hide what follows it.
          isString = false
          const before = i === 0 ? last : piece[i - 1]
          const isSecondHalf = byte === LF && before === CR
          if (!isEvents || isSecondHalf || !isLineEnd(before)) continue
          size += i - counted
          counted = i
          endEvent()
        } else if (byte === QUOTE) isString = !isString
        else if (isString) {
          if (byte !== BACKSLASH) continue
          if (i + 1 === piece.length) isEscaped = true
          else if (!isLineEnd(piece[i + 1])) i++
        } else if (byte === COMMA) comma()
        else if (byte === OPEN_LIST) open(items)
        else if (byte === OPEN_OBJECT) open(keys)
        else if (byte !== BACKSLASH && depth > 0) depth--
      }
      size += piece.length - counted
      if (size > bounds.bytes) problem ??= 'bytes'
      last = piece[piece.length - 1] as number
      return problem
    },
  }
}

/** Checks a complete text. */
export const jsonProblem = (bytes: Uint8Array, bounds: JsonBounds): JsonProblem | null =>
  bytes.length > bounds.bytes ? 'bytes' : jsonGuard(bounds).problemIn(bytes)
