// Keeps trunks alive: registers where the carrier wants it, asks the others by OPTIONS whether they are there, and tells what it finds.
import { monotonicMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { OutsideRequest, RequestOutcome, UserAgent } from '../sip/call.ts'
import { startRegistration } from '../sip/registration.ts'
import { formatUri } from '../sip/uri.ts'
import { formatNameAddr } from '../sip/values.ts'
import { type Directory, trunkKey } from './directory.ts'
import type { PhoneBook, Trunk, TrunkState } from './ports.ts'
import { proxyUri } from './routes.ts'

const PING_MS = 30_000
const PING_TIMEOUT_MS = 4000
const SAY_AGAIN_MS = 60_000

type Kept = { settings: string; stop(): Promise<void> | void; refresh(): void }

export type TrunkKeeper = ReturnType<typeof keepTrunks>

export function keepTrunks(
  ua: Pick<UserAgent, 'request'>,
  directory: Directory,
  book: Pick<PhoneBook, 'trunkState'>,
  log: Log,
) {
  const kept = new Map<string, Kept>()

  function reporter(trunk: Trunk) {
    let said = ''
    let saidAt = 0
    return (state: TrunkState): void => {
      const text = `${state.status} ${state.detail ?? ''}`
      if (text === said && monotonicMs() - saidAt < SAY_AGAIN_MS) return
      if (text !== said) log.info({ trunkId: trunk.id, status: state.status, detail: state.detail }, 'trunk')
      said = text
      saidAt = monotonicMs()
      book.trunkState(trunk.userId, trunk.id, state).catch((err) => log.warn({ err }, 'trunk state not written'))
    }
  }

  function register(trunk: Trunk, host: string): Kept {
    const report = reporter(trunk)
    const { username = '', password = '' } = trunk
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
      onState: ({ status, detail }) =>
        report({
          status: status === 'refused' ? 'unreachable' : status,
          detail: detail || null,
          isSeen: status === 'registered',
        }),
    })
    return { settings: JSON.stringify(trunk), stop: registration.stop, refresh: registration.refresh }
  }

  function ping(trunk: Trunk, host: string): Kept {
    const report = reporter(trunk)
    const stopping = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let isAsking = false
    async function ask(): Promise<void> {
      clearTimeout(timer)
      if (isAsking || stopping.signal.aborted) return
      isAsking = true
      const outcome = await ua.request(optionsFor(trunk, host), stopping.signal)
      isAsking = false
      if (stopping.signal.aborted) return
      report(stateOf(outcome, trunk))
      timer = setTimeout(ask, PING_MS)
      timer.unref()
    }
    void ask()
    return {
      settings: JSON.stringify(trunk),
      refresh: () => void ask(),
      stop() {
        stopping.abort()
        clearTimeout(timer)
      },
    }
  }

  function keep(trunk: Trunk): Kept | undefined {
    if (!trunk.isActive || !trunk.host) return undefined
    if (trunk.authMode === 'register') return register(trunk, trunk.host)
    return trunk.optionsPing ? ping(trunk, trunk.host) : undefined
  }

  function update(): void {
    const wanted = new Map(directory.trunks().map((trunk) => [trunkKey(trunk), trunk]))
    for (const [key, { settings, stop }] of kept) {
      const trunk = wanted.get(key)
      if (trunk && settings === JSON.stringify(trunk)) continue
      void stop()
      kept.delete(key)
    }
    for (const [key, trunk] of wanted) {
      if (kept.has(key)) continue
      const started = keep(trunk)
      if (started) kept.set(key, started)
    }
  }
  directory.onChange(update)
  update()

  return {
    /** Asks again now. */
    refresh: (trunk: { userId: string; id: string }): void => kept.get(trunkKey(trunk))?.refresh(),
    async close(): Promise<void> {
      await Promise.all([...kept.values()].map(({ stop }) => stop()))
      kept.clear()
    },
  }
}

export function trunkUri({ port, transport }: Trunk, host: string): string {
  const params = new Map<string, string | null>(transport === 'udp' ? [] : [['transport', transport]])
  return formatUri({ host, ...(port === null ? {} : { port }), params })
}

export function optionsFor(trunk: Trunk, host: string): OutsideRequest {
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
