// The JSON of records that have a version, for `config.direct`. Each request reads owner and version; the record itself is read and
// serialised only when its version is not the one in memory.
import { LruCache } from '../base/lru-cache.ts'
import type { DirectBody, DirectRead } from './direct-reads.ts'

/** What changes with every write of a record. */
export type Stamp = { rowVersion?: number; updatedAt: string }

const MAX_RECORDS = 256
/** Characters; a longer record is read for each request. */
const MAX_LENGTH = 16_384

export type VersionedRecords<R extends Stamp> = {
  /** Both: undefined when there is no such record of this user. */
  stamp(userId: string, id: string): Stamp | undefined | Promise<Stamp | undefined>
  row(userId: string, id: string): Promise<R | undefined>
  toJson(row: R): string
}

export function versionedJson<R extends Stamp>({ stamp, row, toJson }: VersionedRecords<R>): DirectRead {
  const known = new LruCache<string, { stamp: Stamp; body: DirectBody }>(MAX_RECORDS)

  async function read(userId: string, id: string): Promise<DirectBody | undefined> {
    const found = await row(userId, id)
    if (!found) return undefined
    const json = toJson(found)
    const { rowVersion = 1, updatedAt } = found
    const body = { json, bytes: Buffer.byteLength(json), version: rowVersion }
    if (json.length <= MAX_LENGTH) known.set(id, { stamp: { rowVersion, updatedAt }, body })
    return body
  }

  function current(userId: string, id: string, now: Stamp | undefined) {
    if (!now) return undefined
    const entry = known.get(id)
    const isSame = entry?.stamp.rowVersion === now.rowVersion && entry?.stamp.updatedAt === now.updatedAt
    return entry && isSame ? entry.body : read(userId, id)
  }

  return ({ userId }, id) => {
    const now = stamp(userId, id)
    return now instanceof Promise ? now.then((at) => current(userId, id, at)) : current(userId, id, now)
  }
}
