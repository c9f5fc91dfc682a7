// Events with a sequence per user, webhooks and their deliveries. Column meanings are in tables.ts.
import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (c: ColumnDefinitionBuilder) => c.notNull()

export async function up(db: Kysely<unknown>): Promise<void> {
  const gone = (table: string) => (c: ColumnDefinitionBuilder) => c.references(`${table}.id`).onDelete('cascade')
  const owner = (c: ColumnDefinitionBuilder) => gone('users')(c.notNull())
  await db.schema
    .createTable('eventCounters')
    .addColumn('userId', 'text', (c) => gone('users')(c.primaryKey()))
    .addColumn('last', 'integer', required)
    .execute()
  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', owner)
    .addColumn('sequence', 'integer', required)
    .addColumn('type', 'text', required)
    .addColumn('callId', 'text', gone('calls'))
    .addColumn('conversationId', 'text', gone('conversations'))
    .addColumn('agentId', 'text')
    .addColumn('data', 'text', required)
    .addColumn('createdAt', 'text', required)
    .execute()
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', owner)
    .addColumn('url', 'text', required)
    .addColumn('events', 'text', required)
    .addColumn('agentIds', 'text')
    .addColumn('deviceId', 'text', (c) => gone('devices')(c.unique()))
    .addColumn('description', 'text')
    .addColumn('isActive', 'integer', required)
    .addColumn('secretSealed', 'text', required)
    .addColumn('oldSecretSealed', 'text')
    .addColumn('oldSecretUntil', 'text')
    .addColumn('readUpTo', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  await db.schema
    .createTable('webhookDeliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', owner)
    .addColumn('webhookId', 'text', (c) => gone('webhooks')(c.notNull()))
    .addColumn('eventId', 'text', required)
    .addColumn('eventType', 'text', required)
    .addColumn('orderKey', 'text')
    .addColumn('status', 'text', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('dueAt', 'text')
    .addColumn('statusCode', 'integer')
    .addColumn('error', 'text')
    .addColumn('response', 'text')
    .addColumn('durationMs', 'integer')
    .addColumn('createdAt', 'text', required)
    .addColumn('lastAttemptAt', 'text')
    .addColumn('deliveredAt', 'text')
    .execute()
  for (const [table, on, isUnique] of [
    ['events', ['userId', 'sequence'], true],
    ['events', ['callId']],
    ['events', ['conversationId']],
    ['events', ['createdAt']],
    ['webhooks', ['userId', 'createdAt', 'id']],
    ['webhookDeliveries', ['userId']],
    ['webhookDeliveries', ['webhookId', 'createdAt', 'id']],
    ['webhookDeliveries', ['webhookId', 'orderKey', 'id']],
    ['webhookDeliveries', ['status', 'dueAt']],
    ['webhookDeliveries', ['createdAt']],
  ] as const) {
    const index = db.schema
      .createIndex(`${table}_${on.join('_')}`)
      .on(table)
      .columns([...on])
    await (isUnique ? index.unique() : index).execute()
  }
}
