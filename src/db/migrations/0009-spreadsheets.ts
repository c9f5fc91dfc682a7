// Built-in spreadsheets and their rows. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('spreadsheets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('columns', 'text', (c) => c.notNull())
    .addColumn('rowCount', 'integer', (c) => c.notNull())
    .addColumn('lastNumber', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('spreadsheetRows')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('spreadsheetId', 'text', (c) => c.notNull().references('spreadsheets.id').onDelete('cascade'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('cells', 'text', (c) => c.notNull())
    .addColumn('searchText', 'text', (c) => c.notNull())
    .addColumn('addedBy', 'text')
    .addColumn('changedBy', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('spreadsheets_userId_createdAt_id')
    .on('spreadsheets')
    .columns(['userId', 'createdAt', 'id'])
    .execute()
  for (const column of ['number', 'addedBy', 'changedBy'])
    await db.schema
      .createIndex(`spreadsheetRows_spreadsheetId_${column}`)
      .unique()
      .on('spreadsheetRows')
      .columns(['spreadsheetId', column])
      .execute()
}
