// Parses a SIP message: strict about framing and routing headers, lazy about all other values.
import { isUtf8 } from 'node:buffer'
import { Headers, headerName } from './headers.ts'
import type { SipMessage, SipRequest } from './message.ts'
import { MAX_URI, parseUri } from './uri.ts'
import { parseCSeq, parseNameAddr, parseVia, splitList, trimmed } from './values.ts'

/** `partial` is set when enough was parsed to reject with `status`; null: send nothing. */
export type ParseProblem = { problem: string; status: number; partial: SipRequest | null }
export type ParseResult = { message: SipMessage } | ParseProblem

export const MAX_MESSAGE_BYTES = 65_536
/** The start-line and all headers. A long INVITE from a carrier has 3 KB of them. */
export const MAX_HEAD_BYTES = 16_384
const MAX_HEADER_CHARS = 8192
const MAX_HEADERS = 200

export const headTooLarge = { problem: 'headers are larger than 16 KB', status: 513 }

type Start =
  | { kind: 'request'; method: string; uri: string }
  | { kind: 'response'; status: number; reason: string }
  | { kind: 'garbage' }

/** The start-line and headers, and the first problem with them. `length` is the Content-Length, if there is one. */
export type Head = {
  start: Start
  headers: Headers
  length: number | null
  wrong: { problem: string; status: number } | null
  /** The length of the body is unknown: on a stream, nothing after this can be parsed. */
  isFrameLost: boolean
}

const empty = Buffer.alloc(0)

/** One datagram. */
export function parseMessage(bytes: Buffer): ParseResult {
  if (bytes.length > MAX_MESSAGE_BYTES) return { problem: 'larger than 64 KB', status: 513, partial: null }
  let start = 0
  // RFC 3261 section 7.5: empty lines before the start-line are ignored.
  while (bytes[start] === 0x0d && bytes[start + 1] === 0x0a) start += 2
  if (start >= bytes.length) return { problem: 'empty', status: 400, partial: null }
  const end = bytes.indexOf('\r\n\r\n', start, 'latin1')
  if ((end === -1 ? bytes.length : end) - start > MAX_HEAD_BYTES) return { ...headTooLarge, partial: null }
  const head = readHead(bytes, start, end === -1 ? bytes.length : end)
  if (end === -1) return refusal(head, { problem: 'no empty line after the headers', status: 400 })
  const rest = bytes.length - end - 4
  // RFC 3261 section 18.3: bytes after the body of a datagram are dropped; a truncated body is an error.
  const length = head.length ?? rest
  if (!head.wrong && length > rest)
    return refusal(head, { problem: 'Content-Length is more than what came', status: 400 })
  return messageOf(head, length === 0 ? empty : bytes.subarray(end + 4, end + 4 + length))
}

export function messageOf(head: Head, body: Buffer): ParseResult {
  const { start, headers } = head
  const wrong = head.wrong ?? check(start, headers)
  if (wrong) return refusal(head, wrong)
  if (start.kind === 'request')
    return { message: { kind: 'request', method: start.method, uri: start.uri, headers, body } }
  if (start.kind === 'response')
    return { message: { kind: 'response', status: start.status, reason: start.reason, headers, body } }
  return refusal(head, { problem: 'not SIP', status: 400 })
}

export function refusal(head: Head, wrong: { problem: string; status: number }): ParseProblem {
  const { start, headers } = head
  const needed = ['via', 'from', 'to', 'call-id', 'cseq']
  // ACKs (RFC 3261 section 17) and responses are never answered.
  const isAnswerable =
    start.kind === 'request' &&
    start.method !== 'ACK' &&
    needed.every((name) => headers.has(name)) &&
    parseVia(splitList(headers.get('via') ?? '')[0] ?? '') !== null
  const partial: SipRequest | null = isAnswerable
    ? { kind: 'request', method: start.method, uri: start.uri, headers, body: empty }
    : null
  return { ...wrong, partial }
}

/** Headers that are not UTF-8 (names of old phones in Latin-1) are read as one character per byte. */
const decode = (bytes: Buffer, start: number, end: number): string => {
  const part = bytes.subarray(start, end)
  return part.toString(isUtf8(part) ? 'utf8' : 'latin1')
}

const requestLine = /^([\w.!%*+`'~-]+) ([^\s<>"]+) SIP\/(\d+)\.(\d+)$/i
const statusLine = /^SIP\/2\.0 ([1-6]\d\d)(?: ([^\r\n]*))?$/i
const nearlyRequest = /^([\w.!%*+`'~-]+)[ \t]+(\S.*\S)[ \t]+SIP\/\d+\.\d+[ \t]*$/i
const name = /^[\w.!%*+`'~-]+$/
const lengthValue = /^\d{1,10}$/

/** `start` to `end`: the start-line and the headers, without the empty line after them. */
export function readHead(bytes: Buffer, start: number, end: number): Head {
  const text = decode(bytes, start, end)
  const list: [string, string][] = []
  let wrong: Head['wrong'] = null
  const blame = (problem: string, status = 400) => {
    wrong ??= { problem, status }
  }
  let at = text.indexOf('\r\n')
  const line = at === -1 ? text : text.slice(0, at)
  const startLine = readStart(line, blame)
  let length: number | null = null
  let isFrameLost = startLine.kind === 'garbage'
  while (at !== -1 && at < text.length) {
    const from = at + 2
    at = text.indexOf('\r\n', from)
    let isFolded = false
    // RFC 3261 section 7.3.1: a line that begins with white space continues the one before it.
    while (at !== -1 && (text[at + 2] === ' ' || text[at + 2] === '\t')) {
      isFolded = true
      at = text.indexOf('\r\n', at + 2)
    }
    if (list.length === MAX_HEADERS) {
      blame('too many headers', 413)
      isFrameLost = true
      break
    }
    let field = at === -1 ? text.slice(from) : text.slice(from, at)
    if (field.length > MAX_HEADER_CHARS) {
      blame('a header is larger than 8 KB', 513)
      isFrameLost = true
      break
    }
    if (isFolded) field = field.replace(/\r\n[ \t]+/g, ' ')
    if (field.includes('\n') || field.includes('\r')) blame('a line does not end with CR and LF')
    const colon = field.indexOf(':')
    const key = colon === -1 ? '' : trimmed(field.slice(0, colon))
    if (!name.test(key)) {
      blame('a header line without a name')
      continue
    }
    const entry: [string, string] = [headerName(key), trimmed(field.slice(colon + 1))]
    if (entry[0] === 'content-length') {
      if (length !== null || !lengthValue.test(entry[1])) {
        blame(length === null ? 'Content-Length is not a length' : 'more than one Content-Length')
        isFrameLost = true
      } else length = Number(entry[1])
    }
    list.push(entry)
  }
  return { start: startLine, headers: Headers.taking(list), length, wrong, isFrameLost }
}

function readStart(line: string, blame: (problem: string, status?: number) => void): Start {
  const request = requestLine.exec(line)
  if (request) {
    const [, method = '', uri = '', major, minor] = request
    if (Number(major) !== 2 || Number(minor) !== 0) blame('another version of SIP', 505)
    return { kind: 'request', method, uri }
  }
  const response = statusLine.exec(line)
  if (response) return { kind: 'response', status: Number(response[1]), reason: response[2] ?? '' }
  const [, method, uri] = nearlyRequest.exec(line) ?? []
  blame('the first line is neither a request nor a status')
  return method === undefined || uri === undefined ? { kind: 'garbage' } : { kind: 'request', method, uri }
}

const onlyOnce = new Set(['from', 'to', 'call-id', 'cseq', 'max-forwards'])
const callId = /^[!-~]{1,512}$/

/** Validates the mandatory headers, which are needed to match, route and answer the message. */
function check(start: Start, headers: Headers): Head['wrong'] {
  const bad = (problem: string, status = 400) => ({ problem, status })
  const once = new Map<string, string>()
  let vias = 0
  for (const [key, value] of headers) {
    if (key === 'via') {
      vias++
      for (const via of splitList(value)) if (parseVia(via) === null) return bad('Via cannot be read')
    } else if (onlyOnce.has(key)) {
      if (once.has(key)) return bad(`more than one ${key}`)
      once.set(key, value)
    }
  }
  if (vias === 0) return bad('no Via')
  for (const key of ['from', 'to']) {
    const value = once.get(key)
    if (value === undefined) return bad(`no ${key}`)
    if (parseNameAddr(value) === null) return bad(`${key} cannot be read`)
  }
  if (!callId.test(once.get('call-id') ?? '')) return bad('no Call-ID')
  const cseq = parseCSeq(once.get('cseq') ?? '')
  if (cseq === null) return bad('CSeq cannot be read')
  if (start.kind !== 'request') return null
  if (cseq.method !== start.method) return bad('CSeq is for another method')
  const hops = once.get('max-forwards')
  if (hops !== undefined && !(/^\d{1,10}$/.test(hops) && Number(hops) <= 255)) return bad('Max-Forwards cannot be read')
  return checkUri(start.uri)
}

function checkUri(uri: string): Head['wrong'] {
  const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return { problem: 'the Request-URI has no scheme', status: 400 }
  if (scheme !== 'sip' && scheme !== 'sips') return null
  if (uri.length > MAX_URI) return { problem: 'the Request-URI is too long', status: 414 }
  const parsed = parseUri(uri)
  if (parsed === null) return { problem: 'the Request-URI cannot be read', status: 400 }
  // RFC 3261 section 19.1.1: no headers in a Request-URI.
  return parsed.headers.size > 0 ? { problem: 'the Request-URI has headers', status: 400 } : null
}
