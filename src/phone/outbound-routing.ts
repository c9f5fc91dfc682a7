// Routes of an outbound call: the devices that it names, else the agent's trunks by priority, then its devices.

import type { EndReason } from '../base/domain/end-reasons.ts'
import { callHeadersOf, mergedHeaders, sendableHeaders } from '../base/network/sip-headers.ts'
import { normalizeNumber } from '../base/phone-numbers/phone-number.ts'
import type { Flow } from '../sip/message/message.ts'
import { formatUri, parseUri } from '../sip/message/uri.ts'
import { formatNameAddr } from '../sip/message/values.ts'
import type { Refusal } from '../sip/transport/resolver.ts'
import type { Transfer } from '../voice/ports.ts'
import type { DialPolicy } from './dial-policy.ts'
import { dialString } from './dial-string.ts'
import type { Directory } from './directory.ts'
import { type Ownership, senderOf } from './ownership.ts'
import type { Agent, Channel, Device, DialRequest, PhoneRepository, Trunk } from './ports.ts'
import { isSipAddress } from './transfer-policy.ts'

/** Where to send the INVITE, and its headers. */
export type Route = {
  trunk: Trunk | null
  device: Device | null
  fromNumber: string | null
  uri: string
  from: string
  to: string
  route?: string
  flow?: Flow
  /** The proxies of a registration. */
  path?: readonly string[]
  headers: Readonly<Record<string, string>>
  credentials?: { username: string; password: string; realm?: string }
  sessionTimers: boolean
  contactUser?: string
  /** Why a hop must not be used. */
  refusal?: Refusal
  /** Why a carrier that does not ask for the credentials must not have the call. */
  unchallengedRefusal?: Refusal
  /** Whether a 3xx Contact may be followed. */
  mayFollow?: (uri: string) => Promise<boolean>
}
/** The target of the trunk changed after its password was set. */
export const SEND_PASSWORD_AGAIN = 'leads elsewhere than where its password was given for: send the password again'

/** A route that cannot be used, and why. */
export type UnusableRoute = { name: string; problem: string; endReason: EndReason }

/** A call that is being transferred. */
export type TransferredCall = {
  userId: string
  agent: Agent
  trunk: Trunk | null
  device: Device | null
  /** Our number in the call: the called number, or our caller ID. */
  ownNumber?: string | null
}

/** How to reach a registered phone: over its flow, or through the proxies of its registration. */
export type Binding = { contact: string; flow: Flow } | { contact: string; path: readonly string[]; refusal: Refusal }

export type OutboundRouterParts = {
  directory: Directory
  repository: Pick<PhoneRepository, 'outboundTrunks'>
  bindingsOf: (device: Device) => readonly Binding[]
  dialPolicy: DialPolicy
  ownership: Pick<Ownership, 'refusal' | 'unchallengedRefusal'>
  /** Whether a call of this trunk may follow a 3xx Contact. */
  mayFollow: (trunk: Trunk) => (uri: string) => Promise<boolean>
  domain: string
}

export function createOutboundRouter(parts: OutboundRouterParts) {
  const { directory, repository, bindingsOf, dialPolicy, ownership, domain } = parts

  const viaTrunk = (trunk: Trunk, host: string, agent: Agent, user: string): Route => ({
    ...trunkRoute(trunk, host, { user, displayName: agent.name, contactUser: directory.contactUser(trunk) }),
    refusal: ownership.refusal(senderOf(trunk)),
    unchallengedRefusal: ownership.unchallengedRefusal(senderOf(trunk)),
    mayFollow: parts.mayFollow(trunk),
  })

  function byTrunk(trunk: Trunk, agent: Agent, toNumber: string): Route | UnusableRoute {
    const no = (problem: string): UnusableRoute => ({ name: trunk.name, problem, endReason: 'trunk_unavailable' })
    if (!trunk.isActive) return no('is switched off')
    if (!trunk.host) return no('is not set up: it has no host')
    if (!trunk.directions.includes('outbound')) return no('is not for outbound calls')
    const user = dialString(toNumber, trunk.numberFormat)
    if (!dialPolicy.allowsAs(toNumber, user)) return no('would dial a number that may not be called')
    if (trunk.isPasswordBound === false) return no(SEND_PASSWORD_AGAIN)
    return viaTrunk(trunk, trunk.host, agent, user)
  }

  /** A device of another network: its gateway reports whether it is connected, and a trunk leads to it. */
  function byRemoteDevice(device: Device, agent: Agent, toNumber: string): Route | UnusableRoute {
    const no = (problem: string): UnusableRoute => ({ name: nameOf(device), problem, endReason: 'trunk_unavailable' })
    if (!device.remote?.isConnected)
      return no(`is not connected${device.remote?.trouble ? `: ${device.remote.trouble}` : ''}`)
    const trunk = directory.trunkOfDevice(device)
    if (!trunk?.host) return no('cannot call: its gateway has no call route for it')
    const user = dialString(toNumber, trunk.numberFormat)
    if (!dialPolicy.allowsAs(toNumber, user)) return no('would dial a number that may not be called')
    return { ...viaTrunk(trunk, trunk.host, agent, user), device }
  }

  function byDevice(device: Device, agent: Agent, toNumber: string): (Route | UnusableRoute)[] {
    const no = (problem: string): UnusableRoute[] => [{ name: nameOf(device), problem, endReason: 'trunk_unavailable' }]
    if (device.isDisabled) return no('is disabled')
    if (!device.outboundEnabled) return no('is not for outbound calls')
    if (device.remote) return [byRemoteDevice(device, agent, toNumber)]
    const bindings = bindingsOf(device)
    if (bindings.length === 0) return no('is not connected: no phone is registered with its credentials')
    return bindings.map(({ contact, ...way }) => ({
      trunk: null,
      device,
      fromNumber: device.phone,
      uri: contact,
      ...way,
      // The phone shows the agent's name; x-to-number carries the number to reach.
      from: formatNameAddr({ displayName: agent.name, uri: formatUri({ user: agent.id, host: domain }) }),
      to: formatNameAddr({ uri: formatUri({ user: device.username, host: domain }) }),
      headers: { 'x-to-number': toNumber },
      sessionTimers: false,
    }))
  }

  const outboundTrunks = async (userId: string, agent: Agent): Promise<Trunk[]> => {
    const ids = await repository.outboundTrunks(userId, agent.id)
    return orderTrunks(ids.flatMap((id) => directory.trunk(userId, id) ?? []))
  }
  const boundDevices = (userId: string, agent: Agent): Device[] =>
    directory
      .devicesOf(userId)
      .filter((device) => device.agentId === agent.id && device.outboundEnabled && !device.isDisabled)

  async function routesForCall(request: DialRequest, agent: Agent): Promise<(Route | UnusableRoute)[]> {
    const own = directory.devicesOf(request.userId)
    if (request.deviceTokens && request.deviceTokens.length > 0)
      return request.deviceTokens.flatMap((name) => {
        const device = own.find(({ token, id, shortId }) => [token, id, shortId].includes(name))
        if (!device)
          return [{ name: 'a device', problem: 'is unknown: no device has this token', endReason: 'trunk_unavailable' }]
        return byDevice(device, agent, request.toNumber)
      })
    const { trunkId, deviceId, callerId } = request.via ?? {}
    if (deviceId) {
      const device = own.find(({ id }) => id === deviceId)
      return device ? byDevice(device, agent, request.toNumber) : [unknown('The device of this call')]
    }
    if (trunkId) {
      const trunk = directory.trunk(request.userId, trunkId)
      if (!trunk) return [unknown('The trunk of this call')]
      return [withHeaders(byTrunk(showing(trunk, callerId), agent, request.toNumber), request.headers)]
    }
    const viaTrunks = (await outboundTrunks(request.userId, agent)).map((trunk) =>
      withHeaders(byTrunk(showing(trunk, callerId), agent, request.toNumber), request.headers),
    )
    const viaDevices = boundDevices(request.userId, agent).flatMap((device) =>
      byDevice(device, agent, request.toNumber),
    )
    return [...viaTrunks, ...viaDevices]
  }

  /** A SIP address: one of our own phones, or any other SIP URI. */
  function toAddress(
    { userId, agent }: TransferredCall,
    address: string,
    callerId: string | null,
  ): (Route | UnusableRoute)[] {
    const uri = parseUri(address)
    if (!uri) return [{ name: address, problem: 'is not a SIP address', endReason: 'invalid_number' }]
    const phone = uri.host === domain ? directory.device(uri.user ?? '') : undefined
    const device = phone?.userId === userId ? phone : undefined
    if (device) return byDevice(device, agent, callerId ?? device.phone ?? '')
    const from = formatUri({ user: callerId ?? agent.id, host: domain })
    return [
      {
        trunk: null,
        device: null,
        fromNumber: callerId,
        uri: address,
        from: formatNameAddr({ displayName: agent.name, uri: from }),
        to: formatNameAddr({ uri: address }),
        headers: {},
        sessionTimers: false,
        refusal: ownership.refusal({ userId }),
      },
    ]
  }

  /** A number: the agent's trunks, then the trunk of the call itself, then the agent's other devices. */
  async function toNumber(
    call: TransferredCall,
    number: string,
    callerId: string | null,
  ): Promise<(Route | UnusableRoute)[]> {
    const { userId, agent } = call
    const trunks = await outboundTrunks(userId, agent)
    const isOwn = call.trunk?.deviceId === undefined && call.trunk?.directions.includes('outbound')
    const own = isOwn ? call.trunk : null
    if (own && !trunks.some(({ id }) => id === own.id)) trunks.push(own)
    const withCallerId = trunks.map((trunk) => ({
      ...trunk,
      callerId: callerId ?? defaultCallerId(trunk, call.ownNumber),
    }))
    // A registered phone is the caller; a remote device is a line that can take another call.
    const others = boundDevices(userId, agent).filter(({ id, remote: far }) => far || id !== call.device?.id)
    return [
      ...withCallerId.map((trunk) => byTrunk(trunk, agent, number)),
      ...others.flatMap((device) => byDevice(device, agent, number)),
    ]
  }

  async function routesForTransfer(call: TransferredCall, transfer: Transfer): Promise<(Route | UnusableRoute)[]> {
    const { to, callerId = null, headers } = transfer
    const routes = isSipAddress(to)
      ? toAddress(call, to, callerId)
      : await toNumber(call, normalizeNumber(to) ?? to, callerId)
    return routes.map((route) =>
      'problem' in route ? route : { ...route, headers: mergedHeaders(route.headers, sendableHeaders(headers)) },
    )
  }

  return { routesForCall: routesForCall, routesForTransfer: routesForTransfer }
}

const unknown = (name: string): UnusableRoute => ({ name, problem: 'is unknown', endReason: 'trunk_unavailable' })

/** The trunk with the caller ID of one call in place of its own. */
const showing = (trunk: Trunk, callerId: string | null | undefined): Trunk =>
  callerId ? { ...trunk, callerId } : trunk

/** A trunk without any caller identity presents one of its numbers instead of anonymous. */
const defaultCallerId = ({ callerId, fromUser, username, numbers }: Trunk, ownNumber: string | null | undefined) =>
  callerId ?? (fromUser || username ? null : (numbers?.[0] ?? ownNumber ?? null))

/** The ids of a route for the call's row and its limits: a device's own trunk counts as the device. */
export const slotOf = ({ trunk, device }: Pick<Route, 'trunk' | 'device'>) => ({
  trunkId: trunk && trunk.deviceId === undefined ? trunk.id : null,
  deviceId: device?.id ?? null,
})
export const channelOf = ({ device }: Pick<Route, 'device'>): Channel => device?.remote?.channel ?? 'sip'

const nameOf = ({ name, phone, username, remote: far }: Device) => name ?? (far ? (phone ?? 'a device') : username)

/** Headers that were given with the call, where this trunk allows them. */
function withHeaders(route: Route | UnusableRoute, given: DialRequest['headers']): Route | UnusableRoute {
  if ('problem' in route || !given || !route.trunk) return route
  return { ...route, headers: mergedHeaders(route.headers, callHeadersOf(given, route.trunk.outboundHeaders ?? [])) }
}

/** `user` is the dial string in this trunk's format. */
export function trunkRoute(
  trunk: Trunk,
  host: string,
  { user, displayName, contactUser }: { user: string; displayName: string; contactUser: string },
): Route {
  const { port, transport, username, password } = trunk
  const params = new Map<string, string | null>(transport === 'udp' ? [] : [['transport', transport]])
  const target = { host, ...(port === null ? {} : { port }) }
  const caller = trunk.callerId
  const fromUser = trunk.fromUser ?? caller ?? username ?? 'anonymous'
  const fromHost = trunk.fromDomain ?? host
  const asserted: Record<string, string> =
    caller && caller !== fromUser
      ? { 'p-asserted-identity': formatNameAddr({ uri: formatUri({ user: caller, host: fromHost }) }) }
      : {}
  return {
    trunk,
    device: null,
    fromNumber: caller,
    uri: formatUri({ user, ...target, params }),
    from: formatNameAddr({ displayName, uri: formatUri({ user: fromUser, host: fromHost }) }),
    to: formatNameAddr({ uri: formatUri({ user, host }) }),
    ...(trunk.outboundProxy ? { route: proxyUri(trunk.outboundProxy, transport) } : {}),
    headers: { ...asserted, ...trunk.headers },
    ...(username && password
      ? { credentials: { username, password, ...(trunk.realm ? { realm: trunk.realm } : {}) } }
      : {}),
    sessionTimers: trunk.sessionTimers,
    contactUser,
  }
}

/** Lowest priority first; equal priorities at random by weight, as with SRV records (RFC 2782). */
function orderTrunks(trunks: readonly Trunk[], random: () => number = Math.random): Trunk[] {
  const weighted = trunks.map((trunk) => ({ trunk, score: random() ** (1 / Math.max(trunk.weight, 0.001)) }))
  return weighted.sort((a, b) => a.trunk.priority - b.trunk.priority || b.score - a.score).map(({ trunk }) => trunk)
}

/** Always a loose router (`lr`), so that it appears in a Route header. */
export function proxyUri(proxy: string, transport: Trunk['transport']): string {
  const uri = /^sips?:/i.test(proxy) ? proxy : `sip:${proxy}`
  const withTransport = transport === 'udp' || /;transport=/i.test(uri) ? uri : `${uri};transport=${transport}`
  return /;lr(;|$)/i.test(withTransport) ? withTransport : `${withTransport};lr`
}
