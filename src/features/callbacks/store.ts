// Call-back requests: one for each conversation and reason, with events when one is created or changed.
import type { CallbackReason } from '../../base/domain/callbacks.ts'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { normalizeNumber } from '../../base/phone-numbers/phone-number.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { CallbackRow } from '../../db/callback-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { ownedRow } from '../../db/owned.ts'
import { ownedList } from '../../db/owned-list.ts'
import { removeCallbacks } from '../../db/removal.ts'
import { byColumn } from '../../db/sorting.ts'
import type { Callback, CallbackPatch } from './schema.ts'

export type CallbackStore = ReturnType<typeof callbackStore>

export type NewCallback = {
  conversationId: string
  /** Null if requested by text. */
  callId: string | null
  reason: CallbackReason
  name: string | null
  phoneNumber: string | null
  matter: string | null
  dueAt?: string | null
}

const MAX_NAME = 200
const MAX_NUMBER = 64
const MAX_MATTER = 2000

export function callbackStore(db: Db) {
  const row = ownedRow(db, 'callbacks')
  const writeEvent = eventWriter(db)
  const list = ownedList(db, 'callbacks', {
    sorts: { createdAt: byColumn('createdAt'), updatedAt: byColumn('updatedAt') },
    searched: ['name', 'phoneNumber', 'matter', 'note'],
  })

  return {
    list,

    async get(userId: string, id: string): Promise<Callback> {
      return toCallback(found('Callback', await row(userId, id)))
    },

    request: (userId: string, asked: NewCallback): Promise<Callback | null> =>
      db.inTransaction((trx) => requestIn(writeEvent, trx, userId, asked)),
    requestIn: (trx: Trx, userId: string, asked: NewCallback): Promise<Callback | null> =>
      requestIn(writeEvent, trx, userId, asked),

    /** Marks the request done after a call-back, unless it is already closed. */
    async closeIn(trx: Trx, userId: string, id: string): Promise<void> {
      const before = await lockRow(trx, 'callbacks', { userId, id })
      if (before?.status === 'open') await change(writeEvent, trx, before, { ...before, status: 'done' })
    },

    /** The number a text conversation is with; null if it is not by text message. */
    async textNumberOf(userId: string, conversationId: string): Promise<string | null> {
      const text = await db
        .selectFrom('deviceTexts')
        .select('peer')
        .where('userId', '=', userId)
        .where('conversationId', '=', conversationId)
        .limit(1)
        .executeTakeFirst()
      return text?.peer ?? null
    },

    async update(userId: string, id: string, patch: CallbackPatch): Promise<Callback> {
      return db.inTransaction(async (trx) => {
        const before = found('Callback', await lockRow(trx, 'callbacks', { userId, id }))
        const { status = before.status, note = before.note } = patch
        const after = { ...before, status, note }
        await audit(trx, { kind: 'callback', before, after })
        return toCallback(await change(writeEvent, trx, before, after))
      })
    },

    async remove(userId: string, id: string): Promise<Callback> {
      return db.inTransaction(async (trx) => {
        const stored = found('Callback', await lockRow(trx, 'callbacks', { userId, id }))
        await removeCallbacks(trx, userId, [stored])
        await audit(trx, { kind: 'callback', action: 'removed', userId, id })
        return toCallback(stored)
      })
    },
  }
}

const tell = (writeEvent: WriteEvent, trx: Trx, type: 'callback.requested' | 'callback.updated', stored: CallbackRow) =>
  writeEvent(trx, {
    userId: stored.userId,
    type,
    callId: stored.callId,
    conversationId: stored.conversationId,
    agentId: stored.agentId,
    data: { callback: toCallback(stored) },
  })

/** Stores changed fields, with an event if anything changed. */
async function change(writeEvent: WriteEvent, trx: Trx, before: CallbackRow, after: CallbackRow): Promise<CallbackRow> {
  const isSame = (Object.keys(after) as (keyof CallbackRow)[]).every((key) => before[key] === after[key])
  if (isSame) return before
  const stored = { ...after, updatedAt: nowAfter(before.updatedAt) }
  await trx
    .updateTable('callbacks')
    .set(stored)
    .where('userId', '=', stored.userId)
    .where('id', '=', stored.id)
    .execute()
  await tell(writeEvent, trx, 'callback.updated', stored)
  return stored
}

/** A repeated request in the same conversation updates and reopens it. Null if the conversation was removed. */
async function requestIn(
  writeEvent: WriteEvent,
  trx: Trx,
  userId: string,
  asked: NewCallback,
): Promise<Callback | null> {
  const { conversationId, callId, reason, dueAt = null } = asked
  const given = {
    name: asked.name?.slice(0, MAX_NAME) ?? null,
    phoneNumber: asked.phoneNumber === null ? null : storedNumber(asked.phoneNumber),
    matter: asked.matter?.slice(0, MAX_MATTER) ?? null,
    dueAt,
  }
  // Locking the conversation serializes its requests.
  const conversation = await lockRow(trx, 'conversations', { userId, id: conversationId })
  if (!conversation) return null
  const before = await lockRow(trx, 'callbacks', { userId, conversationId, reason })
  if (before) {
    const isNew = (Object.keys(given) as (keyof typeof given)[]).some((key) => given[key] !== before[key])
    return toCallback(await change(writeEvent, trx, before, isNew ? { ...before, ...given, status: 'open' } : before))
  }
  const createdAt = now()
  const stored: CallbackRow = {
    id: newId('cbk'),
    userId,
    agentId: conversation.agentId,
    callId,
    conversationId,
    ...given,
    reason,
    status: 'open',
    note: null,
    createdAt,
    updatedAt: createdAt,
  }
  await trx.insertInto('callbacks').values(stored).execute()
  await tell(writeEvent, trx, 'callback.requested', stored)
  return toCallback(stored)
}

/** Without spaces and punctuation. */
const storedNumber = (text: string): string => (normalizeNumber(text) ?? text).slice(0, MAX_NUMBER)

export function toCallback({ userId, ...row }: CallbackRow): Callback {
  return row
}
