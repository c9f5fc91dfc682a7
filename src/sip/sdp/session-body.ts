// The SDP body of a message, also inside multipart (gateways add ISUP).
import type { MessageBody } from '../message/build.ts'
import type { SipMessage } from '../message/message.ts'
import { withoutParams } from '../message/values.ts'

export type SessionBody = { sdp: string | null } | { unsupported: string }

/** Null without a body; `unsupported` for a body without SDP. */
export function sessionOf(message: SipMessage): SessionBody {
  if (message.body.length === 0) return { sdp: null }
  const encoding = message.headers.get('content-encoding')?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== 'identity') return { unsupported: `encoding ${encoding}` }
  const written = message.headers.get('content-type')
  const type = withoutParams(written)
  if (type === 'application/sdp') return { sdp: message.body.toString('utf8') }
  if (type.startsWith('multipart/')) {
    const found = partOf(message.body.toString('utf8'), written ?? '')
    if (found !== undefined) return { sdp: found }
  }
  return { unsupported: type || 'a body without a type' }
}

export const sdpBody = (sdp: string): MessageBody => ({ type: 'application/sdp', content: sdp })

/** For messages that cannot be refused (responses, ACK). */
export function sdpOf(message: SipMessage): string | null {
  const body = sessionOf(message)
  return 'sdp' in body ? body.sdp : null
}

/** RFC 2046 section 5.1.1: a boundary has at most 70 characters. */
function partOf(body: string, contentType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) return undefined
  for (const part of `\r\n${body}`.split(`\r\n--${boundary}`).slice(1)) {
    const split = part.indexOf('\r\n\r\n')
    if (split === -1) continue
    const type = /^content-type\s*:\s*([^\r\n]*)|^c\s*:\s*([^\r\n]*)/im.exec(part.slice(0, split))
    if (withoutParams(type?.[1] ?? type?.[2]) === 'application/sdp') return `${part.slice(split + 4).trimEnd()}\r\n`
  }
  return undefined
}
