// Handlers of inbound INVITEs and of dial requests, built from the core of the phone.
import { AppError } from '../base/errors/errors.ts'
import { createBridge } from './bridge.ts'
import { createInbound } from './inbound.ts'
import { createInboundRouter } from './inbound-routing.ts'
import { createOutbound } from './outbound.ts'
import { createOutboundRouter } from './outbound-routing.ts'
import type { PhoneCore } from './phone-core.ts'
import { redirectPolicy } from './redirect-policy.ts'
import { sdpAddresses } from './sdp-address.ts'
import { mayTransfer, referTarget } from './transfer-policy.ts'

const RING_MS = 45_000

export function callHandlers(core: PhoneCore) {
  const { settings, parts, peers, ua, media, live, ladders, overload, isDraining } = core
  const { calls, repository, log } = parts
  const { dialPolicy, domain } = settings
  const { directory, ownership, bindingsOf, authenticator, sources } = peers
  const sdpAddress = sdpAddresses(settings, { ...peers, contactOf: ua.stack.contactOf })
  const mayFollow = redirectPolicy(peers.resolver, dialPolicy)
  const router = createOutboundRouter({ directory, repository, bindingsOf, dialPolicy, ownership, mayFollow, domain })
  async function saveLadder(callId: string, sipCallId: string): Promise<void> {
    const entries = ladders.of(callId, sipCallId)
    await calls.saveLadder(callId, entries).catch((err) => log.warn({ err, callId }, 'failed to store SIP ladder'))
  }
  const dialing = { media, live, ua, addressFor: sdpAddress.forRoute, saveLadder, ladders }
  const dialTarget = createBridge({
    ...dialing,
    routesFor: router.routesForTransfer,
    // A running call may be transferred while the service drains.
    overload: core.loadRefusal,
  })
  const shared = {
    calls,
    converse: parts.converse,
    announce: parts.announce,
    recordings: parts.recordings,
    maxCallMs: settings.maxCallMs,
    media,
    live,
    overload,
    isDraining,
    saveLadder,
    ladders,
    dialTarget,
    log,
    mayTransfer: mayTransfer(dialPolicy),
    referTarget: referTarget(dialPolicy),
    isUnavailable: (error: unknown) =>
      (error instanceof AppError && error.kind === 'unavailable') || (parts.isUnavailable?.(error) ?? false),
  }
  const onInvite = createInbound({
    ...shared,
    beforeAnswer: parts.beforeAnswer,
    authenticator,
    sourceOf: (call) => sources.sourceOf(call.invite, call.flow),
    router: createInboundRouter(repository, directory),
    prove: directory.prove,
    isDatabaseAway: () => parts.isDatabaseAway?.() ?? false,
    onRefused: (code) => parts.onRefused?.(code),
    addressFor: sdpAddress.forCall,
  })
  const ringMs = parts.ringMs ?? RING_MS
  const dial = createOutbound({ ...shared, ...dialing, repository, routesFor: router.routesForCall, ringMs })
  return { onInvite, dial }
}
