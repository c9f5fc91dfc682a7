// The holder of an idempotency key in progress: only the holder renews or releases the lease. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency').addColumn('holder', 'text').execute()
}
