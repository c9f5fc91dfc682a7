// Why calls end: what the platform may say, and which of it somebody should look at. Pure.
import type { Call } from '../../../../client/paths.ts'

/** What the API may say, and what the browser's own client says when its connection is gone. */
export type EndReason = NonNullable<Call['endReason']> | 'connection_lost'
export type EndReasonText = { short: string; means: string | null }

/** A reason that this page does not know is shown as it is. */
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
  'internal_error',
  'invalid_number',
  'llm_error',
  'media_timeout',
  'node_shutdown',
  'orphaned',
  'sip_error',
  'stt_error',
  'trunk_auth_failed',
  'trunk_unavailable',
  'tts_error',
])

/** Something that somebody should look at. */
export const isProblem = (reason: string | null): boolean => reason !== null && problems.has(reason)
