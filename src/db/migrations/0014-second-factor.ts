// Second factor for sign-in, and the device and address of a session. Column meanings are in tables.ts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['device', 'address']) await db.schema.alterTable('sessions').addColumn(column, 'text').execute()

  await db.schema
    .createTable('secondFactors')
    .addColumn('userId', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('secretSealed', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('confirmedAt', 'text')
    .addColumn('lastStep', 'integer', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('recoveryCodes')
    .addColumn('userId', 'text', (c) => c.notNull().references('secondFactors.userId').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recoveryCodes_once', ['userId', 'hash'])
    .execute()
}
