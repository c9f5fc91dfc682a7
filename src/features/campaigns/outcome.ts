// What the end of a call means for its attempt. Pure.
import type { AttemptOutcome, AttemptStatus } from '../../base/domain/campaigns.ts'
import type { CallRow } from '../../db/tables.ts'

export type EndedCall = Pick<
  CallRow,
  'status' | 'endReason' | 'endDetail' | 'sipCode' | 'answeredBy' | 'answeredAt' | 'trunkId' | 'deviceId'
>

export type AttemptEnd = {
  status: Extract<AttemptStatus, 'ended' | 'in_doubt' | 'withdrawn'>
  /** Null: in doubt. */
  outcome: AttemptOutcome | null
  detail: string | null
}

/** End reasons of never-placed calls that are not the fault of the routes: another attempt may leave soon. */
const passing = new Set(['canceled_by_api', 'node_shutdown', 'concurrency_limit', 'orphaned', 'internal_error'])

/** A gateway or PBX had answered, and then tones told that nobody can be reached at this number. */
const unreachedByTone: Readonly<Record<string, AttemptOutcome>> = {
  busy: 'busy',
  fax: 'invalid_number',
  number_not_in_service: 'invalid_number',
}

/** Undefined means that the call was deleted; whether it was placed is then unknown. */
export function outcomeOf(call: EndedCall | undefined): AttemptEnd {
  if (!call) return { status: 'in_doubt', outcome: null, detail: 'Its call was deleted before its end was recorded' }
  const { endReason, sipCode, answeredBy } = call
  const detail = call.endDetail ?? endReason
  const ended = (outcome: AttemptOutcome): AttemptEnd => ({ status: 'ended', outcome, detail })
  if (call.answeredAt !== null) {
    const unreached = unreachedByTone[endReason ?? '']
    if (unreached) return ended(unreached)
    // Whoever is not known to be a machine is a person.
    return ended(answeredBy === 'machine' || endReason === 'voicemail' ? 'voicemail' : 'answered')
  }
  // The trunk or device is stored before the INVITE: without one, nothing was sent.
  if (call.trunkId === null && call.deviceId === null)
    return { status: 'withdrawn', outcome: passing.has(endReason ?? '') ? 'not_sent' : 'failed', detail }
  if (endReason === 'orphaned')
    return { status: 'in_doubt', outcome: null, detail: 'The node that placed this call ended while it was dialing' }
  if (call.status === 'busy') return ended('busy')
  if (call.status === 'no_answer') return ended(sipCode === 480 ? 'unreachable' : 'no_answer')
  if (call.status === 'canceled') return ended('no_answer') // the INVITE was sent, then hung up before an answer
  if (endReason === 'invalid_number') return ended('invalid_number')
  if (endReason === 'rejected') return ended('rejected')
  return ended('failed')
}

/** The agent, trunk or device cannot place calls; nothing was sent. */
export const hasNoRoute = ({ status, outcome }: AttemptEnd): boolean => status === 'withdrawn' && outcome === 'failed'
