// What the browser of a website's visitor receives during a call: words and states. Turns and tools are the owner's business.
import type { ServerMessage } from './protocol.ts'

/** Undefined: not for visitors. Types that are added later stay private until they are named here. */
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
