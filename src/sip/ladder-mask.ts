// SIP messages as text without credentials, keys, digits or texts. A message is truncated before it is masked, and every pattern is linear.
import { Headers } from './message/headers.ts'
import type { SipMessage } from './message/message.ts'
import { serialize } from './message/serialize.ts'
import { parseCSeq, withoutParams } from './message/values.ts'

const MASK = '[hidden]'
const MAX_SUMMARY_CHARS = 200
/** Masked beyond the limit, so that a password that straddles it is recognized. */
const SLACK = 500
/** No `host:port` is this long: the text after such a colon is a truncated password. */
const MAX_HOST_PORT_CHARS = 300

/** Answers to challenges: with the nonce, they allow a dictionary attack on the password. */
const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
])
/** Bodies that carry speech texts or digits. */
const privateMethods = new Set(['INFO', 'MESSAGE'])

const methodOf = (message: SipMessage): string =>
  message.kind === 'request' ? message.method : (parseCSeq(message.headers.get('cseq') ?? '')?.method ?? '')

const secretLine = /^(?:a=crypto:|a=ice-pwd:|k=|(?:proxy-)?authorization[ \t]*:)/i

function maskedLine(line: string): string {
  const name = secretLine.exec(line)?.[0]
  if (name === undefined) return line
  const key = name.toLowerCase() === 'a=crypto:' ? line.toLowerCase().indexOf('inline:') : -1
  return `${line.slice(0, key === -1 ? name.length : key + 'inline:'.length)}${MASK}`
}

function maskedBody(message: SipMessage, chars: number): string {
  if (message.body.length === 0) return ''
  if (privateMethods.has(methodOf(message))) return `${MASK}\r\n`
  const type = withoutParams(message.headers.get('content-type'))
  const isText = /^(application\/sdp|message\/sipfrag|multipart\/|application\/[\w.+-]*xml|text\/)/.test(type)
  if (!isText) return `[${message.body.length} bytes]\r\n`
  return message.body
    .subarray(0, chars)
    .toString('utf8')
    .replace(/[^\r\n]+/g, maskedLine)
}

function maskedHeader(name: string, value: string): string {
  if (secretHeaders.has(name)) return `${/^\w*/.exec(value)?.[0] ?? ''} ${MASK}`.trim()
  return /a=crypto/i.test(value) ? value.replace(/inline:\S+/gi, `inline:${MASK}`) : value
}

/** The passwords of all URIs in a text without spaces and angle brackets. */
function maskedUris(word: string): string {
  const scheme = /sips?:/gi
  let text = ''
  let from = 0
  for (let found = scheme.exec(word); found; found = scheme.exec(word)) {
    const start = scheme.lastIndex
    const colon = word.indexOf(':', start)
    if (colon === -1) break
    const at = word.indexOf('@', start)
    if (at === -1) {
      const isCut = word.length - colon > MAX_HOST_PORT_CHARS
      return `${text}${isCut ? `${word.slice(from, colon + 1)}${MASK}` : word.slice(from)}`
    }
    if (colon < at) {
      text += `${word.slice(from, colon + 1)}${MASK}`
      from = at
    }
    scheme.lastIndex = at
  }
  return text + word.slice(from)
}

const withoutPasswords = (text: string): string => text.replace(/[^\s<>]+/g, maskedUris)

/** The message as text, with secrets masked; a longer one is truncated to slightly more than `chars`. */
export function maskedText(message: SipMessage, chars: number): string {
  const most = chars + SLACK
  const kept: [string, string][] = []
  let length = 0
  for (const [name, value] of message.headers) {
    if (length > most) break
    kept.push([name, maskedHeader(name, value.slice(0, most))])
    length += name.length + Math.min(value.length, most)
  }
  const body = Buffer.from(length > most ? '' : maskedBody(message, most))
  const start =
    message.kind === 'request' ? { uri: message.uri.slice(0, most) } : { reason: message.reason.slice(0, most) }
  const text = serialize({ ...message, ...start, headers: new Headers(kept), body } as SipMessage)
    .toString('utf8')
    .replace(/^Content-Length: \d+/m, `Content-Length: ${message.body.length}`)
  return withoutPasswords(text)
}

export function summaryOf(message: SipMessage): string {
  const text =
    message.kind === 'request'
      ? `${message.method} ${withoutPasswords(message.uri.slice(0, MAX_SUMMARY_CHARS + SLACK))}`
      : `${message.status} ${message.reason.slice(0, MAX_SUMMARY_CHARS)} (${methodOf(message)})`
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_SUMMARY_CHARS)
}
