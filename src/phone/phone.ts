// The telephone as a whole: the SIP user agent, the media threads, trunks, devices and live calls, joined and handed to the house as one.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { every } from '../base/timer.ts'
import { openMedia } from '../media/pool.ts'
import type { InboundCall } from '../sip/call.ts'
import { digestServer } from '../sip/digest-server.ts'
import { Registrar } from '../sip/registrar.ts'
import { createResolver } from '../sip/resolver.ts'
import type { Listener } from '../sip/stack.ts'
import { parseUri } from '../sip/uri.ts'
import { createUserAgent } from '../sip/user-agent.ts'
import { plainAddress } from './addresses.ts'
import { createAdmission, probeCalls } from './admission.ts'
import { createDirectory } from './directory.ts'
import { createDoorman } from './doorman.ts'
import { createGuard } from './guard.ts'
import { createInbound } from './inbound.ts'
import { createLadders } from './ladders.ts'
import { liveCalls } from './live-calls.ts'
import { createOutbound } from './outbound.ts'
import { createPlanner } from './plan.ts'
import type { Announce, CallBook, CallOrder, Converse, Device, PhoneBook } from './ports.ts'
import { createRecogniser } from './recognise.ts'
import { createRouter, type Route } from './routes.ts'
import { referTarget } from './transfer.ts'
import { keepTrunks } from './trunk-keeper.ts'

export type PhoneSettings = {
  host: string
  port: number
  tlsPort: number | null
  tls: { certFile: string; keyFile: string } | null
  rtpPorts: { from: number; to: number }
  publicAddress: string | null
  maxCalls: number | null
  maxCallsPerUser: number
  maxCallMs: number
  /** The name under which devices register: their realm. */
  domain: string
  dataDir: string
  deniedPrefixes: readonly string[]
  name: string
}

export type PhoneParts = {
  book: PhoneBook
  calls: CallBook
  converse: Converse
  announce: Announce
  log: Log
}

const REFRESH_MS = 1000

export type Phone = Awaited<ReturnType<typeof startPhone>>

export async function startPhone(settings: PhoneSettings, parts: PhoneParts) {
  const { book, calls, log } = parts
  const recordingsDir = join(settings.dataDir, 'recordings')
  mkdirSync(recordingsDir, { recursive: true })
  const resolver = createResolver()
  const directory = createDirectory(book, (place) => resolver.resolve(place), log)
  const guard = createGuard()
  const recogniser = createRecogniser(directory, guard, digestServer({ realm: settings.domain }))
  const registrar = new Registrar()
  const ladders = createLadders()
  const maxCalls = settings.maxCalls ?? probeCalls()
  const live = liveCalls({ maxCalls, maxCallsPerUser: settings.maxCallsPerUser })
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
    recordingsDir,
    maxCallMs: settings.maxCallMs,
    referTarget: referTarget(settings.deniedPrefixes),
    media,
    live,
    busy,
    saveLadder,
    log,
  }
  let onInvite: (call: InboundCall) => void = (call) => call.refuse(503)
  const ua = await createUserAgent({
    ...stackOptions(settings),
    resolver,
    userAgentName: settings.name,
    admit: ({ remote }) => {
      const address = plainAddress(remote.address)
      return !guard.isBlocked(address) || directory.trunksAt(address).length > 0
    },
    onGarbage: ({ remote }) => void guard.strike(plainAddress(remote.address)),
    trace: ladders.trace,
    onInvite: (call) => (recogniser.mayEnter(call.invite, call.flow) ? onInvite(call) : call.ignore()),
    onRequest: createDoorman({ recogniser, registrar, isDraining: () => isDraining, name: settings.name, log }),
  })
  const contactHost = (way: Parameters<typeof ua.stack.contactOf>[0]) => ua.stack.contactOf(way).host

  onInvite = createInbound({
    ...shared,
    recogniser,
    planner: createPlanner(book, directory),
    addressFor: (call) => settings.publicAddress ?? contactHost(call.flow),
  })

  const bindingsOf = (device: Device) =>
    registrar.lookup(device.username).map(({ target, flow }) => ({ contact: target, flow }))
  async function addressFor({ flow, route, uri }: Route): Promise<string> {
    if (settings.publicAddress) return settings.publicAddress
    if (flow) return contactHost(flow)
    const target = parseUri(route ?? uri)
    const [hop] = target ? await resolver.resolve(target) : []
    return hop ? contactHost(hop) : settings.host
  }
  const dial = createOutbound({
    ...shared,
    phoneBook: book,
    ua,
    routesOf: createRouter(directory, book, bindingsOf, settings.domain),
    addressFor,
  })

  registrar.onChange((username, isRegistered) => {
    const device = directory.device(username)
    if (device) book.deviceState(device.id, isRegistered).catch((err) => log.warn({ err }, 'device state not written'))
  })
  await directory.refresh()
  const keeper = keepTrunks(ua, directory, book, log)
  const refreshing = every(REFRESH_MS, directory.refresh, (err) => log.warn({ err }, 'trunks could not be read'))
  log.info({ listeners: ua.stack.listeners, maxCalls }, 'the phone is on')

  return {
    dial: (order: CallOrder): Promise<void> => dial(order),
    /** Hangs up a call of this process; its row is its caller's business. */
    hangUp: (callId: string): void => live.get(callId)?.hangUp('api'),
    live,
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
      await Promise.race([live.empty(), after(graceMs)])
      for (const call of live.all()) call.hangUp('shutdown')
      await Promise.race([live.empty(), after(5000)])
      await refreshing.stop()
      await keeper.close()
      await ua.close()
      registrar.close()
      admission.close()
      await media.close()
    },
  }
}

const after = (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms).unref())

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
