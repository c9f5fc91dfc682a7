// A route of an outbound call: where its INVITE goes, with which headers and credentials, by which trunk or device.
import type { EndReason } from '../base/domain/end-reasons.ts'
import type { Credentials, OutboundCall } from '../sip/dialog/call.ts'
import type { Flow } from '../sip/message/message.ts'
import { formatUri } from '../sip/message/uri.ts'
import { formatNameAddr } from '../sip/message/values.ts'
import type { Refusal } from '../sip/transport/resolver.ts'
import type { Channel, Device, Trunk } from './ports.ts'

/** Where to send the INVITE, and its headers. */
export type Route = Omit<OutboundCall, 'sdp' | 'ringTimeoutMs' | 'firstResponseTimeoutMs' | 'owner'> &
  Required<Pick<OutboundCall, 'headers' | 'sessionTimers'>> & {
    trunk: Trunk | null
    device: Device | null
    fromNumber: string | null
  }

/** The target of the trunk changed after its password was set. */
export const SEND_PASSWORD_AGAIN = 'leads elsewhere than where its password was given for: send the password again'

/** A route that cannot be used, and why. */
export type UnusableRoute = { name: string; problem: string; endReason: EndReason }

/** How to reach a registered phone: over its flow, or through the proxies of its registration. */
export type Binding = { contact: string; flow: Flow } | { contact: string; path: readonly string[]; refusal: Refusal }

/** The ids of a route for the call's row and its limits: a device's own trunk counts as the device. */
export const slotOf = ({ trunk, device }: Pick<Route, 'trunk' | 'device'>) => ({
  trunkId: trunk && trunk.deviceId === undefined ? trunk.id : null,
  deviceId: device?.id ?? null,
})
export const channelOf = ({ device }: Pick<Route, 'device'>): Channel => device?.remote?.channel ?? 'sip'

/** `user` is the dial string in this trunk's format. */
export function trunkRoute(
  trunk: Trunk,
  host: string,
  { user, displayName, contactUser }: { user: string; displayName: string; contactUser: string },
): Route {
  const caller = trunk.callerId
  const fromUser = trunk.fromUser ?? caller ?? trunk.username ?? 'anonymous'
  const fromHost = trunk.fromDomain ?? host
  const asserted: Record<string, string> =
    caller && caller !== fromUser
      ? { 'p-asserted-identity': formatNameAddr({ uri: formatUri({ user: caller, host: fromHost }) }) }
      : {}
  return {
    trunk,
    device: null,
    fromNumber: caller,
    uri: trunkUri(trunk, host, user),
    from: formatNameAddr({ displayName, uri: formatUri({ user: fromUser, host: fromHost }) }),
    to: formatNameAddr({ uri: formatUri({ user, host }) }),
    route: proxyOf(trunk),
    headers: { ...asserted, ...trunk.headers },
    credentials: credentialsOf(trunk),
    sessionTimers: trunk.sessionTimers,
    contactUser,
  }
}

/** A user of the trunk's host, or the host itself. */
export function trunkUri({ port, transport }: Trunk, host: string, user?: string): string {
  const params = new Map<string, string | null>(transport === 'udp' ? [] : [['transport', transport]])
  return formatUri({ user, host, port: port ?? undefined, params })
}

/** The address of record that a trunk registers. */
export const accountUri = ({ fromUser, username, fromDomain }: Trunk, host: string): string =>
  formatUri({ user: fromUser ?? username ?? '', host: fromDomain ?? host })

export const credentialsOf = ({ username, password, realm }: Trunk): Credentials | undefined =>
  username && password ? { username, password, realm: realm || undefined } : undefined

/** The outbound proxy; always a loose router (`lr`), so that it appears in a Route header. */
export function proxyOf({ outboundProxy, transport }: Trunk): string | undefined {
  if (!outboundProxy) return undefined
  const uri = /^sips?:/i.test(outboundProxy) ? outboundProxy : `sip:${outboundProxy}`
  const withTransport = transport === 'udp' || /;transport=/i.test(uri) ? uri : `${uri};transport=${transport}`
  return /;lr(;|$)/i.test(withTransport) ? withTransport : `${withTransport};lr`
}
