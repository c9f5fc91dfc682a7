// The list of calls: newest first, with filters and a search in numbers and transcripts.
import { setImmediate as breathe } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { toIso } from '../../base/clock.ts'
import type { Db } from '../../db/database.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { type CallRow, liveStatuses } from '../../db/tables.ts'
import type { CallQuery } from './schema.ts'

/** Calls searched at a time: SQLite runs in our own thread, and a long search must not block other requests. */
const SLICE = 500

type Searched = Pick<CallRow, 'id' | 'conversationId' | 'fromNumber' | 'toNumber'>

export function callPages(db: Db) {
  function newestFirst(userId: string, filter: CallQuery, after: PageRequest['after']) {
    let query = db.selectFrom('calls').where('userId', '=', userId).where(agentNotRemoved())
    if (filter.agentId !== undefined) query = query.where('agentId', '=', filter.agentId)
    if (filter.conversationId !== undefined) query = query.where('conversationId', '=', filter.conversationId)
    if (filter.status !== undefined) query = query.where('status', '=', filter.status)
    if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction)
    if (filter.live !== undefined) query = query.where('status', filter.live ? 'in' : 'not in', liveStatuses)
    if (filter.from !== undefined) query = query.where('startedAt', '>=', toIso(Date.parse(filter.from)))
    if (filter.to !== undefined) query = query.where('startedAt', '<', toIso(Date.parse(filter.to)))
    if (after) query = query.where(olderThan('startedAt', after.at, after.id))
    return query.orderBy('startedAt', 'desc').orderBy('id', 'desc')
  }

  async function pageOf(userId: string, filter: CallQuery, page: PageRequest): Promise<CallRow[]> {
    // One query per status: with several statuses in one query, sorted by time, databases scan all calls.
    if (filter.live && filter.status === undefined) {
      const one = (status: CallRow['status']) => pageOf(userId, { ...filter, live: undefined, status }, page)
      const all = (await Promise.all(liveStatuses.map(one))).flat()
      return all.sort((a, b) => (isLater(a, b) ? -1 : 1)).slice(0, page.limit)
    }
    if (filter.q === undefined) return newestFirst(userId, filter, page.after).selectAll().limit(page.limit).execute()
    const found: string[] = []
    for (let { after } = page; ; ) {
      const rows = await newestFirst(userId, filter, after)
        .select(['id', 'startedAt', 'conversationId', 'fromNumber', 'toNumber'])
        .limit(SLICE)
        .execute()
      found.push(...(await matching(rows, filter.q)))
      const last = rows[SLICE - 1]
      if (!last || found.length >= page.limit) break
      after = { at: last.startedAt, id: last.id }
      await breathe()
    }
    if (found.length === 0) return []
    const ids = found.slice(0, page.limit)
    return newestFirst(userId, {}, undefined).selectAll().where('id', 'in', ids).execute()
  }

  async function matching(rows: readonly Searched[], q: string): Promise<string[]> {
    const small = q.toLowerCase()
    const hasNumber = ({ fromNumber, toNumber }: Searched) =>
      [fromNumber, toNumber].some((number) => number?.toLowerCase().includes(small))
    const talks = rows.flatMap((row) => (row.conversationId === null || hasNumber(row) ? [] : row.conversationId))
    const said = talks.length === 0 ? [] : await saidIn(talks, q)
    const saying = new Set(said.map(({ conversationId }) => conversationId))
    return rows.filter((row) => hasNumber(row) || saying.has(row.conversationId ?? '')).map(({ id }) => id)
  }

  /** By id, not by a join, for which PostgreSQL would scan all messages for every slice. */
  function saidIn(talks: readonly string[], q: string) {
    const written = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    const small = written.toLowerCase()
    const has = (text: RawBuilder<unknown>, part: string) => sql<boolean>`${text} like ${part} escape '\\'`
    const content = sql.ref('content')
    const inSmall = has(sql`lower(${content})`, small)
    // Both as written and in lower case: neither database can lower-case every letter.
    const isSaid = small === written ? inSmall : sql<boolean>`(${has(content, written)} or ${inSmall})`
    const query = db.selectFrom('messages').select('conversationId').distinct()
    return query.where('conversationId', 'in', talks).where(isSaid).execute()
  }
  return pageOf
}

const isLater = (a: CallRow, b: CallRow) => a.startedAt > b.startedAt || (a.startedAt === b.startedAt && a.id > b.id)
