// The object store that recordings are moved to: what it does, and what may be wrong with it.
import type { Readable } from 'node:stream'

export type StoreSettings = {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** Why the store refused or failed, in a form that may be logged and shown: never an answer's text. */
export class StoreError extends Error {
  readonly reason: StoreProblem
  constructor(reason: StoreProblem, options?: ErrorOptions) {
    super(`object storage: ${reason}`, options)
    this.reason = reason
  }
}
export type StoreProblem = 'unreachable' | 'denied' | 'no_bucket' | 'full' | 'wrong_content' | 'failed'

export type ObjectStore = {
  /** Resolves once the store holds exactly the bytes of the file. */
  putFile(key: string, path: string, signal: AbortSignal): Promise<void>
  /** In bytes; null when there is no such object. */
  sizeOf(key: string, signal: AbortSignal): Promise<number | null>
  /** Both ends included; null when there is no such object. */
  read(key: string, range: { start: number; end: number }, signal: AbortSignal): Promise<Readable | null>
  /** No error when it is gone already. */
  remove(key: string, signal: AbortSignal): Promise<void>
  /** Throws what is wrong with address, keys or bucket. */
  check(signal: AbortSignal): Promise<void>
}
