// Asks the remote gateway service on behalf of a user: with his session, opened anew once where it was refused, and again a moment
// later where that may help. What might be done twice is asked again only under the key that it was first asked with.
import { monotonicMs } from '../base/clock.ts'
import { type FarAsk, type FarReply, pause, RemoteFault, type RemoteHttp } from './remote-http.ts'
import type { Sessions } from './remote-session.ts'

/** A POST without a key cannot be written: nobody could ask it again. */
export type Question =
  | (Omit<FarAsk, 'token' | 'method' | 'key'> & { method: 'GET' | 'PUT' | 'DELETE' })
  | (Omit<FarAsk, 'token' | 'method'> & { method: 'POST'; key: string })

export type AskTimes = {
  /** Before the first repeat; four times as long before the next. */
  repeatMs: number
  /** Longer than this nobody waits here: who asked is told. */
  patienceMs: number
}

export type Asking = ReturnType<typeof remoteAsking>

const REPEATS = 2

export function remoteAsking(http: RemoteHttp, sessions: Sessions, { repeatMs, patienceMs }: AskTimes) {
  /** Until when a user's account is to be left alone. */
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
        // What happened to the session alone has sent nothing.
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

/** Under the same key it would have been the answer to the earlier one too. */
const isFinal = ({ status }: RemoteFault) => status >= 400 && status < 500 && status !== 401 && status !== 429

const withDoubt = (fault: RemoteFault, mayBeTaken: boolean) =>
  fault.mayBeTaken === mayBeTaken ? fault : new RemoteFault(fault.kind, fault.message, { ...fault, mayBeTaken }, fault)
