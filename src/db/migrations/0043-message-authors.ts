// Which of the agent's words an operator had it say.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('messages').addColumn('author', 'text').execute()
}
