// Who answered an outbound call: a person, a mailbox or a menu.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('calls').addColumn('answeredBy', 'text').execute()
}
