// The list of conversations: filtered by agent, channel and time, with a search in titles, numbers and transcripts.
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { searchOf } from '../../base/text/search-text.ts'
import { toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { ownedPage, type PageRequest } from '../../db/owned.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { byColumn, isAfter, type Sort } from '../../db/sorting.ts'
import type { CallRow, ConversationRow } from '../../db/tables.ts'
import type { ConversationCall, ConversationQuery } from './schema.ts'
import { conversationsSaying } from './transcript-rows.ts'

const SLICE = 500
const NEWEST: Sort = { by: 'startedAt', isDescending: true }
const byStart = byColumn<ConversationRow>('startedAt')

type Filter = Omit<ConversationQuery, 'sort' | 'limit' | 'cursor'>
/** `call` is present only if requested; null for a chat. */
export type ListedRow = Pick<ConversationRow, (typeof listedColumns)[number]> & { call?: ConversationCall | null }
/** In schema order. */
const listedColumns = [
  ...(['id', 'agentId', 'title', 'status', 'startedAt', 'endedAt'] as const),
  ...(['variables', 'analysis', 'analysisStatus'] as const),
] as const

export function conversationPages(db: Db) {
  const newest = ownedPage<'conversations', ListedRow>(db, 'conversations', {
    timeColumn: 'startedAt',
    columns: listedColumns,
  })

  function inOrder(userId: string, filter: Filter, { sort = NEWEST, after }: Pick<PageRequest, 'sort' | 'after'>) {
    let query = db.selectFrom('conversations').where('userId', '=', userId).where(agentNotRemoved())
    if (filter.agentId !== undefined) query = query.where('agentId', '=', filter.agentId)
    if (filter.status !== undefined) query = query.where('status', '=', filter.status)
    if (filter.from !== undefined) query = query.where('startedAt', '>=', toIso(Date.parse(filter.from)))
    if (filter.to !== undefined) query = query.where('startedAt', '<', toIso(Date.parse(filter.to)))
    if (filter.channel !== undefined) query = query.where(isOfChannel(filter.channel))
    if (after) query = query.where(isAfter(byStart, sort, after))
    const direction = sort.isDescending ? 'desc' : 'asc'
    return query.orderBy('startedAt', direction).orderBy('id', direction)
  }

  /** The calls of these conversations, in one query. */
  async function callsOf(userId: string, ids: readonly string[]) {
    if (ids.length === 0) return new Map<string | null, CallOfConversation>()
    const rows = await db
      .selectFrom('calls')
      .select(['id', 'conversationId', 'direction', 'channel', 'fromNumber', 'toNumber'])
      .where('userId', '=', userId)
      .where('conversationId', 'in', ids)
      .execute()
    return new Map(rows.map((call) => [call.conversationId, call]))
  }

  async function search(userId: string, filter: Filter & { q: string }, page: PageRequest) {
    const { sort = NEWEST } = page
    const matches = searchOf(filter.q)
    const found: string[] = []
    for (let { after } = page; ; ) {
      const rows = await inOrder(userId, filter, { sort, after })
        .select(['id', 'startedAt', 'title'])
        .limit(SLICE)
        .execute()
      const ids = rows.map(({ id }) => id)
      const calls = await callsOf(userId, ids)
      const saying = await conversationsSaying(db, ids, filter.q)
      for (const { id, title } of rows) {
        const call = calls.get(id)
        if (saying.has(id) || matches([title, call?.fromNumber, call?.toNumber])) found.push(id)
      }
      const last = rows[SLICE - 1]
      if (!last || found.length >= page.limit) break
      after = { at: last.startedAt, id: last.id }
      await breathe()
    }
    if (found.length === 0) return []
    const ids = found.slice(0, page.limit)
    return inOrder(userId, {}, { sort }).select(listedColumns).where('id', 'in', ids).execute()
  }

  async function rowsOf(userId: string, filter: Filter, page: PageRequest): Promise<ListedRow[]> {
    const { q, include, ...where } = filter
    if (q?.trim()) return search(userId, { ...where, q: q.trim() }, page)
    const isPlain = page.sort === undefined && Object.values(where).every((value) => value === undefined)
    return isPlain
      ? newest(userId, page)
      : inOrder(userId, where, page).select(listedColumns).limit(page.limit).execute()
  }

  return async (userId: string, filter: Filter, page: PageRequest): Promise<ListedRow[]> => {
    const rows = await rowsOf(userId, filter, page)
    if (filter.include !== 'call') return rows
    const calls = await callsOf(
      userId,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => {
      const { conversationId, ...call } = calls.get(row.id) ?? { conversationId: null }
      return { ...row, call: conversationId === null ? null : (call as ConversationCall) }
    })
  }
}

type CallOfConversation = Pick<CallRow, 'id' | 'conversationId' | 'direction' | 'channel' | 'fromNumber' | 'toNumber'>

/** Chats are the conversations without a call. */
function isOfChannel(channel: NonNullable<ConversationQuery['channel']>) {
  const call = sql`select 1 from calls where ${sql.ref('calls.conversationId')} = ${sql.ref('conversations.id')}`
  return channel === 'text'
    ? sql<boolean>`not exists (${call})`
    : sql<boolean>`exists (${call} and ${sql.ref('calls.channel')} = ${channel})`
}
