// Deletes a call with its conversation, or a conversation with its call, for their owner (db/removal.ts).
import { appError, found } from '../../base/errors/errors.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { forUpdate } from '../../db/lock-row.ts'
import { agentNotRemoved, removeConversationData } from '../../db/removal.ts'
import type { CallRow, ConversationRow } from '../../db/tables.ts'
import { toConversation } from '../conversations/rows.ts'
import type { Conversation } from '../conversations/schema.ts'
import { isLive, toCall } from './call-record.ts'
import type { Call } from './schema.ts'

export type Removal = ReturnType<typeof removal>

/** `node`: the disk for recordings whose row does not name one. */
export function removal(db: Db, node: string) {
  return {
    call: (userId: string, id: string): Promise<Call> =>
      db.inTransaction(async (trx) => {
        const [stored] = await locked(trx, userId, 'id', id)
        const call = found('Call', stored)
        if (isLive(call)) throw appError('call_live_hang_up_first')
        await removeConversationData(trx, node, [call])
        await audit(trx, { kind: 'call', action: 'erased', userId, id })
        return toCall(call)
      }),

    /** `onCall` is called if a call is removed too; it may throw. */
    conversation: (userId: string, id: string, onCall: () => void = () => {}): Promise<Conversation> =>
      db.inTransaction(async (trx) => {
        const calls = await locked(trx, userId, 'conversationId', id)
        const conversation = found('Conversation', await lockedConversation(trx, userId, id))
        if (calls.length > 0) onCall()
        if (calls.some(isLive)) throw appError('call_of_conversation_live')
        if (calls.length === 0 && conversation.status === 'active') throw appError('conversation_open_end_first')
        await removeConversationData(trx, node, calls, [id])
        await audit(trx, { kind: 'conversation', action: 'erased', userId, id })
        return toConversation(conversation)
      }),
  }
}

// Locks both before deleting either, so that a transaction that holds one and is about to write an event can finish.
// Calls are locked before conversations everywhere, which avoids deadlocks.
const locked = (trx: Trx, userId: string, by: 'id' | 'conversationId', id: string): Promise<CallRow[]> => {
  const own = trx.selectFrom('calls').selectAll().where('userId', '=', userId).where(by, '=', id)
  return forUpdate(trx, own.where(agentNotRemoved())).execute()
}

export function lockedConversation(trx: Trx, userId: string, id: string | null): Promise<ConversationRow | undefined> {
  const own = trx.selectFrom('conversations').selectAll().where('userId', '=', userId).where('id', '=', id)
  return forUpdate(trx, own.where(agentNotRemoved())).executeTakeFirst()
}
