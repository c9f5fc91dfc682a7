// The id that a remote network gives a device or a text is its externalId.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['devices', 'deviceTexts'])
    await db.schema.alterTable(table).renameColumn('farId', 'externalId').execute()
}
