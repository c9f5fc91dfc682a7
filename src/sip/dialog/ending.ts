// The peer's reason for the end of a call: reason phrase, Reason header (RFC 3326), Warning header.
import type { Headers } from '../message/headers.ts'
import type { SipResponse } from '../message/message.ts'
import { firstQuoted } from '../message/values.ts'
import type { CallEnding, Cause } from './call.ts'

const MAX_DETAIL_CHARS = 300

const plain = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL_CHARS)

/** `Q.850;cause=16;text="Normal"` becomes `Normal (Q.850 16)`. */
export function reasonOf(headers: Headers): string | undefined {
  const value = headers.get('reason')
  if (value === undefined) return undefined
  const protocol = /^[^;,\s]+/.exec(value)?.[0]
  const cause = /;\s*cause\s*=\s*(\d+)/i.exec(value)?.[1]
  const words = /;\s*text\s*=\s*(?=")/i.exec(value)
  const text = words ? firstQuoted(value, words.index + words[0].length) : undefined
  const code = [protocol, cause].filter(Boolean).join(' ')
  return plain(text ? `${text} (${code})` : code) || undefined
}

function warningOf(headers: Headers): string | undefined {
  const value = headers.get('warning')
  if (value === undefined) return undefined
  return plain(firstQuoted(value) ?? value) || undefined
}

export function detailOf(response: SipResponse): string | undefined {
  const words = [plain(response.reason), reasonOf(response.headers), warningOf(response.headers)]
  return plain(words.filter(Boolean).join('; ')) || undefined
}

export const refusedBy = (response: SipResponse): CallEnding => ({
  by: 'remote',
  why: 'refused',
  status: response.status,
  detail: detailOf(response),
})

/** Our Reason header when we end a call. */
export const reasonHeader = (cause: Cause): string =>
  `Q.850;cause=${Math.trunc(cause.code)};text="${plain(cause.text).replace(/["\\]/g, '\\$&')}"`
