// SIP MESSAGE (RFC 3428) outside calls, to and from devices registered here.
import type { RequestOutcome, UserAgent } from '../sip/dialog/call.ts'
import type { SipRequest } from '../sip/message/message.ts'
import { formatUri, parseUri } from '../sip/message/uri.ts'
import { formatNameAddr, parseCSeq, parseNameAddr } from '../sip/message/values.ts'
import type { Device, InboundMessage } from './ports.ts'
import type { Binding } from './route.ts'

/** RFC 3428 section 8: a MESSAGE must not exceed 1300 bytes where the path may be UDP. */
const MAX_BYTES = 1300
const TIMEOUT_MS = 10_000
const MAX_PARTS = 10

export type OutboundMessage = {
  /** The owner of the device. */
  userId: string
  deviceId: string
  text: string
  /** The sender as the device shows it: a number or a name. */
  from?: string | null
  /** A gateway forwards it to this number. */
  to?: string | null
}
export type MessageOutcome = {
  ok: boolean
  detail: string
  /** Sent but not acknowledged: it may have arrived. */
  isDoubtful?: boolean
}

export type MessageSenderParts = {
  ua: Pick<UserAgent, 'request'>
  device: (id: string) => Device | undefined
  bindingsOf: (device: Device) => readonly Binding[]
  domain: string
  timeoutMs?: number
}

export function messageSender({
  ua,
  device: deviceOf,
  bindingsOf,
  domain,
  timeoutMs = TIMEOUT_MS,
}: MessageSenderParts) {
  function send(device: Device, { contact, ...way }: Binding, content: string, { from, to }: OutboundMessage) {
    const number = /^\+?\d{3,20}$/.test(to ?? '') ? (to as string) : null
    return ua.request({
      method: 'MESSAGE',
      uri: contact,
      ...way,
      from: formatNameAddr({ uri: formatUri({ user: from ?? device.phone ?? 'agent', host: domain }) }),
      to: formatNameAddr({ uri: formatUri({ user: number ?? device.username, host: domain }) }),
      ...(number === null ? {} : { headers: { 'x-to-number': number } }),
      // Some phones challenge us; they know us by their own account.
      credentials: { username: device.username, password: device.password },
      body: { type: 'text/plain;charset=UTF-8', content },
      timeoutMs,
    })
  }

  /** Tries the bindings in order until one accepts it. */
  async function deliver(
    device: Device,
    bindings: readonly Binding[],
    part: string,
    text: OutboundMessage,
  ): Promise<MessageOutcome> {
    let last: MessageOutcome = { ok: false, detail: 'the device is not connected' }
    for (const binding of bindings) {
      last = outcomeOf(await send(device, binding, part, text))
      // Another attempt could deliver a doubtful message twice.
      if (last.ok || last.isDoubtful) break
    }
    return last
  }

  return async (text: OutboundMessage): Promise<MessageOutcome> => {
    const device = deviceOf(text.deviceId)
    if (!device || device.userId !== text.userId || device.isDisabled)
      return { ok: false, detail: 'there is no such device, or it is disabled' }
    const bindings = bindingsOf(device)
    if (bindings.length === 0)
      return { ok: false, detail: 'the device is not connected: nothing is registered with it' }
    const parts = splitText(text.text, MAX_BYTES)
    if (parts.length === 0) return { ok: false, detail: 'there is no text to send' }
    if (parts.length > MAX_PARTS) return { ok: false, detail: 'the text is too long' }
    for (const [i, part] of parts.entries()) {
      const outcome = await deliver(device, bindings, part, text)
      if (outcome.ok) continue
      const which = parts.length === 1 ? '' : `part ${i + 1} of ${parts.length}: `
      return { ...outcome, detail: `${which}${outcome.detail}` }
    }
    return { ok: true, detail: parts.length === 1 ? 'delivered' : `delivered in ${parts.length} parts` }
  }
}

function outcomeOf(outcome: RequestOutcome): MessageOutcome {
  if ('failure' in outcome)
    return outcome.failure === 'timeout'
      ? { ok: false, detail: 'the device did not answer', isDoubtful: true }
      : { ok: false, detail: 'the device could not be reached' }
  const { status, reason } = outcome.response
  return status < 300 ? { ok: true, detail: 'delivered' } : { ok: false, detail: `${status} ${reason}`.trim() }
}

/** Parts of at most `maxBytes`, split between words where possible, never within a character. */
export function splitText(text: string, maxBytes: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    if (Buffer.byteLength(rest) <= maxBytes) {
      parts.push(rest)
      break
    }
    const { read } = new TextEncoder().encodeInto(rest, new Uint8Array(maxBytes))
    const head = rest.slice(0, read)
    const space = rest[read] === ' ' ? read : head.search(/\s\S*$/)
    const at = space > read / 2 ? space : read
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return parts
}

/** The message of a device, or the status code of its refusal. */
export function parseMessage(request: SipRequest, device: Device): InboundMessage | { refuse: number } {
  const type = request.headers.get('content-type') ?? 'text/plain'
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  if (!/^\s*text\/plain\b/i.test(type) || !/^(utf-8|us-ascii)$/i.test(charset)) return { refuse: 415 }
  if (request.headers.has('content-encoding')) return { refuse: 415 }
  const text = request.body.toString('utf8').trim()
  if (text === '') return { refuse: 400 }
  const userOf = (value: string | undefined) => parseUri(parseNameAddr(value ?? '')?.uri ?? '')?.user ?? null
  const sender = userOf(request.headers.get('from'))
  return {
    userId: device.userId,
    deviceId: device.id,
    // A gateway names the sender; a phone only itself.
    from: sender === null || sender === device.username ? device.phone : sender,
    to: parseUri(request.uri)?.user ?? userOf(request.headers.get('to')),
    text,
    // A retransmission by a proxy or phone has the same Call-ID and CSeq.
    key: `${request.headers.get('call-id') ?? ''} ${parseCSeq(request.headers.get('cseq') ?? '')?.number ?? ''}`,
  }
}
