// Answer hooks of numbers and agents, and what they decided about calls and chats. Column meanings are in hook-rows.ts.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

const required = (c: ColumnDefinitionBuilder) => c.notNull()

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('answerHooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('didId', 'text', (c) => c.unique().references('dids.id').onDelete('cascade'))
    .addColumn('agentId', 'text', (c) => c.unique().references('agents.id').onDelete('cascade'))
    .addColumn('kind', 'text', required)
    .addColumn('url', 'text')
    .addColumn('secretSealed', 'text')
    .addColumn('oldSecretSealed', 'text')
    .addColumn('oldSecretUntil', 'text')
    .addColumn('spreadsheet', 'text')
    .addColumn('timeoutMs', 'integer', required)
    .addColumn('isActive', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addColumn('rowVersion', 'integer', (c) => c.notNull().defaultTo(1))
    .addCheckConstraint('answerHooks_one', sql`(${sql.ref('didId')} is null) <> (${sql.ref('agentId')} is null)`)
    .execute()
  await db.schema.createIndex('answerHooks_userId').on('answerHooks').column('userId').execute()

  await db.schema
    .createTable('callHooks')
    .addColumn('callId', 'text', (c) => c.primaryKey().references('calls.id').onDelete('cascade'))
    .addColumn('outcome', 'text', required)
    .execute()
  await db.schema
    .createTable('conversationHooks')
    .addColumn('conversationId', 'text', (c) => c.primaryKey().references('conversations.id').onDelete('cascade'))
    .addColumn('outcome', 'text', required)
    .addColumn('guidance', 'text', required)
    .execute()
}
