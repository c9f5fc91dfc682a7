// The telephone as a whole: the SIP user agent, the media threads, trunks, devices and live calls, joined and handed to the house as one.
import { readFileSync } from 'node:fs'
import { waitAtMost } from '../base/abort.ts'
import type { DialPolicy } from '../base/dial-policy.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { every } from '../base/timer.ts'
import type { PhoneConfig } from '../config/config.ts'
import type { RecordingFolder } from '../rtp/call-recording.ts'
import { openMedia } from '../rtp/pool.ts'
import { digestServer } from '../sip/auth/digest-server.ts'
import type { InboundCall } from '../sip/dialog/call.ts'
import { parseUri } from '../sip/message/uri.ts'
import { Registrar } from '../sip/registrar/registrar.ts'
import type { Listener, SipTimers } from '../sip/stack.ts'
import { createResolver } from '../sip/transport/resolver.ts'
import { createUserAgent } from '../sip/user-agent.ts'
import { plainAddress } from './address-set.ts'
import { createAdmission, probeCalls } from './admission.ts'
import { createAuthenticator, type Recognise } from './authenticate.ts'
import { createBridge } from './bridge.ts'
import { callCapacity } from './capacity.ts'
import { createDoctor, type Examine } from './diagnostics/doctor.ts'
import { createWatches } from './diagnostics/watch.ts'
import { createDirectory } from './directory.ts'
import { createGuard } from './guard.ts'
import { createInbound } from './inbound.ts'
import { createInboundRouter } from './inbound-routing.ts'
import { createLadders } from './ladders.ts'
import { createOutOfDialogHandler } from './out-of-dialog.ts'
import { createOutbound } from './outbound.ts'
import { createOutboundRouter, type Route } from './outbound-routing.ts'
import { createOwnership, senderOf } from './ownership.ts'
import type { Announce, CallOrder, CallRepository, Converse, Device, OnMessage, PhoneRepository } from './ports.ts'
import { redirectPolicy } from './redirect-policy.ts'
import { createTexts, type Text, type TextOutcome } from './sip-messages.ts'
import { mayTransfer, referTarget } from './transfer-policy.ts'
import { trunkMonitor } from './trunk-monitor.ts'

export type PhoneSettings = Omit<PhoneConfig, 'drainMs'> & {
  /** The name under which devices register: their realm. */
  domain: string
  dialPolicy: DialPolicy
  name: string
  /** The same for all processes of one database, and at every start. */
  secret: string
}

export type PhoneParts = {
  recordings: RecordingFolder
  book: PhoneRepository
  calls: CallRepository
  converse: Converse
  announce: Announce
  /** Keeps the texts that devices send; without it they are refused. */
  onMessage?: OnMessage
  log: Log
  /** Whether an error means that something we depend on is away, such as the database. */
  isUnavailable?: (error: unknown) => boolean
  /** How long a phone may ring. */
  ringMs?: number
  /** How often trunks are asked whether they are there. */
  pingMs?: number
  /** RFC 3261's. */
  timers?: Partial<SipTimers>
}

const REFRESH_MS = 1000
const RING_MS = 45_000
const PING_MS = 30_000
/** For the rows of the calls that were ended by us. */
const FAREWELL_MS = 5000

export type Phone = Awaited<ReturnType<typeof startPhone>>

export async function startPhone(settings: PhoneSettings, parts: PhoneParts) {
  const { book, calls, log } = parts
  const resolver = createResolver()
  const directory = createDirectory({ book, resolve: (place) => resolver.resolve(place), secret: settings.secret, log })
  const guard = createGuard()
  const registrar = new Registrar()
  let publicAddresses: readonly string[] = []
  const ports = [settings.port, ...(settings.tlsPort === null ? [] : [settings.tlsPort])]
  const ownership = createOwnership({
    directory,
    networks: settings.networks,
    ports,
    publicAddresses: () => publicAddresses,
  })
  const known = createAuthenticator({
    directory,
    ownership,
    guard,
    digest: digestServer({ realm: settings.domain }),
    hasPhoneAt: (address) => registrar.hasAddress(address),
  })
  const recogniser: Recognise = {
    ...known,
    async recognise(request, flow) {
      const who = await known.recognise(request, flow)
      if (who.is === 'trunk' || who.is === 'device') ua.stack.authenticate(flow)
      return who
    },
  }
  const ladders = createLadders()
  const watches = createWatches()
  const maxCalls = settings.maxCalls ?? probeCalls()
  const live = callCapacity({ maxCalls, maxCallsPerUser: settings.maxCallsPerUser })
  let isDraining = false

  const media = await openMedia({ host: settings.host, ports: settings.rtpPorts, log })
  const admission = createAdmission(() => media.load())
  const busy = () => (isDraining ? 'The service is shutting down' : admission.refusal(live.total))
  const saveLadder = async (callId: string, sipCallId: string) => {
    const entries = ladders.of(callId, sipCallId)
    await calls.saveLadder(callId, entries).catch((err) => log.warn({ err, callId }, 'SIP messages not kept'))
  }

  const shared = {
    book: calls,
    converse: parts.converse,
    announce: parts.announce,
    recordings: parts.recordings,
    maxCallMs: settings.maxCallMs,
    mayTransfer: mayTransfer(settings.dialPolicy),
    referTarget: referTarget(settings.dialPolicy),
    media,
    live,
    busy,
    isDraining: () => isDraining,
    ringMs: parts.ringMs ?? RING_MS,
    saveLadder,
    ladders,
    isUnavailable: (error: unknown) =>
      (error instanceof AppError && error.kind === 'unavailable') || (parts.isUnavailable?.(error) ?? false),
    log,
  }
  /** What is under way, until its last word is written. */
  const tasks = new Set<Promise<void>>()
  function track(task: Promise<void>): Promise<void> {
    const tracked = task.finally(() => tasks.delete(tracked))
    tasks.add(tracked)
    return tracked
  }
  let onInvite: (call: InboundCall) => Promise<void> = async (call) => call.refuse(503)
  const ua = await createUserAgent({
    ...stackOptions(settings),
    resolver: { ...resolver, refusal: ownership.refusalInCalls },
    userAgentName: settings.name,
    admit: recogniser.admits,
    isKnown: (flow) => directory.claimsAt(plainAddress(flow.remote.address)).length > 0 || registrar.isFrom(flow),
    mayBegin: recogniser.mayEnter,
    onGarbage: ({ remote, transport }) => void guard.strike(plainAddress(remote.address), 1, transport !== 'udp'),
    onFault: (err) => log.error({ err }, 'a SIP message could not be handled'),
    ...(parts.timers ? { timers: parts.timers } : {}),
    trace(event) {
      ladders.trace(event)
      watches.trace(event)
    },
    onInvite: (call) => void track(onInvite(call)),
    onRequest: createOutOfDialogHandler({
      recogniser,
      registrar,
      isDraining: () => isDraining,
      onMessage: parts.onMessage,
      name: settings.name,
      log,
    }),
  }).catch(async (error: NodeJS.ErrnoException) => {
    admission.close()
    registrar.close()
    await media.close()
    throw error.code === 'EADDRINUSE' || error.code === 'EACCES'
      ? new Error(portTrouble(settings, error.code), { cause: error })
      : error
  })
  const contactHost = (way: Parameters<typeof ua.stack.contactOf>[0]) => ua.stack.contactOf(way).host

  const bindingsOf = (device: Device) =>
    registrar.lookup(device.username).map(({ target, flow }) => ({ contact: target, flow }))
  async function addressFor({ flow, route, uri }: Route): Promise<string> {
    if (settings.publicAddress) return settings.publicAddress
    if (flow) return contactHost(flow)
    const target = parseUri(route ?? uri)
    // Where its name leads nowhere there is nobody to tell; the call itself says so.
    const [hop] = target ? await resolver.resolve(target).catch(() => []) : []
    return hop ? contactHost(hop) : settings.host
  }
  const { dialPolicy, domain } = settings
  const mayFollow = redirectPolicy(resolver, dialPolicy)
  const router = createOutboundRouter({ directory, book, bindingsOf, dialPolicy, ownership, mayFollow, domain })
  const callTarget = createBridge({
    media,
    live,
    ua,
    addressFor,
    saveLadder,
    ladders,
    targetsOf: router.ofTransfer,
    // A call that goes on may be given away also while we drain.
    refusal: () => admission.refusal(live.total),
  })
  onInvite = createInbound({
    ...shared,
    callTarget,
    recogniser,
    planner: createInboundRouter(book, directory),
    addressFor: (call) => settings.publicAddress ?? contactHost(call.flow),
  })

  const dial = createOutbound({ ...shared, callTarget, phoneBook: book, ua, routesOf: router.ofCall, addressFor })

  const sendText = createTexts({
    ua,
    device: (id) => directory.devices().find((device) => device.id === id),
    bindingsOf,
    domain: settings.domain,
  })

  let passwords = new Map<string, string>()
  directory.onChange(() => {
    const now = new Map(directory.devices().flatMap((d) => (d.isDisabled ? [] : [[d.username, d.password]])))
    // Whose password was changed or taken away has to show the new one.
    for (const [username, password] of passwords) if (now.get(username) !== password) registrar.remove(username)
    passwords = now
  })
  let writing: Promise<void> = Promise.resolve()
  registrar.onChange((username, isRegistered) => {
    const device = directory.device(username)
    if (!device) return
    // One after the other, or what was earlier could be written later.
    writing = writing
      .then(() => book.deviceState(device.id, isRegistered))
      .catch((err) => log.warn({ err }, 'device state not written'))
  })
  const findPublicAddresses = async () => {
    const { publicAddress: host } = settings
    if (host) publicAddresses = (await resolver.resolve({ host, port: settings.port })).map(({ address }) => address)
  }
  directory.onChange(() => void findPublicAddresses())
  await directory.refresh()
  const keeper = trunkMonitor({ ua, directory, ownership, book, pingMs: parts.pingMs ?? PING_MS, log })
  const refreshing = every(REFRESH_MS, directory.refresh, (err) => log.warn({ err }, 'trunks could not be read'))
  const doctor = createDoctor({
    line: {
      ua,
      resolver,
      refusalFor: (trunk) => ownership.refusal(senderOf(trunk)),
      media,
      settings,
      contactUser: directory.contactUser,
      isOwn: false,
      enter({ userId, id: trunkId, maxConcurrentCalls: trunk }) {
        const text = busy()
        return text ? { text } : live.enter({ userId, trunkId, deviceId: null }, { trunk })
      },
    },
    watches,
    async trunkOf(userId, trunkId) {
      await directory.refresh()
      return directory.trunk(userId, trunkId)
    },
    dialPolicy: settings.dialPolicy,
  })
  const examine: Examine = async (userId, trunkId, options) => {
    const report = await doctor(userId, trunkId, options)
    keeper.refresh({ userId, id: trunkId })
    return report
  }
  log.info({ listeners: ua.stack.listeners, maxCalls }, 'the phone is on')

  return {
    dial: (order: CallOrder): Promise<void> => track(dial(order)),
    /** Hangs up a call of this process; its row is its caller's business. */
    hangUp: (callId: string): void => live.get(callId)?.hangUp('api'),
    /** A short text to a device that is registered with this process. */
    sendMessage: (text: Text): Promise<TextOutcome> => sendText(text),
    examine,
    live,
    /** Why a new call must be turned away now. */
    busy,
    listeners: ua.stack.listeners,
    ua,
    directory,
    registrar,
    ladders,
    media,
    addressFor,
    keeper,
    refresh: directory.refresh,
    /** No new calls; those that go on go on. */
    drain(): void {
      isDraining = true
    },
    /** Waits so long for the calls to end by themselves, then ends them politely. */
    async close(graceMs = 0): Promise<void> {
      isDraining = true
      await waitAtMost(graceMs, live.empty())
      for (const call of live.all()) call.hangUp('shutdown')
      await waitAtMost(FAREWELL_MS, Promise.allSettled(tasks))
      await refreshing.stop()
      await keeper.close()
      await ua.close()
      registrar.close()
      admission.close()
      await media.close()
    },
  }
}

const portTrouble = ({ host, port, tlsPort }: PhoneSettings, code: string) =>
  `The phone cannot listen on ${host} port ${port}${tlsPort === null ? '' : ` or ${tlsPort}`}: ${
    code === 'EACCES' ? 'this needs more rights' : 'another program does already'
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
