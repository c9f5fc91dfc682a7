// Conversations and messages. Both adding a message and ending a conversation lock its row, so a message is either
// stored before the end or rejected.

import { type AppError, appError, found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { type Cursor, ownedRow, type PageRequest, requireOwned } from '../../db/owned.ts'
import { prepared } from '../../db/prepared.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { type ConversationRow, fromJson, type MessageRow, notAnalyzed, toJson } from '../../db/tables.ts'
import { markWritten } from '../../db/write-once.ts'
import { conversationPages, type ListedRow } from './list-store.ts'
import { authorOf, messageStatement, messageWriter } from './message-store.ts'
import { endedChatColumns, toConversation } from './rows.ts'
import type { Conversation, ConversationCall, Message, NewMessage, StartConversation } from './schema.ts'

/** A message of a call's transcript. */
export type SpokenMessage = NewMessage & Pick<Message, 'author'>

export type ConversationStore = ReturnType<typeof conversationStore>

const latest = (...times: (string | null)[]) => times.reduce<string>((a, b) => (b !== null && b > a ? b : a), '')

export function conversationStore(db: Db) {
  const row = ownedRow(db, 'conversations')
  const writeEvent = eventWriter(db)
  const messagesAfter = prepared<{ conversationId: string; number: number; limit: number }, MessageRow>(db, (slot) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('conversationId', '=', slot('conversationId'))
      .where('number', '>', slot('number'))
      .orderBy('number')
      .limit(slot('limit')),
  )
  const store = messageWriter(db)
  const storeAtOnce = messageStatement(db)
  async function add(
    userId: string,
    conversationId: string,
    { type, content, author }: SpokenMessage,
    { givenId, at = now(), isSpoken = false }: { givenId?: string | undefined; at?: string; isSpoken?: boolean },
  ): Promise<Message> {
    const stored = {
      userId,
      conversationId,
      id: givenId ?? newId('msg'),
      type,
      author: author ?? null,
      content,
      at,
      isSpoken,
    }
    if (storeAtOnce && !givenId) {
      return (await storeAtOnce(stored)) ?? reject(await refusal(db, userId, conversationId, 'conversation_ended'))
    }
    return db.inTransaction(async (trx) => {
      const known = givenId && (await sentBefore(trx, userId, conversationId, givenId))
      if (known) return known
      const sent = await store(trx, stored)
      return sent ?? reject(await refusal(trx, userId, conversationId, 'conversation_ended'))
    })
  }

  return {
    page: conversationPages(db),

    async get(userId: string, id: string): Promise<Conversation> {
      return toConversation(found('Conversation', await row(userId, id)))
    },

    async start(userId: string, { agentId, title, variables }: StartConversation): Promise<Conversation> {
      await requireOwned(db, 'agents', userId, agentId, 'Agent')
      const stored: ConversationRow = {
        id: newId('cnv'),
        userId,
        agentId,
        title: title ?? null,
        status: 'active',
        startedAt: now(),
        endedAt: null,
        messageCount: 0,
        lastMessageAt: null,
        variables: toJson(variables ?? null),
        ...notAnalyzed,
      }
      await db.inTransaction(async (trx) => {
        await markWritten(trx)
        await trx.insertInto('conversations').values(stored).execute()
        const conversation = toConversation(stored)
        await writeEvent(trx, {
          userId,
          agentId,
          conversationId: stored.id,
          callId: null,
          type: 'conversation.started',
          data: { conversation },
        })
      })
      return toConversation(stored)
    },

    end: (userId: string, id: string): Promise<Conversation> =>
      db.inTransaction((trx) => endChat(trx, writeEvent, userId, id)),

    /** With `givenId`, a repeated send returns the stored message. */
    send: (userId: string, conversationId: string, message: NewMessage, givenId?: string): Promise<Message> =>
      add(userId, conversationId, message, { givenId }),

    /** A transcript message of a call; stored even if the call has ended meanwhile. */
    said: (
      userId: string,
      conversationId: string,
      message: SpokenMessage,
      at: string,
      givenId?: string,
    ): Promise<Message> => add(userId, conversationId, message, { givenId, at, isSpoken: true }),

    /** The messages up to and including this one, limited to the last ones, oldest first. */
    async until(conversationId: string, messageId: string, limit: number): Promise<Message[]> {
      const at = db.selectFrom('messages').select('number').where('conversationId', '=', conversationId)
      const rows = await db
        .selectFrom('messages')
        .selectAll()
        .where('conversationId', '=', conversationId)
        .where('number', '<=', at.where('id', '=', messageId))
        .orderBy('number', 'desc')
        .limit(limit)
        .execute()
      return rows.reverse().map(toMessage)
    },

    /** A page of messages, oldest first. */
    messages: (conversationId: string, page: PageRequest): Promise<MessageRow[]> =>
      messagesAfter({ conversationId, number: numberAt(page.after), limit: page.limit }),
  }
}

async function endChat(trx: Trx, writeEvent: WriteEvent, userId: string, id: string): Promise<Conversation> {
  const closed = await trx
    .updateTable('conversations')
    .set({ status: 'ended' })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where(agentNotRemoved())
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst()
  if (!closed) throw await refusal(trx, userId, id, 'conversation_already_ended')
  // The row is locked now, so no later message can follow.
  const endedAt = latest(now(), closed.startedAt, closed.lastMessageAt)
  const agent = await trx.selectFrom('agents').select('settings').where('id', '=', closed.agentId).executeTakeFirst()
  const end = { endedAt, ...endedChatColumns(fromJson(agent?.settings ?? null)) }
  await trx.updateTable('conversations').set(end).where('id', '=', id).execute()
  const conversation = toConversation({ ...closed, ...end })
  const { agentId } = closed
  await writeEvent(trx, {
    userId,
    type: 'conversation.ended',
    conversationId: id,
    agentId,
    data: { conversation },
  })
  return conversation
}

/** Cursors come from the client: a number past any message means the end of the list. */
const numberAt = (cursor: Cursor | undefined): number =>
  Math.min(2_147_483_647, Math.max(0, Math.trunc(Number(cursor?.at ?? 0)) || 0))

async function sentBefore(trx: Trx, userId: string, conversationId: string, id: string): Promise<Message | undefined> {
  const row = await trx
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversationId')
    .selectAll('messages')
    .where('conversations.userId', '=', userId)
    .where('messages.conversationId', '=', conversationId)
    .where('messages.id', '=', id)
    .where(agentNotRemoved('conversations.agentId'))
    .executeTakeFirst()
  return row && toMessage(row)
}

function reject(error: AppError): never {
  throw error
}

async function refusal(
  trx: Db | Trx,
  userId: string,
  id: string,
  code: 'conversation_ended' | 'conversation_already_ended',
): Promise<AppError> {
  const row = await trx
    .selectFrom('conversations')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where(agentNotRemoved())
    .executeTakeFirst()
  return row ? appError(code) : notFound('Conversation')
}

type ListedConversation = Conversation & { call?: ConversationCall | null }

/** The row already has the record's columns; only its JSON is parsed. */
export const toListedConversation = (row: ListedRow): ListedConversation =>
  Object.assign(row, { variables: fromJson(row.variables), analysis: fromJson(row.analysis) }) as ListedConversation

export const isFlatConversation = ({ variables, analysis, call }: ListedConversation): boolean =>
  variables === null && analysis === null && call === undefined

export const toMessage = ({ conversationId, number, author, ...row }: MessageRow): Message => ({
  ...row,
  ...authorOf(author),
})
