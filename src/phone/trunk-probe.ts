// The monitoring of one trunk: registers where the carrier expects it, pings by OPTIONS otherwise.
import type { OutOfDialogRequest, RequestOutcome, UserAgent } from '../sip/dialog/call.ts'
import { formatUri } from '../sip/message/uri.ts'
import { formatNameAddr } from '../sip/message/values.ts'
import { startRegistration } from '../sip/registration/registration.ts'
import { plainAddress } from './address-set.ts'
import type { Directory } from './directory.ts'
import { type Ownership, senderOf } from './ownership.ts'
import type { Trunk, TrunkState } from './ports.ts'
import { accountUri, proxyOf, SEND_PASSWORD_AGAIN, trunkUri } from './route.ts'

const PING_TIMEOUT_MS = 4000

export type TrunkProbeParts = {
  ua: Pick<UserAgent, 'request'>
  directory: Pick<Directory, 'contactUser'>
  ownership: Pick<Ownership, 'refusal'>
  /** Interval of OPTIONS pings. An unreachable trunk is pinged six times as often. */
  pingMs: number
}

export type Report = (state: TrunkState) => void

export type TrunkProbe = {
  settings: string
  /** Stops at once; unregisters, if registered, when `unregisterAfter` has resolved. */
  stop(unregisterAfter?: Promise<void>): Promise<void> | void
  /** Stops without unregistering: another node continues with the same Contact. */
  abandon(): void
  refresh(): void
}

/** The settings that require a restart of the monitoring; a new name or priority does not. */
export function settingsOf(trunk: Trunk): string {
  const { isActive, host, port, transport, authMode, username, password, realm, optionsPing } = trunk
  const { fromUser, fromDomain, outboundProxy, registerExpires, headers } = trunk
  const target = [isActive, host, port, transport, authMode, optionsPing, outboundProxy]
  const account = [username, password, trunk.isPasswordBound, realm, fromUser, fromDomain]
  return JSON.stringify([...target, ...account, registerExpires, headers])
}

/** Whether the trunk has to be registered or pinged. */
export const isMonitored = ({ isActive, host, authMode, optionsPing, isPasswordBound }: Trunk): boolean =>
  isActive && Boolean(host) && (authMode === 'register' || optionsPing || isPasswordBound === false)

export function startProbe(parts: TrunkProbeParts, trunk: Trunk, report: Report): TrunkProbe | undefined {
  if (!isMonitored(trunk) || !trunk.host) return undefined
  if (trunk.isPasswordBound === false) {
    report({ status: 'auth_failed', detail: `This trunk ${SEND_PASSWORD_AGAIN}`, isSeen: false })
    return { settings: settingsOf(trunk), refresh() {}, stop() {}, abandon() {} }
  }
  if (trunk.authMode === 'register') return register(parts, trunk, trunk.host, report)
  const { stop, refresh } = ping(parts, trunk, trunk.host, report)
  return { settings: settingsOf(trunk), refresh, stop, abandon: stop }
}

function register(parts: TrunkProbeParts, trunk: Trunk, host: string, report: Report): TrunkProbe {
  const { ua, directory, ownership } = parts
  const { username, password } = trunk
  const registration = startRegistration({
    ua,
    aor: accountUri(trunk, host),
    registrarUri: trunkUri(trunk, host),
    route: proxyOf(trunk),
    credentials: { username: username ?? '', password: password ?? '', realm: trunk.realm || undefined },
    contactUser: directory.contactUser(trunk),
    expiresSeconds: trunk.registerExpires,
    headers: trunk.headers,
    refusal: ownership.refusal(senderOf(trunk)),
    onState: ({ status, detail, address }) =>
      report({
        status: status === 'refused' ? 'unreachable' : status,
        detail: detail || null,
        isSeen: status === 'registered',
        registeredAt: address && plainAddress(address),
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
  return {
    settings: settingsOf(trunk),
    refresh: registration.refresh,
    stop(unregisterAfter) {
      pinging?.stop()
      return registration.stop(unregisterAfter)
    },
    abandon() {
      pinging?.stop()
      registration.forget()
    },
  }
}

function ping({ ua, ownership, pingMs }: TrunkProbeParts, trunk: Trunk, host: string, report: Report) {
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

export function optionsFor(trunk: Trunk, host: string): OutOfDialogRequest {
  const uri = trunkUri(trunk, host)
  const from = formatNameAddr({ uri: formatUri({ user: trunk.fromUser ?? trunk.username ?? 'ramal', host }) })
  return {
    method: 'OPTIONS',
    uri,
    from,
    to: formatNameAddr({ uri }),
    route: proxyOf(trunk),
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
