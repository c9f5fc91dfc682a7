// The phone: SIP user agent, media threads, trunks, devices and live calls behind one interface.
import { readFileSync } from 'node:fs'
import { waitAtMost } from '../base/concurrency/abort.ts'
import { reportToOwner, runOwned } from '../base/errors/error-containment.ts'
import { AppError } from '../base/errors/errors.ts'
import type { Log } from '../base/process/log.ts'
import { every } from '../base/time/timer.ts'
import type { PhoneConfig } from '../config/config.ts'
import type { RecordingFolder } from '../rtp/call-recording.ts'
import type { Media } from '../rtp/leg.ts'
import { openMedia } from '../rtp/pool.ts'
import type { InboundCall } from '../sip/dialog/call.ts'
import type { Listener, Relay, RelayedMessage, SipTimers } from '../sip/stack.ts'
import { createUserAgent } from '../sip/user-agent.ts'
import { plainAddress } from './address-set.ts'
import { createAdmission, estimateMaxCalls } from './admission.ts'
import { createBridge } from './bridge.ts'
import { type CallCapacity, callCapacity, type Slots } from './capacity.ts'
import { createDiagnostics, type Diagnose } from './diagnostics/doctor.ts'
import { type MessageCaptures, messageCaptures } from './diagnostics/message-capture.ts'
import type { DialPolicy } from './dial-policy.ts'
import { createInbound } from './inbound.ts'
import { createInboundRouter } from './inbound-routing.ts'
import { createLadders, type Ladders } from './ladders.ts'
import { createOutOfDialogHandler } from './out-of-dialog.ts'
import { createOutbound } from './outbound.ts'
import { createOutboundRouter } from './outbound-routing.ts'
import { senderOf } from './ownership.ts'
import { openPeers, type Peers } from './peers.ts'
import type {
  Announce,
  BeforeAnswer,
  CallRepository,
  Converse,
  DialRequest,
  OnMessage,
  PhoneRepository,
} from './ports.ts'
import { redirectPolicy } from './redirect-policy.ts'
import { sdpAddresses } from './sdp-address.ts'
import { type MessageOutcome, messageSender, type OutboundMessage } from './sip-messages.ts'
import { mayTransfer, referTarget } from './transfer-policy.ts'
import { trunkMonitor } from './trunk-monitor.ts'

export type PhoneSettings = Omit<PhoneConfig, 'drainMs'> & {
  /** The realm of device registrations. */
  domain: string
  dialPolicy: DialPolicy
  name: string
  /** The same for all processes of one database, and after every restart. */
  secret: string
}

export type PhoneParts = {
  nodeName: string
  recordings: RecordingFolder
  repository: PhoneRepository
  calls: CallRepository
  converse: Converse
  announce: Announce
  /** Asks the owner's hook before an inbound call is answered. */
  beforeAnswer?: BeforeAnswer
  /** Counts the calls of all nodes; left out: this process is the only one. */
  slots?: Slots | undefined
  /** To other nodes: phones may be connected to them; left out: this process is the only one. */
  relay?: Relay | undefined
  /** Stores messages from devices; without it they are refused. */
  onMessage?: OnMessage
  log: Log
  /** Whether an error means that a dependency, such as the database, is down. */
  isUnavailable?: (error: unknown) => boolean
  /** The node knows that it cannot store calls: it refuses new ones at once, and tells balancers so. */
  isDatabaseAway?: () => boolean
  /** An INVITE was refused with this code; not for challenges. */
  onRefused?: (code: number) => void
  ringMs?: number
  /** Interval of OPTIONS pings to trunks. */
  pingMs?: number
  /** RFC 3261's timers. */
  timers?: Partial<SipTimers>
}

const REFRESH_MS = 1000
const RING_MS = 45_000
const PING_MS = 30_000
/** How long closing waits for the rows of the calls that it ends. */
const FINISH_MS = 5000

export type Phone = Awaited<ReturnType<typeof startPhone>>
type UserAgent = Awaited<ReturnType<typeof createUserAgent>>

export async function startPhone(settings: PhoneSettings, parts: PhoneParts) {
  const { log } = parts
  const peers = openPeers(settings, {
    ...parts,
    onAuthenticated: (flow, owner) => ua.stack.authenticate(flow, owner),
    borrow: (node, flow) => ua.stack.borrow(node, flow),
  })
  const { directory, registrar } = peers
  const ladders = createLadders()
  const captures = messageCaptures()
  const media = await openMedia({ host: settings.host, ports: settings.rtpPorts, log })
  const maxCalls = Math.min(settings.maxCalls ?? estimateMaxCalls(), media.maxLegs)
  const live = callCapacity({ maxCalls, maxCallsPerUser: settings.maxCallsPerUser, slots: parts.slots })
  const tasks = taskSet()
  let isDraining = false

  const admission = createAdmission(() => media.load())
  const overload = () => (isDraining ? 'The service is shutting down' : admission.refusal(live.total))
  let onInvite: (call: InboundCall) => Promise<void> = async (call) => call.refuse(503)
  const ua = await openUserAgent(settings, parts, {
    peers,
    ladders,
    captures,
    isDraining: () => isDraining,
    onInvite: (call) => void tasks.add(onInvite(call)),
  }).catch(async (error) => {
    admission.close()
    registrar.close()
    await media.close()
    throw error
  })
  const core: PhoneCore = {
    settings,
    parts,
    peers,
    ua,
    media,
    live,
    ladders,
    captures,
    overload,
    isDraining: () => isDraining,
    loadRefusal: () => admission.refusal(live.total),
  }
  const handlers = callHandlers(core)
  onInvite = handlers.onInvite
  const sendMessage = messageSender({
    ua,
    device: (id) => directory.devices().find((device) => device.id === id),
    bindingsOf: peers.bindingsOf,
    domain: settings.domain,
  })

  await directory.refresh()
  await peers.bindings.open()
  const trunks = trunkMonitor({
    ...peers,
    ua,
    repository: parts.repository,
    nodeName: parts.nodeName,
    pingMs: parts.pingMs ?? PING_MS,
    log,
    // Several nodes may be behind one public address, that of a proxy.
    hasOwnContact: settings.publicAddress === null,
  })
  const refresh = () => directory.refresh().then(peers.bindings.refresh)
  const refreshing = every(REFRESH_MS, refresh, (err) => log.warn({ err }, 'failed to read trunks and registrations'))
  const diagnoseTrunk = diagnostics(core)
  const diagnose: Diagnose = async (userId, trunkId, options) => {
    const report = await diagnoseTrunk(userId, trunkId, options)
    trunks.refresh({ userId, id: trunkId })
    return report
  }
  log.info({ listeners: ua.stack.listeners, maxCalls }, 'phone started')

  return {
    dial: (request: DialRequest): Promise<void> => tasks.add(handlers.dial(request)),
    /** Hangs up a call of this process. Its row is the caller's responsibility. */
    hangUp: (callId: string): void => live.get(callId)?.hangUp('api'),
    /** Sends a SIP MESSAGE to a registered device. */
    sendMessage: (message: OutboundMessage): Promise<MessageOutcome> => sendMessage(message),
    /** A SIP message that another node relays. */
    receiveRelayed: (node: string, message: RelayedMessage): string | null => ua.stack.receiveRelayed(node, message),
    diagnose,
    live,
    /** Why new calls must be refused now. */
    overload,
    listeners: ua.stack.listeners,
    ua,
    directory,
    registrar,
    ladders,
    media,
    trunkMonitor: trunks,
    refresh: directory.refresh,
    /** Refuses new calls; running calls continue. */
    drain(): void {
      isDraining = true
      trunks.drain()
    },
    /** Waits `graceMs` for calls to end by themselves, then hangs up the rest. */
    async close(graceMs = 0): Promise<void> {
      isDraining = true
      await waitAtMost(graceMs, live.empty())
      for (const call of live.all()) call.hangUp('shutdown')
      await waitAtMost(FINISH_MS, tasks.settled())
      await refreshing.stop()
      await trunks.close()
      await ua.close()
      registrar.close()
      admission.close()
      await media.close()
    },
  }
}

/** What the parts of a started phone share. */
type PhoneCore = {
  settings: PhoneSettings
  parts: PhoneParts
  peers: Peers
  ua: UserAgent
  media: Media
  live: CallCapacity
  ladders: Ladders
  captures: MessageCaptures
  /** Why new calls must be refused now: draining or overloaded. */
  overload: () => string | undefined
  /** Why the machine cannot carry another leg. */
  loadRefusal: () => string | undefined
  isDraining: () => boolean
}

type StackParts = Pick<PhoneCore, 'peers' | 'ladders' | 'captures' | 'isDraining'> & {
  onInvite: (call: InboundCall) => void
}

async function openUserAgent(settings: PhoneSettings, parts: PhoneParts, core: StackParts) {
  const { log, onMessage, timers, relay } = parts
  const { directory, registrar, bindings, ownership, authenticator, banList, resolver, sources } = core.peers
  const { name } = settings
  try {
    return await createUserAgent({
      ...stackOptions(settings),
      isInside: sources.isProxy,
      proxiedFrom: sources.proxiedFrom,
      resolver: { ...resolver, refusal: ownership.inDialogRefusal },
      userAgentName: name,
      admit: authenticator.admitsFlow,
      ownerOf(flow) {
        const address = plainAddress(flow.remote.address)
        if (sources.isProxy(address)) return 'proxy'
        const [user] = directory.provedUsers(address)
        return user ?? directory.device(registrar.aorFrom(flow) ?? '')?.userId
      },
      isPeerOf(flow, owner) {
        const address = plainAddress(flow.remote.address)
        const isTrunks = directory.claimsAt(address).some(({ trunk }) => trunk.userId === owner)
        return isTrunks || sources.isProxy(address) || registrar.isFrom(flow)
      },
      mayBegin: authenticator.admitsRequest,
      onGarbage({ remote, transport }) {
        const address = plainAddress(remote.address)
        if (!sources.isProxy(address)) banList.recordFailure(address, { isVerified: transport !== 'udp' })
      },
      contain: ({ transport, remote }, disconnect, work) =>
        runOwned({ kind: 'socket', id: `${transport} ${remote.address}:${remote.port}`, log, end: disconnect }, work),
      onFault(err) {
        if (!reportToOwner(err)) log.error({ err }, 'failed to handle SIP message')
      },
      ...(timers ? { timers } : {}),
      ...(relay ? { relay } : {}),
      trace(event) {
        core.ladders.trace(event)
        core.captures.trace(event)
      },
      onInvite: core.onInvite,
      onRequest: createOutOfDialogHandler({
        authenticator,
        registrar,
        bindings,
        takesCalls: () => !core.isDraining() && !parts.isDatabaseAway?.(),
        onMessage,
        name,
        log,
      }),
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || code === 'EACCES') throw new Error(portProblem(settings, code), { cause: error })
    throw error
  }
}

function callHandlers(core: PhoneCore) {
  const { settings, parts, peers, ua, media, live, ladders, overload, isDraining } = core
  const { calls, repository, log } = parts
  const { dialPolicy, domain } = settings
  const { directory, ownership, bindingsOf, authenticator, sources } = peers
  const sdpAddress = sdpAddresses(settings, { ...peers, contactOf: ua.stack.contactOf })
  const mayFollow = redirectPolicy(peers.resolver, dialPolicy)
  const router = createOutboundRouter({
    directory,
    repository,
    bindingsOf,
    dialPolicy,
    ownership,
    mayFollow,
    domain,
  })
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

function diagnostics({ settings, peers, ua, media, live, captures, overload }: PhoneCore): Diagnose {
  const { directory, ownership, resolver } = peers
  return createDiagnostics({
    phone: {
      ua,
      resolver,
      refusalFor: (trunk) => ownership.refusal(senderOf(trunk)),
      unchallengedRefusalFor: (trunk) => ownership.unchallengedRefusal(senderOf(trunk)),
      media,
      settings,
      contactUser: directory.contactUser,
      isStandalone: false,
      async acquireSlot({ userId, id: trunkId, maxConcurrentCalls: trunk }) {
        const text = overload()
        return text ? { text } : live.acquireSlot({ userId, trunkId, deviceId: null }, { trunk })
      },
    },
    captures,
    async trunkOf(userId, trunkId) {
      await directory.refresh()
      return directory.trunk(userId, trunkId)
    },
    dialPolicy: settings.dialPolicy,
  })
}

/** Calls in progress, each until its final write is done. */
function taskSet() {
  const tasks = new Set<Promise<void>>()
  return {
    add(task: Promise<void>): Promise<void> {
      const tracked = task.finally(() => tasks.delete(tracked))
      tasks.add(tracked)
      return tracked
    },
    settled: () => Promise.allSettled(tasks),
  }
}

const portProblem = ({ host, port, tlsPort }: PhoneSettings, code: string) =>
  `The phone cannot listen on ${host} port ${port}${tlsPort === null ? '' : ` or ${tlsPort}`}: ${
    code === 'EACCES' ? 'permission denied' : 'the port is in use'
  }. Set SIP_PORT to a free port, or to 0 to switch the phone off`

function stackOptions({ host, port, tlsPort, tls, publicAddress }: PhoneSettings) {
  const listeners: Listener[] = [
    { transport: 'udp', host, port },
    { transport: 'tcp', host, port },
  ]
  if (tlsPort !== null) listeners.push({ transport: 'tls', host, port: tlsPort })
  return {
    listeners,
    ...(tls && tlsPort !== null
      ? { tls: { cert: readFileSync(tls.certFile, 'utf8'), key: readFileSync(tls.keyFile, 'utf8') } }
      : {}),
    ...(publicAddress ? { publicAddress } : {}),
  }
}
