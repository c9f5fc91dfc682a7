// Idempotency keys in progress: who holds one, so that a lease is renewed and let go by its holder alone. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency').addColumn('holder', 'text').execute()
}
