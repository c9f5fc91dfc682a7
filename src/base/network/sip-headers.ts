// SIP headers that a user may read from calls and add to them: those that neither routing nor the dialog depends on.

const anyCase = (word: string): string => word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
const words = ['user-to-user', 'call-info', 'alert-info', 'diversion', 'subject', 'priority']
const named = (names: readonly string[]) => names.map(anyCase).join('|')

/** For JSON Schema, whose patterns cannot ignore case. */
export const FREE_HEADER = `^(?:[Xx]-[\\w.-]+|[Pp]-[\\w-]+|${named(words)})$`
/** Readable on inbound calls; includes who diverted the call. */
export const READABLE_HEADER = `^(?:[Xx]-[\\w.-]+|[Pp]-[\\w-]+|${named([...words, 'history-info'])})$`
/** Accepted with an outbound call. The caller's identity is set by the trunk, not by a single call. */
export const CALL_HEADER = `^(?!(?:${named(['p-asserted-identity', 'p-preferred-identity'])})$)${FREE_HEADER.slice(1)}`
const freeHeader = new RegExp(FREE_HEADER)
const callHeader = new RegExp(CALL_HEADER)

export const MAX_HEADERS = 20
export const MAX_HEADER_NAME = 64
export const MAX_HEADER_VALUE = 1024
/** Value of a header that is sent: no line breaks, which would start another header. */
export const HEADER_VALUE = '^[^\\r\\n\\x00]*$'
const headerValue = new RegExp(HEADER_VALUE)

const isSendable = (value: string) => value.length <= MAX_HEADER_VALUE && headerValue.test(value)

export const freeHeadersOf = (given: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => freeHeader.test(name)))

/** The headers that may be sent, with lower-case names. Others are dropped. */
export const sendableHeaders = (given: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => freeHeader.test(name) && isSendable(value))
      .map(([name, value]) => [name.toLowerCase(), value]),
  )

const isIn = (names: readonly string[]) => {
  const lower = new Set(names.map((name) => name.toLowerCase()))
  return (name: string) => lower.has(name.toLowerCase())
}

/** The headers given with a call that this trunk's list allows. */
export function callHeadersOf(
  given: Readonly<Record<string, string>>,
  allowed: readonly string[],
): Record<string, string> {
  const isAllowed = isIn(allowed)
  const own = Object.entries(given).filter(([name]) => callHeader.test(name) && isAllowed(name))
  return sendableHeaders(Object.fromEntries(own))
}

/** The first name that none of these lists allows. */
export function forbiddenHeader(given: Readonly<Record<string, string>>, allowed: readonly string[]): string | null {
  const isAllowed = isIn(allowed)
  return Object.keys(given).find((name) => !callHeader.test(name) || !isAllowed(name)) ?? null
}

/** A header's own value takes precedence over one with the same name, in any letter case. */
export function mergedHeaders(
  headers: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const isReplaced = isIn(Object.keys(more))
  return { ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isReplaced(name))), ...more }
}

/** Removes control characters from what a caller's network sent. */
const readable = (value: string): string =>
  value
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .slice(0, MAX_HEADER_VALUE)
    .toWellFormed()
    .trim()

/** The request headers that a trunk lets through, under the names in its list. Several with one name are joined. */
export function readHeaders(
  valuesOf: (name: string) => readonly string[],
  names: readonly string[],
): Record<string, string> {
  const read = names.slice(0, MAX_HEADERS).map((name) => [name, readable(valuesOf(name).join(', '))] as const)
  return Object.fromEntries(read.filter(([, value]) => value !== ''))
}

/** X-Customer-Id becomes the variable sip_x_customer_id. */
const headerVariableName = (header: string): string =>
  `sip_${header.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`.slice(0, 64)

export const headerVariables = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [headerVariableName(name), value]))
