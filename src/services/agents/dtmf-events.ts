// The keys that are pressed in a call become events, beside the conversation that hears them.
import type { Log } from '../../base/log.ts'
import type { Converse } from '../../phone/ports.ts'

/** A conversation whose keys are told of as they are pressed. They may be a password: they are in no log. */
export const dtmfEvents =
  (converse: Converse, tell: (callId: string, digit: string) => Promise<void>, log: Log): Converse =>
  (call, transport, signal) => {
    const { callId } = call
    let last = Promise.resolve()
    async function* told() {
      for await (const digit of transport.digits) {
        last = last.then(() => tell(callId, digit)).catch((err) => log.warn({ err, callId }, 'a key was not told of'))
        yield digit
      }
    }
    return converse(call, { ...transport, digits: told() }, signal)
  }
