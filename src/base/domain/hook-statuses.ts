// How a request of an answer hook can end, and the SIP codes with which its answer may refuse a call.

export const hookStatuses = [
  /** The answer came in time and was followed. */
  'applied',
  /** The answer came in time but asked for nothing, or no row has the caller's number. */
  'empty',
  /** No answer in time; it may still arrive. */
  'timeout',
  /** The answer came too late to decide, and was passed to the running conversation. */
  'late',
  /** The server could not be reached, disconnected or answered with an error. */
  'failed',
  /** The answer could not be used. */
  'invalid',
  /** Not asked, because the hook failed for previous calls or too many were waiting for it. */
  'skipped',
] as const
export type HookStatus = (typeof hookStatuses)[number]

/** RFC 3261, 8197 and 8688: codes that describe the called number. Not 487, which answers a CANCEL. */
export const refusalCodes: readonly number[] = [403, 404, 410, 480, 484, 486, 600, 603, 604, 607, 608]
export const DEFAULT_REFUSAL = 603
