// Checks of a tool's URL and headers that a schema cannot express. (Parameters are checked by base/user-schema.ts.)
import { AppError } from '../../base/errors.ts'

const invalid = (message: string) => new AppError('invalid', message)

const MAX_URL_BYTES = 2048

/** Absolute, http or https, without a user, and without braces where they could change the server that is called. */
export function checkRequestUrl(url: string): void {
  // There must be text between the slashes: a URL parser turns `http:///x` into the host x.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]
  if (!authority) throw invalid('requestUrl must be an absolute http or https URL')
  if (Buffer.byteLength(url) > MAX_URL_BYTES) throw invalid(`requestUrl must have at most ${MAX_URL_BYTES} bytes`)
  if (/[{}]/.test(authority)) throw invalid('requestUrl must not have braces in its host')
  if (authority.includes('@')) throw invalid('requestUrl must not hold a user name or password')
  const sample = url.replaceAll(/[{}]/g, 'x')
  if (/[\s\\]/.test(url) || !URL.canParse(sample)) throw invalid('requestUrl is not a valid URL')
  if (/[{}]/.test(new URL(sample).host)) throw invalid('requestUrl must not have braces in its host') // as %7B, or full-width
}

// RFC 9110: these belong to the connection, not to the message, or are derived from it. `sec-` headers are set by browsers only.
const connectionHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
])

export function checkHeaders(headers: Record<string, string>): void {
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (connectionHeaders.has(lower) || /^(proxy|sec)-/.test(lower)) throw invalid(`headers: ${name} cannot be set`)
  }
}
