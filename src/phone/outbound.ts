// An outbound call: its ways tried in order until one answers, is refused by the one who was called, or none is left.

import { steadyClock } from '../base/clock.ts'
import type { EndReason } from '../base/end-reasons.ts'
import type { Log } from '../base/log.ts'
import type { Media, MediaLeg } from '../rtp/leg.ts'
import { type AnswerParts, type RunningCall, runAnswered } from './answered-call.ts'
import type { CallCapacity, HangUpReason } from './capacity.ts'
import { type DialParts, dial } from './dial.ts'
import { inbandDetection } from './dtmf.ts'
import { endOfUnanswered, isTrunkFailure } from './endings.ts'
import { channelOf, type Route, slotOf, type UnusableRoute } from './outbound-routing.ts'
import type { Agent, CallEnd, CallRepository, DialRequest, PhoneRepository } from './ports.ts'

export type OutboundParts = AnswerParts &
  DialParts & {
    book: CallRepository
    phoneBook: Pick<PhoneRepository, 'agent'>
    media: Media
    live: CallCapacity
    routesOf: (order: DialRequest, agent: Agent) => Promise<(Route | UnusableRoute)[]>
    busy: () => string | undefined
    isDraining: () => boolean
    /** How long it may ring. */
    ringMs: number
    saveLadder: (callId: string, sipCallId: string) => Promise<void>
    log: Log
  }

const failed = (endReason: EndReason, endDetail: string): CallEnd => ({
  status: 'failed',
  endReason,
  endDetail,
  hangupBy: 'system',
})

type Entered = { route: Route; release(): void }

export function createOutbound(parts: OutboundParts) {
  const { book, live, log } = parts

  return async (order: DialRequest): Promise<void> => {
    const stopping = new AbortController()
    const now = steadyClock()
    let stopReason: HangUpReason = 'api'
    let running: RunningCall | undefined
    live.add({
      callId: order.id,
      userId: order.userId,
      hangUp(reason) {
        stopReason = reason
        if (running) running.hangUp(reason)
        else stopping.abort()
      },
    })
    let end: CallEnd
    try {
      end = await place()
    } catch (err) {
      log.error({ err, callId: order.id }, 'an outbound call failed')
      end = failed('internal_error', 'The call could not be placed')
    }
    try {
      await book.finish(order.id, { endedAt: now(), ...end })
    } finally {
      parts.ladders.release(order.id)
      live.remove(order.id) // not before: who is not here is not vouched for, and another process would close its row
    }

    async function place(): Promise<CallEnd> {
      const agent = order.agentId === null ? undefined : await parts.phoneBook.agent(order.userId, order.agentId)
      if (!agent?.isActive) return failed('agent_inactive', 'The agent is not active')
      if (agent.direction === 'inbound') return failed('agent_inactive', 'The agent only takes inbound calls')
      const routes = await parts.routesOf(order, agent)
      const problems = routes.flatMap((route) => ('problem' in route ? [`${route.name} ${route.problem}`] : []))
      let last = failed('trunk_unavailable', problems.join('; ') || 'This agent has no trunk and no device to call by')
      const left = new Set(routes.filter((route): route is Route => !('problem' in route)))
      while (left.size > 0) {
        const entered = await enter(left)
        if (!entered) break
        left.delete(entered.route)
        const tried = await attempt(entered, agent)
        if (!tried.next) return tried.end
        const name = entered.route.trunk?.name ?? entered.route.device?.name ?? 'device'
        const { sipCode, endDetail, endReason } = tried.end
        problems.push(`${name}: ${sipCode === undefined ? '' : `${sipCode} `}${endDetail ?? endReason}`)
        last = { ...tried.end, endDetail: problems.join('; ') }
      }
      if (stopping.signal.aborted && stopReason === 'api')
        return { status: 'canceled', endReason: 'canceled_by_api', hangupBy: 'system' }
      if (stopping.signal.aborted || (left.size > 0 && parts.isDraining()))
        return failed('node_shutdown', 'The service is shutting down')
      if (left.size > 0) return failed('concurrency_limit', 'Too many calls are waiting for a place')
      return last
    }

    /** The first way that has room. A call that was asked for waits for its place; only an inbound one is turned away. */
    async function enter(routes: ReadonlySet<Route>): Promise<Entered | undefined> {
      if (live.isQueueFull) return undefined
      const found = await live.waitForSlot((): Entered | 'drained' | undefined => {
        if (parts.isDraining()) return 'drained'
        if (parts.busy()) return undefined
        for (const route of routes) {
          const { trunk, device } = route
          const caps = { trunk: trunk?.maxConcurrentCalls, device: device?.maxConcurrentCalls }
          const entered = live.acquireSlot({ userId: order.userId, ...slotOf(route) }, caps)
          if ('release' in entered) return { route, release: entered.release }
        }
        return undefined
      }, stopping.signal)
      return found === 'drained' ? undefined : found
    }

    async function attempt({ route, release }: Entered, agent: Agent): Promise<{ next: boolean; end: CallEnd }> {
      let leg: MediaLeg | undefined
      try {
        leg = await parts.media.open({
          detectInbandDigits: inbandDetection(route.trunk),
          onEvent: (event) => running?.onLegEvent(event),
        })
        return await ring(route, agent, leg)
      } finally {
        await leg?.close()
        release()
      }
    }

    async function ring(route: Route, agent: Agent, leg: MediaLeg): Promise<{ next: boolean; end: CallEnd }> {
      const { trunk, device, fromNumber } = route
      // Before anything is sent: a call that another node has taken over is dialled there.
      const isOurs = await book.placed(order.id, { ...slotOf(route), fromNumber, channel: channelOf(route) })
      if (!isOurs) return { next: false, end: failed('canceled_by_api', 'ended or taken over meanwhile') }
      if (stopping.signal.aborted) return { next: true, end: failed('canceled_by_api', 'hung up') }
      const { sip, audio, ended, isAnswered, mismatch } = await dial(parts, route, leg, {
        owner: order.userId,
        ringMs: parts.ringMs,
        signal: stopping.signal,
        onRinging: () =>
          void book.ringing(order.id, now()).catch((err) => log.warn({ err }, 'a call could not be written')),
        onDigit(digit, durationMs) {
          leg.pushDigit(digit)
          running?.onInfoDigit(digit, durationMs)
        },
      })

      if (!isAnswered) {
        const wire = await ended
        void parts.saveLadder(order.id, sip.callId) // its end is written after it, whenever that may be
        if (mismatch) return { next: true, end: failed('sip_error', mismatch) }
        return { next: isTrunkFailure(wire), end: endOfUnanswered(wire) }
      }
      const { id, userId, toNumber } = order
      running = runAnswered(parts, {
        id,
        userId,
        agent,
        direction: 'outbound',
        fromNumber,
        toNumber,
        trunk,
        device,
        sip,
        leg,
        audio,
        ended,
        now,
      })
      if (stopping.signal.aborted) running.hangUp(stopReason)
      const end = await running.done
      void parts.saveLadder(id, sip.callId)
      return { next: false, end }
    }
  }
}
