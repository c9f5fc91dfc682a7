// Response routing and transaction matching by the top Via.
import type { Flow, Hop, SipRequest, TransportName } from '../message/message.ts'
import { formatVia, parseCSeq, parseVia, splitList, tagIn, type Via } from '../message/values.ts'

export const defaultPort = (transport: TransportName): number => (transport === 'tls' ? 5061 : 5060)

export const topVia = (request: SipRequest): Via | null =>
  parseVia(splitList(request.headers.get('via') ?? '')[0] ?? '')

/** RFC 3261 section 18.2.1 and RFC 3581 section 4: writes the real source of the request into its top Via. */
export function stampVia(request: SipRequest, via: Via, { remote }: Flow): void {
  const wantsPort = via.params.has('rport')
  const isSame = via.host.toLowerCase() === remote.address
  if (isSame && !wantsPort && !via.params.has('received')) return
  if (wantsPort) via.params.set('rport', String(remote.port))
  if (isSame && !wantsPort) via.params.delete('received')
  else via.params.set('received', remote.address)
  const [first = '', ...lower] = request.headers.all('via')
  request.headers.remove('via')
  for (const line of lower.toReversed()) request.headers.prepend('via', line)
  request.headers.prepend('via', [formatVia(via), ...splitList(first).slice(1)].join(', '))
}

/**
 * RFC 3261 section 18.2.2 and RFC 3581 section 4, for responses that cannot use the flow: UDP without rport, or a
 * closed connection. maddr is not followed: it would let anyone direct our responses anywhere.
 */
export function responseHop(via: Via, { transport, remote }: Flow): Hop {
  const port = via.port ?? defaultPort(transport)
  const hop = { transport, address: remote.address, port }
  return transport === 'tls' ? { ...hop, serverName: via.host } : hop
}

/** RFC 3261 section 17.2.3. `method` is INVITE for an ACK or a CANCEL, to find its INVITE. */
export function serverKey(request: SipRequest, via: Via, method: string): string {
  const branch = via.params.get('branch') ?? ''
  const sentBy = `${via.host.toLowerCase()}:${via.port ?? ''}`
  if (branch.toLowerCase().startsWith('z9hg4bk')) return `${method} ${sentBy} ${branch}`
  // RFC 2543: such a branch is not unique. The To tag is left out: the ACK has it, its INVITE does not.
  const { headers, uri } = request
  const number = parseCSeq(headers.get('cseq') ?? '')?.number
  return `${method} ${sentBy} ${branch} ${number} ${headers.get('call-id')} ${tagIn(headers, 'from')} ${uri}`
}

export const clientKey = (branch: string, method: string): string => `${method} ${branch}`
