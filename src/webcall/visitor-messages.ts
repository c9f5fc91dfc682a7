// The messages that a website visitor's browser receives during a call: words and states. Turns and tools are for the owner only.
import type { ServerMessage } from './protocol.ts'

/** Undefined: not for visitors. New types stay private until they are listed here. */
export function visitorMessage(message: ServerMessage): ServerMessage | undefined {
  switch (message.type) {
    case 'started':
      return { ...message, callId: '', conversationId: '' }
    case 'said':
    case 'resumed':
    case 'clear':
    case 'ended':
      return message
    default:
      return undefined
  }
}
