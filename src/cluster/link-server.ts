// The server for connections from other nodes: authenticated by a key, limited in number and in the time until the first frame.
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { toRemoteError } from '../base/errors/errors.ts'
import type { ClusterKeys } from './keys.ts'
import { FrameKind } from './link-frames.ts'
import { frameConnection, type LinkStream } from './link-stream.ts'
import { serverTls } from './link-tls.ts'

/** Checks the request and returns what to do with the stream once it is accepted; errors refuse it. Each handler declares its own type of body. */
export type LinkHandler = { handle(body: unknown): Promise<(stream: LinkStream) => void> }['handle']

export type LinkRequest = { to: string; name: string; body: unknown }

export type LinkServerParts = {
  keys: ClusterKeys
  processId: string
  host: string
  port: number
  handlers: ReadonlyMap<string, LinkHandler>
  onError(error: unknown): void
  limits?: Partial<typeof LIMITS>
}

const LIMITS = { connections: 1000, handshakes: 64, handshakeMs: 3000, firstFrameMs: 3000 }

export type LinkServer = { port: number; close(): Promise<void> }

export async function linkServer(parts: LinkServerParts): Promise<LinkServer> {
  const limits = { ...LIMITS, ...parts.limits }
  const sockets = new Set<Socket>()
  /** Connections whose handshake is in progress, by the peer's address: the TCP and the TLS socket have the same. */
  const unproved = new Map<string, Socket>()
  const server = createServer({ ...serverTls(parts.keys), handshakeTimeout: limits.handshakeMs })

  server.on('connection', (socket: Socket) => {
    if (sockets.size >= limits.connections) return socket.destroy()
    // The oldest is dropped: a node completes its handshake within milliseconds, and idle strangers must not keep it out.
    const [oldest] = unproved.size >= limits.handshakes ? unproved : []
    if (oldest) {
      unproved.delete(oldest[0])
      oldest[1].destroy()
    }
    const peer = peerOf(socket)
    sockets.add(socket)
    unproved.set(peer, socket)
    // handshakeTimeout restarts with every byte.
    const late = setTimeout(() => unproved.get(peer) === socket && socket.destroy(), limits.handshakeMs)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(late)
      sockets.delete(socket)
      if (unproved.get(peer) === socket) unproved.delete(peer)
    })
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (socket: TLSSocket) => {
    unproved.delete(peerOf(socket))
    const late = setTimeout(() => socket.destroy(), limits.firstFrameMs)
    socket.once('close', () => clearTimeout(late))
    const { stream, write } = frameConnection(socket, ({ kind, payload }) => {
      clearTimeout(late)
      const request = kind === FrameKind.open ? readRequest(payload) : undefined
      const handler = request?.to === parts.processId ? parts.handlers.get(request.name) : undefined
      if (!request || !handler) return stream.destroy()
      handler(request.body)
        .then(
          (begin) => {
            write(FrameKind.accepted)
            begin(stream)
          },
          (error: unknown) => {
            const refusal = toRemoteError(error)
            if (refusal.code === 'internal_error') parts.onError(error)
            write(FrameKind.refused, JSON.stringify(refusal))
            socket.end()
          },
        )
        .catch((error) => {
          parts.onError(error)
          stream.destroy()
        })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: parts.host, port: parts.port }, resolve)
  })
  server.on('error', parts.onError)
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

function readRequest(payload: Buffer): LinkRequest | undefined {
  try {
    const request = JSON.parse(payload.toString('utf8')) as LinkRequest
    return typeof request?.name === 'string' ? request : undefined
  } catch {
    return undefined
  }
}
