// Sends a text on WhatsApp. No part is resent if it may have arrived.
import type { SentText } from '../driver-port.ts'
import { sendInParts } from '../text-parts.ts'
import { type Graph, GraphTrouble } from './graph.ts'

export const sendText = (
  graph: Graph,
  numberId: string,
  { to, text, key }: { to: string; text: string; key: string },
  signal: AbortSignal,
): Promise<SentText> =>
  sendInParts(
    text,
    async (part) => {
      const id = idIn(await graph.post(`${numberId}/messages`, message(to, part, key), signal))
      if (id !== null) return id
      throw new GraphTrouble('protocol', 'WhatsApp did not say what became of it', { isDoubtful: true })
    },
    (error, index, count) => {
      if (!(error instanceof GraphTrouble)) throw error
      // A retry would resend the first parts.
      const isDoubtful = error.isDoubtful || index > 0
      const which = count === 1 ? '' : ` (part ${index + 1} of ${count})`
      return { ok: false, error: `${error.message}${which}`, ...(isDoubtful ? { isDoubtful } : {}) }
    },
  )

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
