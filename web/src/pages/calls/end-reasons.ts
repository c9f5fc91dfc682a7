// Why calls end: what the platform may say, and which of it somebody should look at. Pure.

export const endReasons = [
  'agent_ended',
  'agent_inactive',
  'busy',
  'caller_hangup',
  'canceled_by_api',
  'concurrency_limit',
  'connection_lost',
  'internal_error',
  'invalid_number',
  'llm_error',
  'max_duration',
  'media_timeout',
  'no_answer',
  'node_shutdown',
  'orphaned',
  'rejected',
  'silence_timeout',
  'sip_error',
  'stt_error',
  'transferred',
  'trunk_auth_failed',
  'trunk_unavailable',
  'tts_error',
  'voicemail',
] as const
export type EndReason = (typeof endReasons)[number]
export type ReasonWords = { short: string; means: string | null }

/** A reason that this page does not know is shown as it is. */
export function reasonIn(words: Readonly<Record<EndReason, ReasonWords>>, reason: string | null): ReasonWords | null {
  if (reason === null) return null
  return Object.hasOwn(words, reason) ? words[reason as EndReason] : { short: reason, means: null }
}

const troubles: ReadonlySet<string> = new Set<EndReason>([
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
export const isTrouble = (reason: string | null): boolean => reason !== null && troubles.has(reason)
