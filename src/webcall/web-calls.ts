// Opens and tracks web calls: checks the token, capacity and agent, creates the row, and runs the call.
import { waitAtMost } from '../base/concurrency/abort.ts'
import { DEFAULT_REFUSAL } from '../base/domain/hook-statuses.ts'
import { runOwned } from '../base/errors/error-containment.ts'
import { appError, notFound } from '../base/errors/errors.ts'
import { refusedByHook } from '../phone/endings.ts'
import type { Agent, AnswerDecision, BeforeAnswer, HangUpReason } from '../phone/ports.ts'
import type { CallTokens, WebCallGrant } from './call-token.ts'
import type { BrowserSocket, ClientTransport } from './client-transport.ts'
import { runWebCall, type WebCallParts } from './web-call.ts'

export type WebCallsParts = WebCallParts & {
  /** Whether the API key or session that requested the token is still valid. */
  isKeyValid: (grant: WebCallGrant) => Promise<boolean>
  /** Consumes the token; false if it was used before, or its call is being opened. */
  take: (grant: WebCallGrant) => Promise<boolean>
  /** For a widget's call: opens its session and returns its time limit; throws when the widget is gone or busy. */
  enter: (grant: WebCallGrant) => Promise<number | null>
  /** Closes the session and makes the token usable again: the call did not start. */
  giveBack: (grant: WebCallGrant) => Promise<void>
  /** Counts a widget's call against its daily budget; throws when that is used up. */
  count: (grant: WebCallGrant) => Promise<void>
  /** Creates the row, with the agent that answers. */
  begin: (grant: WebCallGrant, agentId: string) => Promise<void>
  tokens: CallTokens
  agent: (grant: WebCallGrant) => Promise<Agent | undefined>
  /** All calls of this process, SIP and web. */
  live: {
    acquireSlot(slot: { userId: string; trunkId: null; deviceId: null }): Promise<Line | { limit: string; max: number }>
    add(call: { callId: string; userId: string; hangUp: HangUp }): void
    remove(callId: string): void
  }
  /** Why new calls must be refused now. */
  overload: () => string | undefined
  /** Asks the hook of the agent. */
  beforeAnswer?: BeforeAnswer
}

export type WebCalls = ReturnType<typeof webCalls>

/** A token and the site that sent it, as the browser names it in Origin. */
export type TokenRequest = { token: string; origin: string | undefined }

const invalidToken = () => appError('web_call_token_invalid')
const usedToken = () => appError('web_call_token_used')
export const callOver = () => appError('call_over_or_elsewhere')
const RETRY = { headers: { 'retry-after': '10' } }
/** How long closing waits for the rows of the calls it ends. */
const CLOSE_MS = 5000

const limited = (agent: Agent, limitMs: number | null): Agent =>
  limitMs === null ? agent : { ...agent, maxDurationMs: Math.min(limitMs, agent.maxDurationMs ?? limitMs) }

type HangUp = (reason: HangUpReason) => void
type Line = { release(): void | Promise<void> }
type Opened = { agent: Agent; client: ClientTransport; line: Line; decision: AnswerDecision | undefined }

async function agentOf(parts: WebCallsParts, grant: WebCallGrant): Promise<Agent> {
  const agent = await parts.agent(grant)
  if (!agent) throw notFound('Agent')
  if (!agent.isActive) throw appError('agent_inactive')
  return agent
}

async function lineFor({ overload, live }: WebCallsParts, { userId, widget }: WebCallGrant): Promise<Line> {
  const reason = overload()
  const slot = reason ? undefined : await live.acquireSlot({ userId, trunkId: null, deviceId: null })
  if (slot && !('limit' in slot)) return slot
  if (widget) throw appError('widget_no_line', {}, RETRY) // the limits of the account are not a visitor's business
  if (!slot) throw appError('server_overloaded', { reason: reason ?? '' }, RETRY)
  throw appError(slot.limit === 'user' ? 'account_full' : 'server_full', { limit: slot.max }, RETRY)
}

/** A test of unsaved changes is about this very agent, so no hook is asked. */
async function decisionOf({ beforeAnswer }: WebCallsParts, grant: WebCallGrant): Promise<AnswerDecision | undefined> {
  if (grant.hasDraft || !beforeAnswer) return undefined
  const { callId, userId, agentId, variables } = grant
  const call = { callId, userId, didId: null, agentId, channel: 'web', fromNumber: null, toNumber: null } as const
  const options = { signal: new AbortController().signal, onWaiting: () => {} }
  return beforeAnswer({ ...call, headers: {}, variables: variables ?? {} }, options)
}

const storeDecision = ({ calls, log }: WebCallsParts, callId: string, { agent, variables, outcome }: AnswerDecision) =>
  calls
    .decided(callId, { agentId: agent?.id ?? null, variables, outcome })
    .catch((err) => log.error({ err, callId }, 'failed to store the decision of an answer hook'))

/** The call is listed with its end, as on the phone. */
async function refuseByHook(parts: WebCallsParts, callId: string, decision: AnswerDecision): Promise<never> {
  await storeDecision(parts, callId, decision)
  await parts.calls.finish(callId, refusedByHook(decision.refuse ?? DEFAULT_REFUSAL))
  throw appError('call_refused_by_hook')
}

const giveBack = ({ giveBack, log }: WebCallsParts, grant: WebCallGrant) =>
  giveBack(grant).catch((err) => log.error({ err, callId: grant.callId }, 'failed to give a call token back'))

/** A widget's token is accepted from its own site only. */
function grantOf(tokens: CallTokens, request: TokenRequest, options?: { mayBeExpired: boolean }): WebCallGrant {
  const grant = tokens.read(request.token, options)
  if (!grant) throw invalidToken()
  if (grant.widget && grant.widget.origin !== request.origin) throw appError('widget_token_site')
  return grant
}

export function webCalls(parts: WebCallsParts) {
  const { tokens, live, log } = parts
  const running = new Map<string, Pick<Opened, 'client'> & { hangUp: HangUp; task: Promise<void> }>()
  let isDraining = false

  /** Throws while the service drains. */
  function checkOpen(): void {
    if (isDraining) throw appError('service_stopping', {}, RETRY)
  }

  /**
   * Opens the call that the token grants. `connect` is called after all checks have passed; refusals are thrown. The line is acquired last,
   * after the token and the widget's session: repeated opens of one token, or of a widget, cannot take more lines than these allow.
   */
  function open<T extends ClientTransport>(request: TokenRequest, connect: () => T | Promise<T>): Promise<T> {
    const grant = grantOf(tokens, request)
    const end = () => running.get(grant.callId)?.hangUp('broken')
    return runOwned({ kind: 'call', id: grant.callId, log, end }, () => openGranted(grant, connect))
  }

  async function openGranted<T extends ClientTransport>(
    grant: WebCallGrant,
    connect: () => T | Promise<T>,
  ): Promise<T> {
    checkOpen()
    if (!(await parts.isKeyValid(grant))) throw invalidToken()
    if (!(await parts.take(grant))) throw usedToken()
    await using unlisted = new AsyncDisposableStack() // undone unless the call is listed
    unlisted.defer(() => giveBack(parts, grant))
    const own = await agentOf(parts, grant)
    const limitMs = await parts.enter(grant)
    await using unstarted = new AsyncDisposableStack() // undone unless the call runs
    checkOpen()
    const line = await lineFor(parts, grant)
    unstarted.defer(() => line.release())
    await parts.count(grant)
    const decision = await decisionOf(parts, grant)
    if (decision?.refuse) {
      await parts.begin(grant, own.id)
      unlisted.move()
      return refuseByHook(parts, grant.callId, decision)
    }
    const agent = limited(decision?.agent ?? own, limitMs)
    const client = await connect()
    unstarted.defer(() => client.refuse())
    await parts.begin(grant, agent.id)
    unlisted.move()
    if (decision) await storeDecision(parts, grant.callId, decision)
    run(grant, { agent, client, line, decision })
    unstarted.move()
    return client
  }

  function run({ callId, userId, widget }: WebCallGrant, { agent, client, line, decision }: Opened): void {
    const { language = null, context = null, late = Promise.resolve(null) } = decision ?? {}
    const guidance = { language, context, late }
    const isVisitor = widget !== undefined
    const call = runWebCall(parts, { id: callId, userId, agent, isVisitor, guidance }, client)
    const task = call.done
      .then(
        () => {},
        (err) => log.error({ err, callId }, 'web call failed'),
      )
      .finally(() => {
        // Listed until the row is final: the lease of an unlisted call is not renewed, and another node would mark it orphaned.
        live.remove(callId)
        running.delete(callId)
        return line.release()
      })
    running.set(callId, { client, hangUp: call.hangUp, task })
    live.add({ callId, userId, hangUp: call.hangUp })
  }

  /** The browser of the call that this token opened, while the call runs in this process. */
  function clientOf(request: TokenRequest): ClientTransport {
    const grant = grantOf(tokens, request, { mayBeExpired: true })
    const call = running.get(grant.callId)
    if (!call) throw callOver()
    return call.client
  }

  return {
    open,
    checkOpen,
    /** The call that this token opened, and whether this process runs it. */
    find(request: TokenRequest): Pick<WebCallGrant, 'userId' | 'callId'> & { isHere: boolean } {
      const { userId, callId } = grantOf(tokens, request, { mayBeExpired: true })
      return { userId, callId, isHere: running.has(callId) }
    },
    /** Continues the call on this socket after its first one broke. */
    resume(request: TokenRequest, socket: BrowserSocket): void {
      if (!clientOf(request).resume?.(socket)) throw callOver()
    },
    /** ICE restart: returns the answer to the new offer. */
    async restartIce(request: TokenRequest, offer: string, peerAddress: string): Promise<string> {
      const answer = await clientOf(request).restartIce?.(offer, peerAddress)
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
