// Parses JSON bodies. Rejects invalid UTF-8, NUL, lone surrogates and excessive nesting, which a database or a later reader cannot handle.
import { isUtf8 } from 'node:buffer'
import { appError } from '../base/errors.ts'
import { jsonProblem } from '../base/json-guard.ts'

export const BODY_LIMIT = 1_048_576

const MAX_DEPTH = 32
const MAX_ENTRIES = 1000 // per object or array

/** A body this small is cheap to parse, whatever its shape. */
const SMALL_BYTES = 8192

const tooDeep = () => appError('body_too_deep', { limit: MAX_DEPTH })
const tooMany = () => appError('body_too_many_entries', { limit: MAX_ENTRIES })

/** An empty body counts as no body. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw appError('body_not_utf8')
  const bounds = { depth: MAX_DEPTH, keys: MAX_ENTRIES, items: MAX_ENTRIES }
  const problem = bytes.length > SMALL_BYTES ? jsonProblem(bytes, bounds) : null
  if (problem) throw problem === 'depth' ? tooDeep() : tooMany()
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw appError('body_not_json') // the parser's own message would quote the body
  }
  // In valid UTF-8, NUL and lone surrogates can only come from \u escapes.
  check(value, MAX_DEPTH, text.includes('\\u'))
  return value
}

function check(value: unknown, depth: number, escaped: boolean): void {
  if (typeof value === 'string') {
    if (escaped) checkText(value)
    return
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw appError('body_number_too_large')
  if (typeof value !== 'object' || value === null) return
  if (depth === 0) throw tooDeep()
  const keys = Object.keys(value)
  if (keys.length > MAX_ENTRIES) throw tooMany()
  for (const key of keys) {
    if (key === '__proto__') throw appError('body_forbidden_name')
    if (escaped) checkText(key)
    check((value as Record<string, unknown>)[key], depth - 1, escaped)
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw appError('body_bad_character')
}

type BodyHeaders = { 'content-type'?: string | undefined; 'content-encoding'?: string | undefined }

/** Requires `application/json` in UTF-8, uncompressed. `uploads`: other media types of the route, which are parsed elsewhere. */
export function checkMediaType(headers: BodyHeaders, uploads: readonly string[] = []): void {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    throw appError('body_media_type', { types: ['application/json', ...uploads].join(', ') })
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]
  if (charset && charset.toLowerCase() !== 'utf-8') throw appError('body_charset')
  if (contentEncoding && contentEncoding !== 'identity') throw appError('body_compressed')
}
