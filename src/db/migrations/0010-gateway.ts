// Gateway drivers of devices, provisioning links, and the texts of devices. Column meanings are in tables.ts.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const column = (name: string, type: 'text' | 'integer', value?: string | number) =>
    db.schema
      .alterTable('devices')
      .addColumn(name, type, (c) => (value === undefined ? c : c.notNull().defaultTo(value)))
      .execute()
  await column('driver', 'text', 'embedded')
  await column('farId', 'text')
  await column('trunkSealed', 'text')
  await column('statusAt', 'text', '')
  await column('tries', 'integer', 0)
  await column('dueAt', 'text')
  await sql`update ${sql.table('devices')} set ${sql.ref('statusAt')} = ${sql.ref('updatedAt')}`.execute(db)
  // No driver handled these devices before; now they can be linked at once.
  await sql`update ${sql.table('devices')} set status = 'waiting_qr' where status = 'provisioning'`.execute(db)

  await db.schema
    .createTable('provisioningLinks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('deviceId', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .addColumn('usedAt', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('deviceTexts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('deviceId', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('direction', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('peer', 'text', (c) => c.notNull())
    .addColumn('own', 'text')
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('conversationId', 'text', (c) => c.references('conversations.id').onDelete('set null'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('dueAt', 'text', (c) => c.notNull())
    .addColumn('farId', 'text')
    .addColumn('error', 'text')
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('endedAt', 'text')
    .addUniqueConstraint('deviceTexts_once', ['deviceId', 'direction', 'key'])
    .execute()
  for (const [table, on] of [
    ['devices', ['driver', 'farId']],
    ['devices', ['dueAt']],
    ['provisioningLinks', ['deviceId']],
    ['provisioningLinks', ['userId']],
    ['deviceTexts', ['userId']],
    ['deviceTexts', ['status', 'dueAt']],
    ['deviceTexts', ['deviceId', 'peer', 'id']],
    ['deviceTexts', ['conversationId']],
    ['deviceTexts', ['createdAt']],
  ] as const)
    await db.schema
      .createIndex(`${table}_${on.join('_')}`)
      .on(table)
      .columns([...on])
      .execute()
}
