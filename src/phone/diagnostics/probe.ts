// Probes SIP ports with a separate socket, to tell a closed port from a silent host; also the common SIP ports.
import { createSocket } from 'node:dgram'
import { connect, isIP, isIPv6, type Socket } from 'node:net'
import * as tls from 'node:tls'
import { newBranch, newCallId, newRequest, newTag } from '../../sip/message/build.ts'
import type { Hop, TransportName } from '../../sip/message/message.ts'
import { serialize } from '../../sip/message/serialize.ts'
import { formatUri } from '../../sip/message/uri.ts'
import { formatVia } from '../../sip/message/values.ts'

export type ProbeResult = {
  hop: Hop
  /** open: accepts connections but does not answer SIP. */
  is: 'answers' | 'open' | 'refused' | 'silent' | 'unreachable' | 'certificate' | 'handshake'
  /** The error of the system or the handshake. */
  problem?: string
}

const AGAIN_MS = 500

export function probe(hop: Hop, withinMs: number): Promise<ProbeResult> {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>()
  let isOpen = false
  let isOver = false
  const finish = (is: ProbeResult['is'], problem?: string) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    end()
    resolve({ hop, is, ...(problem ? { problem } : {}) })
  }
  const heard = (bytes: Buffer) => finish(bytes.toString('latin1', 0, 8) === 'SIP/2.0 ' ? 'answers' : 'open')
  const broken = (error: NodeJS.ErrnoException) => finish(...nameOf(error))
  const opened = () => {
    isOpen = true
  }
  const timer = setTimeout(() => finish(isOpen ? 'open' : 'silent'), withinMs)
  const end = hop.transport === 'udp' ? byUdp(hop, heard, broken) : byStream(hop, opened, heard, broken)
  return promise
}

type Heard = (bytes: Buffer) => void
type Broken = (error: NodeJS.ErrnoException) => void

/** Connected: only then does Linux report ICMP errors. */
function byUdp(hop: Hop, heard: Heard, broken: Broken): () => void {
  const socket = createSocket(isIPv6(hop.address) ? 'udp6' : 'udp4')
  let again: NodeJS.Timeout | undefined
  socket.on('error', broken)
  socket.on('message', heard)
  socket.connect(hop.port, hop.address, () => {
    const { address, port } = socket.address()
    const send = () => socket.send(question(hop, address, port))
    send()
    again = setInterval(send, AGAIN_MS)
  })
  return () => {
    clearInterval(again)
    socket.close()
  }
}

function byStream(hop: Hop, opened: () => void, heard: Heard, broken: Broken): () => void {
  const { address, port, serverName } = hop
  const isTls = hop.transport === 'tls'
  const socket: Socket = isTls
    ? tls.connect({
        host: address,
        port,
        servername: serverName && !isIP(serverName) ? serverName : '',
        checkServerIdentity: (_name, cert) => tls.checkServerIdentity(serverName ?? address, cert),
      })
    : connect(port, address)
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    opened()
    socket.write(question(hop, socket.localAddress ?? '', socket.localPort ?? 0))
  })
  socket.on('data', heard)
  socket.on('error', broken)
  return () => socket.destroy()
}

function nameOf({ code = '', message }: NodeJS.ErrnoException): [ProbeResult['is'], string] {
  if (code === 'ECONNREFUSED') return ['refused', 'the port is closed']
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return ['certificate', 'it is for another name']
  if (code === 'CERT_HAS_EXPIRED') return ['certificate', 'it has expired']
  if (/SELF_SIGNED/.test(code)) return ['certificate', 'it is signed by itself']
  if (/^(CERT_|UNABLE_TO_|DEPTH_|ERR_TLS_CERT)/.test(code))
    return ['certificate', 'no authority that is known signed it']
  if (/^(ERR_SSL_|EPROTO|ECONNRESET)/.test(code)) return ['handshake', code]
  return ['unreachable', code || message]
}

function question({ transport, address, port }: Hop, ourAddress: string, ourPort: number): Buffer {
  const uri = formatUri({ host: address, port })
  const request = newRequest({
    method: 'OPTIONS',
    uri,
    from: `<sip:ramal@${isIPv6(ourAddress) ? `[${ourAddress}]` : ourAddress}>;tag=${newTag()}`,
    to: `<${uri}>`,
    callId: newCallId(),
    cseq: 1,
  })
  const params = new Map([
    ['branch', newBranch()],
    ['rport', null],
  ])
  request.headers.prepend('via', formatVia({ transport, host: ourAddress, port: ourPort, params }))
  return serialize(request)
}

/** The common SIP ports, and the trunk's port on every transport. */
export function commonEndpoints(tried: Hop): Hop[] {
  const places: [TransportName, number][] = [
    ['udp', 5060],
    ['tcp', 5060],
    ['tls', 5061],
    ['udp', tried.port],
    ['tcp', tried.port],
    ['tls', tried.port],
  ]
  const hops = places.map(([transport, port]): Hop => ({ ...tried, transport, port }))
  const isOther = (hop: Hop) => hop.transport !== tried.transport || hop.port !== tried.port
  return [...new Map(hops.filter(isOther).map((hop) => [`${hop.transport} ${hop.port}`, hop])).values()]
}

/** The first hop that answers SIP; all are probed at once. */
export async function firstAnswering(hops: readonly Hop[], withinMs: number): Promise<Hop | undefined> {
  const knocks = await Promise.all(hops.map((hop) => probe(hop, withinMs)))
  return knocks.find(({ is }) => is === 'answers' || is === 'certificate')?.hop
}
