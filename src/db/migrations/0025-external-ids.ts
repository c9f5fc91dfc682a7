// The id of a device or text at a remote network is its externalId.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['devices', 'deviceTexts'])
    await db.schema.alterTable(table).renameColumn('farId', 'externalId').execute()
}
