// Why a provider failed: the errors of its client as one of a few reasons, and whether the provider is to blame.

import type { ErrorCode } from '../base/errors/error-codes.ts'
import { AppError } from '../base/errors/errors.ts'
import type { FailureReason } from './ports.ts'

const reasonByCode: Partial<Record<ErrorCode, FailureReason>> = {
  service_timeout: 'timeout',
  service_silent: 'timeout',
  service_key_refused: 'key_refused',
  service_not_configured: 'key_refused',
  service_rate_limited: 'limited',
  service_connection_broke: 'unreachable',
  service_connection_refused: 'unreachable',
  provider_unreachable: 'unreachable',
  model_file_missing: 'unreachable',
  model_package_missing: 'unreachable',
  model_file_failed: 'unreachable',
  service_failed_half_way: 'broken_off',
  service_broke_off: 'broken_off',
  service_cut_tool_call: 'broken_off',
  service_speech_cut: 'broken_off',
}

/** `hasStarted`: part of the answer had arrived, so that a broken connection cut it off. */
export function reasonOf(error: unknown, hasStarted = false): FailureReason {
  const reason = causeOf(error)
  return hasStarted && reason === 'unreachable' ? 'broken_off' : reason
}

function causeOf(error: unknown): FailureReason {
  if (!(error instanceof AppError)) return isTimeout(error) ? 'timeout' : 'unreachable'
  const known = reasonByCode[error.code]
  if (known) return known
  // A server that answers with 5xx is there, but cannot serve anybody.
  if (error.code === 'service_status') return Number(error.params.status) >= 500 ? 'unreachable' : 'invalid_answer'
  if (error.status === 504) return 'timeout'
  return error.status === 429 ? 'limited' : 'invalid_answer'
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

/**
 * False: the request was at fault, such as an unknown voice, a model that was removed or a budget of the user. The chain goes on to
 * the next link, but other calls still use the provider.
 */
export function isProviderFault(error: unknown): boolean {
  if (!(error instanceof AppError)) return true
  if (error.code === 'service_no_model' || error.code === 'service_refused_status') return false
  if (error.code === 'service_status') return Number(error.params.status) >= 500
  // Ours: a budget that is used up, a voice or a setting that does not exist.
  return error.status >= 500
}
