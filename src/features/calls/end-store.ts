// The end of a call with its conversation and recording; an ended call never changes again.
import { type endStatuses, liveStatuses } from '../../base/domain/call-statuses.ts'
import type { EndReason } from '../../base/domain/end-reasons.ts'
import { notFound } from '../../base/errors/errors.ts'
import { now } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { forUpdate, lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { ownedRow } from '../../db/owned.ts'
import type { CallRow } from '../../db/tables.ts'
import { endedCallColumns, toConversation } from '../conversations/rows.ts'
import type { StoredRecording } from '../recordings/recording-store.ts'
import { callEvent, durationSeconds, hasRecording, isLive } from './call-record.ts'
import { type End, isLeft, isOwnedBy } from './lease-store.ts'

export type CallEnd = {
  status: (typeof endStatuses)[number]
  endReason: EndReason
  endDetail?: string
  sipCode?: number
  hangupBy?: NonNullable<CallRow['hangupBy']>
  /** Defaults to now. */
  endedAt?: string
  /** Absent if the call was not recorded. */
  recording?: EndedRecording | undefined
}

export type EndedRecording = {
  file: string
  node: string
  status: 'complete' | 'partial' | 'failed'
  error: CallRow['recordingError']
}

/** Ends a call and its conversation, with their events; undefined if it had already ended. */
export const callEnder =
  (db: Db, nodeId: string, writeEvent: WriteEvent): End =>
  async (trx, id, set, only = {}) => {
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

/** Stores the result of a recording once, with an event if it is incomplete. */
async function saveRecordingResult(
  trx: Trx,
  writeEvent: WriteEvent,
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

/** Emits once, when the call has ended and its recording is complete. */
async function announceRecording(trx: Trx, writeEvent: WriteEvent, id: string): Promise<void> {
  const call = await lockRow(trx, 'calls', { id })
  if (!call || !hasRecording(call)) return
  const announced = trx.selectFrom('events').select('id').where('callId', '=', id)
  if (await announced.where('type', '=', 'call.recording_ready').executeTakeFirst()) return
  await writeEvent(trx, callEvent(call, 'call.recording_ready'))
}

export function callEnds(db: Db, end: End) {
  const row = ownedRow(db, 'calls')
  const writeEvent = eventWriter(db)
  return {
    /** Ends a live call of this node; false if it had already ended. */
    finish: (id: string, how: CallEnd): Promise<boolean> => {
      // Read before waiting for a connection, so that calls are ordered by when they ended.
      const { endDetail = null, sipCode = null, hangupBy = null, endedAt = now(), recording, ...rest } = how
      return db.inTransaction(async (trx) => {
        const ended = await end(trx, id, { ...rest, endDetail, sipCode, hangupBy, endedAt }, { isOwn: true })
        if (recording) await saveRecordingResult(trx, writeEvent, id, recording)
        await announceRecording(trx, writeEvent, id)
        return ended !== undefined
      })
    },

    /** For a call that another process ended, or that was running when the process crashed. */
    settleRecording: (id: string, recording: EndedRecording): Promise<void> =>
      db.inTransaction(async (trx) => {
        await saveRecordingResult(trx, writeEvent, id, recording)
        await announceRecording(trx, writeEvent, id)
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

    /** Hung up through the API: an answered call is completed, any other is canceled. */
    async cancel(id: string): Promise<boolean> {
      const found = await db.selectFrom('calls').select('answeredAt').where('id', '=', id).executeTakeFirst()
      const status = found?.answeredAt ? 'completed' : 'canceled'
      const set = { status, endReason: 'canceled_by_api', hangupBy: 'system', endedAt: now() } as const
      return db.inTransaction(async (trx) => (await end(trx, id, set)) !== undefined)
    },

    /** The recording file of a finished call. */
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
