// Limits of requests without a key or session, per network or per record that they concern.
import type { ErrorCode } from '../base/errors/error-codes.ts'
import { appError } from '../base/errors/errors.ts'
import type { Windows } from './rate-limit.ts'

type RateCode = Extract<ErrorCode, 'address_rate_limited' | 'web_call_rate_limited' | 'widget_rate'>

/** Counts the request; throws a 429 with this code if the key has had `limit` requests within a minute. */
export async function admit(windows: Windows, key: string, limit: number, code: RateCode): Promise<void> {
  const { admitted, resetMs } = await windows.admit(key, limit)
  if (admitted) return
  throw appError(code, {}, { headers: { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) } })
}
