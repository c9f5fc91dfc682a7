// A browser may resume its call through any node: a node that does not run the call relays the socket, or the offer of
// an ICE restart, to the node that does. WebRTC audio then goes to that node directly.
import type { WebSocket } from 'ws'
import { AppError } from '../../base/errors/errors.ts'
import { closeCode } from '../../webcall/protocol.ts'
import { callOver, type TokenRequest, type WebCalls } from '../../webcall/web-calls.ts'
import type { CallStore } from '../calls/store.ts'
import type { ServiceContext } from '../service.ts'
import { type Relay, relaySocket, socketOf } from './relayed-socket.ts'

/** Registered for RFC 6455: try again later. Our client does so while the call waits. */
const TRY_AGAIN = 1013

export type AllNodesParts = {
  here: Pick<WebCalls, 'find' | 'resume' | 'restartIce'>
  calls: Pick<CallStore, 'get'>
}

type IceRestart = { request: TokenRequest; offer: string; peerAddress: string }

export function allNodesWebCalls(
  { cluster, nodeName }: Pick<ServiceContext, 'cluster' | 'nodeName'>,
  { here, calls }: AllNodesParts,
) {
  const relays = new Set<Relay>()
  let isStopped = false
  cluster?.handle('restart-ice', ({ request, offer, peerAddress }: IceRestart) =>
    here.restartIce(request, offer, peerAddress),
  )
  cluster?.serve('resume-web-call', async (request: TokenRequest) => {
    if (!here.find(request).isHere) throw callOver()
    return (stream) => {
      try {
        here.resume(request, socketOf(stream))
      } catch (error) {
        const { status, message } = error instanceof AppError ? error : callOver() // the call ended meanwhile
        stream.end({ code: closeCode(status), reason: message })
      }
    }
  })

  /** The other node that runs the call; null if it is this one. */
  async function otherNode(request: TokenRequest): Promise<string | null> {
    const { userId, callId, isHere } = here.find(request)
    if (isHere || !cluster) return null
    const call = await calls.get(userId, callId).catch((error) => {
      throw error instanceof AppError && error.kind === 'not_found' ? callOver() : error
    })
    return call.endedAt === null && call.nodeId && call.nodeId !== nodeName ? call.nodeId : null
  }

  return {
    async resume(request: TokenRequest, socket: WebSocket): Promise<void> {
      const node = await otherNode(request)
      if (!cluster || !node) return here.resume(request, socket)
      try {
        const relay = relaySocket(socket, await cluster.connect(node, 'resume-web-call', request))
        if (isStopped) return relay.stop()
        relays.add(relay)
        void relay.ended.then(() => relays.delete(relay))
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'call_other_node')) throw error
        socket.resume()
        socket.close(TRY_AGAIN, error.message)
      }
    },

    async restartIce(request: TokenRequest, offer: string, peerAddress: string): Promise<string> {
      const node = await otherNode(request)
      if (!cluster || !node) return here.restartIce(request, offer, peerAddress)
      const restart: IceRestart = { request, offer, peerAddress }
      return (await cluster.request(node, 'restart-ice', restart)) as string
    },

    /** This node is stopping; calls of other nodes continue. */
    stop(): void {
      isStopped = true
      for (const relay of relays) relay.stop()
    },
  }
}
