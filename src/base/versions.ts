// Row versions: the ETag of a record, and the If-Match of a change (RFC 9110, 8.8.3 and 13.1.1).
import { appError } from './errors/errors.ts'

/** The versions that a change may apply to; `any` means whichever is current. */
export type IfMatch = 'any' | readonly number[]
/** A record to change; with `ifMatch`, only if it has one of these versions. */
export type Target = { id: string; ifMatch?: IfMatch | undefined }

const VERSION = Symbol('version')

/** The version is sent as a header, not as a field of the record. A copy of the record loses it. */
export const withVersion = <T extends object>(record: T, version = 1): T =>
  Object.defineProperty(record, VERSION, { value: version })

export const versionOf = (record: unknown): number | undefined => (record as { [VERSION]?: number } | null)?.[VERSION]

export const etagOf = (version: number) => `"${version}"`

/** Weak tags never match (strong comparison), nor do tags that are not our versions. */
export function readIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  const versions: number[] = []
  // A tag may contain a comma. The third group is anything that is neither a tag nor a separator.
  for (const [, weak, opaque = '', stray] of header.matchAll(/(W\/)?"([!\x23-\x7e\x80-\xff]*)"|([^\s,])/g)) {
    if (stray !== undefined) throw appError('if_match_invalid')
    if (weak === undefined && /^[1-9]\d{0,14}$/.test(opaque)) versions.push(Number(opaque))
  }
  return versions
}

/** Throws the 412 if the change is meant for another version than the current one. Call it with the row locked. */
export function requireVersion(current: number | undefined, ifMatch: IfMatch | undefined): void {
  const version = current ?? 1
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(version)) return
  throw appError('stale', {}, { headers: { etag: etagOf(version) } })
}
