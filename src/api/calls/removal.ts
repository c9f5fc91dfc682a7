// What was said is removed here: a call with its conversation, or a conversation with its call, and every row that holds their words.
// Turns, SIP messages, replays, messages, tool calls and events go by their foreign keys.
import { toIso } from '../../base/clock.ts'
import { AppError, found } from '../../base/errors.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { CallRow, ConversationRow, DeviceTextRow } from '../../db/tables.ts'
import type { Conversation } from '../conversations/schema.ts'
import { toConversation } from '../conversations/store.ts'
import type { Call } from './schema.ts'
import { isLive, toCall } from './store.ts'

export type Removal = ReturnType<typeof removal>
export type RemoveRecordings = (fileNames: readonly string[]) => Promise<void>

/** An event about a text is written right after it. */
const TEXT_EVENT_MS = 60_000

export function removal(db: Db, removeRecordings: RemoveRecordings) {
  return {
    call: (userId: string, id: string): Promise<Call> =>
      db.transaction().execute(async (trx) => {
        const [stored] = await locked(trx, userId, 'id', id)
        const call = found('Call', stored)
        if (isLive(call)) throw new AppError('conflict', 'This call has not ended; hang it up first')
        await removeAll(trx, removeRecordings, [call], await lockedConversation(trx, userId, call.conversationId))
        return toCall(call)
      }),

    /** `onCall`: called when a call goes too, and may refuse. */
    conversation: (userId: string, id: string, onCall: () => void = () => {}): Promise<Conversation> =>
      db.transaction().execute(async (trx) => {
        const calls = await locked(trx, userId, 'conversationId', id)
        const conversation = found('Conversation', await lockedConversation(trx, userId, id))
        if (calls.length > 0) onCall()
        if (calls.some(isLive))
          throw new AppError('conflict', 'The call of this conversation has not ended; hang it up first')
        if (calls.length === 0 && conversation.status === 'active')
          throw new AppError('conflict', 'This conversation has not ended; end it first')
        await removeAll(trx, removeRecordings, calls, conversation)
        return toConversation(conversation)
      }),
  }
}

// Both are locked by writing what stands there before either is deleted: whoever holds one and is about to write an event can then
// finish, and nobody waits in a circle. Calls come first, as everywhere.
const locked = (trx: Trx, userId: string, by: 'id' | 'conversationId', id: string): Promise<CallRow[]> =>
  trx.updateTable('calls').set({ userId }).where('userId', '=', userId).where(by, '=', id).returningAll().execute()

export const lockedConversation = (trx: Trx, userId: string, id: string | null): Promise<ConversationRow | undefined> =>
  trx
    .updateTable('conversations')
    .set({ userId })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** A recording goes before its row: should this end half-way, the row is still there to begin again from. */
export async function removeAll(
  trx: Trx,
  removeRecordings: RemoveRecordings,
  calls: readonly CallRow[],
  conversation: ConversationRow | undefined,
): Promise<void> {
  const userId = calls[0]?.userId ?? conversation?.userId
  if (userId === undefined) return
  await removeRecordings(calls.flatMap(({ recording }) => recording ?? []))
  if (conversation) {
    const texts = trx.selectFrom('deviceTexts').selectAll().where('conversationId', '=', conversation.id)
    await removeTexts(trx, userId, await texts.execute())
  }
  const ids = calls.map(({ id }) => id)
  await trx
    .deleteFrom('webhookDeliveries')
    .where('userId', '=', userId)
    .where('orderKey', 'in', [...ids, ...(conversation ? [conversation.id] : [])])
    .execute()
  if (ids.length > 0) await trx.deleteFrom('calls').where('userId', '=', userId).where('id', 'in', ids).execute()
  if (conversation) await trx.deleteFrom('conversations').where('id', '=', conversation.id).execute()
}

/** With what was told of them. An event about a text names it only within its data. */
export async function removeTexts(trx: Trx, userId: string, texts: readonly DeviceTextRow[]): Promise<void> {
  if (texts.length === 0) return
  const ids = new Set(texts.map(({ id }) => id))
  const times = texts.map(({ createdAt }) => Date.parse(createdAt))
  const told = await trx
    .selectFrom('events')
    .select(['id', 'data'])
    .where('userId', '=', userId)
    .where('type', '=', 'device.text_received')
    .where('createdAt', '>=', toIso(Math.min(...times)))
    .where('createdAt', '<=', toIso(Math.max(...times) + TEXT_EVENT_MS))
    .execute()
  const events = told.filter(({ data }) => ids.has(JSON.parse(data).text?.id)).map(({ id }) => id)
  for (const some of inSlices(events)) {
    await trx.deleteFrom('webhookDeliveries').where('userId', '=', userId).where('eventId', 'in', some).execute()
    await trx.deleteFrom('events').where('userId', '=', userId).where('id', 'in', some).execute()
  }
  for (const some of inSlices([...ids]))
    await trx.deleteFrom('deviceTexts').where('userId', '=', userId).where('id', 'in', some).execute()
}

const SLICE = 500
export const inSlices = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / SLICE) }, (_, i) => all.slice(i * SLICE, (i + 1) * SLICE))
