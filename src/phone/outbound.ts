// Outbound calls: tries the routes in order until one is answered, the called party refuses, or none is left.
import type { EndReason } from '../base/domain/end-reasons.ts'
import { runOwned } from '../base/errors/error-containment.ts'
import type { Log } from '../base/process/log.ts'
import { monotonicMs, steadyClock } from '../base/time/clock.ts'
import type { RunningCall } from './answered-call.ts'
import {
  type AttemptParts,
  acquireRouteSlot,
  attemptRoute,
  describeUnusable,
  type FailedAttempt,
  NO_ROUTE,
} from './attempt-route.ts'
import type { CallCapacity, Slot } from './capacity.ts'
import type { Agent, CallEnd, CallRepository, DialRequest, HangUpReason, PhoneRepository } from './ports.ts'
import { channelOf, type Route, slotOf, type UnusableRoute } from './route.ts'
import { runSipCall, type SipCallParts, type SipConnection } from './sip-connection.ts'
import type { Round } from './slot-queue.ts'

export type OutboundParts = SipCallParts &
  AttemptParts & {
    calls: CallRepository
    repository: Pick<PhoneRepository, 'agent'>
    live: CallCapacity
    routesFor: (request: DialRequest, agent: Agent) => Promise<(Route | UnusableRoute)[]>
    overload: () => string | undefined
    isDraining: () => boolean
    /** Whether an error means that the database is down. */
    isUnavailable: (error: unknown) => boolean
    ringMs: number
    log: Log
  }

type ReservedRoute = { route: Route; slot: Slot }

const failed = (endReason: EndReason, endDetail: string): CallEnd => ({
  status: 'failed',
  endReason,
  endDetail,
  hangupBy: 'system',
})

const shuttingDown = failed('node_shutdown', 'The service is shutting down')
const tooLate = failed('concurrency_limit', 'The call could not leave in the time that its campaign allows')

export function createOutbound(parts: OutboundParts) {
  const { calls, live, log } = parts

  /** A fault ends the call. */
  return (request: DialRequest): Promise<void> => {
    const call = outboundCall(parts, request)
    live.add({ callId: request.id, userId: request.userId, hangUp: call.hangUp })
    const end = () => call.hangUp('broken')
    return runOwned({ kind: 'call', id: request.id, log, end }, () => placeAndFinish(request, call))
  }

  async function placeAndFinish(request: DialRequest, call: ReturnType<typeof outboundCall>): Promise<void> {
    let end: CallEnd | 'handed on'
    try {
      end = await call.run()
    } catch (err) {
      log.error({ err, callId: request.id }, 'outbound call failed')
      end = failed('internal_error', 'The call could not be placed')
    }
    try {
      if (end === 'handed on') return
      await calls.finish(request.id, { endedAt: call.now(), ...end })
    } finally {
      parts.ladders.release(request.id)
      // Listed until the row is final: the lease of an unlisted call is not renewed, and another node would mark it orphaned.
      live.remove(request.id)
    }
  }
}

/** One call, until its row is final. */
type OutboundCall = {
  request: DialRequest
  now: () => string
  /** Aborts when the call is hung up before it is answered. */
  signal: AbortSignal
  stopReason: HangUpReason
  /** Whether the time that a campaign allows is over. */
  isTooLate: () => boolean
  running: RunningCall<SipConnection> | undefined
}

function outboundCall(parts: OutboundParts, request: DialRequest) {
  const stopping = new AbortController()
  const lastMs = request.campaign ? monotonicMs() + request.campaign.withinMs : Number.POSITIVE_INFINITY
  const call: OutboundCall = {
    request,
    now: steadyClock(),
    signal: stopping.signal,
    stopReason: 'api',
    isTooLate: () => monotonicMs() > lastMs,
    running: undefined,
  }
  return {
    now: call.now,
    run: () => placeCall(parts, call),
    hangUp(reason: HangUpReason): void {
      call.stopReason = reason
      if (call.running) call.running.hangUp(reason)
      else stopping.abort()
    },
  }
}

async function placeCall(parts: OutboundParts, call: OutboundCall): Promise<CallEnd | 'handed on'> {
  const { request } = call
  const agent = request.agentId === null ? undefined : await parts.repository.agent(request.userId, request.agentId)
  if (!agent?.isActive) return failed('agent_inactive', 'The agent is not active')
  if (agent.direction === 'inbound') return failed('agent_inactive', 'The agent only takes inbound calls')
  const routes = await parts.routesFor(request, agent)
  const problems = describeUnusable(routes)
  let last = failed('trunk_unavailable', problems.join('; ') || NO_ROUTE)
  let isTried = false
  const untried = new Set(routes.filter((route): route is Route => !('problem' in route)))
  while (untried.size > 0) {
    const reserved = await reserveRoute(parts, call, untried)
    if (!reserved) return endOfUntried(parts, call, isTried ? last : undefined)
    untried.delete(reserved.route)
    isTried = true
    const { end, mayFailOver } = await attempt(parts, call, reserved, agent).finally(reserved.slot.release)
    if (!mayFailOver) return end
    const name = reserved.route.trunk?.name ?? reserved.route.device?.name ?? 'device'
    const { sipCode, endDetail, endReason } = end
    problems.push(`${name}: ${sipCode === undefined ? '' : `${sipCode} `}${endDetail ?? endReason}`)
    last = { ...end, endDetail: problems.join('; ') }
  }
  return endOfStopped(call) ?? last
}

/** The end of a call that was hung up while it was placed. */
function endOfStopped({ signal, stopReason }: OutboundCall): CallEnd | undefined {
  if (!signal.aborted) return undefined
  if (stopReason === 'api') return { status: 'canceled', endReason: 'canceled_by_api', hangupBy: 'system' }
  if (stopReason === 'broken') return failed('internal_error', 'The call could not be placed')
  return shuttingDown
}

/** The end of a call that got no slot for its routes; `last`: of the routes that were tried before. */
async function endOfUntried(
  parts: OutboundParts,
  call: OutboundCall,
  last: CallEnd | undefined,
): Promise<CallEnd | 'handed on'> {
  const stopped = endOfStopped(call)
  if (stopped && stopped !== shuttingDown) return stopped
  if (!last && parts.isDraining() && (await call.request.handOn?.())) return 'handed on'
  if (call.signal.aborted || parts.isDraining()) return shuttingDown
  if (call.isTooLate()) return last ?? tooLate
  return failed('concurrency_limit', 'Too many calls are waiting for capacity')
}

/** The first route with capacity. Outbound calls wait for a slot; only inbound calls are refused at once. */
async function reserveRoute(
  parts: OutboundParts,
  call: OutboundCall,
  routes: ReadonlySet<Route>,
): Promise<ReservedRoute | undefined> {
  const { live } = parts
  if (live.isQueueFull) return undefined
  const reserved = await live.waitForSlot(async (round): Promise<ReservedRoute | 'over' | undefined> => {
    if (parts.isDraining() || call.isTooLate()) return 'over'
    if (parts.overload()) return undefined
    try {
      return await reserveNow(live, call, routes, round)
    } catch (error) {
      if (!parts.isUnavailable(error)) throw error
      round.isOver = true // the call waits until the database is back
      return undefined
    }
  }, call.signal)
  return reserved === 'over' ? undefined : reserved
}

async function reserveNow(
  live: CallCapacity,
  { request: { userId, campaign }, signal }: OutboundCall,
  routes: ReadonlySet<Route>,
  round: Round,
): Promise<ReservedRoute | 'over' | undefined> {
  for (const route of routes) {
    const slot = await acquireRouteSlot(live, { userId, route, share: campaign?.share, round })
    if ('limit' in slot) continue
    if (!signal.aborted) return { route, slot }
    await slot.release()
    return 'over'
  }
  return undefined
}

async function attempt(
  parts: OutboundParts,
  call: OutboundCall,
  { route, slot }: ReservedRoute,
  agent: Agent,
): Promise<FailedAttempt> {
  const { calls, log, ringMs } = parts
  const { request, signal, now } = call
  const { trunk, device, fromNumber } = route
  const { id, userId, toNumber } = request
  // Before anything is sent: another node that has taken the call over dials it itself.
  const isOurs = await calls.placed(id, { ...slotOf(route), fromNumber, channel: channelOf(route) })
  if (!isOurs) return { mayFailOver: false, end: failed('canceled_by_api', 'ended or taken over by another node') }
  if (call.isTooLate()) return { mayFailOver: false, end: tooLate } // the database may have been away
  const result = await attemptRoute(parts, route, {
    callId: id,
    userId,
    slot,
    ringMs,
    signal,
    onRinging: () =>
      void calls.ringing(id, now()).catch((err) => log.warn({ err, callId: id }, 'failed to store ringing state')),
    onLegEvent: (event) => call.running?.connection.onLegEvent(event),
    onInfoDigit(digit, durationMs, leg) {
      leg.pushDigit(digit)
      call.running?.connection.onInfoDigit(digit, durationMs)
    },
  })
  if ('end' in result) return result
  const { sip, leg, audio, ended } = result
  const details = { id, userId, agent, direction: 'outbound', fromNumber, toNumber, trunk, device, now } as const
  const running = runSipCall(parts, { ...details, sip, leg, audio, ended })
  call.running = running
  if (signal.aborted) running.hangUp(call.stopReason)
  try {
    return { mayFailOver: false, end: await running.done }
  } finally {
    await result.close()
  }
}
