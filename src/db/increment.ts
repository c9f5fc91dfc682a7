// Increments in the database, so that concurrent writers do not lose one.
import { type RawBuilder, sql } from 'kysely'

/** `set({ version: increment('version') })`. */
export const increment = (column: string, by = 1): RawBuilder<number> =>
  sql<number>`${sql.ref(column)} + ${sql.lit(by)}`
