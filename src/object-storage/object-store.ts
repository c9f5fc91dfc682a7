// The object store that recordings are moved to: its interface and its errors.
import type { Readable } from 'node:stream'

export type StoreProblem = 'unreachable' | 'denied' | 'no_bucket' | 'full' | 'wrong_content' | 'failed'

/** Why the store refused or failed, safe to log and show: never the text of its response. */
export class StoreError extends Error {
  readonly reason: StoreProblem
  /** HTTP status and S3 error code, such as "400 InvalidRegion". */
  readonly detail: string | undefined
  constructor(reason: StoreProblem, { detail, cause }: { detail?: string | undefined; cause?: unknown } = {}) {
    super(`object storage: ${reason}${detail ? ` (${detail})` : ''}`, { cause })
    this.reason = reason
    this.detail = detail
  }
}

export type ObjectStore = {
  /** Resolves once the store is verified to hold exactly the bytes of the file. */
  putFile(key: string, path: string, signal: AbortSignal): Promise<void>
  /** In bytes; null when there is no such object. */
  sizeOf(key: string, signal: AbortSignal): Promise<number | null>
  /** Both ends included; null when there is no such object. The stream fails unless it is exactly this long. */
  read(key: string, range: { start: number; end: number }, signal: AbortSignal): Promise<Readable | null>
  /** No error when it is gone already. */
  remove(key: string, signal: AbortSignal): Promise<void>
  /** Throws if address, keys or bucket are wrong. */
  check(signal: AbortSignal): Promise<void>
}
