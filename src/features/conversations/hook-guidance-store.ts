// The guidance of an agent's answer hook for a chat: requested once, before the first reply, and kept for all replies.
import type { Db } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter } from '../../db/outbox.ts'
import { fromJson } from '../../db/tables.ts'
import type { HookOutcome } from '../answer-hooks/schema.ts'

export type ChatGuidance = {
  /** Null for the agent of the conversation. */
  agentId: string | null
  variables: Readonly<Record<string, string>>
  language: string | null
  context: string | null
  isRefused: boolean
}

/** The sender's number and ours, if a device received the text. */
export type ChatPeer = { caller: string | null; called: string | null }

export function hookGuidance(db: Db) {
  const writeEvent = eventWriter(db)
  return {
    async of(conversationId: string): Promise<ChatGuidance | undefined> {
      const stored = db.selectFrom('conversationHooks').select('guidance')
      const row = await stored.where('conversationId', '=', conversationId).executeTakeFirst()
      return row && (fromJson<ChatGuidance>(row.guidance) as ChatGuidance)
    },

    /** Whether only the first message exists: a hook configured later is not asked. */
    async isBeginning(conversationId: string): Promise<boolean> {
      const own = db.selectFrom('conversations').select('messageCount').where('id', '=', conversationId)
      return ((await own.executeTakeFirst())?.messageCount ?? 2) <= 1
    },

    async peerOf(conversationId: string): Promise<ChatPeer> {
      const text = await db
        .selectFrom('deviceTexts')
        .innerJoin('devices', 'devices.id', 'deviceTexts.deviceId')
        .select(['deviceTexts.peer', 'deviceTexts.own', 'devices.phone'])
        .where('deviceTexts.conversationId', '=', conversationId)
        .orderBy('deviceTexts.id')
        .executeTakeFirst()
      return { caller: text?.peer ?? null, called: text?.own ?? text?.phone ?? null }
    },

    /** A late answer replaces what was stored at the timeout. */
    save: (conversationId: string, guidance: ChatGuidance, outcome: HookOutcome): Promise<void> =>
      db.inTransaction(async (trx) => {
        const conversation = await lockRow(trx, 'conversations', { id: conversationId })
        if (!conversation) return
        const set = { outcome: JSON.stringify(outcome), guidance: JSON.stringify(guidance) }
        await trx
          .insertInto('conversationHooks')
          .values({ conversationId, ...set })
          .onConflict((c) => c.column('conversationId').doUpdateSet(set))
          .execute()
        const { userId, agentId } = conversation
        const ids = { userId, agentId, conversationId, callId: null }
        await writeEvent(trx, { ...ids, type: 'conversation.hook', data: { hook: outcome } })
      }),
  }
}
