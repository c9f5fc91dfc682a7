// Sends a long text as several messages.
import type { SentText } from './driver-port.ts'

/** The maximum length of a message, at every gateway so far. */
const MAX_LETTERS = 4096

/** Sends the parts in order until one fails; `send` returns the message's id at the gateway. */
export async function sendInParts(
  text: string,
  send: (part: string, index: number) => Promise<string>,
  failed: (error: unknown, index: number, count: number) => SentText,
): Promise<SentText> {
  const parts = textParts(text)
  if (parts.length === 0) return { ok: false, error: 'There is no text to send' }
  const ids: string[] = []
  for (const part of parts) {
    try {
      ids.push(await send(part, ids.length))
    } catch (error) {
      return failed(error, ids.length, parts.length)
    }
  }
  return { ok: true, externalId: ids[0] ?? null }
}

/** Splits between words if there is a space in the second half, never within a character. */
export function textParts(text: string, maxLetters = MAX_LETTERS): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > maxLetters) {
    const space = rest.slice(0, maxLetters + 1).search(/\s\S*$/)
    const isLow = /[\udc00-\udfff]/.test(rest[maxLetters] ?? '')
    const at = space > maxLetters / 2 ? space : isLow ? maxLetters - 1 : maxLetters
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}
