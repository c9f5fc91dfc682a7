// The contacts of a REGISTER and their expiry.
import type { SipRequest } from '../message/message.ts'
import { formatUri, parseUri } from '../message/uri.ts'
import { listOf, parseNameAddr } from '../message/values.ts'

/** `target` is the uri without headers, which are not allowed in a Request-URI. */
export type RequestedContact = {
  uri: string
  target: string
  params: ReadonlyMap<string, string | null>
  expires: number
}

export type RequestedContacts =
  | { kind: 'some'; contacts: RequestedContact[] }
  | { kind: 'all' }
  | { kind: 'malformed'; why: string }
  | { kind: 'too-brief' }

const MAX_CONTACTS = 20
const MAX_CONTACT_CHARS = 2048
/** It is part of a database key. */
const MAX_URI_BYTES = 1024

export function readContacts(
  request: SipRequest,
  limits: { minExpires: number; maxExpires: number; defaultExpires: number },
): RequestedContacts {
  const values = listOf(request.headers, 'contact')
  const header = request.headers.get('expires')
  // RFC 3261 section 10.3 step 6: "*" stands alone and removes everything.
  if (values.includes('*')) {
    const isRight = values.length === 1 && /^0+$/.test(header ?? '')
    return isRight ? { kind: 'all' } : { kind: 'malformed', why: 'Contact * wants Expires 0' }
  }
  if (values.length > MAX_CONTACTS) return { kind: 'malformed', why: 'Too Many Contacts' }
  const contacts: RequestedContact[] = []
  for (const value of values) {
    const contact = value.length > MAX_CONTACT_CHARS ? null : parseNameAddr(value)
    const uri = contact && parseUri(contact.uri)
    // RFC 4475 3.1.2.13: a uri with headers must be in angle brackets.
    if (!contact || !uri || uri.scheme === 'tel' || (uri.headers.size > 0 && !value.includes('<')))
      return { kind: 'malformed', why: 'Bad Contact' }
    if (Buffer.byteLength(contact.uri) > MAX_URI_BYTES) return { kind: 'malformed', why: 'Bad Contact' }
    const params = new Map(contact.params)
    params.delete('expires')
    const asked = seconds(contact.params.get('expires') ?? header, limits.defaultExpires)
    if (asked > 0 && asked < limits.minExpires) return { kind: 'too-brief' }
    const target = uri.headers.size > 0 ? formatUri(uri) : contact.uri
    contacts.push({ uri: contact.uri, target, params, expires: Math.min(asked, limits.maxExpires) })
  }
  return { kind: 'some', contacts }
}

/** RFC 3261 section 20.19: an invalid value, or one beyond 32 bits, counts as an hour. */
function seconds(text: string | null | undefined, otherwise: number): number {
  if (text === undefined || text === null) return otherwise
  return /^\d{1,10}$/.test(text) && Number(text) <= 0xffff_ffff ? Number(text) : 3600
}
