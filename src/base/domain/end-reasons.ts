// Every reason why a call ends. The API schema and the dashboard follow this list.

export const endReasons = [
  'agent_ended',
  'agent_inactive',
  'busy',
  'caller_hangup',
  'canceled_by_api',
  'concurrency_limit',
  'end_phrase',
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
