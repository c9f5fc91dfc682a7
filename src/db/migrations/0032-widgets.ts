// Website widgets, their daily usage, and the calls and chats that they opened. Column meanings are in widget-rows.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('widgets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('agentId', 'text', (c) => c.notNull().references('agents.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('origins', 'text', (c) => c.notNull())
    .addColumn('channels', 'text', (c) => c.notNull())
    .addColumn('appearance', 'text', (c) => c.notNull())
    .addColumn('limits', 'text', (c) => c.notNull())
    .addColumn('isActive', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('widgets_userId').on('widgets').columns(['userId', 'createdAt', 'id']).execute()
  await db.schema.createIndex('widgets_agentId').on('widgets').column('agentId').execute()

  await db.schema
    .createTable('widgetUsages')
    .addColumn('widgetId', 'text', (c) => c.notNull().references('widgets.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('amount', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('widgetUsages_once', ['widgetId', 'day', 'kind'])
    .execute()
  await db.schema.createIndex('widgetUsages_day').on('widgetUsages').column('day').execute()

  await db.schema
    .createTable('widgetSessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('widgetId', 'text', (c) => c.notNull().references('widgets.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('widgetSessions_widgetId')
    .on('widgetSessions')
    .columns(['widgetId', 'createdAt'])
    .execute()
  await db.schema.createIndex('widgetSessions_createdAt').on('widgetSessions').column('createdAt').execute()
}
