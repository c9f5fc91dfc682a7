// Supervision of calls on all nodes: the bus reaches a call on another node, and the link carries its audio.
import { type AppError, appError } from '../../base/errors/errors.ts'
import type { LinkStream } from '../../cluster/link-stream.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import { DroppingQueue, Inbox } from '../../rtp/frame-inbox.ts'
import type { ServiceContext } from '../service.ts'
import type { CallSupervisor, LiveTransfer, OwnCall } from './live-routes.ts'
import type { TransferOutcome } from './schema.ts'
import type { CallStore } from './store.ts'
import { callSupervisor, type Supervision } from './supervisor.ts'

/** Two seconds of audio; beyond that, a slow listener loses the oldest frames. */
const MAX_BEHIND = 100
/** A quarter of a second, in bytes. */
const MAX_UNSENT = 16_000

/** Names a call between nodes. The node that runs it looks it up again, starting from its owner. */
type CallName = { userId: string; callId: string }
const nameOf = ({ userId, id }: OwnCall): CallName => ({ userId, callId: id })

export type AllNodesParts = { dialPolicy: DialPolicy; calls: Pick<CallStore, 'get'> }

export function allNodesSupervisor(
  { cluster, nodeName }: Pick<ServiceContext, 'cluster' | 'nodeName'>,
  { dialPolicy, calls }: AllNodesParts,
): Supervision {
  const here = callSupervisor({ dialPolicy, nodeName })
  if (!cluster) return here

  const find = async ({ userId, callId }: CallName): Promise<OwnCall> => ({
    ...(await calls.get(userId, callId)),
    userId,
  })
  cluster.handle('say', async ({ text, isUrgent, ...name }: CallName & { text: string; isUrgent: boolean }) =>
    here.say(await find(name), text, isUrgent),
  )
  cluster.handle('transfer', async ({ order, ...name }: CallName & { order: LiveTransfer }) =>
    here.transfer(await find(name), order),
  )
  cluster.handle('check-listener', async (name: CallName) => here.checkListener(await find(name)))
  cluster.serve('listen', async (name: CallName) => {
    const listener = await here.listen(await find(name))
    return (stream) => sendFrames(listener, stream)
  })

  /** The node that runs the call; null if it is this one, or if the call's state already rules out every action. */
  const otherNode = ({ nodeId, endedAt, answeredAt }: OwnCall): string | null =>
    endedAt !== null || answeredAt === null || !nodeId || nodeId === nodeName ? null : nodeId

  const ask = async <T>(node: string, name: string, body: unknown): Promise<T> =>
    (await cluster.request(node, name, body)) as T

  const everywhere: Omit<CallSupervisor, 'format'> = {
    async say(call, text, isUrgent) {
      const node = otherNode(call)
      if (!node) return here.say(call, text, isUrgent)
      return ask<'said' | 'queued'>(node, 'say', { ...nameOf(call), text, isUrgent })
    },
    async transfer(call, order) {
      const node = otherNode(call)
      if (!node) return here.transfer(call, order)
      return ask<TransferOutcome>(node, 'transfer', { ...nameOf(call), order })
    },
    async checkListener(call) {
      const node = otherNode(call)
      if (!node) return here.checkListener(call)
      await ask(node, 'check-listener', nameOf(call))
    },
    async listen(call) {
      const node = otherNode(call)
      if (!node) return here.listen(call)
      const stream = await cluster.connect(node, 'listen', nameOf(call))
      return receiveFrames(stream, () => appError('call_other_node', { node }))
    },
  }
  return { ...here, ...everywhere }
}

type Listener = Awaited<ReturnType<CallSupervisor['listen']>>

/** Only a few frames are in flight at a time; meanwhile the mixer drops the oldest, and the call is not affected. */
function sendFrames({ frames, stop }: Listener, stream: LinkStream): void {
  stream.listen({ onEnd: stop })
  const send = async () => {
    const reader = frames[Symbol.asyncIterator]()
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      const sent = stream.send(next.value)
      if (stream.bufferedBytes > MAX_UNSENT) await sent
    }
    stream.end({ code: 1000 })
  }
  void send().catch(() => stream.destroy())
}

/** Yields frames until the call ends; throws `broken` if the connection breaks first. */
function receiveFrames(stream: LinkStream, broken: () => AppError): Listener {
  const queue = new DroppingQueue<Uint8Array>(MAX_BEHIND)
  const inbox = new Inbox(queue)
  let isBroken = false
  stream.listen({
    onBinary(bytes) {
      queue.put(Buffer.from(bytes)) // copied, because a waiting frame would keep the whole read buffer alive
      inbox.wake()
    },
    onEnd(end) {
      isBroken = end === null
      inbox.end()
    },
  })
  async function* frames(): AsyncGenerator<Uint8Array> {
    yield* inbox
    if (isBroken) throw broken()
  }
  return {
    frames: frames(),
    stop() {
      stream.destroy()
      inbox.end()
    },
  }
}
