// SIP headers that were given with an outbound call. Which names a trunk allows is part of the trunk's settings.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('calls').addColumn('headers', 'text').execute()
}
