// Binds a trunk's password to the server it was set for, and stores since when a trunk has claimed its addresses.
import { type Kysely, sql } from 'kysely'

type Row = { userId: string; id: string; host: string | null; settings: string }

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('trunks').addColumn('passwordOrigin', 'text').execute()
  await db.schema
    .alterTable('trunks')
    .addColumn('addressClaims', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute()
  const { rows } = await sql<Row>`
    select "userId", id, host, settings from trunks where "passwordSealed" is not null`.execute(db)
  for (const { userId, id, host, settings } of rows) {
    const { port = null, outboundProxy = null, transport = 'udp' } = JSON.parse(settings)
    const origin = JSON.stringify({ host, port, outboundProxy, transport })
    await sql`update trunks set "passwordOrigin" = ${origin} where "userId" = ${userId} and id = ${id}`.execute(db)
  }
}
