// What a provider account is for.

export const providerKinds = ['llm', 'stt', 'tts', 'embeddings'] as const
export type ProviderKind = (typeof providerKinds)[number]
/** The kinds that a call needs. */
export type ChainKind = Exclude<ProviderKind, 'embeddings'>

/** The engines inside the platform: the last link of every chain. */
export const EMBEDDED_ID = 'embedded'

export const failureReasons = [
  'unreachable',
  'timeout',
  'key_refused',
  'limited',
  'invalid_answer',
  'broken_off',
] as const
/** Why a provider failed, without the vendor's own message. */
export type FailureReason = (typeof failureReasons)[number]
