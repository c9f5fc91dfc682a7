// Parses JSON bodies. Rejects invalid UTF-8, NUL, lone surrogates and excessive nesting, which a database or a later
// reader cannot handle.
import { isUtf8 } from 'node:buffer'
import { appError } from '../base/errors/errors.ts'
import { type JsonRefused, parseOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'

const bounds = limits.requestBody
export const BODY_LIMIT = bounds.bytes

/** An empty body counts as no body. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw appError('body_not_utf8')
  const value = parsed(bytes)
  // In valid UTF-8, NUL and lone surrogates can only come from \u escapes.
  check(value, bytes.includes('\\u'))
  return value
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseOutside(bytes.toString('utf8'), bounds) // as text, because a byte order mark is not part of JSON
  } catch (error) {
    const { problem } = error as JsonRefused
    if (problem === 'depth') throw appError('body_too_deep', { limit: bounds.depth })
    if (problem === 'entries') throw appError('body_too_many_entries', { limit: bounds.keys })
    throw appError(problem === 'total' ? 'body_too_many_values' : 'body_not_json')
  }
}

function check(value: unknown, escaped: boolean): void {
  if (typeof value === 'string') {
    if (escaped) checkText(value)
    return
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw appError('body_number_too_large')
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw appError('body_forbidden_name')
    if (escaped) checkText(key)
    check((value as Record<string, unknown>)[key], escaped)
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw appError('body_bad_character')
}

type BodyHeaders = { 'content-type'?: string | undefined; 'content-encoding'?: string | undefined }

/**
 * Requires `application/json` in UTF-8, uncompressed. `uploads`: other media types of the route, which are parsed
 * elsewhere.
 */
export function checkMediaType(headers: BodyHeaders, uploads: readonly string[] = []): void {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    throw appError('body_media_type', { types: ['application/json', ...uploads].join(', ') })
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]
  if (charset && charset.toLowerCase() !== 'utf-8') throw appError('body_charset')
  if (contentEncoding && contentEncoding !== 'identity') throw appError('body_compressed')
}
