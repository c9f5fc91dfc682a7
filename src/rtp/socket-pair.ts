// A leg's two UDP sockets: RTP on an even port, RTCP on the next.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'

export type OnDatagram = (bytes: Buffer, address: string, port: number) => void
export type SocketPair = {
  sendRtp(bytes: Buffer, address: string, port: number): void
  sendRtcp(bytes: Buffer, address: string, port: number): void
  close(): Promise<void>
}

/** Rejects with the system's error when one of the two cannot be bound. */
export async function bindPair(host: string, port: number, onRtp: OnDatagram, onRtcp: OnDatagram): Promise<SocketPair> {
  const rtp = await bind(host, port, onRtp)
  try {
    const rtcp = await bind(host, port + 1, onRtcp)
    return {
      sendRtp: senderOf(rtp, isIPv6(host)),
      sendRtcp: senderOf(rtcp, isIPv6(host)),
      close: async () => {
        await Promise.all([close(rtp), close(rtcp)])
      },
    }
  } catch (error) {
    await close(rtp)
    throw error
  }
}

/** Addresses are never names here: without this, every packet would pass through the resolver's queue. */
const lookup = (address: string, family: number, callback: (error: null, address: string, family: number) => void) =>
  callback(null, address, family)

function bind(host: string, port: number, onDatagram: OnDatagram): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', lookup: lookup as never })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.removeListener('error', reject)
      // What the network answers to a datagram (a refused port, no route) is no reason to end anything.
      socket.on('error', () => {})
      socket.on('message', (bytes: Buffer, { address, port }: RemoteInfo) => onDatagram(bytes, plain(address), port))
      resolve(socket)
    })
  })
}

function senderOf(socket: Socket, toIpv6: boolean): SocketPair['sendRtp'] {
  let lastAddress = ''
  let written = ''
  return (bytes, address, port) => {
    if (address !== lastAddress) {
      lastAddress = address
      written = toIpv6 && isIPv4(address) ? `::ffff:${address}` : address
    }
    try {
      socket.send(bytes, port, written)
    } catch {
      // Closed meanwhile, or a port that is none: as good as lost on the way.
    }
  }
}

/** An IPv4 peer of an IPv6 socket by its own name. */
export const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)

const close = (socket: Socket) => new Promise<void>((resolve) => socket.close(() => resolve()))
