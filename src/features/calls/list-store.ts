// The list of calls: newest first or sorted otherwise, with filters and search in numbers and transcripts.
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { liveStatuses } from '../../base/domain/call-statuses.ts'
import { searchedDigits } from '../../base/text/search-text.ts'
import { toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { PageRequest } from '../../db/owned.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { byColumn, byNumber, isAfter, type Sort, type SortKey } from '../../db/sorting.ts'
import type { CallRow } from '../../db/tables.ts'
import { conversationsSaying } from '../conversations/transcript-rows.ts'
import type { CallCount, CallCountQuery, CallQuery } from './schema.ts'

/** Calls searched at a time: SQLite runs in this thread, and a long search must not block other requests. */
const SLICE = 500

type Searched = Pick<CallRow, 'id' | 'conversationId' | 'fromNumber' | 'toNumber'>
type Filter = Omit<CallQuery, 'sort' | 'limit' | 'cursor' | 'include'>

/** Counting more would block SQLite for too long. */
const MAX_COUNT = 10_000

const NEWEST: Sort = { by: 'startedAt', isDescending: true }
const sorts: Readonly<Record<string, SortKey<CallRow>>> = {
  startedAt: byColumn('startedAt'),
  durationSeconds: byNumber('talkSeconds'),
}
const keyOf = ({ by }: Sort) => sorts[by] ?? byColumn<CallRow>('startedAt')

/** Cursor that continues after this call. */
export const callCursor = (row: CallRow, sort: Sort = NEWEST): string => keyOf(sort).textOf(row)

export function callPages(db: Db) {
  function matchingFilter(userId: string, filter: CallCountQuery) {
    let query = db.selectFrom('calls').where('userId', '=', userId).where(agentNotRemoved())
    if (filter.agentId !== undefined) query = query.where('agentId', '=', filter.agentId)
    if (filter.conversationId !== undefined) query = query.where('conversationId', '=', filter.conversationId)
    if (filter.status !== undefined) query = query.where('status', '=', filter.status)
    if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction)
    if (filter.channel !== undefined) query = query.where('channel', '=', filter.channel)
    if (filter.live !== undefined) query = query.where('status', filter.live ? 'in' : 'not in', liveStatuses)
    if (filter.from !== undefined) query = query.where('startedAt', '>=', toIso(Date.parse(filter.from)))
    if (filter.to !== undefined) query = query.where('startedAt', '<', toIso(Date.parse(filter.to)))
    // A literal, because a query parameter would not match the partial index of tests.
    if (filter.isTest !== undefined)
      query = query.where(filter.isTest ? sql<boolean>`"isTest" = 1` : sql<boolean>`"isTest" = 0`)
    return query
  }

  function inOrder(userId: string, filter: Filter, { sort = NEWEST, after }: Pick<PageRequest, 'sort' | 'after'>) {
    let query = matchingFilter(userId, filter)
    const key = keyOf(sort)
    if (after) query = query.where(isAfter(key, sort, after))
    const direction = sort.isDescending ? 'desc' : 'asc'
    return query.orderBy(key.expression, direction).orderBy('id', direction)
  }

  async function pageOf(userId: string, filter: Filter, page: PageRequest): Promise<CallRow[]> {
    // One query per status: for several statuses in one query sorted by time, databases scan all calls.
    if (filter.live && filter.status === undefined && page.sort === undefined) {
      const one = (status: CallRow['status']) => pageOf(userId, { ...filter, live: undefined, status }, page)
      const all = (await Promise.all(liveStatuses.map(one))).flat()
      return all.sort((a, b) => (isLater(a, b) ? -1 : 1)).slice(0, page.limit)
    }
    if (filter.q === undefined) return inOrder(userId, filter, page).selectAll().limit(page.limit).execute()
    const { sort = NEWEST } = page
    const found: string[] = []
    for (let { after } = page; ; ) {
      const rows = await inOrder(userId, filter, { sort, after })
        .select(['id', 'startedAt', 'talkSeconds', 'conversationId', 'fromNumber', 'toNumber'])
        .limit(SLICE)
        .execute()
      found.push(...(await matching(rows, filter.q)))
      const last = rows[SLICE - 1]
      if (!last || found.length >= page.limit) break
      after = { at: callCursor(last as CallRow, sort), id: last.id }
      await breathe()
    }
    if (found.length === 0) return []
    const ids = found.slice(0, page.limit)
    return inOrder(userId, {}, { sort }).selectAll().where('id', 'in', ids).execute()
  }

  async function matching(rows: readonly Searched[], q: string): Promise<string[]> {
    const small = q.toLowerCase()
    const digits = searchedDigits(q.trim())
    const hasNumber = ({ fromNumber, toNumber }: Searched) =>
      [fromNumber, toNumber].some(
        (number) => number?.toLowerCase().includes(small) || (digits !== null && number?.includes(digits)),
      )
    const talks = rows.flatMap((row) => (row.conversationId === null || hasNumber(row) ? [] : row.conversationId))
    const saying = await conversationsSaying(db, talks, q)
    return rows.filter((row) => hasNumber(row) || saying.has(row.conversationId ?? '')).map(({ id }) => id)
  }
  return {
    pageOf,
    async count(userId: string, filter: CallCountQuery): Promise<CallCount> {
      const some = matchingFilter(userId, filter)
        .select('id')
        .limit(MAX_COUNT + 1)
        .as('some')
      const { counted } = await db
        .selectFrom(some)
        .select(({ fn }) => fn.countAll().as('counted'))
        .executeTakeFirstOrThrow()
      return { count: Math.min(Number(counted), MAX_COUNT), hasMore: Number(counted) > MAX_COUNT }
    },
  }
}

const isLater = (a: CallRow, b: CallRow) => a.startedAt > b.startedAt || (a.startedAt === b.startedAt && a.id > b.id)
