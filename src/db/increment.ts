// Increments in the database: two writers at once count both.
import { type RawBuilder, sql } from 'kysely'

/** `set({ version: increment('version') })`. */
export const increment = (column: string, by = 1): RawBuilder<number> =>
  sql<number>`${sql.ref(column)} + ${sql.lit(by)}`
