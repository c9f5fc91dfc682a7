// Keeps trunks alive: registers where the carrier wants it, asks the others by OPTIONS whether they are there, and tells what it finds.
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
const SAY_AGAIN_MS = 60_000
/** How long the care of the trunks is taken for, and how often it is taken again: a dead holder is followed within 13 s. */
const HELD_MS = 10_000
const HOLD_AGAIN_MS = 3000

export type KeeperParts = {
  ua: Pick<UserAgent, 'request'>
  directory: Directory
  ownership: Pick<Ownership, 'refusal'>
  book: Pick<PhoneRepository, 'trunkState' | 'acquireTrunkLease' | 'leavesTrunks'>
  /** How often a trunk is asked whether it is there. One that was not is asked sooner. */
  pingMs: number
  log: Log
}

type Kept = {
  settings: string
  /** Says good-bye where it has registered. */
  stop(): Promise<void> | void
  /** Another process goes on with it. */
  forget(): void
  refresh(): void
}

export type TrunkKeeper = ReturnType<typeof trunkMonitor>

/** What its care depends on; a new name or another priority does not end a registration. */
function settingsOf(trunk: Trunk): string {
  const { isActive, host, port, transport, authMode, username, password, realm, optionsPing } = trunk
  const { fromUser, fromDomain, outboundProxy, registerExpires, headers } = trunk
  const place = [isActive, host, port, transport, authMode, optionsPing, outboundProxy]
  const account = [username, password, trunk.isPasswordBound, realm, fromUser, fromDomain]
  return JSON.stringify([...place, ...account, registerExpires, headers])
}

export function trunkMonitor({ ua, directory, ownership, book, pingMs, log }: KeeperParts) {
  const kept = new Map<string, Kept>()
  const leaving = new Map<string, Promise<void>>()
  const holder = randomUUID()
  let writing: Promise<void> = Promise.resolve()
  let isHolder = false
  let isClosed = false

  /** One after the other: by two connections to the database, what was earlier could be written later. */
  function write({ userId, id }: Trunk, state: TrunkState): void {
    writing = writing
      .then(() => book.trunkState(userId, id, state))
      .then(() => {
        if (state.status !== 'registering') directory.registered({ userId, id }, state.status === 'registered')
      })
      .catch((err) => log.warn({ err }, 'trunk state not written'))
  }

  function reporter(trunk: Trunk) {
    let said = ''
    let saidAt = 0
    return (state: TrunkState): void => {
      const text = `${state.status} ${state.detail ?? ''}`
      if (text === said && monotonicMs() - saidAt < SAY_AGAIN_MS) return
      if (text !== said) log.info({ trunkId: trunk.id, status: state.status, detail: state.detail }, 'trunk')
      said = text
      saidAt = monotonicMs()
      write(trunk, state)
    }
  }

  function register(trunk: Trunk, host: string): Kept {
    const report = reporter(trunk)
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
    // A registrar that has died takes no calls, and one that was started again knows nobody: both would be seen only at the next refresh.
    let wasThere = true
    const pinging = trunk.optionsPing
      ? ping(trunk, host, (state) => {
          const isThere = state.status === 'reachable'
          if (isThere && !wasThere) registration.refresh()
          if (!isThere) report(state)
          wasThere = isThere
        })
      : undefined
    const stopped = (stop: () => Promise<void> | void) => () => {
      pinging?.stop()
      return stop()
    }
    return {
      settings: settingsOf(trunk),
      refresh: registration.refresh,
      stop: stopped(registration.stop),
      forget: stopped(registration.forget),
    }
  }

  function ping(trunk: Trunk, host: string, report: (state: TrunkState) => void) {
    const stopping = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let isAsking = false
    async function ask(): Promise<void> {
      clearTimeout(timer)
      if (isAsking || stopping.signal.aborted) return
      isAsking = true
      const refusal = ownership.refusal(senderOf(trunk))
      const outcome = await ua.request({ ...optionsFor(trunk, host), refusal }, stopping.signal)
      isAsking = false
      if (stopping.signal.aborted) return
      const state = stateOf(outcome, trunk)
      report(state)
      timer = setTimeout(ask, state.status === 'reachable' ? pingMs : pingMs / 6)
      timer.unref()
    }
    void ask()
    return {
      refresh: () => void ask(),
      stop() {
        stopping.abort()
        clearTimeout(timer)
      },
    }
  }

  function keep(trunk: Trunk): Kept | undefined {
    if (!trunk.isActive || !trunk.host) return undefined
    if (trunk.isPasswordBound === false) {
      reporter(trunk)({ status: 'auth_failed', detail: `This trunk ${SEND_PASSWORD_AGAIN}`, isSeen: false })
      return { settings: settingsOf(trunk), refresh() {}, stop() {}, forget() {} }
    }
    if (trunk.authMode === 'register') return register(trunk, trunk.host)
    if (!trunk.optionsPing) return undefined
    const { stop, refresh } = ping(trunk, trunk.host, reporter(trunk))
    return { settings: settingsOf(trunk), refresh, stop, forget: stop }
  }

  function leave(key: string, { stop }: Kept): void {
    kept.delete(key)
    const gone = Promise.resolve(stop()).finally(() => {
      leaving.delete(key)
      update()
    })
    leaving.set(key, gone)
  }

  function update(): void {
    if (isClosed || !isHolder) return
    const wanted = new Map(directory.trunks().map((trunk) => [trunkKey(trunk), trunk]))
    for (const [key, each] of kept) {
      const trunk = wanted.get(key)
      if (trunk && each.settings === settingsOf(trunk)) continue
      leave(key, each)
      // What was found out by the old settings is no longer known.
      if (trunk) write(trunk, nothingKnown)
    }
    for (const [key, trunk] of wanted) {
      // Its good-bye must not overtake the new registration: it has the same Contact.
      if (kept.has(key) || leaving.has(key)) continue
      const started = keep(trunk)
      if (started) kept.set(key, started)
    }
  }

  /** One process at a time cares for the trunks, whoever it is. */
  async function hold(): Promise<void> {
    const holds = await book.acquireTrunkLease(holder, HELD_MS)
    if (holds === isHolder || isClosed) return
    isHolder = holds
    log.info({ isHolder }, holds ? 'this process keeps the trunks' : 'another process keeps the trunks')
    if (holds) return update()
    for (const { forget } of kept.values()) forget()
    kept.clear()
  }
  const holding = every(HOLD_AGAIN_MS, hold, (err) => log.warn({ err }, 'who keeps the trunks could not be read'))
  directory.onChange(update)

  return {
    /** Asks again now. */
    refresh: (trunk: { userId: string; id: string }): void => kept.get(trunkKey(trunk))?.refresh(),
    async close(): Promise<void> {
      isClosed = true
      await holding.stop()
      await Promise.all([...leaving.values(), ...[...kept.values()].map(({ stop }) => stop())])
      kept.clear()
      await writing
      if (isHolder) await book.leavesTrunks(holder).catch((err) => log.warn({ err }, 'the trunks could not be left'))
    },
  }
}

const nothingKnown: TrunkState = { status: 'unknown', detail: null, isSeen: false }

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

/** Any answer shows that the far side is there: many refuse OPTIONS itself. */
function stateOf(outcome: RequestOutcome, { host }: Trunk): TrunkState {
  if ('failure' in outcome) {
    const why = outcome.failure === 'timeout' ? `${host} does not answer` : outcome.detail
    return { status: 'unreachable', detail: why, isSeen: false }
  }
  const { status, reason } = outcome.response
  if (status === 503) return { status: 'unreachable', detail: `503 ${reason}`, isSeen: true }
  return { status: 'reachable', detail: null, isSeen: true }
}
