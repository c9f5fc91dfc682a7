// A leg's two UDP sockets: RTP on an even port, RTCP on the next.
import { createSocket, type RemoteInfo, type Socket, type SocketOptions } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'
import { monotonicMs } from '../base/time/clock.ts'
import { type DatagramSocket, type OnDatagram, plain, type Source } from './datagram.ts'
import { PolledSocket } from './polled-socket.ts'
import { loadUdpCalls, type UdpCalls } from './udp-calls.ts'

export type SocketPair = { rtp: DatagramSocket; rtcp: DatagramSocket; close(): Promise<void> }
export type PairOptions = { host: string; port: number; onRtp: OnDatagram; onRtcp: OnDatagram }

/** Rejects with the system's error when either cannot be bound. `calls`: null for sockets of Node.js. */
export async function bindPair(
  { host, port, onRtp, onRtcp }: PairOptions,
  calls?: UdpCalls | null,
): Promise<SocketPair> {
  const by = calls === undefined ? await loadUdpCalls() : calls
  const open = async (at: number, onDatagram: OnDatagram) =>
    by ? new PolledSocket(by, { host, port: at }, onDatagram) : bind(host, at, onDatagram)
  const rtp = await open(port, onRtp)
  try {
    const rtcp = await open(port + 1, onRtcp)
    return {
      rtp,
      rtcp,
      close: async () => {
        await Promise.all([rtp.close(), rtcp.close()])
      },
    }
  } catch (error) {
    await rtp.close()
    throw error
  }
}

/** Addresses are never names here: without this, every packet would pass through the resolver's queue. */
const lookup: SocketOptions['lookup'] = (address, _options, callback) =>
  callback(null, address, isIPv6(address) ? 6 : 4)

function bind(host: string, port: number, onDatagram: OnDatagram): Promise<DatagramSocket> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', lookup })
  let source: Source = { address: '', port: 0 }
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.removeListener('error', reject)
      // Network errors in answer to a datagram (a refused port, no route) are not fatal.
      socket.on('error', () => {})
      socket.on('message', (bytes: Buffer, { address, port }: RemoteInfo) => {
        const from = plain(address)
        if (from !== source.address || port !== source.port) source = { address: from, port }
        onDatagram(bytes, source, monotonicMs())
      })
      resolve({ read: () => {}, send: senderOf(socket, isIPv6(host)), close: () => close(socket) })
    })
  })
}

function senderOf(socket: Socket, toIpv6: boolean): DatagramSocket['send'] {
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
      // Closed meanwhile, or an invalid port: the packet counts as lost.
    }
  }
}

const close = (socket: Socket) => new Promise<void>((resolve) => socket.close(() => resolve()))
