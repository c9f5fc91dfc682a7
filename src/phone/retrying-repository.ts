// What is written of a call while it goes on and at its end, as writes that survive an absence of the database (base/lasting-writes.ts).
import { now } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { RetryingWrite } from '../base/retrying-writes.ts'
import type { CallRepository } from './ports.ts'

export function withRetries(book: CallRepository, write: RetryingWrite, log: Log): CallRepository {
  return {
    ...book,
    // The call ended now, whenever that can be written.
    finish(id, { endedAt = now(), ...end }) {
      return write(id, () => book.finish(id, { ...end, endedAt }), { isLast: true })
    },
    // Nobody waits for it: the call goes on meanwhile.
    async recorded(id, recording) {
      write(id, () => book.recorded(id, recording)).catch((err) =>
        log.error({ err, callId: id }, 'failed to store the name of a recording'),
      )
    },
    saveLadder: (id, entries) => write(id, () => book.saveLadder(id, entries)),
  }
}
