// Accounts of every kind: what they cost, entered by hand. Column meanings are in provider-rows.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('providerAccounts').addColumn('prices', 'text').execute()
}
