// Transcript search: which conversations contain a text in one of their messages.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Filters by id instead of a join, for which PostgreSQL would scan all messages per slice. */
export async function conversationsSaying(db: Db, talks: readonly string[], q: string): Promise<Set<string>> {
  if (talks.length === 0) return new Set()
  const written = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const small = written.toLowerCase()
  const has = (text: RawBuilder<unknown>, part: string) => sql<boolean>`${text} like ${part} escape '\\'`
  const content = sql.ref('content')
  const inSmall = has(sql`lower(${content})`, small)
  // Searches both the original spelling and lower case, because neither database can lower-case every letter.
  const isSaid = small === written ? inSmall : sql<boolean>`(${has(content, written)} or ${inSmall})`
  const query = db.selectFrom('messages').select('conversationId').distinct()
  const found = await query.where('conversationId', 'in', talks).where(isSaid).execute()
  return new Set(found.map(({ conversationId }) => conversationId))
}
