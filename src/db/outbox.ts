// The outbox: events are written in the same transaction as the change. The user's counter row is the lock: an event
// becomes visible only after all with a smaller sequence, so a reader that has reached a sequence has missed none.
import { type RawBuilder, sql } from 'kysely'
import type { EventType } from '../base/domain/event-types.ts'
import { newId } from '../base/ids.ts'
import { now } from '../base/time/clock.ts'
import type { Db, Trx } from './database.ts'
import { isPostgres } from './dialect.ts'
import type { EventRow } from './event-rows.ts'
import { preparedChange } from './prepared.ts'

export type NewEvent = {
  userId: string
  type: EventType
  /** Defaults to the conversation's call, if it has one. */
  callId?: string | null
  conversationId?: string | null
  agentId?: string | null
  /** The record that changed. */
  data: Readonly<Record<string, unknown>>
}
export type WriteEvent = (trx: Trx, event: NewEvent) => Promise<void>

/** Commits in a burst share one read. */
const COALESCE_MS = 5

/** Calls `read` shortly after this process has committed events. Returns the unsubscribe function. */
export function onEvent(db: Db, read: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const listener = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      read()
    }, COALESCE_MS).unref()
  }
  db.eventListeners.add(listener)
  return () => {
    db.eventListeners.delete(listener)
    clearTimeout(timer)
  }
}

type NewRow = Omit<EventRow, 'sequence'>

export function notifyEventListeners(db: Db): void {
  for (const listener of db.eventListeners) listener()
}

const columns = ['id', 'userId', 'type', 'callId', 'conversationId', 'agentId', 'data', 'createdAt'] as const

const names = sql.join([...columns, 'sequence'].map((name) => sql.ref(name)))
const callOf = (conversationId: unknown) =>
  sql`(select id from calls where ${sql.ref('conversationId')} = ${conversationId} limit 1)`

/**
 * For PostgreSQL: the part of a WITH that numbers and inserts an event of a conversation if `source`, an earlier part,
 * returned its row. That row must already be locked, because the counter is always locked last.
 */
export const eventInStatement = (source: string, row: Record<Exclude<keyof NewRow, 'callId'>, RawBuilder<unknown>>) => {
  const values = { ...row, callId: callOf(row.conversationId) }
  const from = sql.table(source)
  return sql`numbered as (insert into ${sql.table('eventCounters')} (${sql.ref('userId')}, last)
      select ${row.userId}, 1 from ${from} on conflict (${sql.ref('userId')})
      do update set last = ${sql.ref('eventCounters.last')} + 1 returning last),
    written as (insert into events (${names}) select ${sql.join(columns.map((name) => values[name]))}, last from ${from}, numbered)`
}

/**
 * Takes the next sequence and inserts. A single statement on PostgreSQL, because every round trip holds up the next
 * writer.
 */
function inserting(db: Db, isOfConversation: boolean): (trx: Trx, row: NewRow) => Promise<unknown> {
  type Slot = <K extends keyof NewRow>(name: K) => NewRow[K]
  const counted = (userId: string) =>
    db
      .insertInto('eventCounters')
      .values({ userId, last: 1 })
      .onConflict((c) => c.column('userId').doUpdateSet({ last: sql<number>`${sql.ref('eventCounters.last')} + 1` }))
      .returning('last')
  const valuesOf = (slot: Slot) =>
    columns.map((name) => {
      if (name !== 'callId' || !isOfConversation) return sql`${slot(name)}`
      return callOf(slot('conversationId'))
    })
  const into = sql`insert into events (${names})`

  if (isPostgres(db))
    return preparedChange<NewRow, unknown>((slot) => {
      const count = counted(slot('userId'))
      const all = sql`with counted as (${count}) ${into} select ${sql.join(valuesOf(slot))}, last from counted`
      return { compile: () => all.compile(db) }
    })
  const count = preparedChange<{ userId: string }, { last: number }>((slot) => counted(slot('userId')))
  const insert = preparedChange<EventRow, unknown>((slot) => {
    const values = sql.join([...valuesOf(slot as Slot), sql`${slot('sequence')}`])
    return { compile: () => sql`${into} values (${values})`.compile(db) }
  })
  return async (trx, row) => {
    const [number] = await count(trx, row)
    await insert(trx, { ...row, sequence: number?.last ?? 1 })
  }
}

/** Call it last in a transaction: from then on, other writers of this user's events wait for the commit. */
export function eventWriter(db: Db): WriteEvent {
  const insert = inserting(db, false)
  const insertOfConversation = inserting(db, true)
  const notify = () => notifyEventListeners(db)
  return async (trx, { userId, type, callId, conversationId = null, agentId = null, data }) => {
    const ids = { id: newId('evt'), userId, callId: callId ?? null, conversationId, agentId }
    const row = { ...ids, type, data: JSON.stringify(data), createdAt: now() }
    await (callId === undefined && conversationId !== null ? insertOfConversation : insert)(trx, row)
    trx.afterCommit(notify)
  }
}
