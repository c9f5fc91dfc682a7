// Monitors trunks: registers where the carrier expects it, pings the others by OPTIONS, and stores their state.
// One process at a time does so, elected by a lease.
import { randomUUID } from 'node:crypto'
import { monotonicMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { every } from '../base/timer.ts'
import type { OutOfDialogRequest, RequestOutcome, UserAgent } from '../sip/dialog/call.ts'
import { formatUri } from '../sip/message/uri.ts'
import { formatNameAddr } from '../sip/message/values.ts'
import { startRegistration } from '../sip/registrar/registration.ts'
import { type Directory, trunkKey } from './directory.ts'
import { proxyUri, SEND_PASSWORD_AGAIN } from './outbound-routing.ts'
import { type Ownership, senderOf } from './ownership.ts'
import type { PhoneRepository, Trunk, TrunkState } from './ports.ts'

const PING_TIMEOUT_MS = 4000
/** An unchanged state is stored again after this long. */
const STORE_AGAIN_MS = 60_000
/** The lease and its renewal: another process takes over within 13 s of a crash. */
const LEASE_MS = 10_000
const RENEW_MS = 3000

export type TrunkMonitorParts = {
  ua: Pick<UserAgent, 'request'>
  directory: Directory
  ownership: Pick<Ownership, 'refusal'>
  repository: Pick<PhoneRepository, 'saveTrunkState' | 'acquireTrunkLease' | 'releaseTrunkLease'>
  /** Interval of OPTIONS pings. An unreachable trunk is pinged six times as often. */
  pingMs: number
  log: Log
}

type Report = (state: TrunkState) => void

/** The monitoring of one trunk. */
type Monitor = {
  settings: string
  /** Unregisters where it has registered. */
  stop(): Promise<void> | void
  /** Stops without unregistering: another process continues. */
  abandon(): void
  refresh(): void
}

export type TrunkMonitor = ReturnType<typeof trunkMonitor>

/** The settings that require a restart of the monitoring; a new name or priority does not. */
function settingsOf(trunk: Trunk): string {
  const { isActive, host, port, transport, authMode, username, password, realm, optionsPing } = trunk
  const { fromUser, fromDomain, outboundProxy, registerExpires, headers } = trunk
  const target = [isActive, host, port, transport, authMode, optionsPing, outboundProxy]
  const account = [username, password, trunk.isPasswordBound, realm, fromUser, fromDomain]
  return JSON.stringify([...target, ...account, registerExpires, headers])
}

const unknownState: TrunkState = { status: 'unknown', detail: null, isSeen: false }

export function trunkMonitor(parts: TrunkMonitorParts) {
  const { directory, repository, log } = parts
  const monitors = new Map<string, Monitor>()
  const stopping = new Map<string, Promise<void>>()
  const nodeId = randomUUID()
  const states = stateWriter(parts)
  let isLeader = false
  let isClosed = false

  function stop(key: string, monitor: Monitor): void {
    monitors.delete(key)
    const stopped = Promise.resolve(monitor.stop()).finally(() => {
      stopping.delete(key)
      update()
    })
    stopping.set(key, stopped)
  }

  function update(): void {
    if (isClosed || !isLeader) return
    const trunks = new Map(directory.trunks().map((trunk) => [trunkKey(trunk), trunk]))
    for (const [key, monitor] of monitors) {
      const trunk = trunks.get(key)
      if (trunk && monitor.settings === settingsOf(trunk)) continue
      stop(key, monitor)
      // The stored state belongs to the old settings.
      if (trunk) states.write(trunk, unknownState)
    }
    for (const [key, trunk] of trunks) {
      // An unregistration must not overtake the new registration: both have the same Contact.
      if (monitors.has(key) || stopping.has(key)) continue
      const started = startMonitor(parts, trunk, states.reporter(trunk))
      if (started) monitors.set(key, started)
    }
  }

  async function renewLease(): Promise<void> {
    const hasLease = await repository.acquireTrunkLease(nodeId, LEASE_MS)
    if (hasLease === isLeader || isClosed) return
    isLeader = hasLease
    log.info({ isLeader }, 'trunk monitoring leader changed')
    if (isLeader) return update()
    for (const monitor of monitors.values()) monitor.abandon()
    monitors.clear()
  }
  const renewing = every(RENEW_MS, renewLease, (err) => log.warn({ err }, 'failed to renew trunk lease'))
  directory.onChange(update)

  return {
    /** Checks the trunk again now. */
    refresh: (trunk: { userId: string; id: string }): void => monitors.get(trunkKey(trunk))?.refresh(),
    async close(): Promise<void> {
      isClosed = true
      await renewing.stop()
      await Promise.all([...stopping.values(), ...[...monitors.values()].map((monitor) => monitor.stop())])
      monitors.clear()
      await states.written()
      if (isLeader)
        await repository.releaseTrunkLease(nodeId).catch((err) => log.warn({ err }, 'failed to release trunk lease'))
    },
  }
}

/** Stores states one after the other: over two database connections an older one could overwrite a newer one. */
function stateWriter({ repository, directory, log }: TrunkMonitorParts) {
  let writing: Promise<void> = Promise.resolve()
  function write({ userId, id }: Trunk, state: TrunkState): void {
    writing = writing
      .then(() => repository.saveTrunkState(userId, id, state))
      .then(() => {
        if (state.status !== 'registering') directory.setRegistered({ userId, id }, state.status === 'registered')
      })
      .catch((err) => log.warn({ err, trunkId: id }, 'failed to store trunk state'))
  }
  return {
    write,
    written: () => writing,
    reporter(trunk: Trunk): Report {
      let last = ''
      let storedAt = 0
      return (state) => {
        const text = `${state.status} ${state.detail ?? ''}`
        if (text === last && monotonicMs() - storedAt < STORE_AGAIN_MS) return
        if (text !== last)
          log.info({ trunkId: trunk.id, status: state.status, detail: state.detail }, 'trunk state changed')
        last = text
        storedAt = monotonicMs()
        write(trunk, state)
      }
    },
  }
}

function startMonitor(parts: TrunkMonitorParts, trunk: Trunk, report: Report): Monitor | undefined {
  if (!trunk.isActive || !trunk.host) return undefined
  if (trunk.isPasswordBound === false) {
    report({ status: 'auth_failed', detail: `This trunk ${SEND_PASSWORD_AGAIN}`, isSeen: false })
    return { settings: settingsOf(trunk), refresh() {}, stop() {}, abandon() {} }
  }
  if (trunk.authMode === 'register') return register(parts, trunk, trunk.host, report)
  if (!trunk.optionsPing) return undefined
  const { stop, refresh } = ping(parts, trunk, trunk.host, report)
  return { settings: settingsOf(trunk), refresh, stop, abandon: stop }
}

function register(parts: TrunkMonitorParts, trunk: Trunk, host: string, report: Report): Monitor {
  const { ua, directory, ownership } = parts
  const { username, password } = trunk
  const domain = trunk.fromDomain ?? host
  const registration = startRegistration({
    ua,
    aor: formatUri({ user: trunk.fromUser ?? username ?? '', host: domain }),
    registrarUri: trunkUri(trunk, host),
    ...(trunk.outboundProxy ? { route: proxyUri(trunk.outboundProxy, trunk.transport) } : {}),
    credentials: {
      username: username ?? '',
      password: password ?? '',
      ...(trunk.realm ? { realm: trunk.realm } : {}),
    },
    contactUser: directory.contactUser(trunk),
    expiresSeconds: trunk.registerExpires,
    headers: trunk.headers,
    refusal: ownership.refusal(senderOf(trunk)),
    onState: ({ status, detail }) =>
      report({
        status: status === 'refused' ? 'unreachable' : status,
        detail: detail || null,
        isSeen: status === 'registered',
      }),
  })
  // Without pings, a dead or restarted registrar would be noticed only at the next refresh.
  let wasReachable = true
  const pinging = trunk.optionsPing
    ? ping(parts, trunk, host, (state) => {
        const isReachable = state.status === 'reachable'
        if (isReachable && !wasReachable) registration.refresh()
        if (!isReachable) report(state)
        wasReachable = isReachable
      })
    : undefined
  const withPings = (stop: () => Promise<void> | void) => () => {
    pinging?.stop()
    return stop()
  }
  return {
    settings: settingsOf(trunk),
    refresh: registration.refresh,
    stop: withPings(registration.stop),
    abandon: withPings(registration.forget),
  }
}

function ping({ ua, ownership, pingMs }: TrunkMonitorParts, trunk: Trunk, host: string, report: Report) {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isPending = false
  async function send(): Promise<void> {
    clearTimeout(timer)
    if (isPending || stopping.signal.aborted) return
    isPending = true
    const refusal = ownership.refusal(senderOf(trunk))
    const outcome = await ua.request({ ...optionsFor(trunk, host), refusal }, stopping.signal)
    isPending = false
    if (stopping.signal.aborted) return
    const state = stateOf(outcome, trunk)
    report(state)
    timer = setTimeout(send, state.status === 'reachable' ? pingMs : pingMs / 6)
    timer.unref()
  }
  void send()
  return {
    refresh: () => void send(),
    stop() {
      stopping.abort()
      clearTimeout(timer)
    },
  }
}

export function trunkUri({ port, transport }: Trunk, host: string): string {
  const params = new Map<string, string | null>(transport === 'udp' ? [] : [['transport', transport]])
  return formatUri({ host, ...(port === null ? {} : { port }), params })
}

export function optionsFor(trunk: Trunk, host: string): OutOfDialogRequest {
  const uri = trunkUri(trunk, host)
  const from = formatNameAddr({ uri: formatUri({ user: trunk.fromUser ?? trunk.username ?? 'ramal', host }) })
  return {
    method: 'OPTIONS',
    uri,
    from,
    to: formatNameAddr({ uri }),
    ...(trunk.outboundProxy ? { route: proxyUri(trunk.outboundProxy, trunk.transport) } : {}),
    timeoutMs: PING_TIMEOUT_MS,
  }
}

/** Any response shows that the trunk is reachable: many refuse OPTIONS itself. */
function stateOf(outcome: RequestOutcome, { host }: Trunk): TrunkState {
  if ('failure' in outcome) {
    const detail = outcome.failure === 'timeout' ? `${host} does not answer` : outcome.detail
    return { status: 'unreachable', detail, isSeen: false }
  }
  const { status, reason } = outcome.response
  if (status === 503) return { status: 'unreachable', detail: `503 ${reason}`, isSeen: true }
  return { status: 'reachable', detail: null, isSeen: true }
}
