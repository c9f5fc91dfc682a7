// Who opened a widget's session, as a keyed hash, and when something was said in it last. Column meanings are in widget-rows.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('widgetSessions').addColumn('visitor', 'text').execute()
  await db.schema.alterTable('widgetSessions').addColumn('lastSaidAt', 'text').execute()
}
