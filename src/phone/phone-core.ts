// The core of a phone: peers, media threads, user agent, live calls and their SIP ladders, opened and closed together.
import type { Media } from '../rtp/leg.ts'
import { openMedia } from '../rtp/pool.ts'
import type { InboundCall } from '../sip/dialog/call.ts'
import { createAdmission, estimateMaxCalls } from './admission.ts'
import { type CallCapacity, callCapacity } from './capacity.ts'
import { type MessageCaptures, messageCaptures } from './diagnostics/message-capture.ts'
import { createLadders, type Ladders } from './ladders.ts'
import { openUserAgent } from './open-user-agent.ts'
import { openPeers, type Peers } from './peers.ts'
import type { PhoneParts, PhoneSettings } from './phone-parts.ts'

export type PhoneCore = {
  settings: PhoneSettings
  parts: PhoneParts
  peers: Peers
  ua: Awaited<ReturnType<typeof openUserAgent>>
  media: Media
  live: CallCapacity
  ladders: Ladders
  captures: MessageCaptures
  isDraining: () => boolean
  /** Why new calls must be refused now: draining or overloaded. */
  overload: () => string | undefined
  /** Why the machine cannot carry another leg. */
  loadRefusal: () => string | undefined
  close(): Promise<void>
}

export type CoreHooks = { isDraining: () => boolean; onInvite: (call: InboundCall) => void }

export async function openCore(
  settings: PhoneSettings,
  parts: PhoneParts,
  { isDraining, onInvite }: CoreHooks,
): Promise<PhoneCore> {
  const peers = openPeers(settings, {
    ...parts,
    onAuthenticated: (flow, owner) => ua.stack.authenticate(flow, owner),
    borrow: (node, flow) => ua.stack.borrow(node, flow),
  })
  const ladders = createLadders()
  const captures = messageCaptures()
  const media = await openMedia({ host: settings.host, ports: settings.rtpPorts, log: parts.log })
  const maxCalls = Math.min(settings.maxCalls ?? estimateMaxCalls(), media.maxLegs)
  const live = callCapacity({ maxCalls, maxCallsPerUser: settings.maxCallsPerUser, slots: parts.slots })
  const admission = createAdmission(() => media.load())
  const loadRefusal = () => admission.refusal(live.total)

  function trace(event: Parameters<Ladders['trace']>[0]): void {
    ladders.trace(event)
    captures.trace(event)
  }
  async function closeMedia(): Promise<void> {
    peers.registrar.close()
    admission.close()
    await media.close()
  }
  const ua = await openUserAgent(settings, parts, peers, { isDraining, trace, onInvite }).catch(async (error) => {
    await closeMedia()
    throw error
  })
  return {
    settings,
    parts,
    peers,
    ua,
    media,
    live,
    ladders,
    captures,
    isDraining,
    overload: () => (isDraining() ? 'The service is shutting down' : loadRefusal()),
    loadRefusal,
    async close() {
      await ua.close()
      await closeMedia()
    },
  }
}
