// The version of a loaded record (its ETag) travels with the data: a later refetch must not change what a form was
// based on.

const FIELD = '$version'

/** Adds a record's ETag to its JSON, so that both stay together in the query cache. */
export async function withRecordVersion(response: Response): Promise<Response | undefined> {
  const etag = response.headers.get('etag')
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!response.ok || !etag || !isJson) return undefined
  const record: unknown = await response.json()
  const isRecord = typeof record === 'object' && record !== null && !Array.isArray(record)
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(isRecord ? { ...record, [FIELD]: etag } : record), { status, statusText, headers })
}

export const versionOf = (record: object): string | undefined => (record as { [FIELD]?: string })[FIELD]

/** Headers that apply a change only if the record still has this version. */
export function ifMatch(record: object): Record<string, string> {
  const version = versionOf(record)
  return version === undefined ? {} : { 'If-Match': version }
}
