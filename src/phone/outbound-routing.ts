// Routes of an outbound call: the devices that it names, else the agent's trunks by priority, then its devices.
import { callHeadersOf, mergedHeaders, sendableHeaders } from '../base/network/sip-headers.ts'
import { normalizeNumber } from '../base/phone-numbers/phone-number.ts'
import { formatUri, parseUri } from '../sip/message/uri.ts'
import { formatNameAddr } from '../sip/message/values.ts'
import type { Transfer } from '../voice/ports.ts'
import type { DialPolicy } from './dial-policy.ts'
import { dialString } from './dial-string.ts'
import type { Directory } from './directory.ts'
import { type Ownership, senderOf } from './ownership.ts'
import type { Agent, Device, DialRequest, PhoneRepository, Trunk } from './ports.ts'
import { type Binding, type Route, SEND_PASSWORD_AGAIN, trunkRoute, type UnusableRoute } from './route.ts'
import { isSipAddress } from './transfer-policy.ts'

/** A call that is being transferred. */
export type TransferredCall = {
  userId: string
  agent: Agent
  trunk: Trunk | null
  device: Device | null
  /** Our number in the call: the called number, or our caller ID. */
  ownNumber?: string | null
}

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
  const { directory, ownership, domain } = parts

  async function routesForCall(request: DialRequest, agent: Agent): Promise<AnyRoute[]> {
    const { userId, toNumber, deviceTokens, headers } = request
    const own = directory.devicesOf(userId)
    if (deviceTokens && deviceTokens.length > 0)
      return deviceTokens.flatMap((name) => {
        const device = own.find(({ token, id, shortId }) => [token, id, shortId].includes(name))
        if (device) return byDevice(parts, device, agent, toNumber)
        return [{ ...unknown('a device'), problem: 'is unknown: no device has this token' }]
      })
    const { trunkId, deviceId, callerId } = request.via ?? {}
    if (deviceId) {
      const device = own.find(({ id }) => id === deviceId)
      return device ? byDevice(parts, device, agent, toNumber) : [unknown('The device of this call')]
    }
    const viaTrunk = (trunk: Trunk) => withHeaders(byTrunk(parts, showing(trunk, callerId), agent, toNumber), headers)
    if (trunkId) {
      const trunk = directory.trunk(userId, trunkId)
      return [trunk ? viaTrunk(trunk) : unknown('The trunk of this call')]
    }
    const viaTrunks = (await outboundTrunks(parts, userId, agent)).map(viaTrunk)
    const devices = boundDevices(directory, userId, agent)
    return [...viaTrunks, ...devices.flatMap((device) => byDevice(parts, device, agent, toNumber))]
  }

  /** A SIP address: one of our own phones, or any other SIP URI. */
  function toAddress({ userId, agent }: TransferredCall, address: string, callerId: string | null): AnyRoute[] {
    const uri = parseUri(address)
    if (!uri) return [{ name: address, problem: 'is not a SIP address', endReason: 'invalid_number' }]
    const phone = uri.host === domain ? directory.device(uri.user ?? '') : undefined
    const device = phone?.userId === userId ? phone : undefined
    if (device) return byDevice(parts, device, agent, callerId ?? device.phone ?? '')
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
  async function toNumber(call: TransferredCall, number: string, callerId: string | null): Promise<AnyRoute[]> {
    const { userId, agent } = call
    const trunks = await outboundTrunks(parts, userId, agent)
    const isOwn = call.trunk?.deviceId === undefined && call.trunk?.directions.includes('outbound')
    const own = isOwn ? call.trunk : null
    if (own && !trunks.some(({ id }) => id === own.id)) trunks.push(own)
    const shown = trunks.map((trunk) => showing(trunk, callerId ?? defaultCallerId(trunk, call.ownNumber)))
    // A registered phone is the caller; a remote device is a line that can take another call.
    const others = boundDevices(directory, userId, agent).filter(({ id, remote }) => remote || id !== call.device?.id)
    return [
      ...shown.map((trunk) => byTrunk(parts, trunk, agent, number)),
      ...others.flatMap((device) => byDevice(parts, device, agent, number)),
    ]
  }

  async function routesForTransfer(call: TransferredCall, transfer: Transfer): Promise<AnyRoute[]> {
    const { to, callerId = null, headers } = transfer
    const routes = isSipAddress(to)
      ? toAddress(call, to, callerId)
      : await toNumber(call, normalizeNumber(to) ?? to, callerId)
    return routes.map((route) =>
      'problem' in route ? route : { ...route, headers: mergedHeaders(route.headers, sendableHeaders(headers)) },
    )
  }

  return { routesForCall, routesForTransfer }
}

type AnyRoute = Route | UnusableRoute

const unusable = (name: string, problem: string): UnusableRoute => ({ name, problem, endReason: 'trunk_unavailable' })
const unknown = (name: string) => unusable(name, 'is unknown')

function byTrunk(parts: OutboundRouterParts, trunk: Trunk, agent: Agent, toNumber: string): AnyRoute {
  const no = (problem: string) => unusable(trunk.name, problem)
  if (!trunk.isActive) return no('is switched off')
  if (!trunk.host) return no('is not set up: it has no host')
  if (!trunk.directions.includes('outbound')) return no('is not for outbound calls')
  const user = dialString(toNumber, trunk.numberFormat)
  if (!parts.dialPolicy.allowsAs(toNumber, user)) return no('would dial a number that may not be called')
  if (trunk.isPasswordBound === false) return no(SEND_PASSWORD_AGAIN)
  return viaTrunk(parts, trunk, trunk.host, agent, user)
}

function viaTrunk(parts: OutboundRouterParts, trunk: Trunk, host: string, agent: Agent, user: string): Route {
  const { directory, ownership, mayFollow } = parts
  return {
    ...trunkRoute(trunk, host, { user, displayName: agent.name, contactUser: directory.contactUser(trunk) }),
    refusal: ownership.refusal(senderOf(trunk)),
    unchallengedRefusal: ownership.unchallengedRefusal(senderOf(trunk)),
    mayFollow: mayFollow(trunk),
  }
}

function byDevice(parts: OutboundRouterParts, device: Device, agent: Agent, toNumber: string): AnyRoute[] {
  const { bindingsOf, domain } = parts
  const no = (problem: string) => [unusable(nameOf(device), problem)]
  if (device.isDisabled) return no('is disabled')
  if (!device.outboundEnabled) return no('is not for outbound calls')
  if (device.remote) return [byRemoteDevice(parts, device, agent, toNumber)]
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

/** A device of another network: its gateway reports whether it is connected, and a trunk leads to it. */
function byRemoteDevice(parts: OutboundRouterParts, device: Device, agent: Agent, toNumber: string): AnyRoute {
  const no = (problem: string) => unusable(nameOf(device), problem)
  if (!device.remote?.isConnected)
    return no(`is not connected${device.remote?.trouble ? `: ${device.remote.trouble}` : ''}`)
  const trunk = parts.directory.trunkOfDevice(device)
  if (!trunk?.host) return no('cannot call: its gateway has no call route for it')
  const user = dialString(toNumber, trunk.numberFormat)
  if (!parts.dialPolicy.allowsAs(toNumber, user)) return no('would dial a number that may not be called')
  return { ...viaTrunk(parts, trunk, trunk.host, agent, user), device }
}

async function outboundTrunks(
  { directory, repository }: OutboundRouterParts,
  userId: string,
  agent: Agent,
): Promise<Trunk[]> {
  const ids = await repository.outboundTrunks(userId, agent.id)
  return orderTrunks(ids.flatMap((id) => directory.trunk(userId, id) ?? []))
}

const boundDevices = (directory: Directory, userId: string, agent: Agent): Device[] =>
  directory
    .devicesOf(userId)
    .filter((device) => device.agentId === agent.id && device.outboundEnabled && !device.isDisabled)

/** The trunk with the caller ID of one call in place of its own. */
const showing = (trunk: Trunk, callerId: string | null | undefined): Trunk =>
  callerId ? { ...trunk, callerId } : trunk

/** A trunk without any caller identity presents one of its numbers instead of anonymous. */
const defaultCallerId = ({ callerId, fromUser, username, numbers }: Trunk, ownNumber: string | null | undefined) =>
  callerId ?? (fromUser || username ? null : (numbers?.[0] ?? ownNumber ?? null))

const nameOf = ({ name, phone, username, remote }: Device) => name ?? (remote ? (phone ?? 'a device') : username)

/** Headers that were given with the call, where this trunk allows them. */
function withHeaders(route: AnyRoute, given: DialRequest['headers']): AnyRoute {
  if ('problem' in route || !given || !route.trunk) return route
  return { ...route, headers: mergedHeaders(route.headers, callHeadersOf(given, route.trunk.outboundHeaders ?? [])) }
}

/** Lowest priority first; equal priorities at random by weight, as with SRV records (RFC 2782). */
function orderTrunks(trunks: readonly Trunk[]): Trunk[] {
  const weighted = trunks.map((trunk) => ({ trunk, score: Math.random() ** (1 / Math.max(trunk.weight, 0.001)) }))
  return weighted.sort((a, b) => a.trunk.priority - b.trunk.priority || b.score - a.score).map(({ trunk }) => trunk)
}
