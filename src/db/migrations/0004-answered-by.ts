// AMD result of outbound calls: a person, voicemail or an IVR.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('calls').addColumn('answeredBy', 'text').execute()
}
