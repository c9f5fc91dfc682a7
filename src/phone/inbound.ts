// An inbound call from its INVITE to its answer: recognised, planned, admitted, given a leg, answered. Every refusal is told to its owner.

import { steadyClock } from '../base/clock.ts'
import type { EndReason } from '../base/end-reasons.ts'
import type { Log } from '../base/log.ts'
import type { Media, MediaLeg } from '../rtp/leg.ts'
import type { CallEnding, InboundCall } from '../sip/dialog/call.ts'
import { plainAddress } from './address-set.ts'
import { type AnswerParts, type RunningCall, runAnswered } from './answered-call.ts'
import { audioSession, audioTerms } from './audio-session.ts'
import type { Authenticator } from './authenticate.ts'
import type { CallCapacity } from './capacity.ts'
import { inbandDetection } from './dtmf.ts'
import { endOfAbandoned } from './endings.ts'
import type { createInboundRouter, InboundRefusal, InboundRoute } from './inbound-routing.ts'
import type { Ladders } from './ladders.ts'
import type { CallEnd, CallRepository, NewInboundCall } from './ports.ts'

export type InboundParts = AnswerParts & {
  book: CallRepository
  media: Media
  live: CallCapacity
  recogniser: Authenticator
  planner: ReturnType<typeof createInboundRouter>
  /** Why a new call must be turned away now. */
  busy: () => string | undefined
  /** Whether an error means that something we depend on is away: the carrier may try another server. */
  isUnavailable: (error: unknown) => boolean
  isDraining: () => boolean
  /** What SDP says, by the way the INVITE came. */
  addressFor: (call: InboundCall) => string
  saveLadder: (callId: string, sipCallId: string) => Promise<void>
  ladders: Pick<Ladders, 'hold' | 'release'>
  log: Log
}

const retry = { 'retry-after': '10' }

export function createInbound(parts: InboundParts) {
  const { book, live, log } = parts

  async function refuse(call: InboundCall, plan: InboundRefusal, headers: Record<string, string> = {}): Promise<void> {
    const { userId, trunkId, deviceId } = plan.call
    const { sipCode, endReason } = plan.end
    call.refuse(plan.sipCode, undefined, headers)
    log.warn({ userId, trunkId, deviceId, sipCode, endReason, detail: plan.end.endDetail }, 'inbound call refused')
    await told(call, plan.call, plan.end)
  }

  async function told(call: InboundCall, row: NewInboundCall, end: CallEnd): Promise<void> {
    const { id } = await book.refused(row, end)
    await keepLadder(id, call)
  }

  async function keepLadder(id: string, call: InboundCall): Promise<void> {
    await parts.saveLadder(id, call.callId)
    parts.ladders.release(id)
  }

  const turnedAway = (
    plan: InboundRoute,
    sipCode: number,
    endReason: EndReason,
    endDetail: string,
  ): InboundRefusal => ({
    call: plan.call,
    sipCode,
    end: { status: 'failed', endReason, endDetail, sipCode, hangupBy: 'system' },
  })

  const challenge = (call: InboundCall, challenges: readonly string[]) =>
    call.refuse(
      401,
      undefined,
      challenges.map((value) => ['www-authenticate', value] as const),
    )

  /** The plan of a caller who is known, or undefined when the call has been dealt with. */
  async function planOf(call: InboundCall): Promise<InboundRoute | undefined> {
    const who = await parts.recogniser.authenticate(call.invite, call.flow)
    if (who.is === 'unknown') {
      log.debug({ address: plainAddress(call.flow.remote.address) }, 'an INVITE that nobody vouches for')
      call.ignore()
      return undefined
    }
    if (who.is === 'refused') {
      call.refuse(403)
      return undefined
    }
    if (who.is === 'unauthenticated') {
      challenge(call, who.challenges)
      return undefined
    }
    parts.ladders.hold(call.callId)
    const plan =
      who.is === 'device'
        ? await parts.planner.forDevice(who.device, call.invite)
        : await parts.planner.forTrunks(who.trunks, call.invite, who.owner)
    if (who.is === 'trunk' && who.challenges && !(plan && 'isOwner' in plan && plan.isOwner)) {
      parts.ladders.release(call.callId)
      challenge(call, who.challenges)
      return undefined
    }
    if (plan === null) {
      parts.ladders.release(call.callId)
      call.refuse(404)
      return undefined
    }
    if (!call.claim(plan.call.userId)) {
      parts.ladders.release(call.callId)
      call.refuse(481)
      return undefined
    }
    if ('agent' in plan) return plan
    await refuse(call, plan)
    return undefined
  }

  async function take(call: InboundCall): Promise<void> {
    const plan = await planOf(call)
    if (!plan) return
    if (call.state === 'ended') return told(call, plan.call, endOfAbandoned({ by: 'remote', why: 'canceled' }))
    const busy = parts.busy()
    const reason = parts.isDraining() ? 'node_shutdown' : 'concurrency_limit'
    if (busy) return refuse(call, turnedAway(plan, 503, reason, busy), retry)
    const caps = { trunk: plan.trunk?.maxConcurrentCalls, device: plan.device?.maxConcurrentCalls }
    const slot = live.acquireSlot(plan.call, caps)
    if ('limit' in slot) {
      const code = slot.limit === 'platform' ? 503 : 486
      return refuse(call, turnedAway(plan, code, 'concurrency_limit', slot.text), code === 503 ? retry : {})
    }
    try {
      await answer(call, plan)
    } catch (err) {
      log.error({ err, userId: plan.call.userId }, 'an inbound call could not be answered')
      if (call.state !== 'ringing') throw err
      const code = parts.isUnavailable(err) ? 503 : 500
      await refuse(call, turnedAway(plan, code, 'internal_error', 'The call could not be answered'), retry)
    } finally {
      slot.release()
    }
  }

  async function answer(call: InboundCall, plan: InboundRoute): Promise<void> {
    let running: RunningCall | undefined
    const acknowledged = Promise.withResolvers<void>()
    const ended = new Promise<CallEnding>((told) => {
      call.handle({
        onEnd: told,
        onOffer: (sdp) => audio.reoffered(sdp),
        onLateAnswer: (sdp) => void audio.accept(sdp),
        onAnswered: (sdp) => {
          if (sdp !== null && audio.accept(sdp)) call.hangUp({ code: 488, text: 'Not Acceptable Here' })
          if (plan.trunk) parts.recogniser.markVerified(plainAddress(call.flow.remote.address))
          acknowledged.resolve()
        },
        onDigit(digit, durationMs) {
          leg.pushDigit(digit)
          running?.onInfoDigit(digit, durationMs)
        },
      })
    })
    const leg: MediaLeg = await parts.media.open({
      detectInbandDigits: inbandDetection(plan.trunk),
      onEvent: (event) => running?.onLegEvent(event),
    })
    const audio = audioSession(leg, audioTerms(plan.trunk, parts.addressFor(call)), () => call.peerAddress)
    const local = call.offer === null ? { sdp: audio.offer() } : audio.answer(call.offer)
    if ('problem' in local) {
      await leg.close()
      return refuse(call, turnedAway(plan, 488, 'sip_error', `No audio in common: ${local.detail}`))
    }
    const now = steadyClock()
    const begun = book.begin(plan.call)
    const { id } = await begun.catch(async (err) => {
      await leg.close()
      throw err
    })
    try {
      let end: CallEnd
      if (call.state === 'ended') {
        await leg.close()
        end = endOfAbandoned(await ended)
      } else {
        call.answer(local.sdp)
        const { userId, fromNumber, toNumber } = plan.call
        const { agent, trunk, device } = plan
        running = runAnswered(parts, {
          id,
          userId,
          agent,
          direction: 'inbound',
          fromNumber,
          toNumber,
          trunk,
          device,
          sip: call,
          leg,
          audio,
          ended,
          acknowledged: acknowledged.promise,
          now,
        })
        live.add({ callId: id, userId, hangUp: running.hangUp })
        end = await running.done
      }
      await book.finish(id, { endedAt: now(), ...end })
    } finally {
      live.remove(id) // not before: who is not here is not vouched for, and another process would close its row
    }
    await keepLadder(id, call)
  }

  return (call: InboundCall): Promise<void> =>
    take(call).catch((err) => {
      log.error({ err }, 'an inbound call failed')
      if (call.state === 'ringing') call.refuse(parts.isUnavailable(err) ? 503 : 500, undefined, retry)
      else call.hangUp({ code: 500, text: 'Server Internal Error' })
    })
}
