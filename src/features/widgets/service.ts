// The widget service: the owner's widgets, and what visitors may open with the publishable id.
import { AppError } from '../../base/errors/errors.ts'
import type { FindAnswerer, SendAndReply } from '../conversations/port.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import { chatTokens } from './chat-tokens.ts'
import { type PublicWidgetParts, publicWidgetRoutes } from './public-routes.ts'
import { widgetRoutes } from './routes.ts'
import { visitorHash } from './visitor-hash.ts'

export type WidgetServiceParts = {
  stores: Pick<Stores, 'widgets' | 'widgetSessions' | 'conversations'>
  answererOf: FindAnswerer
  sendAndReply: SendAndReply
  issueForVisitor: PublicWidgetParts['issueCall']
}

const MINUTE_MS = 60_000
/** A chat ends, and is analyzed, when its visitor has not written for this long. */
const CHAT_IDLE_MS = 30 * MINUTE_MS
const ENDED_AT_ONCE = 100

export function widgetService(context: ServiceContext, parts: WidgetServiceParts) {
  const { limiter, masterKeys } = context
  const { widgets, widgetSessions: sessions, conversations } = parts.stores

  async function endIdleChats(): Promise<void> {
    for (const { id, userId } of await sessions.idleChats(CHAT_IDLE_MS, ENDED_AT_ONCE))
      await conversations.end(userId, id).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error // another process has already ended or removed it
      })
  }

  return {
    routes: [widgetRoutes({ widgets, usageOf: sessions.usageOf })],
    publicRoutes: [
      publicWidgetRoutes({
        limiter,
        sessions,
        conversations,
        answererOf: parts.answererOf,
        sendAndReply: parts.sendAndReply,
        published: widgets.published,
        issueCall: parts.issueForVisitor,
        chatTokens: chatTokens(masterKeys),
        visitorHash: visitorHash(masterKeys[0] as string),
      }),
    ],
    jobs: [
      { name: 'idle chats', everyMs: MINUTE_MS, task: endIdleChats },
      { name: 'old widget sessions', everyMs: 60 * MINUTE_MS, task: sessions.removeOld },
    ],
  }
}
