// Asks a user's server: one signed request through the guarded client, without redirects, with a size limit on the
// answer.

import { signedHeaders } from '../../base/crypto/webhook-signature.ts'
import { HttpError } from '../../base/outside/http-error.ts'
import type { GuardedHttp, HttpResponse } from '../../base/outside/http-port.ts'
import { parsedOutside } from '../../base/outside/json.ts'
import { limits } from '../../base/outside/limits.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { FailureReason } from '../../failover/ports.ts'
import { version } from '../../version.ts'
import { isEmpty, noAnswer, readAnswer } from './answer.ts'
import type { HookReply } from './ask.ts'
import { LATE_MS } from './ask.ts'

export type SignedRequest = {
  url: string
  /** Newest first. */
  secrets: readonly string[]
  /** The same for every attempt, so that receivers can discard duplicates. */
  id: string
  body: object
}

export async function askUrl(
  http: Pick<GuardedHttp, 'request'>,
  { url, secrets, id, body: question }: SignedRequest,
  signal: AbortSignal,
): Promise<HookReply> {
  const body = JSON.stringify(question)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `Ramal/${version}`,
    ...signedHeaders(secrets, { id, timestampSeconds: Math.floor(nowMs() / 1000), body }),
  }
  try {
    const request = { url, method: 'POST', headers, body, maxBytes: limits.answerHook.bytes, timeoutMs: LATE_MS }
    return replyOf(await http.request(request, signal))
  } catch (error) {
    // The URL may contain a secret, so messages name at most its host.
    const known = error instanceof HttpError ? error : null
    if (known?.kind === 'too-large') return failure('invalid', known.message, { fault: 'invalid_answer' })
    return failure('failed', known?.message ?? 'The request could not be sent', { fault: faultOf(known) })
  }
}

type More = { statusCode?: number; fault?: FailureReason }

export const failure = (status: 'failed' | 'invalid', detail: string, more: More = {}): HookReply => ({
  status,
  answer: noAnswer,
  detail,
  statusCode: more.statusCode ?? null,
  ignored: [],
  ...(more.fault ? { fault: more.fault } : {}),
})

const faultOf = (error: HttpError | null): FailureReason =>
  error?.kind === 'timeout' ? 'timeout' : error?.kind === 'protocol' ? 'invalid_answer' : 'unreachable'

function replyOf({ status: statusCode, body }: HttpResponse): HookReply {
  if (statusCode >= 500) return failure('failed', `It answered ${statusCode}`, { statusCode, fault: 'invalid_answer' })
  if (statusCode < 200 || statusCode >= 300) return failure('failed', `It answered ${statusCode}`, { statusCode })
  const value = body.length === 0 ? null : parsedOutside(body, limits.answerHook)
  if (value === undefined) return failure('invalid', 'The answer is not JSON, or nested too deeply', { statusCode })
  return { ...replyFrom(value), statusCode }
}

/** Builds the reply from a parsed answer, whatever its source. */
export function replyFrom(value: unknown): HookReply {
  const read = readAnswer(value)
  if ('problem' in read) return failure('invalid', read.problem)
  const { answer, ignored } = read
  return { status: isEmpty(answer) ? 'empty' : 'applied', answer, detail: null, statusCode: null, ignored }
}
