// The ways by which an outbound call may leave: the devices it names, else the agent's trunks in order of priority.
import type { Flow } from '../sip/message.ts'
import { formatUri } from '../sip/uri.ts'
import { formatNameAddr } from '../sip/values.ts'
import type { Directory } from './directory.ts'
import { dialString } from './numbers.ts'
import type { Agent, CallOrder, Device, PhoneBook, Trunk } from './ports.ts'

/** Where to send the INVITE and what to say in it. */
export type Route = {
  trunk: Trunk | null
  device: Device | null
  fromNumber: string | null
  uri: string
  from: string
  to: string
  route?: string
  flow?: Flow
  headers: Readonly<Record<string, string>>
  credentials?: { username: string; password: string; realm?: string }
  sessionTimers: boolean
  contactUser?: string
}
/** A way that cannot be taken, and why. */
export type NoRoute = { name: string; problem: string; endReason: string }

export type Binding = { contact: string; flow: Flow }

export function createRouter(
  directory: Directory,
  book: Pick<PhoneBook, 'outboundTrunks'>,
  bindingsOf: (device: Device) => readonly Binding[],
  domain: string,
) {
  function byTrunk(trunk: Trunk, agent: Agent, toNumber: string): Route | NoRoute {
    const no = (problem: string) => ({ name: trunk.name, problem, endReason: 'trunk_unavailable' })
    if (!trunk.isActive) return no('is switched off')
    if (!trunk.host) return no('is not set up: it has no host')
    if (!trunk.directions.includes('outbound')) return no('is not for outbound calls')
    const user = dialString(toNumber, trunk.numberFormat)
    return trunkRoute(trunk, trunk.host, { user, displayName: agent.name, contactUser: directory.contactUser(trunk) })
  }

  function byDevice(device: Device, agent: Agent, toNumber: string): (Route | NoRoute)[] {
    const name = device.name ?? device.username
    const no = (problem: string) => [{ name, problem, endReason: 'trunk_unavailable' }]
    if (device.isDisabled) return no('is disabled')
    if (!device.outboundEnabled) return no('is not for outbound calls')
    const bindings = bindingsOf(device)
    if (bindings.length === 0) return no('is not connected: no phone is registered with its credentials')
    return bindings.map(({ contact, flow }) => ({
      trunk: null,
      device,
      fromNumber: device.phone,
      uri: contact,
      flow,
      // The phone shows who calls, and whom the agent meant to reach.
      from: formatNameAddr({ displayName: agent.name, uri: formatUri({ user: agent.id, host: domain }) }),
      to: formatNameAddr({ uri: formatUri({ user: device.username, host: domain }) }),
      headers: { 'x-to-number': toNumber },
      sessionTimers: false,
    }))
  }

  return async (order: CallOrder, agent: Agent): Promise<(Route | NoRoute)[]> => {
    const own = directory.devicesOf(order.userId)
    if (order.deviceTokens && order.deviceTokens.length > 0)
      return order.deviceTokens.flatMap((token) => {
        const device = own.find((each) => each.token === token)
        if (!device)
          return [{ name: 'a device', problem: 'is unknown: no device has this token', endReason: 'trunk_unavailable' }]
        return byDevice(device, agent, order.toNumber)
      })
    const ids = await book.outboundTrunks(order.userId, agent.id)
    const trunks = ids.flatMap((id) => directory.trunk(order.userId, id) ?? [])
    const viaTrunks = inOrder(trunks).map((trunk) => byTrunk(trunk, agent, order.toNumber))
    const bound = own.filter((device) => device.agentId === agent.id && device.outboundEnabled && !device.isDisabled)
    const viaDevices = bound.flatMap((device) => byDevice(device, agent, order.toNumber))
    return [...viaTrunks, ...viaDevices]
  }
}

/** `user` is what is dialled, as this trunk wants it. */
export function trunkRoute(
  trunk: Trunk,
  host: string,
  { user, displayName, contactUser }: { user: string; displayName: string; contactUser: string },
): Route {
  const { port, transport, username, password } = trunk
  const params = new Map<string, string | null>(transport === 'udp' ? [] : [['transport', transport]])
  const place = { host, ...(port === null ? {} : { port }) }
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
    uri: formatUri({ user, ...place, params }),
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

/** Lowest priority first; among equals at random by weight, as SRV records do it. */
export function inOrder(trunks: readonly Trunk[], random: () => number = Math.random): Trunk[] {
  const drawn = trunks.map((trunk) => ({ trunk, lot: random() ** (1 / Math.max(trunk.weight, 0.001)) }))
  return drawn.sort((a, b) => a.trunk.priority - b.trunk.priority || b.lot - a.lot).map(({ trunk }) => trunk)
}

/** Sent there whatever it says of `lr`; with it, it is named in a Route header. */
export function proxyUri(proxy: string, transport: Trunk['transport']): string {
  const uri = /^sips?:/i.test(proxy) ? proxy : `sip:${proxy}`
  const withTransport = transport === 'udp' || /;transport=/i.test(uri) ? uri : `${uri};transport=${transport}`
  return /;lr(;|$)/i.test(withTransport) ? withTransport : `${withTransport};lr`
}
