// The stores of calls as this node uses them, and the queue by which its writes survive an absence of the database.
import { callLifecycle } from '../../api/calls/lifecycle.ts'
import { callStore } from '../../api/calls/store.ts'
import { callTurns } from '../../api/calls/turns.ts'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { lastingWrites, type Prospect } from '../../base/retrying-writes.ts'
import type { Database } from '../../db/database.ts'
import { withRetries } from '../../phone/retrying-repository.ts'

export function callStorage({ db, translate }: Database, nodeId: string, log: Log) {
  const calls = callStore(db, nodeId)
  const course = callLifecycle(db, nodeId)
  const prospectOf = (error: unknown): Prospect => {
    const told = error instanceof AppError ? error : translate(error)
    if (!told) return 'unknown'
    return told.kind === 'unavailable' ? 'later' : 'never'
  }
  const writes = lastingWrites({ log, prospectOf })
  const book = withRetries({ ...course, finish: calls.finish }, writes.write, log)
  return { calls, course, turns: callTurns(db), writes, book, translate }
}
