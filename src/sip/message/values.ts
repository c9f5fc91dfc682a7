// Header values parsed and formatted: lists, name-addrs with parameters, Via, CSeq, credentials.
import type { Headers } from './headers.ts'
import { formatHost } from './uri.ts'

export type Params = Map<string, string | null>
export type NameAddr = { displayName: string | null; uri: string; params: Params }
/** `transport` is in lower case here, in upper case on the wire; an IPv6 host has no brackets here. */
export type Via = { transport: string; host: string; port: number | null; params: Params }

const TOKEN = "[\\w.!%*+`'~-]+"
const token = new RegExp(`^${TOKEN}$`)
/** Values that need no quotes. More than tokens and hosts: a branch such as "a/b=" must be returned unchanged. */
const bareValue = /^[!#-+\-./0-:=?-~]+$/
// CR and LF would allow header injection; other control characters do not belong in a text either.
const controls = /\p{Cc}+/gu

export const quoted = (text: string): string => `"${text.replace(controls, ' ').replace(/["\\]/g, '\\$&')}"`

/** Without surrounding SIP white space. `trim` would also remove characters that belong to a text (U+FEFF, U+00A0). */
export function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

const isSpace = (char: number) => char === 0x20 || char === 0x09 || char === 0x0d || char === 0x0a

/** Splits at commas outside of quotes and angle brackets; empty pieces are omitted. */
export function splitList(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  const cut = (end: number) => {
    const piece = trimmed(start === 0 && end === text.length ? text : text.slice(start, end))
    if (piece !== '') pieces.push(piece)
    start = end + 1
  }
  if (text.includes(',')) {
    let isInAngles = false
    for (let at = 0; at < text.length; at++) {
      const char = text.charCodeAt(at)
      if (char === 0x22) {
        const end = endOfQuotes(text, at)
        if (end === -1) break
        at = end - 1
      } else if (char === 0x3c) isInAngles = true
      else if (char === 0x3e) isInAngles = false
      else if (char === 0x2c && !isInAngles) cut(at)
    }
  }
  cut(text.length)
  return pieces
}

/** All lines under this name, split at commas. Not for headers with credentials or dates. */
export function listOf(headers: Headers, name: string): string[] {
  const lines = headers.all(name)
  return lines.length === 1 ? splitList(lines[0] ?? '') : lines.flatMap(splitList)
}

/** The index after the quoted string that begins at `start`, or -1. */
function endOfQuotes(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x5c) at++
    else if (char === 0x22) return at + 1
  }
  return -1
}

const unquote = (text: string): string => {
  const inner = text.slice(1, -1)
  return inner.includes('\\') ? inner.replace(/\\([\s\S])/g, '$1') : inner
}

const spaces = /[ \t\r\n]*/y
function skipSpaces(text: string, at: number): number {
  if (!isSpace(text.charCodeAt(at))) return at
  spaces.lastIndex = at
  spaces.test(text)
  return spaces.lastIndex
}

const bareName = /[^\s;,="<>]+/y
const bareText = /[^\s;,"<>]+/y

/** Reads ";name=value" to the end of the text. `strict`: an empty one is an error. The first of each name counts. */
function parseParams(text: string, start: number, strict: boolean): Params | null {
  const params: Params = new Map()
  let at = skipSpaces(text, start)
  while (at < text.length) {
    if (text[at] !== ';') return null
    at = skipSpaces(text, at + 1)
    bareName.lastIndex = at
    if (!bareName.test(text)) {
      if (strict) return null
      if (at < text.length && text[at] !== ';') return null
      continue
    }
    const name = text.slice(at, bareName.lastIndex).toLowerCase()
    if (strict && !token.test(name)) return null
    at = skipSpaces(text, bareName.lastIndex)
    let value: string | null = null
    if (text[at] === '=') {
      at = skipSpaces(text, at + 1)
      let end: number
      if (text[at] === '"') {
        end = endOfQuotes(text, at)
        if (end === -1) return null
        value = unquote(text.slice(at, end))
      } else {
        bareText.lastIndex = at
        end = bareText.test(text) ? bareText.lastIndex : at
        if (end === at && strict) return null
        value = text.slice(at, end)
      }
      at = skipSpaces(text, end)
    }
    if (!params.has(name)) params.set(name, value)
  }
  return params
}

function formatParams(params: ReadonlyMap<string, string | null>): string {
  let text = ''
  for (const [name, value] of params) {
    if (!token.test(name)) continue
    if (value === null) text += `;${name}`
    else text += `;${name}=${bareValue.test(value) ? value : quoted(value)}`
  }
  return text
}

const notInUri = /[\s\p{Cc}<>"]/u

/** "Name" <uri>;params, or a bare uri, whose parameters belong to the header (RFC 3261 section 20.10). */
export function parseNameAddr(input: string): NameAddr | null {
  const text = trimmed(input)
  let displayName: string | null = null
  let open = 0
  if (text.startsWith('"')) {
    const end = endOfQuotes(text, 0)
    if (end === -1) return null
    displayName = unquote(text.slice(0, end))
    open = skipSpaces(text, end)
    if (text[open] !== '<') return null
  } else {
    open = text.indexOf('<')
    if (open > 0) {
      displayName = trimmed(text.slice(0, open))
      // More than the tokens of the grammar: phones send "José" and "J. Smith" unquoted. Characters that end a value are refused.
      if (/[",;>]/.test(displayName)) return displayName.includes(';') ? parseAddrSpec(text) : null
    }
  }
  if (open === -1) return parseAddrSpec(text)
  const close = text.indexOf('>', open)
  if (close === -1) return null
  const uri = text.slice(open + 1, close)
  if (uri === '' || notInUri.test(uri)) return null
  const params = parseParams(text, close + 1, false)
  return params === null ? null : { displayName, uri, params }
}

function parseAddrSpec(text: string): NameAddr | null {
  const semicolon = text.indexOf(';')
  const uri = semicolon === -1 ? text : trimmed(text.slice(0, semicolon))
  if (!uri.includes(':') || uri.includes(',') || notInUri.test(uri)) return null
  const params = semicolon === -1 ? new Map<string, string | null>() : parseParams(text, semicolon, false)
  return params === null ? null : { displayName: null, uri, params }
}

export function formatNameAddr(parts: {
  displayName?: string | null
  uri: string
  params?: ReadonlyMap<string, string | null>
}): string {
  const name = parts.displayName ? `${quoted(parts.displayName)} ` : ''
  const uri = parts.uri.replace(/[\s\p{Cc}<>"]/gu, '')
  return `${name}<${uri}>${parts.params ? formatParams(parts.params) : ''}`
}

export const tagOf = (nameAddr: string): string | null => parseNameAddr(nameAddr)?.params.get('tag') ?? null
export const tagIn = (headers: Headers, name: 'from' | 'to'): string | null => tagOf(headers.get(name) ?? '')

/** A media type or an event without its parameters, in lower case. */
export const withoutParams = (value: string | undefined): string =>
  (value ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const viaHead = new RegExp(
  `^\\s*SIP\\s*/\\s*\\d+\\.\\d+\\s*/\\s*(${TOKEN})\\s+(\\[[0-9a-f:.]+\\]|[\\w.-]+)\\s*(?::\\s*(\\d{1,5}))?`,
  'i',
)

export function parseVia(text: string): Via | null {
  const head = viaHead.exec(text)
  // A control character could not be serialized again.
  if (!head || /[^\P{Cc}\t]/u.test(text)) return null
  const [whole, transport = '', host = '', port] = head
  const params = parseParams(text, whole.length, true)
  if (params === null || Number(port ?? 0) > 65_535) return null
  return {
    transport: transport.toLowerCase(),
    host: host.startsWith('[') ? host.slice(1, -1) : host,
    port: port === undefined ? null : Number(port),
    params,
  }
}

export const formatVia = (via: {
  transport: string
  host: string
  port?: number | null
  params: ReadonlyMap<string, string | null>
}): string =>
  `SIP/2.0/${via.transport.toUpperCase()} ${formatHost(via.host)}${via.port ? `:${via.port}` : ''}${formatParams(via.params)}`

const cseq = new RegExp(`^\\s*(\\d{1,20})\\s+(${TOKEN})\\s*$`)

export function parseCSeq(text: string): { number: number; method: string } | null {
  const [, digits, method] = cseq.exec(text) ?? []
  if (digits === undefined || method === undefined) return null
  const number = Number(digits)
  // RFC 3261 section 8.1.1.5 requires less than 2^31; some phones start anywhere in 32 bits.
  return number > 0xffff_ffff ? null : { number, method }
}

const authScheme = new RegExp(TOKEN, 'y')
const authValue = /[^\s,"]*/y

/** One challenge, or the credentials that answer it. Parameter names and the scheme are in lower case. */
export function parseAuth(input: string): { scheme: string; params: Map<string, string> } | null {
  const text = trimmed(input)
  const word = (at: number): string => {
    authScheme.lastIndex = at
    return authScheme.exec(text)?.[0] ?? ''
  }
  const scheme = word(0)
  let at = skipSpaces(text, scheme.length)
  if (scheme === '' || at === scheme.length) return null
  const params = new Map<string, string>()
  while (at < text.length) {
    const name = word(at)
    const equals = skipSpaces(text, at + name.length)
    if (name === '' || text[equals] !== '=') return null
    at = skipSpaces(text, equals + 1)
    let end: number
    if (text[at] === '"') end = endOfQuotes(text, at)
    else {
      authValue.lastIndex = at
      authValue.test(text)
      end = authValue.lastIndex
    }
    if (end === -1) return null
    const value = text[at] === '"' ? unquote(text.slice(at, end)) : text.slice(at, end)
    if (!params.has(name.toLowerCase())) params.set(name.toLowerCase(), value)
    at = skipSpaces(text, end)
    if (at < text.length && text[at] !== ',') return null
    at = skipSpaces(text, at + 1)
  }
  return { scheme: scheme.toLowerCase(), params }
}

/** The content of the first quoted string from `start` on. */
export function firstQuoted(text: string, start = 0): string | undefined {
  const open = text.indexOf('"', start)
  const end = open === -1 ? -1 : endOfQuotes(text, open)
  return end === -1 ? undefined : unquote(text.slice(open, end))
}
