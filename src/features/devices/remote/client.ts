// Sends requests to the remote gateway service for a user: with their session, reopened once after a 401, and with
// retries of transient failures. Requests that are not idempotent are retried only with the same idempotency key.
import { monotonicMs } from '../../../base/time/clock.ts'
import { type FarAsk, type FarReply, pause, RemoteFault, type RemoteHttp } from './http-request.ts'
import type { Sessions } from './session.ts'

/** A POST requires a key: without one it could not be retried. */
export type Question =
  | (Omit<FarAsk, 'token' | 'method' | 'key'> & { method: 'GET' | 'PUT' | 'DELETE' })
  | (Omit<FarAsk, 'token' | 'method'> & { method: 'POST'; key: string })

export type AskTimes = {
  /** The delay before the first retry; four times as long before the next. */
  repeatMs: number
  /** The longest delay: beyond it the request fails. */
  patienceMs: number
}

export type Asking = ReturnType<typeof remoteAsking>

const REPEATS = 2

export function remoteAsking(http: RemoteHttp, sessions: Sessions, { repeatMs, patienceMs }: AskTimes) {
  /** Per user account, the time until which no requests may be sent (Retry-After). */
  const quiet = new Map<string, { untilMs: number; fault: RemoteFault }>()

  async function keepQuiet(userId: string, signal: AbortSignal): Promise<void> {
    const silence = quiet.get(userId)
    if (!silence) return
    const leftMs = silence.untilMs - monotonicMs()
    if (leftMs > patienceMs) throw silence.fault
    if (leftMs > 0) await pause(leftMs, signal)
    quiet.delete(userId)
  }

  return async function ask(userId: string, question: Question, signal: AbortSignal): Promise<FarReply> {
    let mayBeTaken = false
    let token: string | undefined
    let refused: string | undefined
    for (let failures = 0; ; ) {
      let isAsked = false
      try {
        await keepQuiet(userId, signal)
        token ??= await (refused === undefined ? sessions.tokenOf(userId) : sessions.tokenAfter(userId, refused))
        isAsked = true
        return await http.ask({ ...question, token }, signal)
      } catch (error) {
        if (!(error instanceof RemoteFault)) throw error
        if (isAsked && error.status === 401 && refused === undefined) {
          refused = token
          token = undefined
          continue
        }
        // If only the session failed, the request was not sent.
        if (isAsked) mayBeTaken = error.mayBeTaken || (mayBeTaken && !isFinal(error))
        const waitMs = error.retryAfterMs ?? repeatMs * 4 ** failures
        if (error.retryAfterMs !== null) quiet.set(userId, { untilMs: monotonicMs() + waitMs, fault: error })
        if (!error.isTransient || failures++ === REPEATS || waitMs > patienceMs || signal.aborted)
          throw withDoubt(error, mayBeTaken)
        await pause(waitMs, signal)
      }
    }
  }
}

/** With the same key, this response is valid for the earlier attempts too. */
const isFinal = ({ status }: RemoteFault) => status >= 400 && status < 500 && status !== 401 && status !== 429

const withDoubt = (fault: RemoteFault, mayBeTaken: boolean) =>
  fault.mayBeTaken === mayBeTaken ? fault : new RemoteFault(fault.kind, fault.message, { ...fault, mayBeTaken }, fault)
