// Stores a call's DTMF digits as events, separate from the conversation that uses them.
import type { Log } from '../../base/process/log.ts'
import type { Converse } from '../../phone/ports.ts'

/** Digits may be a password, so they are never logged. */
export const dtmfEvents =
  (converse: Converse, store: (callId: string, digit: string) => Promise<void>, log: Log): Converse =>
  (call, transport, signal) => {
    const { callId } = call
    let last = Promise.resolve()
    async function* digits() {
      for await (const digit of transport.digits) {
        last = last
          .then(() => store(callId, digit))
          .catch((err) => log.warn({ err, callId }, 'failed to store DTMF event'))
        yield digit
      }
    }
    return converse(call, { ...transport, digits: digits() }, signal)
  }
