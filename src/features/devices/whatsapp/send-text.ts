// Sends a text on WhatsApp: split if it is too long for one message, and no part is resent if it may have arrived.
import type { SentText } from '../driver-port.ts'
import { type Graph, GraphTrouble } from './graph.ts'

/** The maximum length of a text message. */
const MAX_LETTERS = 4096

export async function sendTexts(
  graph: Graph,
  numberId: string,
  to: string,
  text: string,
  key: string,
  signal: AbortSignal,
): Promise<SentText> {
  const parts = textParts(text)
  if (parts.length === 0) return { ok: false, error: 'There is no text to send' }
  let first: string | null = null
  for (const [i, part] of parts.entries()) {
    try {
      const answer = await graph.post(`${numberId}/messages`, message(to, part, key), signal)
      const id = idIn(answer)
      // It may have been sent.
      if (id === null)
        throw new GraphTrouble('protocol', 'WhatsApp did not say what became of it', { isDoubtful: true })
      first ??= id
    } catch (error) {
      if (!(error instanceof GraphTrouble)) throw error
      // A retry would send the first parts again.
      const isDoubtful = error.isDoubtful || i > 0
      const which = parts.length === 1 ? '' : ` (part ${i + 1} of ${parts.length})`
      return { ok: false, error: `${error.message}${which}`, ...(isDoubtful ? { isDoubtful } : {}) }
    }
  }
  return { ok: true, externalId: first }
}

const message = (to: string, body: string, key: string) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  // A user who hides their number behind a username is addressed by id.
  ...(to.startsWith('+') ? { to: to.slice(1) } : { recipient: to }),
  type: 'text',
  text: { preview_url: false, body },
  // Meta returns it with the delivery status.
  biz_opaque_callback_data: key.slice(0, 512),
})

function idIn(answer: unknown): string | null {
  const { messages } = answer as { messages?: { id?: unknown }[] }
  const id = Array.isArray(messages) ? messages[0]?.id : null
  return typeof id === 'string' && id !== '' ? id : null
}

/** Splits between words if there is a space in the second half, never within a character. */
export function textParts(text: string, most = MAX_LETTERS): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > most) {
    const space = rest.slice(0, most + 1).search(/\s\S*$/)
    const isLow = /[\udc00-\udfff]/.test(rest[most] ?? '')
    const at = space > most / 2 ? space : isLow ? most - 1 : most
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}
