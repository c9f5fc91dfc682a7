// Inbound calls, from INVITE to answer: authenticate, route, check capacity, open the media leg, answer. Refusals are recorded for their owner.
import { runOwned } from '../base/errors/error-containment.ts'
import { newId } from '../base/ids.ts'
import { steadyClock } from '../base/time/clock.ts'
import type { Media, MediaLeg } from '../rtp/leg.ts'
import type { CallEnding, InboundCall } from '../sip/dialog/call.ts'
import {
  askHook,
  guidanceOf,
  type HookParts,
  headersOf,
  sipVariables,
  storedDecision,
  transferringFirst,
} from './answer-hook.ts'
import type { RunningCall } from './answered-call.ts'
import { audioSession, audioTerms } from './audio-session.ts'
import type { Authenticator } from './authenticate.ts'
import type { CallCapacity, Slot } from './capacity.ts'
import { inbandDetection } from './dtmf.ts'
import { endOfAbandoned, refusedByHook, systemEnds } from './endings.ts'
import { type createInboundRouter, type InboundRefusal, type InboundRoute, refusal } from './inbound-routing.ts'
import type { Ladders } from './ladders.ts'
import type { AnswerDecision, BeforeAnswer, CallEnd, CallRepository, NewInboundCall, Trunk } from './ports.ts'
import type { RequestSource } from './request-source.ts'
import { type AnsweredSipCall, runSipCall, type SipCallParts, type SipConnection } from './sip-connection.ts'

export type InboundParts = SipCallParts & {
  calls: CallRepository
  beforeAnswer?: BeforeAnswer | undefined
  media: Media
  live: CallCapacity
  authenticator: Authenticator
  sourceOf: (call: InboundCall) => RequestSource | null
  router: ReturnType<typeof createInboundRouter>
  /** Called when a call from this address was acknowledged: the address belongs to the trunk and is not spoofed. */
  prove: (trunk: Trunk, address: string, by: 'contact' | 'call') => Promise<void>
  /** Why new calls must be refused now. */
  overload: () => string | undefined
  /** Whether an error means that a dependency is down, so that the carrier may try another server. */
  isUnavailable: (error: unknown) => boolean
  isDraining: () => boolean
  /** While true, calls can be neither routed nor stored. */
  isDatabaseAway: () => boolean
  onRefused: (code: number) => void
  /** The address in the SDP for the peer of this INVITE. */
  addressFor: (call: InboundCall) => string
  saveLadder: (callId: string, sipCallId: string) => Promise<void>
  ladders: Pick<Ladders, 'hold' | 'release'>
}

const retry = { 'retry-after': '10' }

/** Refuses a call, and counts it; challenges are not counted. */
function decline(parts: InboundParts, call: InboundCall, code: number, headers: Record<string, string> = {}): void {
  if (call.state === 'ringing') parts.onRefused(code)
  call.refuse(code, undefined, headers)
}

function challenge(call: InboundCall, challenges: readonly string[]): void {
  const headers = challenges.map((value) => ['www-authenticate', value] as const)
  call.refuse(401, undefined, headers)
}

export function createInbound(parts: InboundParts) {
  const { live, log } = parts
  const refuse = (call: InboundCall, why: InboundRefusal, headers?: Record<string, string>) =>
    refuseCall(parts, call, why, headers)

  async function accept(call: InboundCall): Promise<void> {
    const route = await routeOf(parts, call)
    if (!route) return
    if (isOver(call)) return storeAbandoned(parts, call, route)
    // The proxy tries another node, which stores the call.
    if (parts.isDraining() && parts.sourceOf(call)?.isProxied) return decline(parts, call, 503, retry)
    const overload = parts.overload()
    const reason = parts.isDraining() ? 'node_shutdown' : 'concurrency_limit'
    if (overload) return refuse(call, refusal(route.call, 503, reason, overload), retry)
    const caps = { trunk: route.trunk?.maxConcurrentCalls, device: route.device?.maxConcurrentCalls }
    const slot = await live.acquireSlot(route.call, caps)
    if ('limit' in slot) {
      const code = slot.limit === 'platform' ? 503 : 486
      return refuse(call, refusal(route.call, code, 'concurrency_limit', slot.text), code === 503 ? retry : {})
    }
    try {
      // The caller may have hung up while the slot was acquired.
      await (isOver(call) ? storeAbandoned(parts, call, route) : answerContained(parts, call, { ...route, slot }))
    } catch (err) {
      log.error({ err, userId: route.call.userId }, 'failed to answer inbound call')
      if (call.state !== 'ringing') throw err
      const code = parts.isUnavailable(err) ? 503 : 500
      await refuse(call, refusal(route.call, code, 'internal_error', 'The call could not be answered'), retry)
    } finally {
      await slot.release()
    }
  }

  return (call: InboundCall): Promise<void> =>
    accept(call).catch((err) => {
      log.error({ err }, 'inbound call failed')
      if (call.state === 'ringing') decline(parts, call, parts.isUnavailable(err) ? 503 : 500, retry)
      else call.hangUp({ code: 500, text: 'Server Internal Error' })
    })
}

async function refuseCall(
  parts: InboundParts,
  call: InboundCall,
  { call: row, sipCode, end }: InboundRefusal,
  headers: Record<string, string> = {},
): Promise<void> {
  const { userId, trunkId, deviceId } = row
  decline(parts, call, sipCode, headers)
  const { endReason, endDetail } = end
  parts.log.warn({ userId, trunkId, deviceId, sipCode, endReason, detail: endDetail }, 'inbound call refused')
  await storeRefused(parts, call, row, end)
}

async function storeRefused(parts: InboundParts, call: InboundCall, row: NewInboundCall, end: CallEnd): Promise<void> {
  const { id } = await parts.calls.refused(row, end)
  await storeLadder(parts, id, call)
}

const isOver = ({ state }: InboundCall): boolean => state === 'ended'

const storeAbandoned = (parts: InboundParts, call: InboundCall, route: InboundRoute): Promise<void> =>
  storeRefused(parts, call, route.call, endOfAbandoned({ by: 'remote', why: 'canceled' }))

async function storeLadder(parts: InboundParts, id: string, call: InboundCall): Promise<void> {
  await parts.saveLadder(id, call.callId)
  parts.ladders.release(id)
}

/** The route of an authenticated call; undefined when the INVITE has been answered or ignored already. */
async function routeOf(parts: InboundParts, call: InboundCall): Promise<InboundRoute | undefined> {
  const { authenticator, ladders, router } = parts
  const peer = await authenticator.authenticate(call.invite, call.flow)
  if (peer.is === 'unknown') {
    parts.log.debug({ address: parts.sourceOf(call)?.address }, 'INVITE from an unknown peer ignored')
    return void call.ignore()
  }
  if (peer.is === 'refused') return void decline(parts, call, 403)
  if (peer.is === 'unauthenticated') return void challenge(call, peer.challenges)
  if (parts.isDatabaseAway()) return void decline(parts, call, 503, retry)
  ladders.hold(call.callId)
  const route =
    peer.is === 'device'
      ? await router.forDevice(peer.device, call.invite)
      : await router.forTrunks(peer.trunks, call.invite, parts.sourceOf(call)?.address ?? '')
  const forget = (respond: () => void): undefined => {
    ladders.release(call.callId)
    respond()
  }
  const { challenges } = peer.is === 'trunk' ? peer : {}
  if (challenges && route === null) return forget(() => challenge(call, challenges))
  if (route === null) {
    const [address, called] = [parts.sourceOf(call)?.address, router.calledNumber(call.invite)]
    parts.log.info({ address, called }, 'inbound call to a number of nobody refused')
    return forget(() => decline(parts, call, 404))
  }
  if (!call.claim(route.call.userId)) return forget(() => decline(parts, call, 481))
  if ('agent' in route) return { ...route, ...(peer.is === 'trunk' && peer.by !== 'digest' ? { by: peer.by } : {}) }
  return void (await refuseCall(parts, call, route))
}

type HeldRoute = InboundRoute & { slot: Slot }

/** From here on the call owns what it starts. */
function answerContained(parts: InboundParts, call: InboundCall, route: HeldRoute): Promise<void> {
  const { live, log } = parts
  const id = newId('cal')
  function end(): void {
    const known = live.get(id)
    if (known) known.hangUp('broken')
    else call.hangUp({ code: 500, text: 'Server Internal Error' })
  }
  return runOwned({ kind: 'call', id, log, end }, () => answer(parts, call, id, route))
}

async function answer(parts: InboundParts, call: InboundCall, callId: string, route: HeldRoute): Promise<void> {
  let running: RunningCall<SipConnection> | undefined
  const acknowledged = Promise.withResolvers<void>()
  const source = parts.sourceOf(call)
  const left = new AbortController()
  const ended = new Promise<CallEnding>((resolve) => {
    call.handle({
      onEnd(ending) {
        left.abort()
        resolve(ending)
      },
      onOffer: (sdp) => audio.reoffered(sdp),
      onLateAnswer: (sdp) => void audio.accept(sdp),
      onAnswered: (sdp) => {
        if (sdp !== null && audio.accept(sdp)) call.hangUp({ code: 488, text: 'Not Acceptable Here' })
        if (route.trunk && source && route.by) void parts.prove(route.trunk, source.address, route.by)
        acknowledged.resolve()
      },
      onDigit(digit, durationMs) {
        leg.pushDigit(digit)
        running?.connection.onInfoDigit(digit, durationMs)
      },
    })
  })
  const headers = headersOf(call, route)
  const hook = askHook(hookParts(parts), { callId, route, headers }, { signal: left.signal, ring: () => call.ring() })
  const leg: MediaLeg = await parts.media
    .open({
      detectInbandDigits: inbandDetection(route.trunk),
      onEvent: (event) => running?.connection.onLegEvent(event),
    })
    .catch((err) => {
      left.abort() // the answer hook is no longer awaited
      throw err
    })
  const audio = audioSession(leg, audioTerms(route.trunk, parts.addressFor(call)), () => call.peerAddress)
  const local = call.offer === null ? { sdp: audio.offer() } : audio.answer(call.offer)
  if ('problem' in local) {
    left.abort()
    await leg.close()
    return refuseCall(parts, call, refusal(route.call, 488, 'sip_error', `No audio in common: ${local.detail}`))
  }
  const media = { leg, audio, ended, acknowledged: acknowledged.promise }
  await runAnswered(parts, { call, callId, route, headers, hook, media, sdp: local.sdp }, (started) => {
    running = started
  }).finally(() => left.abort())
}

const hookParts = ({ calls, beforeAnswer, log }: InboundParts): HookParts => ({
  calls,
  beforeAnswer,
  onError: (err) => log.error({ err }, 'answer hook failed; the call is answered without it'),
})

type PreparedCall = {
  call: InboundCall
  callId: string
  route: HeldRoute
  headers: Readonly<Record<string, string>>
  hook: Promise<AnswerDecision | undefined>
  media: Pick<AnsweredSipCall, 'leg' | 'audio' | 'ended' | 'acknowledged'>
  sdp: string
}

/** From the call's row to its end, whoever answers. */
async function runAnswered(
  parts: InboundParts,
  prepared: PreparedCall,
  onRunning: (running: RunningCall<SipConnection>) => void,
): Promise<void> {
  const { calls, live } = parts
  const { call, callId, route, headers, media } = prepared
  const now = steadyClock()
  const { id } = await calls
    .begin({ ...route.call, id: callId, variables: sipVariables(headers) })
    .catch(async (err) => {
      await media.leg.close()
      throw err
    })
  let stopped: CallEnd | undefined
  live.add({
    callId: id,
    userId: route.call.userId,
    hangUp(reason) {
      stopped = { ...systemEnds[reason], status: 'failed' }
      call.hangUp()
    },
  })
  try {
    const decision = await storedDecision(hookParts(parts), id, await prepared.hook)
    let end: CallEnd
    if (call.state === 'ended') {
      await media.leg.close()
      end = stopped ?? endOfAbandoned(await media.ended)
    } else if (decision?.refuse) {
      await media.leg.close()
      end = refusedByHook(decision.refuse)
      decline(parts, call, decision.refuse)
    } else {
      call.answer(prepared.sdp)
      const running = runDecided(parts, { ...prepared, callId: id }, decision, now)
      onRunning(running)
      live.add({ callId: id, userId: route.call.userId, hangUp: running.hangUp })
      end = await running.done
    }
    const endedAt = now()
    // Released before the row reports the end: a client that sees it may place the next call at once.
    await route.slot.release()
    await calls.finish(id, { endedAt, ...end })
  } finally {
    // Listed until the row is final: the lease of an unlisted call is not renewed, and another node would mark it orphaned.
    live.remove(id)
  }
  await storeLadder(parts, id, call)
}

/** Runs the call with the agent of the number, or the one that the hook chose. */
function runDecided(
  parts: InboundParts,
  { call, callId: id, route, media }: PreparedCall,
  decision: AnswerDecision | undefined,
  now: () => string,
): RunningCall<SipConnection> {
  const { userId, fromNumber, toNumber } = route.call
  const { trunk, device } = route
  const agent = decision?.agent ?? route.agent
  const details = { id, userId, agent, direction: 'inbound', fromNumber, toNumber, trunk, device, now } as const
  const guidance = decision && guidanceOf(decision)
  const to = decision?.transferTo
  const converse = to ? transferringFirst(parts.converse, to) : parts.converse
  return runSipCall({ ...parts, converse }, { ...details, guidance, ...media, sip: call })
}
