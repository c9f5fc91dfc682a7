// Queries on tables that belong to a user: one row by owner and id, and the owner's rows in pages, newest first.
import { sql } from 'kysely'
import { notFound } from '../base/errors/errors.ts'
import type { Db, Trx } from './database.ts'
import { prepared } from './prepared.ts'
import { agentNotRemoved } from './removal.ts'
import type { Sort } from './sorting.ts'
import type { Tables } from './tables.ts'

export type OwnedTable =
  | 'agents'
  | 'apiKeys'
  | 'conversations'
  | 'dids'
  | 'trunks'
  | 'tools'
  | 'devices'
  | 'calls'
  | 'callbacks'
  | 'campaigns'
  | 'campaignContacts'
  | 'campaignAttempts'
  | 'campaignImports'
  | 'suppressions'
  | 'suppressionLists'
  | 'callingRules'
  | 'rehearsals'
  | 'rehearsalScripts'
  | 'knowledgeBases'
  | 'knowledgeDocuments'
  | 'spreadsheets'
  | 'webhooks'
  | 'providerAccounts'
  | 'widgets'

/** Start of a page: after the row with this time and id. */
export type Cursor = { at: string; id: string }
/** Without `sort`, the list's own order, which is newest first. */
export type PageRequest = { limit: number; after?: Cursor | undefined; sort?: Sort }

/** Tables whose rows disappear with the agent. */
const ofAgents: ReadonlySet<OwnedTable> = new Set([
  'calls',
  'callbacks',
  'conversations',
  'rehearsals',
  'rehearsalScripts',
])

/** True if neither the row itself nor its agent is removed. */
export function isPresent(table: OwnedTable) {
  if (table === 'agents' || table === 'campaigns') return sql<boolean>`${sql.ref('removedAt')} is null`
  return ofAgents.has(table) ? agentNotRemoved() : sql<boolean>`1 = 1`
}

/** One row by its owner and id. */
export function ownedRow<T extends OwnedTable>(db: Db, table: T) {
  const run = prepared<{ userId: string; id: string }, Tables[T]>(db, (slot) =>
    db
      .selectFrom(table as 'agents')
      .selectAll()
      .where('userId', '=', slot('userId'))
      .where('id', '=', slot('id'))
      .where(isPresent(table))
      .$castTo<Tables[T]>(),
  )
  return async (userId: string, id: string): Promise<Tables[T] | undefined> => (await run({ userId, id }))[0]
}

type PageColumns<T extends OwnedTable> = {
  timeColumn?: 'createdAt' | 'startedAt'
  /** All by default. */
  columns?: readonly (keyof Tables[T])[]
}

/** A page of the owner's rows, newest first. */
export function ownedPage<T extends OwnedTable, R = Tables[T]>(
  db: Db,
  table: T,
  { timeColumn = 'createdAt', columns }: PageColumns<T> = {},
) {
  const all = db.selectFrom(table as 'agents')
  const from = (userId: string, limit: number) =>
    (columns ? all.select(columns as readonly 'id'[]) : all.selectAll())
      .where('userId', '=', userId)
      .where(isPresent(table))
      .orderBy(timeColumn as 'createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .$castTo<R>()
  const first = prepared<{ userId: string; limit: number }, R>(db, (slot) => from(slot('userId'), slot('limit')))
  const later = prepared<{ userId: string; limit: number; at: string; id: string }, R>(db, (slot) =>
    from(slot('userId'), slot('limit')).where(olderThan(timeColumn, slot('at'), slot('id'))),
  )
  return (userId: string, page: PageRequest): Promise<R[]> =>
    page.after
      ? later({ userId, limit: page.limit, at: page.after.at, id: page.after.id })
      : first({ userId, limit: page.limit })
}

/** Keyset condition: rows that come after (at, id) in a newest-first list. */
export const olderThan = (timeColumn: string, at: string, id: string, idColumn = 'id') =>
  sql<boolean>`(${sql.ref(timeColumn)}, ${sql.ref(idColumn)}) < (${at}, ${id})`

/** How many rows the user has. */
export async function countOwned(db: Db | Trx, table: OwnedTable, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom(table as 'agents')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('userId', '=', userId)
    .where(isPresent(table))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** An id in a body must name a row of the same user: a foreign key alone would accept another user's row. */
export async function requireOwned(
  db: Db | Trx,
  table: 'agents' | 'tools' | 'conversations',
  userId: string,
  id: string | null | undefined,
  what: string,
): Promise<void> {
  if (id === null || id === undefined) return
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where(isPresent(table))
    .executeTakeFirst()
  if (!row) throw notFound(what)
}
