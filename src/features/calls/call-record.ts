// A call as a record: its initial row, as its owner sees it, and in events. Pure.
import { liveStatuses } from '../../base/domain/call-statuses.ts'
import type { EventType } from '../../base/domain/event-types.ts'
import { newId } from '../../base/ids.ts'
import { nowMs, toIso } from '../../base/time/clock.ts'
import type { NewEvent } from '../../db/outbox.ts'
import { notRecorded } from '../../db/recording-rows.ts'
import { type CallRow, fromJson, toJson } from '../../db/tables.ts'
import { LEASE_MS } from './lease-store.ts'
import type { Call } from './schema.ts'

export const isLive = ({ status }: Pick<CallRow, 'status'>) => (liveStatuses as readonly string[]).includes(status)

type Given = {
  variables?: Record<string, string> | null | undefined
  metadata?: Record<string, unknown> | null | undefined
}

/** The columns of every call that starts on this node. Metadata mark a call as a test. */
export function newCallColumns(nodeId: string, { variables = null, metadata = null }: Given) {
  const startedMs = nowMs()
  return {
    id: newId('cal'),
    conversationId: null,
    endReason: null,
    endDetail: null,
    sipCode: null,
    hangupBy: null,
    answeredBy: null,
    channel: 'sip',
    variables: toJson(variables),
    metadata: toJson(metadata),
    isTest: metadata?.isTest === true ? 1 : 0,
    ...notRecorded,
    nodeId,
    leaseUntil: toIso(startedMs + LEASE_MS),
    startedAt: toIso(startedMs),
    answeredAt: null,
    endedAt: null,
  } as const
}

export const callEvent = (row: CallRow, type: EventType, more: object = {}): NewEvent => ({
  userId: row.userId,
  type,
  callId: row.id,
  conversationId: row.conversationId,
  agentId: row.agentId,
  data: { call: toCall(row), ...more },
})

/** Whether there is a file to download. */
export const hasRecording = (row: CallRow): boolean =>
  row.recording !== null && !isLive(row) && row.recordingStatus !== 'recording' && row.recordingStatus !== 'failed'

export function toCall(row: CallRow): Call {
  const { userId, deviceTokens, headers, via, attemptId, recording, recordingNode, leaseUntil, talkSeconds, ...call } =
    row
  return {
    ...call,
    endReason: row.endReason as Call['endReason'], // an older version may have written another value
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

export function durationSeconds(row: Pick<CallRow, 'answeredAt' | 'endedAt'>): number | null {
  if (row.answeredAt === null) return null
  const end = row.endedAt === null ? nowMs() : Date.parse(row.endedAt)
  return Math.max(0, Math.round((end - Date.parse(row.answeredAt)) / 1000)) // the clock may have been set back
}
