// Telephony: refused calls without an agent, and the SIP messages of calls. Column meanings are in tables.ts.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

const texts = ['direction', 'status', 'toNumber', 'channel', 'leaseUntil', 'startedAt']
const nullableTexts = [
  'endReason',
  'endDetail',
  'hangupBy',
  'fromNumber',
  'trunkId',
  'deviceId',
  'deviceTokens',
  'variables',
  'metadata',
  'recording',
  'ringingAt',
  'answeredAt',
  'endedAt',
]
const others = ['id', 'userId', 'agentId', 'conversationId', 'sipCode']

/** SQLite cannot make a column nullable, so the table is recreated, in the same way on both databases. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const cascade = (table: string) => (c: ColumnDefinitionBuilder) => c.references(`${table}.id`).onDelete('cascade')
  let calls = db.schema
    .createTable('newCalls')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => cascade('users')(c.notNull()))
    .addColumn('agentId', 'text', cascade('agents'))
    .addColumn('conversationId', 'text', (c) => c.references('conversations.id').onDelete('set null'))
    .addColumn('sipCode', 'integer')
  for (const name of texts) calls = calls.addColumn(name, 'text', (c) => c.notNull())
  for (const name of nullableTexts) calls = calls.addColumn(name, 'text')
  await calls.execute()
  const columns = sql.join([...others, ...texts, ...nullableTexts].map((name) => sql.ref(name)))
  await sql`insert into ${sql.table('newCalls')} (${columns}) select ${columns} from ${sql.table('calls')}`.execute(db)
  await db.schema.dropTable('calls').execute()
  await db.schema.alterTable('newCalls').renameTo('calls').execute()
  for (const on of [['userId', 'startedAt', 'id'], ['agentId'], ['conversationId'], ['status', 'leaseUntil']])
    await db.schema
      .createIndex(`calls_${on.join('_')}`)
      .on('calls')
      .columns(on)
      .execute()

  await db.schema
    .createTable('callLadders')
    .addColumn('callId', 'text', (c) => c.primaryKey().references('calls.id').onDelete('cascade'))
    .addColumn('entries', 'text', (c) => c.notNull())
    .execute()
}
