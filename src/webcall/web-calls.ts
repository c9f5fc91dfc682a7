// Who may open a web call now, and which are open: the token, the limits, the agent, the row; then the call runs to its end.
import type { WebSocket } from 'ws'
import { waitAtMost } from '../base/abort.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Agent, CallRepository } from '../phone/ports.ts'
import type { OrderTokens, WebCallOrder } from './call-token.ts'
import type { ClientTransport } from './client-transport.ts'
import { type HangUpReason, type RunParts, runWebCall } from './run-call.ts'

export type WebCallsParts = RunParts & {
  book: Pick<CallRepository, 'answered' | 'recorded' | 'finish'>
  /** Whether the key or session that ordered it is good still. */
  isOrderedStill: (order: WebCallOrder) => Promise<boolean>
  /** Whether the token has opened its call before. */
  isUsed: (order: WebCallOrder) => Promise<boolean>
  /** Writes the row; false when the token has opened its call before. */
  begin: (order: WebCallOrder) => Promise<boolean>
  tokens: OrderTokens
  agent: (userId: string, agentId: string) => Promise<Agent | undefined>
  /** The calls of this process, whatever line they are on. */
  live: {
    enter(place: { userId: string; trunkId: null; deviceId: null }): { leave(): void } | { limit: string; text: string }
    add(call: { callId: string; userId: string; hangUp(reason: HangUpReason): void }): void
    remove(callId: string): void
  }
  /** Why a new call must be turned away now. */
  busy: () => string | undefined
}

export type WebCalls = ReturnType<typeof webCalls>

const invalid = () => new AppError('unauthorized', 'The token is not valid, or has expired')
const used = () => new AppError('conflict', 'This token was used before')
const isOver = () => new AppError('conflict', 'This call is over, or goes on by another way')
const RETRY = { headers: { 'retry-after': '10' } }
/** For the rows of the calls that were ended by us. */
const FAREWELL_MS = 5000

export function webCalls(parts: WebCallsParts) {
  const { tokens, live, log } = parts
  const running = new Map<string, { far: ClientTransport; hangUp(reason: HangUpReason): void; task: Promise<void> }>()
  let isDraining = false

  async function agentOf({ userId, agentId }: WebCallOrder): Promise<Agent> {
    const agent = await parts.agent(userId, agentId)
    if (!agent) throw notFound('Agent')
    if (!agent.isActive) throw new AppError('conflict', 'This agent is not active')
    return agent
  }

  /** No token, and no call, while we drain. */
  function checkOpen(): void {
    if (isDraining) throw new AppError('unavailable', 'The service is shutting down', RETRY)
  }

  /** Opens the call that the token was given for. `connect` is called when nothing speaks against it; refusals are thrown. */
  async function open<T extends ClientTransport>(token: string, connect: () => T | Promise<T>): Promise<T> {
    const order = tokens.read(token)
    if (!order) throw invalid()
    checkOpen()
    const busy = parts.busy()
    if (busy) throw new AppError('unavailable', busy, RETRY)
    const { userId, callId } = order
    const place = live.enter({ userId, trunkId: null, deviceId: null })
    if ('limit' in place)
      throw new AppError(place.limit === 'user' ? 'too_many_requests' : 'unavailable', place.text, RETRY)
    let far: T | undefined
    try {
      if (!(await parts.isOrderedStill(order))) throw invalid()
      const agent = await agentOf(order)
      if (await parts.isUsed(order)) throw used()
      far = await connect()
      if (!(await parts.begin(order))) throw used() // two came at the same time
      const call = runWebCall(parts, { id: callId, userId, agent }, far)
      const task = call.done
        .then(
          () => {},
          (err) => log.error({ err, callId }, 'a web call failed'),
        )
        .finally(() => {
          live.remove(callId) // not before: who is not here is not vouched for, and another process would close its row
          running.delete(callId)
          place.leave()
        })
      running.set(callId, { far, hangUp: call.hangUp, task })
      live.add({ callId, userId, hangUp: call.hangUp })
      return far
    } catch (error) {
      place.leave()
      far?.refuse()
      throw error
    }
  }

  /** The browser's end of the call that the token has opened and that still goes on in this process. */
  function ongoing(token: string): ClientTransport {
    const order = tokens.read(token, { evenOld: true })
    if (!order) throw invalid()
    const call = running.get(order.callId)
    if (!call) throw isOver()
    return call.far
  }

  return {
    open,
    checkOpen,
    /** The call goes on by this socket, in the place of the one that broke. */
    takeUp(token: string, socket: WebSocket): void {
      if (!ongoing(token).takeUp?.(socket)) throw isOver()
    },
    /** The sound of the call finds another way: the answer to the new offer. */
    async restart(token: string, offer: string, peerAddress: string): Promise<string> {
      const answer = await ongoing(token).restart?.(offer, peerAddress)
      if (answer === undefined) throw isOver()
      return answer
    },
    /** No new calls; those that go on go on. */
    drain(): void {
      isDraining = true
    },
    /** Ends the calls that are left. */
    async close(): Promise<void> {
      isDraining = true
      const tasks = [...running.values()].map(({ hangUp, task }) => {
        hangUp('shutdown')
        return task
      })
      await waitAtMost(FAREWELL_MS, Promise.all(tasks))
    },
  }
}
