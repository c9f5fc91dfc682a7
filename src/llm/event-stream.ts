// Server-sent events parser (HTML standard, 9.2.6) over arbitrary byte chunks.
import { limits } from '../base/outside/limits.ts'

const { bytes: MAX_EVENT } = limits.modelEvent
const { bytes: MAX_REPLY } = limits.modelReply

export class EventTooLong extends Error {}

/** Comments, event names and ids are ignored: they have no meaning in this protocol. */
export async function* eventData(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder() // drops the byte order mark, holds back partial characters
  let rest = ''
  let seen = 0
  let data: string[] = []
  let size = 0
  const take = function* (text: string): Generator<string> {
    rest += text
    let from = 0
    for (;;) {
      const end = lineEnd(rest, Math.max(from, seen))
      if (end === undefined) break
      const line = rest.slice(from, end.at)
      from = end.next
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
        size = 0
      } else if (line.startsWith('data')) {
        const value = dataIn(line)
        if (value === undefined) continue
        data.push(value)
        size += value.length
      }
    }
    rest = rest.slice(from)
    seen = Math.max(0, rest.length - 1) // re-read only the last character, which may be a CR
    if (rest.length + size > MAX_EVENT) throw new EventTooLong(`an event of more than ${MAX_EVENT} characters`)
  }
  let total = 0
  for await (const piece of pieces) {
    total += piece.length
    if (total > MAX_REPLY) throw new EventTooLong(`events of more than ${MAX_REPLY} bytes`)
    yield* take(decoder.decode(piece, { stream: true }))
  }
  // Many servers omit the empty line after their last event: the remaining data counts as an event at the end.
  yield* take(`${decoder.decode()}\n\n`)
}

/** A line ends with LF, CR LF or CR; a CR at the very end may be half of a CR LF. */
function lineEnd(text: string, from: number): { at: number; next: number } | undefined {
  for (let at = from; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === 10) return { at, next: at + 1 }
    if (letter !== 13) continue
    if (at + 1 === text.length) return undefined
    return { at, next: text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1 }
  }
  return undefined
}

function dataIn(line: string): string | undefined {
  if (line === 'data') return ''
  if (!line.startsWith('data:')) return undefined
  return line.startsWith('data: ') ? line.slice(6) : line.slice(5)
}
