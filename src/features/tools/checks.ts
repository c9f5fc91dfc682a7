// Checks of a tool's URL and headers that a schema cannot express. (Parameters are checked by
// base/domain/user-schema.ts.)
import { appError } from '../../base/errors/errors.ts'
import { isConnectionHeader } from '../../base/outside/header-names.ts'

const MAX_URL_BYTES = 2048

/**
 * Requires an absolute http or https URL without credentials, and without braces where they could change the server.
 */
export function checkRequestUrl(url: string): void {
  // There must be text between the slashes, because a URL parser turns `http:///x` into the host x.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]
  if (!authority) throw appError('tool_url_not_absolute')
  if (Buffer.byteLength(url) > MAX_URL_BYTES) throw appError('tool_url_too_long', { limit: MAX_URL_BYTES })
  if (/[{}]/.test(authority)) throw appError('tool_url_braces')
  if (authority.includes('@')) throw appError('tool_url_credentials')
  const sample = url.replaceAll(/[{}]/g, 'x')
  if (/[\s\\]/.test(url) || !URL.canParse(sample)) throw appError('tool_url_invalid')
  if (/[{}]/.test(new URL(sample).host)) throw appError('tool_url_braces') // encoded as %7B, or full-width
}

export function checkHeaders(headers: Record<string, string>): void {
  for (const name of Object.keys(headers))
    if (isConnectionHeader(name)) throw appError('tool_header_forbidden', { name })
}
