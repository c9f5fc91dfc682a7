// Connects to another node and asks for a stream there.
import { connect } from 'node:tls'
import { runUnowned } from '../base/errors/error-containment.ts'
import { type AppError, fromRemoteError, type RemoteError } from '../base/errors/errors.ts'
import type { ClusterKeys } from './keys.ts'
import { encodeFrame, FrameKind } from './link-frames.ts'
import type { LinkRequest } from './link-server.ts'
import { frameConnection, type LinkStream } from './link-stream.ts'
import { clientTls } from './link-tls.ts'

/** For the connection, the handshake and the answer together. */
const ANSWER_MS = 4000

export type LinkTarget = {
  keys: ClusterKeys
  /** host:port */
  address: string
  request: LinkRequest
  /** Creates the error for a node that cannot be reached. */
  unreachable(): AppError
}

/** Links are shared by calls, so no call owns them. */
export const connectLink = (target: LinkTarget): Promise<LinkStream> => runUnowned(() => connectTo(target))

async function connectTo({ keys, address, request, unreachable }: LinkTarget): Promise<LinkStream> {
  const answered = Promise.withResolvers<LinkStream>()
  const socket = connect({ ...hostAndPort(address), ...clientTls(keys) })
  const late = setTimeout(() => socket.destroy(), ANSWER_MS)
  const { stream } = frameConnection(socket, ({ kind, payload }) => {
    if (kind === FrameKind.accepted) return answered.resolve(stream)
    if (kind === FrameKind.refused)
      answered.reject(fromRemoteError(JSON.parse(payload.toString('utf8')) as RemoteError))
    stream.destroy()
  })
  socket.once('close', () => answered.reject(unreachable()))
  socket.once('secureConnect', () => {
    // Only a session with the pre-shared key counts as resumed.
    if (!socket.isSessionReused()) return socket.destroy()
    socket.write(encodeFrame(FrameKind.open, JSON.stringify(request)))
  })
  try {
    return await answered.promise
  } finally {
    clearTimeout(late)
  }
}

/** An IPv6 address is in brackets. */
function hostAndPort(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) }
}
