// The log of a node. A database outage is logged once; the failures it causes are logged at debug level.
import type { Log } from '../../base/process/log.ts'

export function outageLog(log: Log, isOfOutage: (error: unknown) => boolean): Log {
  const quietly =
    (level: 'warn' | 'error') =>
    (...line: Parameters<Log['warn']>): void => {
      const [fields] = line as unknown[]
      const { err } = (fields ?? {}) as { err?: unknown }
      log[err !== undefined && isOfOutage(err) ? 'debug' : level](...line)
    }
  return Object.assign(Object.create(log) as Log, { warn: quietly('warn'), error: quietly('error') })
}
