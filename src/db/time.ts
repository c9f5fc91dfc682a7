// The database clock. Leases and due times use it, because the clocks of several processes differ. On SQLite it is the
// clock of the single process that serves the database.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { nowMs, toIso } from '../base/time/clock.ts'
import { isPostgres } from './dialect.ts'
import type { Tables } from './tables.ts'

/** This many milliseconds from now, as the text of a timestamp column; for values and conditions. */
export function dbTime(db: Kysely<Tables>, offsetMs = 0): RawBuilder<string> {
  if (!isPostgres(db)) return sql<string>`${toIso(nowMs() + offsetMs)}`
  // statement_timestamp() is stable within a statement, so an index can be used to compare with it.
  const at = sql`statement_timestamp() + ${offsetMs}::double precision * interval '1 millisecond'`
  return sql<string>`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The database clock, in milliseconds. */
export async function readDbClock(db: Kysely<Tables>): Promise<number> {
  if (!isPostgres(db)) return nowMs()
  const { rows } = await sql<{ at: string }>`select ${dbTime(db)} as at`.execute(db)
  return Date.parse(rows[0]?.at ?? '')
}
