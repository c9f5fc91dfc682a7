// The audit log, and the batches of its chain. Column meanings are in audit-rows.ts.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

const required = (c: ColumnDefinitionBuilder) => c.notNull()
const ofUser = (c: ColumnDefinitionBuilder) => c.notNull().references('users.id').onDelete('cascade')

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('auditRows')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', ofUser)
    .addColumn('createdAt', 'text', required)
    .addColumn('personId', 'text')
    .addColumn('credentialId', 'text')
    .addColumn('address', 'text')
    .addColumn('action', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('recordId', 'text')
    .addColumn('changes', 'text')
    .addColumn('sequence', 'integer')
    .addColumn('hash', 'text')
    .execute()
  const index = (name: string, columns: string[]) => db.schema.createIndex(name).on('auditRows').columns(columns)
  await index('auditRows_userId', ['userId', 'createdAt', 'id']).execute()
  await index('auditRows_record', ['userId', 'recordId', 'createdAt', 'id']).execute()
  await index('auditRows_sequence', ['userId', 'sequence']).unique().execute()
  await sql`create index "auditRows_unchained" on "auditRows" ("userId") where sequence is null`.execute(db)

  await db.schema
    .createTable('auditBatches')
    .addColumn('userId', 'text', ofUser)
    .addColumn('lastSequence', 'integer', required)
    .addColumn('firstSequence', 'integer', required)
    .addColumn('headHash', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('removedAt', 'text')
    .addPrimaryKeyConstraint('auditBatches_key', ['userId', 'lastSequence'])
    .execute()
}
