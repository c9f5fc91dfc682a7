// Calls: created, listed and ended; an ended call never changes again. State transitions of a live call are in lifecycle-store.ts.

import { type endStatuses, liveStatuses } from '../../base/domain/call-statuses.ts'
import type { EndReason } from '../../base/domain/end-reasons.ts'
import type { EventType } from '../../base/domain/event-types.ts'
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { forUpdate, lockRow } from '../../db/lock-row.ts'
import { eventWriter, type NewEvent } from '../../db/outbox.ts'
import { ownedRow } from '../../db/owned.ts'
import { notRecorded } from '../../db/recording-rows.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { type CallRow, fromJson, toJson } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import { markWritten } from '../../db/write-once.ts'
import { endedCallColumns, toConversation } from '../conversations/rows.ts'
import type { StoredRecording } from '../recordings/recording-store.ts'
import { callDetails } from './details-store.ts'
import { queueFull } from './dial-queue.ts'
import { callLeases, countWaiting, type EndScope, isLeft, isOwnedBy, LEASE_MS, UNNAMED_NODE } from './lease-store.ts'
import { callPages } from './list-store.ts'
import type { Call } from './schema.ts'

export type CallStore = ReturnType<typeof callStore>

export type NewOutboundCall = {
  agentId: string
  toNumber: string
  deviceTokens: string[] | null
  /** SIP headers of the INVITE. */
  headers?: Record<string, string> | null
  variables: Record<string, string> | null
  metadata: Record<string, unknown> | null
  /** Of a campaign: how it leaves (CallVia in phone/ports.ts), and its attempt. */
  via?: Readonly<Record<string, string | null>> | null
  attemptId?: string | null
}

export type CallEnd = {
  status: (typeof endStatuses)[number]
  endReason: EndReason
  endDetail?: string
  sipCode?: number
  hangupBy?: NonNullable<CallRow['hangupBy']>
  /** Default: now. */
  endedAt?: string
  /** Left out: the call was not recorded. */
  recording?: EndedRecording | undefined
}

export type EndedRecording = {
  file: string
  node: string
  status: 'complete' | 'partial' | 'failed'
  error: CallRow['recordingError']
}

/** Devices tried for one call. */
const MAX_DEVICES = 20

export const isLive = ({ status }: Pick<CallRow, 'status'>) => (liveStatuses as readonly string[]).includes(status)

/** `maxWaiting`: how many calls of a user may wait on all nodes; left out: the dial queue of the only process bounds them. */
export function callStore(db: Db, nodeId = UNNAMED_NODE, maxWaiting = Number.POSITIVE_INFINITY) {
  const row = ownedRow(db, 'calls')
  const writeEvent = eventWriter(db)
  const pages = callPages(db)

  /** Ends a call and its conversation, with their events; undefined when it had ended before. */
  async function end(trx: Trx, id: string, set: Partial<CallRow> & { endedAt: string }, only: EndScope = {}) {
    const live = trx.updateTable('calls').where('id', '=', id).where('status', 'in', liveStatuses)
    const lock = trx
      .selectFrom('calls')
      .select(['status', 'conversationId', 'answeredAt'])
      .where('id', '=', id)
      .where('status', 'in', liveStatuses)
      .$if(only.isOwn === true, (own) => own.where(isOwnedBy(nodeId)))
      .$if(only.isExpired === true, (left) => left.where(isLeft(db)))
    const before = await forUpdate(trx, lock).executeTakeFirst()
    if (!before) return undefined
    const conversation =
      before.conversationId === null
        ? undefined
        : await trx
            .updateTable('conversations')
            .set(endedCallColumns(trx, set.endedAt))
            .where('id', '=', before.conversationId)
            .where('status', '=', 'active')
            .returningAll()
            .executeTakeFirst()
    const talkSeconds = durationSeconds({ ...before, ...set })
    const ended = await live
      .set({ ...set, talkSeconds })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (before.status === 'transferring')
      await writeEvent(
        trx,
        callEvent(ended, ended.endReason === 'transferred' ? 'call.transfer_completed' : 'call.transfer_failed'),
      )
    if (conversation)
      await writeEvent(trx, {
        ...conversation,
        type: 'conversation.ended',
        callId: id,
        conversationId: conversation.id,
        data: { conversation: toConversation(conversation) },
      })
    await writeEvent(trx, callEvent(ended, ended.status === 'completed' ? 'call.ended' : 'call.failed'))
    return ended
  }

  async function insertOutbound(trx: Trx, userId: string, call: NewOutboundCall): Promise<CallRow> {
    const stored = initiating(userId, call, nodeId)
    await trx
      .insertInto('calls')
      .values({ ...stored, leaseUntil: dbTime(trx, LEASE_MS) })
      .execute()
    await writeEvent(trx, callEvent(stored, 'call.initiated'))
    // Exact: until the commit, the event holds the lock of the user's event counter, and this query sees what was committed before.
    if (Number.isFinite(maxWaiting) && (await countWaiting(trx, userId)) > maxWaiting) throw queueFull(1000)
    return stored
  }

  /** The result of a recording: written once, with an event where it is not complete. */
  async function saveRecordingResult(
    trx: Trx,
    id: string,
    { file, node, status, error }: EndedRecording,
  ): Promise<void> {
    const call = await trx
      .updateTable('calls')
      .set({
        recording: status === 'failed' ? null : file,
        recordingNode: status === 'failed' ? null : node,
        recordingStatus: status,
        recordingError: error,
      })
      .where('id', '=', id)
      .where((where) => where.or([where('recordingStatus', 'is', null), where('recordingStatus', '=', 'recording')]))
      .returningAll()
      .executeTakeFirst()
    if (call && status !== 'complete') await writeEvent(trx, callEvent(call, 'call.recording_failed'))
  }

  /** Once, when the call has ended and its recording is complete. */
  async function announceRecording(trx: Trx, id: string): Promise<void> {
    const call = await lockRow(trx, 'calls', { id })
    if (!call || !hasRecording(call)) return
    const announced = trx.selectFrom('events').select('id').where('callId', '=', id)
    if (await announced.where('type', '=', 'call.recording_ready').executeTakeFirst()) return
    await writeEvent(trx, callEvent(call, 'call.recording_ready'))
  }

  return {
    async get(userId: string, id: string): Promise<Call> {
      return toCall(found('Call', await row(userId, id)))
    },

    /** The ids of the devices that a user may call through, the oldest first; an id that matches nothing where there are none. */
    async devicesOf(userId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('devices')
        .select('id')
        .where('userId', '=', userId)
        .where('status', '!=', 'disabled')
        .orderBy('createdAt')
        .limit(MAX_DEVICES)
        .execute()
      return rows.length === 0 ? ['none'] : rows.map(({ id }) => id)
    },

    /** `admit` throws where the user's budget is used up. */
    async createOutbound(userId: string, call: NewOutboundCall, admit = async () => {}): Promise<CallRow> {
      const agent = await db
        .selectFrom('agents')
        .select(['isActive', 'direction'])
        .where('userId', '=', userId)
        .where('id', '=', call.agentId)
        .where('removedAt', 'is', null)
        .executeTakeFirst()
      const { isActive, direction } = found('Agent', agent)
      if (!isActive) throw appError('agent_inactive')
      if (direction === 'inbound') throw appError('agent_inbound_only')
      await admit()
      return db.inTransaction(async (trx) => {
        await markWritten(trx)
        return insertOutbound(trx, userId, call)
      })
    },

    /** In the transaction of what asks for the call; it is dialed by the queue that gets the row. */
    insertOutbound,

    /** Filtered, newest first. */
    page: pages.pageOf,
    count: pages.count,
    details: callDetails(db),

    active: (userId: string): Promise<CallRow[]> =>
      db
        .selectFrom('calls')
        .selectAll()
        .where('userId', '=', userId)
        .where('direction', '=', 'outbound')
        .where('status', 'in', liveStatuses)
        .where(agentNotRemoved())
        .orderBy('startedAt', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** Ends a live call of this node; false when it had ended before. */
    finish: (id: string, how: CallEnd): Promise<boolean> => {
      // Read before the wait for a connection: calls are in the order in which they ended.
      const { endDetail = null, sipCode = null, hangupBy = null, endedAt = now(), recording, ...rest } = how
      return db.inTransaction(async (trx) => {
        const ended = await end(trx, id, { ...rest, endDetail, sipCode, hangupBy, endedAt }, { isOwn: true })
        if (recording) await saveRecordingResult(trx, id, recording)
        await announceRecording(trx, id)
        return ended !== undefined
      })
    },

    /** For a call that another process ended, or was running when it crashed. */
    settleRecording: (id: string, recording: EndedRecording): Promise<void> =>
      db.inTransaction(async (trx) => {
        await saveRecordingResult(trx, id, recording)
        await announceRecording(trx, id)
      }),

    /** Recordings on this disk that were still being written when their call ended. */
    async unfinishedRecordings(node: string): Promise<{ id: string; recording: string }[]> {
      const rows = await db
        .selectFrom('calls')
        .select(['id', 'recording'])
        .where('recordingNode', '=', node)
        .where('recordingStatus', '=', 'recording')
        .where('status', 'not in', liveStatuses)
        .limit(100)
        .execute()
      return rows.flatMap(({ id, recording }) => (recording === null ? [] : [{ id, recording }]))
    },

    /** Hung up through the API: an answered call is completed, another canceled. */
    async cancel(id: string): Promise<boolean> {
      const found = await db.selectFrom('calls').select('answeredAt').where('id', '=', id).executeTakeFirst()
      const status = found?.answeredAt ? 'completed' : 'canceled'
      const set = { status, endReason: 'canceled_by_api', hangupBy: 'system', endedAt: now() } as const
      return db.inTransaction(async (trx) => (await end(trx, id, set)) !== undefined)
    },

    /** The node that runs the call, or ran it. */
    async nodeOf(id: string): Promise<string | null> {
      const found = await db.selectFrom('calls').select('nodeId').where('id', '=', id).executeTakeFirst()
      return found?.nodeId ?? null
    },

    liveOfAgent: async (agentId: string): Promise<string[]> => {
      const query = db
        .selectFrom('calls')
        .select('id')
        .where('agentId', '=', agentId)
        .where('status', 'in', liveStatuses)
      return (await query.execute()).map((call) => call.id)
    },

    liveOfUser: async (userId: string): Promise<string[]> => {
      const query = db.selectFrom('calls').select('id').where('userId', '=', userId).where('status', 'in', liveStatuses)
      return (await query.execute()).map((call) => call.id)
    },

    ...callLeases(db, nodeId, end),

    /** The file of a finished call's recording. */
    async recordingOf(userId: string, id: string): Promise<StoredRecording> {
      const stored = await row(userId, id)
      if (!stored?.recording || isLive(stored)) throw notFound('Recording')
      return {
        file: stored.recording,
        disk: stored.recordingNode,
        nodeId: stored.nodeId,
        isUnfinished: stored.recordingStatus === 'recording',
      }
    },
  }
}

function initiating(userId: string, call: NewOutboundCall, nodeId: string): CallRow {
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
    headers: toJson(call.headers ?? null),
    via: toJson(call.via ?? null),
    attemptId: call.attemptId ?? null,
    channel: 'sip',
    variables: toJson(call.variables),
    metadata: toJson(call.metadata),
    isTest: isTest(call.metadata),
    ...notRecorded,
    nodeId,
    leaseUntil: toIso(startedMs + LEASE_MS),
    startedAt: toIso(startedMs),
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
  }
}

/** A call is a test where its metadata say so. */
export const isTest = (metadata: Record<string, unknown> | null): 0 | 1 => (metadata?.isTest === true ? 1 : 0)

export const callEvent = (row: CallRow, type: EventType, more: object = {}): NewEvent => ({
  userId: row.userId,
  type,
  callId: row.id,
  conversationId: row.conversationId,
  agentId: row.agentId,
  data: { call: toCall(row), ...more },
})

/** There is a file to download. */
const hasRecording = (row: CallRow): boolean =>
  row.recording !== null && !isLive(row) && row.recordingStatus !== 'recording' && row.recordingStatus !== 'failed'

export function toCall(row: CallRow): Call {
  const { userId, deviceTokens, headers, via, attemptId, recording, recordingNode, leaseUntil, talkSeconds, ...call } =
    row
  return {
    ...call,
    endReason: row.endReason as Call['endReason'], // an older version may have written another
    callId: row.id,
    sessionId: row.id,
    durationSeconds: durationSeconds(row),
    isTest: row.isTest === 1,
    metadata: fromJson(row.metadata),
    variables: fromJson(row.variables),
    hasRecording: hasRecording(row),
    recordingStatus: row.recordingStatus ?? (recording === null ? 'none' : 'complete'),
  }
}

function durationSeconds(row: Pick<CallRow, 'answeredAt' | 'endedAt'>): number | null {
  if (row.answeredAt === null) return null
  const end = row.endedAt === null ? nowMs() : Date.parse(row.endedAt)
  return Math.max(0, Math.round((end - Date.parse(row.answeredAt)) / 1000)) // a clock may have been set back
}
