// Knowledge bases, their documents and passages. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('knowledgeBases')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('language', 'text')
    .addColumn('generateQuestions', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('knowledgeDocuments')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('knowledgeBaseId', 'text', (c) => c.notNull().references('knowledgeBases.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('contentType', 'text', (c) => c.notNull())
    .addColumn('letters', 'integer', (c) => c.notNull())
    .addColumn('passageCount', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('dueAt', 'text')
    .addColumn('embeddedBy', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('knowledgePassages')
    .addColumn('documentId', 'text', (c) => c.notNull().references('knowledgeDocuments.id').onDelete('cascade'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('heading', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('questions', 'text')
    .addColumn('vector', 'text')
    .addPrimaryKeyConstraint('knowledgePassages_key', ['documentId', 'number'])
    .execute()
  for (const [table, on] of [
    ['knowledgeBases', ['userId', 'createdAt', 'id']],
    ['knowledgeDocuments', ['knowledgeBaseId', 'createdAt', 'id']],
    ['knowledgeDocuments', ['userId']],
    ['knowledgeDocuments', ['status', 'dueAt']],
  ] as const)
    await db.schema
      .createIndex(`${table}_${on.join('_')}`)
      .on(table)
      .columns([...on])
      .execute()
}
