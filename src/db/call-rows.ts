// The rows of calls; part of tables.ts.
import type { endStatuses, liveStatuses } from '../base/domain/call-statuses.ts'
import type { RecordingColumns } from './recording-rows.ts'

export type CallRow = RecordingColumns & {
  id: string
  userId: string
  agentId: string | null // null: refused before an agent was found
  conversationId: string | null
  direction: 'inbound' | 'outbound'
  status: CallStatus
  endReason: string | null
  endDetail: string | null // human-readable reason
  sipCode: number | null
  hangupBy: 'caller' | 'agent' | 'system' | 'carrier' | null
  answeredBy: 'human' | 'machine' | 'ivr' | 'unknown' | null // for outbound calls; null: not known yet
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  deviceTokens: string | null // JSON: devices to try, in this order
  headers?: string | null // JSON: SIP headers given with an outbound call
  via?: string | null // JSON: the trunk, device and caller ID of a campaign; see CallVia in phone/ports.ts
  attemptId?: string | null // of a campaign
  channel: 'sip' | 'web' | 'whatsapp'
  variables: string | null // JSON
  metadata: string | null // JSON
  isTest?: 0 | 1 // a test call: listed, but not counted in statistics
  nodeId: string | null // the node that runs, or ran, the call; null in calls of an older version
  leaseUntil: string // by the database clock; renewed by its node; an expired lease means that the node crashed
  startedAt: string
  ringingAt: string | null
  answeredAt: string | null
  endedAt: string | null
  talkSeconds?: number | null // from answer to end, set at the end; used to sort lists
}
export type CallStatus = (typeof liveStatuses)[number] | (typeof endStatuses)[number]
/** A call's SIP messages with secrets masked, and its turns with the latency of each stage. */
export type CallLadderRow = { callId: string; entries: string } // JSON
export type CallTurnsRow = { callId: string; turns: string } // JSON
