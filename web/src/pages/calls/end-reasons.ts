// Call end reasons, and which of them indicate a problem. Pure.
import type { Call } from '../../../../client/paths.ts'

/** The API's end reasons, plus the browser client's own for a lost connection. */
export type EndReason = NonNullable<Call['endReason']> | 'connection_lost'
export type EndReasonText = { short: string; means: string | null }

/** Unknown reasons are returned unchanged. */
export function endReasonText(
  words: Readonly<Record<EndReason, EndReasonText>>,
  reason: string | null,
): EndReasonText | null {
  if (reason === null) return null
  return Object.hasOwn(words, reason) ? words[reason as EndReason] : { short: reason, means: null }
}

const problems: ReadonlySet<string> = new Set<EndReason>([
  'agent_inactive',
  'concurrency_limit',
  'connection_lost',
  'fax',
  'internal_error',
  'invalid_number',
  'llm_error',
  'media_timeout',
  'node_shutdown',
  'number_not_in_service',
  'orphaned',
  'sip_error',
  'stt_error',
  'trunk_auth_failed',
  'trunk_unavailable',
  'tts_error',
])

/** Whether someone should look into the call. */
export const isProblem = (reason: string | null): boolean => reason !== null && problems.has(reason)
