// The origin that the secrets of a tool belong to. Null, as in every existing row: the tool's current origin. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['headersFor', 'authorizationFor'])
    await db.schema.alterTable('tools').addColumn(column, 'text').execute()
}
