// Indexes for the orders that lists offer, and the talk time of a call as a column: a duration of two texts cannot be indexed.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('calls').addColumn('talkSeconds', 'integer').execute()
  const seconds =
    db.getExecutor().adapter instanceof PostgresAdapter
      ? `extract(epoch from "endedAt"::timestamptz - "answeredAt"::timestamptz)`
      : `(julianday("endedAt") - julianday("answeredAt")) * 86400`
  await sql
    .raw(
      `update calls set "talkSeconds" = cast(round(${seconds}) as integer)
       where "answeredAt" is not null and "endedAt" is not null and "endedAt" >= "answeredAt"`,
    )
    .execute(db)
  const orders = {
    agents_name: 'agents ("userId", lower(name), id)',
    agents_updatedAt: 'agents ("userId", "updatedAt", id)',
    tools_name: 'tools ("userId", lower(name), id)',
    trunks_name: 'trunks ("userId", lower(name), id)',
    dids_phoneNumber_of_user: 'dids ("userId", "phoneNumber", id)',
    trunkLinks_createdAt: '"trunkLinks" ("userId", "createdAt", id)',
    calls_talkSeconds: 'calls ("userId", coalesce("talkSeconds", -1), id)',
  }
  for (const [name, on] of Object.entries(orders)) await sql.raw(`create index "${name}" on ${on}`).execute(db)
}
