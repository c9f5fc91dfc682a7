// Short texts by SIP MESSAGE (RFC 3428), outside any call: to a device that is registered here, and from one.

import type { RequestOutcome, UserAgent } from '../sip/dialog/call.ts'
import type { SipRequest } from '../sip/message/message.ts'
import { formatUri, parseUri } from '../sip/message/uri.ts'
import { formatNameAddr, parseCSeq, parseNameAddr } from '../sip/message/values.ts'
import type { Binding } from './outbound-routing.ts'
import type { Device, InboundMessage } from './ports.ts'

/** RFC 3428 section 8: a MESSAGE must not be larger than 1300 bytes, where the way to the far side may be UDP. */
const MOST_BYTES = 1300
const TIMEOUT_MS = 10_000
const MOST_PARTS = 10

export type OutboundMessage = {
  /** Whose device it must be. */
  userId: string
  deviceId: string
  text: string
  /** Who it comes from, as the far side shows it: a number or a name. */
  from?: string | null
  /** A gateway sends it on to this number. */
  to?: string | null
}
export type MessageOutcome = {
  ok: boolean
  detail: string
  /** It was sent, and nobody said whether it arrived. */
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
  function send(device: Device, { contact, flow }: Binding, content: string, { from, to }: OutboundMessage) {
    const number = /^\+?\d{3,20}$/.test(to ?? '') ? (to as string) : null
    return ua.request({
      method: 'MESSAGE',
      uri: contact,
      flow,
      from: formatNameAddr({ uri: formatUri({ user: from ?? device.phone ?? 'agent', host: domain }) }),
      to: formatNameAddr({ uri: formatUri({ user: number ?? device.username, host: domain }) }),
      ...(number === null ? {} : { headers: { 'x-to-number': number } }),
      // Few phones ask who we are; to those that do, we are the account that they have here.
      credentials: { username: device.username, password: device.password },
      body: { type: 'text/plain;charset=UTF-8', content },
      timeoutMs,
    })
  }

  /** By the first of its ways that takes it. */
  async function deliver(
    device: Device,
    bindings: readonly Binding[],
    part: string,
    text: OutboundMessage,
  ): Promise<MessageOutcome> {
    let last: MessageOutcome = { ok: false, detail: 'the device is not connected' }
    for (const binding of bindings) {
      last = told(await send(device, binding, part, text))
      // Who may have taken it is not passed by: it would come twice.
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
    const parts = splitText(text.text, MOST_BYTES)
    if (parts.length === 0) return { ok: false, detail: 'there is no text to send' }
    if (parts.length > MOST_PARTS) return { ok: false, detail: 'the text is too long' }
    for (const [i, part] of parts.entries()) {
      const outcome = await deliver(device, bindings, part, text)
      if (outcome.ok) continue
      const which = parts.length === 1 ? '' : `part ${i + 1} of ${parts.length}: `
      return { ...outcome, detail: `${which}${outcome.detail}` }
    }
    return { ok: true, detail: parts.length === 1 ? 'delivered' : `delivered in ${parts.length} parts` }
  }
}

function told(outcome: RequestOutcome): MessageOutcome {
  if ('failure' in outcome)
    return outcome.failure === 'timeout'
      ? { ok: false, detail: 'the device did not answer', isDoubtful: true }
      : { ok: false, detail: 'the device could not be reached' }
  const { status, reason } = outcome.response
  return status < 300 ? { ok: true, detail: 'delivered' } : { ok: false, detail: `${status} ${reason}`.trim() }
}

/** Pieces of so many bytes at most, cut between words where there are any, never within a letter. */
export function splitText(text: string, mostBytes: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    if (Buffer.byteLength(rest) <= mostBytes) {
      parts.push(rest)
      break
    }
    const { read } = new TextEncoder().encodeInto(rest, new Uint8Array(mostBytes))
    const head = rest.slice(0, read)
    const space = rest[read] === ' ' ? read : head.search(/\s\S*$/)
    const at = space > read / 2 ? space : read
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return parts
}

/** What a device says in a MESSAGE; or the code with which it is refused. */
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
    // A gateway names who sent it; a phone only names itself.
    from: sender === null || sender === device.username ? device.phone : sender,
    to: parseUri(request.uri)?.user ?? userOf(request.headers.get('to')),
    text,
    // A proxy or a phone that sends it again does so under the same two.
    key: `${request.headers.get('call-id') ?? ''} ${parseCSeq(request.headers.get('cseq') ?? '')?.number ?? ''}`,
  }
}
