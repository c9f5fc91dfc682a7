// Stores a message with its event: increments the count in its conversation, whose row is locked until the commit, and
// numbers the event. On PostgreSQL this is one statement, so that a message costs one round trip; SQLite uses prepared
// statements.
import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { increment } from '../../db/increment.ts'
import { eventInStatement, eventWriter, notifyEventListeners } from '../../db/outbox.ts'
import { prepared, preparedChange } from '../../db/prepared.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Message } from './schema.ts'

/** `isSpoken`: part of a call's transcript, which may be stored after the call has ended. */
export type MessageToStore = {
  userId: string
  conversationId: string
  id: string
  type: MessageRow['type']
  author: MessageRow['author']
  content: string
  at: string
  isSpoken: boolean
}

/** In the API the field is present only if there is an author. */
export const authorOf = (author: MessageRow['author']) => (author === null ? {} : { author })

type Key = { userId: string; conversationId: string; at: string }
type Counted = { messageCount: number; lastMessageAt: string | null; agentId: string }
type SlotOf<A> = <K extends keyof A & string>(name: K) => A[K]

const ref = sql.ref

/** A message is never dated before the previous one. */
const counting = (db: Db, slot: SlotOf<Key>, isSpoken: boolean) =>
  db
    .updateTable('conversations')
    .set({
      messageCount: increment('messageCount'),
      lastMessageAt: sql<string>`case when ${ref('lastMessageAt')} > ${slot('at')} then ${ref('lastMessageAt')} else ${slot('at')} end`,
    })
    .where('userId', '=', slot('userId'))
    .where('id', '=', slot('conversationId'))
    .where(agentNotRemoved())
    .$if(!isSpoken, (open) => open.where('status', '=', 'active'))
    .returning(['messageCount', 'lastMessageAt', 'agentId'])

/** Runs in a transaction. Undefined if the conversation does not exist or has ended. */
export function messageWriter(db: Db) {
  const writeEvent = eventWriter(db)
  const count = (isSpoken: boolean) => preparedChange<Key, Counted>((slot) => counting(db, slot, isSpoken))
  const countOpen = count(false)
  const countSpoken = count(true)
  const insert = preparedChange<MessageRow, unknown>((slot) =>
    db.insertInto('messages').values({
      id: slot('id'),
      conversationId: slot('conversationId'),
      number: slot('number'),
      type: slot('type'),
      author: slot('author'),
      content: slot('content'),
      timestamp: slot('timestamp'),
    }),
  )
  return async (trx: Trx, message: MessageToStore): Promise<Message | undefined> => {
    const { userId, conversationId, id, type, author, content } = message
    const [counted] = await (message.isSpoken ? countSpoken : countOpen)(trx, message)
    if (!counted) return undefined
    const { agentId, messageCount, lastMessageAt } = counted
    const timestamp = lastMessageAt ?? message.at
    await insert(trx, { id, type, author, content, timestamp, conversationId, number: messageCount })
    const stored = { id, type, ...authorOf(author), content, timestamp }
    await writeEvent(trx, {
      userId,
      type: 'conversation.message',
      conversationId,
      agentId,
      data: { message: stored },
    })
    return stored
  }
}

type Values = Key & { id: string; type: string; author: string | null; content: string } & {
  eventId: string
  eventStart: string
  now: string
}

/** Closes the event's JSON after the message time, which the statement itself fills in. */
const DATA_END = '"}}'

/** Runs as one statement. Undefined as above, or if the database needs a transaction. */
export function messageStatement(db: Db) {
  if (!isPostgres(db)) return undefined
  const statement = (isSpoken: boolean) =>
    prepared<Values, { lastMessageAt: string }>(db, (slot) => {
      const text = (name: keyof Values) => sql`${slot(name)}::text` as RawBuilder<unknown>
      const columns = sql.join(
        ['id', 'conversationId', 'number', 'type', 'author', 'content', 'timestamp'].map((name) => ref(name)),
      )
      const all = sql<{ lastMessageAt: string }>`with counted as (${counting(db, slot as SlotOf<Key>, isSpoken)}),
        stored as (insert into messages (${columns}) select ${text('id')}, ${text('conversationId')}, ${ref('messageCount')},
          ${text('type')}, ${text('author')}, ${text('content')}, ${ref('lastMessageAt')} from counted),
        ${eventInStatement('counted', {
          id: text('eventId'),
          userId: text('userId'),
          type: sql`'conversation.message'`,
          conversationId: text('conversationId'),
          agentId: ref('agentId'),
          createdAt: text('now'),
          data: sql`${text('eventStart')} || ${ref('lastMessageAt')} || ${sql.lit(DATA_END)}`,
        })}
        select ${ref('lastMessageAt')} from counted`
      return { compile: () => all.compile(db) }
    })
  const open = statement(false)
  const spoken = statement(true)
  return async ({ isSpoken, ...message }: MessageToStore): Promise<Message | undefined> => {
    const { id, type, author, content } = message
    const data = JSON.stringify({ message: { id, type, ...authorOf(author), content, timestamp: '' } })
    const eventStart = data.slice(0, -DATA_END.length)
    const [row] = await (isSpoken ? spoken : open)({ ...message, eventId: newId('evt'), eventStart, now: now() })
    if (!row) return undefined
    notifyEventListeners(db)
    return { id, type, ...authorOf(author), content, timestamp: row.lastMessageAt }
  }
}
