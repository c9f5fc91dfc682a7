// Accounts at providers of language models. Column meanings are in provider-rows.ts.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

const required = (c: ColumnDefinitionBuilder) => c.notNull()

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('providerAccounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', required)
    .addColumn('vendor', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('baseUrl', 'text', required)
    .addColumn('model', 'text', required)
    .addColumn('models', 'text')
    .addColumn('keySealed', 'text')
    .addColumn('keyFor', 'text')
    .addColumn('isDefault', 'integer', required)
    .addColumn('sharedAt', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  await db.schema
    .createIndex('providerAccounts_userId_createdAt_id')
    .on('providerAccounts')
    .columns(['userId', 'createdAt', 'id'])
    .execute()
  await db.schema
    .createIndex('providerAccounts_kind_sharedAt')
    .on('providerAccounts')
    .columns(['kind', 'sharedAt'])
    .execute()
  // One default per user and kind, whoever writes at the same time.
  await sql`create unique index "providerAccounts_default" on ${sql.table('providerAccounts')}
    (${sql.ref('userId')}, ${sql.ref('kind')}) where ${sql.ref('isDefault')} = 1`.execute(db)
}
