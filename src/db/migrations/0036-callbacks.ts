// Call-back requests. Column meanings are in callback-rows.ts.
import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (c: ColumnDefinitionBuilder) => c.notNull()
const gone = (table: string) => (c: ColumnDefinitionBuilder) => c.references(`${table}.id`).onDelete('cascade')

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('callbacks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => gone('users')(c.notNull()))
    .addColumn('agentId', 'text', gone('agents'))
    .addColumn('callId', 'text', gone('calls'))
    .addColumn('conversationId', 'text', gone('conversations'))
    .addColumn('name', 'text')
    .addColumn('phoneNumber', 'text')
    .addColumn('matter', 'text')
    .addColumn('reason', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('note', 'text')
    .addColumn('dueAt', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  const index = (name: string, columns: string[]) => db.schema.createIndex(name).on('callbacks').columns(columns)
  await index('callbacks_userId', ['userId', 'createdAt', 'id']).execute()
  await index('callbacks_status', ['userId', 'status', 'createdAt', 'id']).execute()
  await index('callbacks_agentId', ['agentId']).execute()
  await index('callbacks_callId', ['callId']).execute()
  await index('callbacks_once', ['conversationId', 'reason']).unique().execute()
  await index('callbacks_createdAt', ['createdAt']).execute()
}
