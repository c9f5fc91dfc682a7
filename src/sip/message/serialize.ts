// Serializes a SIP message. Content-Length is computed here; values cannot inject header lines.
import type { SipMessage } from './message.ts'

/** Names that are not writtenNames with a capital after each dash. */
const special: ReadonlyMap<string, string> = new Map(
  'CSeq Call-ID WWW-Authenticate MIME-Version RSeq RAck Min-SE SIP-ETag SIP-If-Match P-RTP-Stat X-RTP-Stat'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
)

const writtenNames = new Map<string, string>()
const MAX_CACHED_NAMES = 500

function nameOnWire(name: string): string {
  const known = writtenNames.get(name)
  if (known !== undefined) return known
  const text = special.get(name) ?? name.replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase())
  // Names can come from the network, so the cache is bounded.
  if (writtenNames.size < MAX_CACHED_NAMES) writtenNames.set(name, text)
  return text
}

const headerName = /^[\w.!%*+`'~-]+$/
const isOneLine = (text: string) => !text.includes('\n') && !text.includes('\r')

export function serialize(message: SipMessage): Buffer {
  let text =
    message.kind === 'request'
      ? `${message.method.replace(/[^\w.!%*+`'~-]/g, '')} ${message.uri.replace(/[\s\0]+/g, '')} SIP/2.0\r\n`
      : `SIP/2.0 ${message.status} ${flat(message.reason)}\r\n`
  for (const [name, value] of message.headers) {
    if (name === 'content-length' || !headerName.test(name)) continue
    text += `${nameOnWire(name)}: ${flat(value)}\r\n`
  }
  text += `Content-Length: ${message.body.length}\r\n\r\n`
  const head = Buffer.from(text, 'utf8')
  return message.body.length === 0 ? head : Buffer.concat([head, message.body])
}

const flat = (text: string): string => (isOneLine(text) ? text : text.replace(/[\r\n]+/g, ' '))
