// Structured logs, one JSON line each, written in batches so that a request does not wait for a disk or a terminal.
// Messages are fixed strings. What a caller said or sent goes only in a field named `pii`, which is never written.
import pino, { type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** Names under which a secret could stand in a logged object. */
const secretFields = ['pii', 'key', 'apiKey', 'password', 'token', 'authorization', 'headers', 'secret']

export function createLog(level: string, to: DestinationStream = batched()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
    },
    to,
  )
}

const batched = () => pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 })
