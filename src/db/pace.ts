// Turns of a pace that all nodes keep together: no two turns of a name are closer than its gap. One statement for each turn.
import { sql } from 'kysely'
import type { Db } from './db.ts'

/** `isTaken`: what was asked for starts after `waitMs`; otherwise try again after it. */
export type Turn = { isTaken: boolean; waitMs: number }

/** A turn may be taken this long ahead, so that the way to the database does not slow the pace. */
export const TURN_LEAD_MS = 50
/** No turn is this far ahead of the next one: the database's clock was set back. Statements are canceled after 9 seconds. */
const IMPOSSIBLE_MS = 10_000

const ms = (value: number) => sql`${value}::double precision * interval '1 millisecond'`
const text = (at: ReturnType<typeof sql>) => sql`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const now = sql`statement_timestamp()`
const sinceNow = (at: ReturnType<typeof sql>) =>
  sql<number | null>`(extract(epoch from (${at}) - ${now}) * 1000)::double precision`

/** Takes a turn in the table `paces`, on PostgreSQL. */
export async function takeTurn(db: Db, name: string, gapMs: number): Promise<Turn> {
  const next = sql`paces."nextAt"::timestamptz`
  const isImpossible = sql`${next} > ${now} + ${ms(gapMs + TURN_LEAD_MS + IMPOSSIBLE_MS)}`
  const after = sql`case when ${isImpossible} then ${now} else greatest(${next}, ${now}) end`
  const { rows } = await sql<{ takenMs: number | null; nextMs: number | null }>`
    with taken as (
      insert into paces (name, "nextAt") values (${name}, ${text(sql`${now} + ${ms(gapMs)}`)})
      on conflict (name) do update set "nextAt" = ${text(sql`${after} + ${ms(gapMs)}`)}
      where ${next} <= ${now} + ${ms(TURN_LEAD_MS)} or ${isImpossible}
      returning "nextAt"::timestamptz as at
    )
    select ${sinceNow(sql`select at from taken`)} as "takenMs",
      ${sinceNow(sql`select ${next} from paces where name = ${name}`)} as "nextMs"`.execute(db)
  const { takenMs = null, nextMs = null } = rows[0] ?? {}
  if (takenMs !== null) return { isTaken: true, waitMs: Math.max(0, takenMs - gapMs) }
  return { isTaken: false, waitMs: Math.max(1, (nextMs ?? gapMs) - TURN_LEAD_MS) }
}
