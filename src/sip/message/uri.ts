// SIP, SIPS and TEL URIs: parse, format, compare (RFC 3261 section 19.1, RFC 3966).

export type SipUri = {
  readonly scheme: 'sip' | 'sips' | 'tel'
  /** Unescaped. For tel, the number. */
  readonly user: string | null
  readonly password: string | null
  /** A name or an address; IPv6 without brackets. Empty for tel. */
  readonly host: string
  readonly port: number | null
  /** Names in lower case. */
  readonly params: ReadonlyMap<string, string | null>
  readonly headers: ReadonlyMap<string, string>
}

type UriParts = {
  scheme?: SipUri['scheme']
  user?: string | null
  password?: string | null
  host: string
  port?: number | null
  params?: ReadonlyMap<string, string | null> | Readonly<Record<string, string | null | undefined>>
}

export const MAX_URI = 4096
const shape = /^(sips?|tel):(.*)$/is
const forbidden = /[\s\p{Cc}<>"\\^`{|}]/u
const hostPort = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?)(?::(\d{1,5}))?$/i
const telNumber = /^\+?[0-9a-f*#().-]+$/i
const nothing: ReadonlyMap<string, never> = new Map<string, never>()

export function parseUri(text: string): SipUri | null {
  if (text.length > MAX_URI || forbidden.test(text)) return null
  const [, scheme = '', rest = ''] = shape.exec(text) ?? []
  const kind = scheme.toLowerCase()
  if (kind === 'tel') return parseTel(rest)
  return kind === 'sip' || kind === 'sips' ? parseSip(kind, rest) : null
}

function parseSip(scheme: 'sip' | 'sips', text: string): SipUri | null {
  let rest = text
  let user: string | null = null
  let password: string | null = null
  // The user part may contain ";" and "?" (RFC 4475 3.1.1.9), so "@" is searched first.
  const at = text.indexOf('@')
  if (at !== -1) {
    const colon = text.indexOf(':')
    user = unescapeText(text.slice(0, colon !== -1 && colon < at ? colon : at))
    if (colon !== -1 && colon < at) password = unescapeText(text.slice(colon + 1, at))
    if (user === '') return null
    rest = text.slice(at + 1)
  }
  const question = rest.indexOf('?')
  const headers = question === -1 ? nothing : parsePairs(rest.slice(question + 1), '&', '')
  if (question !== -1) rest = rest.slice(0, question)
  const semicolon = rest.indexOf(';')
  const params = semicolon === -1 ? nothing : parsePairs(rest.slice(semicolon + 1), ';', null)
  const [, host, port] = hostPort.exec(semicolon === -1 ? rest : rest.slice(0, semicolon)) ?? []
  if (host === undefined || Number(port ?? 0) > 65_535) return null
  return {
    scheme,
    user,
    password,
    host: host.startsWith('[') ? host.slice(1, -1) : host,
    port: port === undefined ? null : Number(port),
    params,
    headers,
  }
}

function parseTel(text: string): SipUri | null {
  const semicolon = text.indexOf(';')
  const number = semicolon === -1 ? text : text.slice(0, semicolon)
  if (!telNumber.test(number)) return null
  const params = semicolon === -1 ? nothing : parsePairs(text.slice(semicolon + 1), ';', null)
  return { scheme: 'tel', user: number, password: null, host: '', port: null, params, headers: nothing }
}

/** The first of each name counts. `none`: the value of a name without "=". */
function parsePairs<None extends string | null>(text: string, separator: ';' | '&', none: None) {
  const pairs = new Map<string, string | None>()
  for (const piece of text.split(separator)) {
    const equals = piece.indexOf('=')
    const name = unescapeText(equals === -1 ? piece : piece.slice(0, equals)).toLowerCase()
    if (name !== '' && !pairs.has(name)) pairs.set(name, equals === -1 ? none : unescapeText(piece.slice(equals + 1)))
  }
  return pairs
}

/** Escapes that do not decode to UTF-8 are left as they are. */
function unescapeText(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

// RFC 3261 section 25.1: user = unreserved and user-unreserved; paramchar = unreserved and param-unreserved.
const escapeUser = (text: string) => escapeAll(text, /[^\w.!~*'()&=+$,;?/-]/gu)
const escapePassword = (text: string) => escapeAll(text, /[^\w.!~*'()&=+$,-]/gu)
const escapeParam = (text: string) => escapeAll(text, /[^\w.!~*'()[\]/:&+$-]/gu)

const escapeAll = (text: string, unsafe: RegExp) =>
  text.replace(unsafe, (char) =>
    [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

export const formatHost = (host: string): string => {
  const clean = host.replace(/[^\w.:-]/g, '')
  return clean.includes(':') ? `[${clean}]` : clean
}

export function formatUri(uri: UriParts): string {
  const { scheme = 'sip', user, password, host, port, params } = uri
  const tail = params ? formatParams(params) : ''
  if (scheme === 'tel') return `tel:${(user ?? '').replace(/[^\w+*#().-]/g, '')}${tail}`
  const secret = password === null || password === undefined ? '' : `:${escapePassword(password)}`
  const who = user ? `${escapeUser(user)}${secret}@` : ''
  return `${scheme}:${who}${formatHost(host)}${port ? `:${port}` : ''}${tail}`
}

function formatParams(params: NonNullable<UriParts['params']>): string {
  let text = ''
  for (const [name, value] of params instanceof Map ? params : Object.entries(params)) {
    if (name === '' || value === undefined) continue
    text += value === null ? `;${escapeParam(name)}` : `;${escapeParam(name)}=${escapeParam(value)}`
  }
  return text
}

/** RFC 3261 section 19.1.4: these must match even when only one of the two URIs has them. */
const strictParams = ['user', 'ttl', 'method', 'maddr', 'transport']

/** RFC 3261 section 19.1.4. A URI that cannot be parsed equals only the same text. */
export function sameUri(a: string, b: string): boolean {
  const one = parseUri(a)
  const other = parseUri(b)
  if (one === null || other === null) return a === b
  if (one.scheme !== other.scheme || one.password !== other.password || one.port !== other.port) return false
  if (one.scheme === 'tel' ? !sameNumber(one, other) : one.user !== other.user) return false
  if (one.host.toLowerCase() !== other.host.toLowerCase()) return false
  for (const name of strictParams) if (one.params.has(name) !== other.params.has(name)) return false
  for (const [name, value] of one.params) {
    const second = other.params.get(name)
    if (second !== undefined && value?.toLowerCase() !== second?.toLowerCase()) return false
  }
  if (one.headers.size !== other.headers.size) return false
  for (const [name, value] of one.headers) if (other.headers.get(name) !== value) return false
  return true
}

/** RFC 3966 section 5: visual separators are ignored. */
const sameNumber = (one: SipUri, other: SipUri) => {
  const bare = (uri: SipUri) => (uri.user ?? '').replace(/[().-]/g, '').toLowerCase()
  return bare(one) === bare(other)
}
