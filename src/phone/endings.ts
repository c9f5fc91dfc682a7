// Maps the end of a call on the wire to its record: status, reason, and who hung up. Pure.
import type { CallEnding } from '../sip/dialog/call.ts'
import type { CallEnd, ConversationEnd } from './ports.ts'

/** Ends that this server causes, on SIP and web calls alike. */
export const systemEnds = {
  api: { status: 'completed', endReason: 'canceled_by_api', hangupBy: 'system' },
  shutdown: { status: 'completed', endReason: 'node_shutdown', hangupBy: 'system' },
  max_duration: { status: 'completed', endReason: 'max_duration', hangupBy: 'system' },
  broken: { status: 'failed', endReason: 'internal_error', hangupBy: 'system' },
  agent_gone: {
    status: 'failed',
    endReason: 'agent_inactive',
    endDetail: 'The agent was deleted before the call was answered',
    hangupBy: 'system',
  },
} as const satisfies Readonly<Record<string, CallEnd>>

/** Refused by the owner's answer hook, before anybody answered. */
export const refusedByHook = (sipCode: number): CallEnd => ({
  status: 'failed',
  endReason: 'rejected',
  endDetail: 'The answer hook refused the call',
  sipCode,
  hangupBy: 'system',
})

/** The conversation is over, and the call with it. */
export function endOfConversation({ endReason, endDetail }: ConversationEnd): CallEnd {
  const isFault = endReason.endsWith('_error')
  const how = isFault
    ? ({ status: 'failed', hangupBy: 'system' } as const)
    : ({ status: 'completed', hangupBy: 'agent' } as const)
  return { ...how, endReason, ...(endDetail ? { endDetail } : {}) }
}

/** What a final response says about the called party (RFC 3261 section 21). */
const refusals: Readonly<Record<number, Pick<CallEnd, 'status' | 'endReason'>>> = {
  401: { status: 'failed', endReason: 'trunk_auth_failed' },
  403: { status: 'failed', endReason: 'rejected' },
  404: { status: 'failed', endReason: 'invalid_number' },
  407: { status: 'failed', endReason: 'trunk_auth_failed' },
  408: { status: 'no_answer', endReason: 'no_answer' },
  410: { status: 'failed', endReason: 'invalid_number' },
  // RFC 5626 section 11.5: the connection of a registered phone is gone.
  430: { status: 'failed', endReason: 'trunk_unavailable' },
  480: { status: 'no_answer', endReason: 'no_answer' },
  484: { status: 'failed', endReason: 'invalid_number' },
  486: { status: 'busy', endReason: 'busy' },
  487: { status: 'canceled', endReason: 'canceled_by_api' },
  600: { status: 'busy', endReason: 'busy' },
  603: { status: 'failed', endReason: 'rejected' },
  604: { status: 'failed', endReason: 'invalid_number' },
  607: { status: 'failed', endReason: 'rejected' },
}

/** An outbound call that was never answered. */
export function endOfUnanswered({ why, status, detail }: CallEnding): CallEnd {
  const details = { ...(status === undefined ? {} : { sipCode: status }), ...(detail ? { endDetail: detail } : {}) }
  if (why === 'ring-timeout') return { status: 'no_answer', endReason: 'no_answer', hangupBy: 'system', ...details }
  if (why === 'canceled') return { status: 'canceled', endReason: 'canceled_by_api', hangupBy: 'system', ...details }
  if (why === 'unreachable') return { status: 'failed', endReason: 'trunk_unavailable', hangupBy: 'system', ...details }
  const meaning = refusals[status ?? 0] ?? { status: 'failed', endReason: 'sip_error' }
  return { ...meaning, hangupBy: 'carrier', ...details }
}

/** Whether another trunk may succeed: this one failed, not the called party. */
export function isTrunkFailure({ why, status = 0 }: CallEnding): boolean {
  if (why === 'unreachable') return true
  return why === 'refused' && ((status >= 500 && status < 600) || [401, 407, 408, 430, 488].includes(status))
}

/** An answered call. In `hangupBy`, the remote party is `caller`, also on outbound calls. */
export function endOfAnswered({ by, why, detail }: CallEnding): CallEnd {
  const details = detail ? { endDetail: detail } : {}
  if (why === 'lost') return { status: 'failed', endReason: 'sip_error', hangupBy: 'system', ...details }
  if (by === 'remote') return { status: 'completed', endReason: 'caller_hangup', hangupBy: 'caller', ...details }
  return { status: 'completed', endReason: 'agent_ended', hangupBy: 'agent', ...details }
}

/** An inbound call that ended before we answered it. */
export function endOfAbandoned({ by, why, status, detail }: CallEnding): CallEnd {
  const details = { ...(status === undefined ? {} : { sipCode: status }), ...(detail ? { endDetail: detail } : {}) }
  if (by === 'remote' || why === 'canceled')
    return { status: 'canceled', endReason: 'caller_hangup', hangupBy: 'caller', ...details }
  return { status: 'failed', endReason: 'sip_error', hangupBy: 'system', ...details }
}
