// Sign-in: passwords of users and browser sessions. Column meanings are in tables.ts.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('passwordHash', 'text').execute()
  // An e-mail address signs in one user only.
  await db.schema
    .createIndex('users_sign_in')
    .on('users')
    .column('email')
    .unique()
    .where(sql.ref('passwordHash'), 'is not', null)
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('keyId', 'text', (c) => c.references('apiKeys.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('lastUsedAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()
  for (const column of ['userId', 'keyId', 'expiresAt'])
    await db.schema.createIndex(`sessions_${column}`).on('sessions').column(column).execute()

  // Responses are now stored for sessions too, which are not keys: the foreign key is dropped. SQLite needs a new table for that.
  await db.schema
    .createTable('idempotencyNow')
    .addColumn('keyId', 'text', (c) => c.notNull())
    .addColumn('idempotencyKey', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('lockedUntil', 'text', (c) => c.notNull())
    .addColumn('answerSealed', 'text')
    .addColumn('statusCode', 'integer')
    .addPrimaryKeyConstraint('idempotency_once', ['keyId', 'idempotencyKey'])
    .execute()
  const columns = sql.join(
    ['keyId', 'idempotencyKey', 'fingerprint', 'createdAt', 'lockedUntil', 'answerSealed', 'statusCode'].map((name) =>
      sql.ref(name),
    ),
  )
  await sql`insert into ${sql.table('idempotencyNow')} (${columns}) select ${columns} from ${sql.table('idempotency')}`.execute(
    db,
  )
  await db.schema.dropTable('idempotency').execute()
  await db.schema.alterTable('idempotencyNow').renameTo('idempotency').execute()
  await db.schema.createIndex('idempotency_createdAt').on('idempotency').column('createdAt').execute()
}
