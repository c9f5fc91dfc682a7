// The call stores of this node, and the retry queue that keeps their writes while the database is down.

import { type RetryAdvice, retryingWrites } from '../../base/concurrency/retrying-writes.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { CallRepository } from '../../phone/ports.ts'
import { withRetries } from '../../phone/retrying-repository.ts'
import type { ServiceContext } from '../service.ts'
import { renewedWhenSlow } from './begun-lease.ts'
import { callCounts } from './call-counts.ts'
import { toCall } from './call-record.ts'
import { type CallDecision, callHookOutcomes } from './hook-outcome-store.ts'
import { callLifecycle } from './lifecycle-store.ts'
import { callStore } from './store.ts'
import { callTurns } from './turn-store.ts'

export type CallStorage = ReturnType<typeof callStorage>

type Parts = Pick<ServiceContext, 'config' | 'database' | 'nodeName' | 'log'>

export function callStorage({ config, database, nodeName, log }: Parts) {
  const { db, translate } = database
  const counts = callCounts()
  const calls = counts.counted(callStore(db, nodeName, database.shared ? config.calls.maxWaiting : undefined))
  const lifecycle = callLifecycle(db, nodeName)
  const course = {
    ...lifecycle,
    begin: renewedWhenSlow(lifecycle.begin, (id) => calls.renewLeases([id])),
    refused: counts.countedRefusals(lifecycle),
  }
  const prospectOf = (cause: unknown): RetryAdvice => {
    const error = cause instanceof AppError ? cause : translate(cause)
    if (!error) return 'unknown'
    return error.kind === 'unavailable' ? 'later' : 'never'
  }
  const writes = retryingWrites({ log, prospectOf })
  const hooks = callHookOutcomes(db)
  const decided: CallRepository['decided'] = (id, decision) => hooks.decided(id, decision as CallDecision)
  const book = withRetries({ ...course, decided, finish: calls.finish }, writes.write, log)
  return {
    calls,
    toCall,
    course,
    counts,
    hooks,
    turns: callTurns(db),
    writes,
    /** As phone and web calls use it, with retried writes. */
    book,
    [Symbol.asyncDispose]: async () => writes.stop(),
  }
}
