// Row locks. On PostgreSQL FOR NO KEY UPDATE: two writers of a row wait for each other, but rows that reference it can
// still be inserted. On SQLite, the write transaction is the lock.
import type { SelectQueryBuilder } from 'kysely'
import type { Trx } from './db.ts'
import { isPostgres } from './dialect.ts'
import type { Tables } from './tables.ts'

/** Locks the rows that `query` returns until the transaction ends. */
export const forUpdate = <DB, T extends keyof DB, O>(
  trx: Trx,
  query: SelectQueryBuilder<DB, T, O>,
): SelectQueryBuilder<DB, T, O> => (isPostgres(trx) ? query.forNoKeyUpdate() : query)

/** Locks one row and returns its current state; undefined if no row has these values. */
export async function lockRow<T extends keyof Tables>(
  trx: Trx,
  table: T,
  key: Partial<Tables[T]>,
): Promise<Tables[T] | undefined> {
  let query = trx.selectFrom(table as 'users').selectAll()
  for (const [column, value] of Object.entries(key)) query = query.where(column as 'id', '=', value as string)
  return (await forUpdate(trx, query).executeTakeFirst()) as Tables[T] | undefined
}
