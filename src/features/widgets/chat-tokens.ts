// Widget chat tokens: signed, for one conversation, valid only for the same widget on the same site.
import { type TokenSigner, tokenSigner } from '../../base/crypto/tokens.ts'

export type ChatGrant = { widgetId: string; conversationId: string; origin: string }
export type ChatTokens = ReturnType<typeof chatTokens>

/** How long a visitor may leave a page open; an idle chat ends sooner. */
const LIFE_MS = 12 * 3_600_000

export function chatTokens(masterKeys: readonly string[]) {
  const signer: TokenSigner = tokenSigner(masterKeys, 'widget chat')
  return {
    issue({ widgetId, conversationId, origin }: ChatGrant): { token: string; expiresMs: number } {
      return signer.issue(JSON.stringify([widgetId, conversationId, origin]), LIFE_MS)
    },
    /** Undefined if it is forged, expired, or belongs to another widget or site. */
    read(token: string, { widgetId, origin }: Omit<ChatGrant, 'conversationId'>): string | undefined {
      const subject = signer.subjectOf(token)
      if (subject === undefined) return undefined
      const [ofWidget, conversationId, ofOrigin] = JSON.parse(subject) as string[]
      return ofWidget === widgetId && ofOrigin === origin ? conversationId : undefined
    },
  }
}
