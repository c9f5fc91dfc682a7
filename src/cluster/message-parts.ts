// A NOTIFY payload is limited to 8000 bytes: longer messages are sent in parts and joined again, within bounds.
//   <message id>.<index>.<count>.<text>
import { randomBytes } from 'node:crypto'
import { monotonicMs } from '../base/time/clock.ts'
import { MAX_SEALED } from './sealed-messages.ts'

export const PART_CHARS = 7900
export const MAX_PARTS = Math.ceil(MAX_SEALED / PART_CHARS)
/** Incomplete messages. */
const MAX_INCOMPLETE = 50
const KEEP_MS = 10_000
const HEAD = /^([\w-]{12})\.(\d{1,3})\.(\d{1,3})\./

export function splitMessage(text: string): string[] {
  const id = randomBytes(9).toString('base64url')
  const count = Math.max(1, Math.ceil(text.length / PART_CHARS))
  return Array.from(
    { length: count },
    (_, index) => `${id}.${index}.${count}.${text.slice(index * PART_CHARS, (index + 1) * PART_CHARS)}`,
  )
}

type Open = { parts: (string | undefined)[]; missing: number; sinceMs: number }

/** Returns the message when its last part arrives. Malformed, repeated and late parts are dropped. */
export function messageJoiner(nowMs: () => number = monotonicMs) {
  const open = new Map<string, Open>()

  /** Drops the oldest messages if there are too many, and those that are incomplete for too long. */
  function makeRoom(): void {
    for (const [id, { sinceMs }] of open) {
      if (open.size < MAX_INCOMPLETE && nowMs() - sinceMs < KEEP_MS) return
      open.delete(id)
    }
  }

  return (part: string): string | undefined => {
    const head = HEAD.exec(part)
    if (!head) return undefined
    const [start, id = '', index, count] = [head[0], head[1], Number(head[2]), Number(head[3])]
    const text = part.slice(start.length)
    if (count < 1 || count > MAX_PARTS || index >= count || text.length > PART_CHARS) return undefined
    if (count === 1) return text
    let message = open.get(id)
    if (!message) {
      makeRoom()
      message = { parts: new Array<undefined>(count).fill(undefined), missing: count, sinceMs: nowMs() }
      open.set(id, message)
    }
    if (message.parts.length !== count || message.parts[index] !== undefined) return undefined
    message.parts[index] = text
    if (--message.missing > 0) return undefined
    open.delete(id)
    return message.parts.join('')
  }
}
