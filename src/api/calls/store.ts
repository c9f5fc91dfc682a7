// Calls: their rows from `initiating` to an end that never changes again. What the phone writes while one goes on is in course.ts.
import { type RawBuilder, sql } from 'kysely'
import { now, nowMs, toIso } from '../../base/clock.ts'
import { AppError, found, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../../db/database.ts'
import { before, ownedRow, type PageRequest } from '../../db/owned.ts'
import { type CallRow, type endStatuses, fromJson, liveStatuses, toJson } from '../../db/tables.ts'
import { endedCall } from '../conversations/ending.ts'
import type { Call, CallQuery } from './schema.ts'

export type CallStore = ReturnType<typeof callStore>

export type NewOutboundCall = {
  agentId: string
  toNumber: string
  deviceTokens: string[] | null
  variables: Record<string, string> | null
  metadata: Record<string, unknown> | null
}

export type CallEnd = {
  status: (typeof endStatuses)[number]
  endReason: string
  endDetail?: string
  sipCode?: number
  hangupBy?: NonNullable<CallRow['hangupBy']>
}

export const LEASE_MS = 10_000

const isLive = (row: CallRow) => (liveStatuses as readonly string[]).includes(row.status)

export function callStore(db: Db) {
  const row = ownedRow(db, 'calls')
  return {
    async get(userId: string, id: string): Promise<Call> {
      return toCall(found('Call', await row(userId, id)))
    },

    async createOutbound(userId: string, call: NewOutboundCall): Promise<CallRow> {
      const agent = await db
        .selectFrom('agents')
        .select(['isActive', 'direction'])
        .where('userId', '=', userId)
        .where('id', '=', call.agentId)
        .executeTakeFirst()
      const { isActive, direction } = found('Agent', agent)
      if (!isActive) throw new AppError('conflict', 'This agent is not active')
      if (direction === 'inbound') throw new AppError('conflict', 'This agent only takes inbound calls')
      const stored = initiating(userId, call)
      await db.insertInto('calls').values(stored).execute()
      return stored
    },

    /** Newest first, as the filters ask. */
    async page(userId: string, filter: CallQuery, page: PageRequest): Promise<CallRow[]> {
      let query = db.selectFrom('calls').selectAll().where('userId', '=', userId)
      if (filter.agentId !== undefined) query = query.where('agentId', '=', filter.agentId)
      if (filter.status !== undefined) query = query.where('status', '=', filter.status)
      if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction)
      if (filter.from !== undefined) query = query.where('startedAt', '>=', toIso(Date.parse(filter.from)))
      if (filter.to !== undefined) query = query.where('startedAt', '<', toIso(Date.parse(filter.to)))
      if (filter.q !== undefined) {
        // As it was written, and in small letters: neither database knows the small letter of every capital.
        const written = `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`
        const has = (text: RawBuilder<unknown>, part: string) => sql<boolean>`${text} like ${part} escape '\\'`
        const content = sql.ref('messages.content')
        const said = sql<boolean>`exists (select 1 from ${sql.table('messages')} where ${sql.ref('messages.conversationId')} = ${sql.ref('calls.conversationId')} and (${has(content, written)} or ${has(sql`lower(${content})`, written.toLowerCase())}))`
        query = query.where((where) =>
          where.or([has(sql.ref('toNumber'), written), has(sql.ref('fromNumber'), written), said]),
        )
      }
      if (page.after) query = query.where(before('startedAt', page.after.at, page.after.id))
      return query.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(page.limit).execute()
    },

    active: (userId: string): Promise<CallRow[]> =>
      db
        .selectFrom('calls')
        .selectAll()
        .where('userId', '=', userId)
        .where('direction', '=', 'outbound')
        .where('status', 'in', liveStatuses)
        .orderBy('startedAt', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** Ends a call that has not ended; false when it had. */
    finish: (id: string, end: CallEnd): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { endDetail = null, sipCode = null, hangupBy = null, ...rest } = end
        const endedAt = now()
        const ended = await trx
          .updateTable('calls')
          .set({ ...rest, endDetail, sipCode, hangupBy, endedAt })
          .where('id', '=', id)
          .where('status', 'in', liveStatuses)
          .returning('conversationId')
          .executeTakeFirst()
        if (ended?.conversationId)
          await trx
            .updateTable('conversations')
            .set(endedCall(endedAt))
            .where('id', '=', ended.conversationId)
            .where('status', '=', 'active')
            .execute()
        return ended !== undefined
      }),

    /** Hung up through the API: what had been answered is a completed call. */
    async cancel(id: string): Promise<boolean> {
      const found = await db.selectFrom('calls').select('answeredAt').where('id', '=', id).executeTakeFirst()
      const status = found?.answeredAt ? 'completed' : 'canceled'
      return this.finish(id, { status, endReason: 'canceled_by_api', hangupBy: 'system' })
    },

    liveOfAgent: async (agentId: string): Promise<string[]> => {
      const query = db
        .selectFrom('calls')
        .select('id')
        .where('agentId', '=', agentId)
        .where('status', 'in', liveStatuses)
      return (await query.execute()).map((call) => call.id)
    },

    /** Who runs a call says so again before its lease runs out. Returns those that have ended meanwhile: another process hung them up. */
    async renewLeases(ids: readonly string[]): Promise<string[]> {
      const over = new Set(ids)
      for (let i = 0; i < ids.length; i += 500) {
        const live = await db
          .updateTable('calls')
          .set({ leaseUntil: toIso(nowMs() + LEASE_MS) })
          .where('id', 'in', ids.slice(i, i + 500))
          .where('status', 'in', liveStatuses)
          .returning('id')
          .execute()
        for (const { id } of live) over.delete(id)
      }
      return [...over]
    },

    /** Calls that a dead process left behind, and first their conversations: should we die in between, the call is found again. */
    async closeOrphans(): Promise<{ recordings: string[] }> {
      const endedAt = now()
      const talks = db
        .selectFrom('calls')
        .select('conversationId')
        .where('status', 'in', liveStatuses)
        .where('leaseUntil', '<', endedAt)
      await db
        .updateTable('conversations')
        .set(endedCall(endedAt))
        .where('id', 'in', talks.where('conversationId', 'is not', null))
        .where('status', '=', 'active')
        .execute()
      const closed = await db
        .updateTable('calls')
        .set({
          status: 'failed',
          endReason: 'orphaned',
          endDetail: 'The process that ran this call ended',
          hangupBy: 'system',
          endedAt,
        })
        .where('status', 'in', liveStatuses)
        .where('leaseUntil', '<', endedAt)
        .returning('recording')
        .execute()
      return { recordings: closed.flatMap((call) => call.recording ?? []) }
    },

    /** With its transcript; the caller removes the recording's file. */
    async remove(userId: string, id: string): Promise<{ call: Call; recording: string | null }> {
      return db.transaction().execute(async (trx) => {
        const own = trx.selectFrom('calls').selectAll().where('userId', '=', userId).where('id', '=', id)
        const stored = found('Call', await own.executeTakeFirst())
        if (isLive(stored)) throw new AppError('conflict', 'This call has not ended; hang it up first')
        await trx.deleteFrom('calls').where('userId', '=', userId).where('id', '=', id).execute()
        if (stored.conversationId)
          await trx
            .deleteFrom('conversations')
            .where('userId', '=', userId)
            .where('id', '=', stored.conversationId)
            .execute()
        return { call: toCall(stored), recording: stored.recording }
      })
    },

    /** The file of a finished call's recording. */
    async recordingOf(userId: string, id: string): Promise<string> {
      const stored = await row(userId, id)
      if (!stored?.recording || isLive(stored)) throw notFound('Recording')
      return stored.recording
    },
  }
}

function initiating(userId: string, call: NewOutboundCall): CallRow {
  const startedMs = nowMs()
  return {
    id: newId('cal'),
    userId,
    agentId: call.agentId,
    conversationId: null,
    direction: 'outbound',
    status: 'initiating',
    endReason: null,
    endDetail: null,
    sipCode: null,
    hangupBy: null,
    answeredBy: null,
    fromNumber: null,
    toNumber: call.toNumber,
    trunkId: null,
    deviceId: null,
    deviceTokens: toJson(call.deviceTokens),
    channel: 'sip',
    variables: toJson(call.variables),
    metadata: toJson(call.metadata),
    recording: null,
    leaseUntil: toIso(startedMs + LEASE_MS),
    startedAt: toIso(startedMs),
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
  }
}

export function toCall(row: CallRow): Call {
  const { userId, deviceTokens, recording, leaseUntil, ...call } = row
  return {
    ...call,
    callId: row.id,
    sessionId: row.id,
    durationSeconds: durationSeconds(row),
    metadata: fromJson(row.metadata),
    variables: fromJson(row.variables),
    hasRecording: recording !== null && !isLive(row),
  }
}

function durationSeconds(row: CallRow): number | null {
  if (row.answeredAt === null) return null
  const end = row.endedAt === null ? nowMs() : Date.parse(row.endedAt)
  return Math.max(0, Math.round((end - Date.parse(row.answeredAt)) / 1000)) // a clock may have been set back
}
