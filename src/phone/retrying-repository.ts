// Call writes that are retried until the database is back (base/concurrency/retrying-writes.ts).
import type { RetryingWrite } from '../base/concurrency/retrying-writes.ts'
import type { Log } from '../base/process/log.ts'
import { now } from '../base/time/clock.ts'
import type { CallRepository } from './ports.ts'

export function withRetries(calls: CallRepository, write: RetryingWrite, log: Log): CallRepository {
  return {
    ...calls,
    // The end time is now, however late it is stored.
    finish(id, { endedAt = now(), ...end }) {
      return write(id, () => calls.finish(id, { ...end, endedAt }), { isLast: true })
    },
    // Not awaited: the call continues meanwhile.
    async recorded(id, recording) {
      write(id, () => calls.recorded(id, recording)).catch((err) =>
        log.error({ err, callId: id }, 'failed to store recording name'),
      )
    },
    saveLadder: (id, entries) => write(id, () => calls.saveLadder(id, entries)),
  }
}
