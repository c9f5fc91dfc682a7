// The whole content of a database as one text, to search it for data that must not be there.
import { sql } from 'kysely'
import type { Db } from '../src/db/database.ts'

export async function everyRow(db: Db): Promise<string> {
  const texts: string[] = []
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    texts.push(JSON.stringify({ [name]: rows }))
  }
  return texts.join('\n')
}
