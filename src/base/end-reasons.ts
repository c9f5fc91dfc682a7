// Why a call ended: every reason that is written anywhere. The API's schema, and by it the dashboard's words, follow this list.

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
