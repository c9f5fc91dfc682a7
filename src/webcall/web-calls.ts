// Opens and tracks web calls: checks the token, capacity and agent, creates the row, and runs the call.
import type { WebSocket } from 'ws'
import { waitAtMost } from '../base/abort.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Agent, HangUpReason } from '../phone/ports.ts'
import type { CallTokens, WebCallGrant } from './call-token.ts'
import type { ClientTransport } from './client-transport.ts'
import { runWebCall, type WebCallParts } from './web-call.ts'

export type WebCallsParts = WebCallParts & {
  /** Whether the API key or session that requested the token is still valid. */
  isKeyValid: (grant: WebCallGrant) => Promise<boolean>
  isUsed: (grant: WebCallGrant) => Promise<boolean>
  /** Creates the row; false when the token was used before. */
  begin: (grant: WebCallGrant) => Promise<boolean>
  tokens: CallTokens
  agent: (userId: string, agentId: string) => Promise<Agent | undefined>
  /** All calls of this process, SIP and web. */
  live: {
    acquireSlot(slot: {
      userId: string
      trunkId: null
      deviceId: null
    }): { release(): void } | { limit: string; text: string }
    add(call: { callId: string; userId: string; hangUp(reason: HangUpReason): void }): void
    remove(callId: string): void
  }
  /** Why new calls must be refused now. */
  overload: () => string | undefined
}

export type WebCalls = ReturnType<typeof webCalls>

const invalidToken = () => new AppError('unauthorized', 'The token is not valid, or has expired')
const usedToken = () => new AppError('conflict', 'This token was used before')
const callOver = () => new AppError('conflict', 'This call is over, or continues on another connection')
const RETRY = { headers: { 'retry-after': '10' } }
/** How long closing waits for the rows of the calls that it ends. */
const CLOSE_MS = 5000

export function webCalls(parts: WebCallsParts) {
  const { tokens, live, log } = parts
  const running = new Map<
    string,
    { client: ClientTransport; hangUp(reason: HangUpReason): void; task: Promise<void> }
  >()
  let isDraining = false

  async function agentOf({ userId, agentId }: WebCallGrant): Promise<Agent> {
    const agent = await parts.agent(userId, agentId)
    if (!agent) throw notFound('Agent')
    if (!agent.isActive) throw new AppError('conflict', 'This agent is not active')
    return agent
  }

  /** Throws while the service drains. */
  function checkOpen(): void {
    if (isDraining) throw new AppError('unavailable', 'The service is shutting down', RETRY)
  }

  /** Opens the call that the token grants. `connect` is called after all checks have passed; refusals are thrown. */
  async function open<T extends ClientTransport>(token: string, connect: () => T | Promise<T>): Promise<T> {
    const grant = tokens.read(token)
    if (!grant) throw invalidToken()
    checkOpen()
    const overload = parts.overload()
    if (overload) throw new AppError('unavailable', overload, RETRY)
    const { userId, callId } = grant
    const slot = live.acquireSlot({ userId, trunkId: null, deviceId: null })
    if ('limit' in slot)
      throw new AppError(slot.limit === 'user' ? 'too_many_requests' : 'unavailable', slot.text, RETRY)
    let client: T | undefined
    try {
      if (!(await parts.isKeyValid(grant))) throw invalidToken()
      const agent = await agentOf(grant)
      if (await parts.isUsed(grant)) throw usedToken()
      client = await connect()
      if (!(await parts.begin(grant))) throw usedToken() // two requests raced
      const call = runWebCall(parts, { id: callId, userId, agent }, client)
      const task = call.done
        .then(
          () => {},
          (err) => log.error({ err, callId }, 'web call failed'),
        )
        .finally(() => {
          // Keep it listed until the row is final: an unlisted call's lease is not renewed, and another node would mark it orphaned.
          live.remove(callId)
          running.delete(callId)
          slot.release()
        })
      running.set(callId, { client, hangUp: call.hangUp, task })
      live.add({ callId, userId, hangUp: call.hangUp })
      return client
    } catch (error) {
      slot.release()
      client?.refuse()
      throw error
    }
  }

  /** The browser of the call that this token opened, while the call runs in this process. */
  function clientOf(token: string): ClientTransport {
    const grant = tokens.read(token, { mayBeExpired: true })
    if (!grant) throw invalidToken()
    const call = running.get(grant.callId)
    if (!call) throw callOver()
    return call.client
  }

  return {
    open,
    checkOpen,
    /** Continues the call on this socket after its first one broke. */
    resume(token: string, socket: WebSocket): void {
      if (!clientOf(token).resume?.(socket)) throw callOver()
    },
    /** ICE restart: returns the answer to the new offer. */
    async restartIce(token: string, offer: string, peerAddress: string): Promise<string> {
      const answer = await clientOf(token).restartIce?.(offer, peerAddress)
      if (answer === undefined) throw callOver()
      return answer
    },
    /** Refuses new calls; running calls continue. */
    drain(): void {
      isDraining = true
    },
    /** Ends the remaining calls. */
    async close(): Promise<void> {
      isDraining = true
      const tasks = [...running.values()].map(({ hangUp, task }) => {
        hangUp('shutdown')
        return task
      })
      await waitAtMost(CLOSE_MS, Promise.all(tasks))
    },
  }
}
