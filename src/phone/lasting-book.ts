// The end of a call is written also when the database is away at that moment: again and again, for as long as makes sense.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { CallBook } from './ports.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
const PATIENCE_MS = 30 * 60_000

export function lastingBook(book: CallBook, log: Log, signal: AbortSignal): CallBook {
  async function lasting<T>(what: string, write: () => Promise<T>): Promise<T> {
    const giveUpAt = monotonicMs() + PATIENCE_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await write()
      } catch (err) {
        if (signal.aborted || monotonicMs() > giveUpAt) throw err
        log.warn({ err }, `${what} could not be written; it will be tried again`)
        await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }
  return {
    ...book,
    finish: (id, end) => lasting('the end of a call', () => book.finish(id, end)),
    // Nobody waits for it: the call goes on meanwhile.
    recorded: (id, recording) =>
      book.recorded(id, recording).catch(() => {
        const again = lasting('where a recording lies', () => book.recorded(id, recording))
        again.catch((err) => log.error({ err, callId: id }, 'where a recording lies was not written'))
      }),
  }
}
