// Routes an inbound call to its agent, or decides the status code and reason of its refusal.
import type { EndReason } from '../base/domain/end-reasons.ts'
import { normalizeNumber } from '../base/phone-numbers/phone-number.ts'
import type { SipRequest } from '../sip/message/message.ts'
import { parseUri } from '../sip/message/uri.ts'
import { parseNameAddr } from '../sip/message/values.ts'
import { isListed } from './dial-string.ts'
import type { Directory } from './directory.ts'
import type { Agent, CallEnd, Device, Did, NewInboundCall, PhoneRepository, Trunk } from './ports.ts'

export type InboundRoute = {
  call: NewInboundCall
  agent: Agent
  trunk: Trunk | null
  device: Device | null
  /** The called number; absent for a device, which has no DID. */
  didId?: string
  /** How the trunk was found; absent where it authenticated by digest. */
  by?: 'contact' | 'call'
}
/** A trunk with the number that the caller dialed, which is its user's. */
type Match = { trunk: Trunk; did: Did }
export type InboundRefusal = { call: NewInboundCall; sipCode: number; end: CallEnd }

/** Refused by this server. */
export const refusal = (
  call: NewInboundCall,
  sipCode: number,
  endReason: EndReason,
  endDetail: string,
): InboundRefusal => ({
  call,
  sipCode,
  end: { status: 'failed', endReason, endDetail, sipCode, hangupBy: 'system' },
})

export function createInboundRouter(repository: PhoneRepository, directory: Directory) {
  return {
    /** Users may share a carrier: the owner of the called number gets the call. Null when the number has no owner; then the call is not recorded. */
    async forTrunks(
      all: readonly Trunk[],
      request: SipRequest,
      address: string,
    ): Promise<InboundRoute | InboundRefusal | null> {
      const found = deviceAt(directory, all, request)
      if (found) return toBoundAgent(repository, found, remoteDeviceCall(found.device, request))
      const trunks = all.filter(({ deviceId }) => deviceId === undefined)
      const matches = await matchesOf({ repository, directory }, trunks, request)
      let refused: InboundRefusal | null = null
      for (const match of ofOneUser(matches, directory.provedUsers(address))) {
        const plan = await throughTrunk(repository, match, request)
        if ('agent' in plan) return plan
        refused ??= plan
      }
      return refused
    },

    /** For the log; never our secret Contact. */
    calledNumber: (request: SipRequest): string | null => normalizeNumber(calledOf(request, directory.isContact)),

    async forDevice(device: Device, request: SipRequest): Promise<InboundRoute | InboundRefusal> {
      const { userId, id: deviceId, phone: fromNumber } = device
      const toNumber = dialedBy(request)
      const call = { userId, agentId: null, fromNumber, toNumber, trunkId: null, deviceId }
      return toBoundAgent(repository, { device, trunk: null }, call)
    },
  }
}

/** Through a trunk of the number's owner. */
async function throughTrunk(
  repository: PhoneRepository,
  { trunk, did }: Match,
  request: SipRequest,
): Promise<InboundRoute | InboundRefusal> {
  const { userId, id: trunkId } = trunk
  const fromNumber = callerOf(request)
  const call = { userId, agentId: null, fromNumber, toNumber: did.phoneNumber, trunkId, deviceId: null }
  const no = (...why: [sipCode: number, endReason: EndReason, endDetail: string]) => refusal(call, ...why)
  if (!trunk.isActive) return no(403, 'trunk_unavailable', `Trunk ${trunk.name} is switched off`)
  if (!trunk.directions.includes('inbound'))
    return no(403, 'trunk_unavailable', `Trunk ${trunk.name} is not for inbound calls`)
  if (!isListed(fromNumber, trunk.allowedNumbers))
    return no(403, 'rejected', `Trunk ${trunk.name} does not take calls from this number`)
  if (!did.isActive) return no(404, 'invalid_number', `The DID ${did.phoneNumber} is inactive`)
  if (did.agentId === null) return no(404, 'invalid_number', `The DID ${did.phoneNumber} is bound to no agent`)
  return toAgent(repository, did.agentId, { call, trunk, device: null, didId: did.id })
}

async function toBoundAgent(
  repository: PhoneRepository,
  { device, trunk }: { device: Device; trunk: Trunk | null },
  call: NewInboundCall,
): Promise<InboundRoute | InboundRefusal> {
  if (device.isDisabled) return refusal(call, 403, 'rejected', 'This device is disabled')
  if (!device.inboundEnabled) return refusal(call, 403, 'rejected', 'This device does not take its calls to an agent')
  if (device.agentId === null) return refusal(call, 404, 'invalid_number', 'No agent is bound to this device')
  return toAgent(repository, device.agentId, { call, trunk, device })
}

/** A refused call belongs to the agent that does not take it (contract 78 and 102). */
async function toAgent(
  repository: PhoneRepository,
  agentId: string,
  { call, ...route }: Omit<InboundRoute, 'agent'>,
): Promise<InboundRoute | InboundRefusal> {
  const agent = await repository.agent(call.userId, agentId)
  if (!agent) return refusal(call, 480, 'agent_inactive', 'The agent is gone')
  const owned = { ...call, agentId: agent.id }
  if (!agent.isActive) return refusal(owned, 480, 'agent_inactive', 'The agent is not active')
  if (agent.direction === 'outbound')
    return refusal(owned, 480, 'agent_inactive', 'The agent only makes outbound calls')
  return { ...route, call: owned, agent }
}

/** The trunks whose user owns the dialed number: one query for each user, however many trunks they have there. */
async function matchesOf(
  { repository, directory }: { repository: PhoneRepository; directory: Directory },
  trunks: readonly Trunk[],
  request: SipRequest,
): Promise<Match[]> {
  const dialedOf = (trunk: Trunk) => {
    const isOurs = (user: string) => directory.isContact(user) || user === trunk.username || user === trunk.fromUser
    return normalizeNumber(calledOf(request, isOurs))
  }
  const groups = Map.groupBy(trunks, (trunk) => `${trunk.userId} ${dialedOf(trunk) ?? ''}`)
  const matches = [...groups.values()].map(async (group): Promise<Match[]> => {
    const [first] = group as [Trunk]
    const dialed = dialedOf(first)
    const ids = group.map(({ id }) => id)
    const did = dialed === null ? undefined : await repository.did(first.userId, dialed, ids)
    return did ? group.map((trunk) => ({ trunk, did })) : []
  })
  return (await Promise.all(matches)).flat()
}

/**
 * A number without its country code may belong to several users: those who have proved the address come first, then those who own it as a
 * full number. Empty while more than one user is left.
 */
function ofOneUser(matches: readonly Match[], proved: ReadonlySet<string>): readonly Match[] {
  const stronger = (some: readonly Match[], isStrong: (match: Match) => boolean) =>
    some.some(isStrong) ? some.filter(isStrong) : some
  const best = stronger(
    stronger(matches, ({ trunk }) => proved.has(trunk.userId)),
    ({ did }) => did.isFull,
  )
  return new Set(best.map(({ trunk }) => trunk.userId)).size === 1 ? best : []
}

/** The device whose trunk the call came through. It needs no DID: all its calls go to its agent. */
function deviceAt(
  directory: Directory,
  trunks: readonly Trunk[],
  request: SipRequest,
): { trunk: Trunk; device: Device } | undefined {
  const candidates = trunks.flatMap((trunk) => {
    const device = trunk.deviceId === undefined ? undefined : directory.remoteDevice(trunk.deviceId)
    return device ? [{ trunk, device }] : []
  })
  // Several devices may share one address: then the called number or account decides.
  const called = namesIn(request)
  const isCalled = ({ trunk, device }: (typeof candidates)[number]) =>
    [trunk.username, device.phone].some((name) => name !== null && called.has(bareName(name)))
  return candidates.find(isCalled) ?? (trunks.length === 1 ? candidates[0] : undefined)
}

/** The caller is in the device's network; the device is the called number. */
function remoteDeviceCall({ userId, id: deviceId, phone, remote }: Device, request: SipRequest): NewInboundCall {
  const fromNumber = callerOf(request)
  const toNumber = phone ?? dialedBy(request)
  return { userId, agentId: null, fromNumber, toNumber, trunkId: null, deviceId, channel: remote?.channel }
}

/** What was dialed, as a number where it is one. */
function dialedBy(request: SipRequest): string {
  const dialed = calledOf(request, () => false)
  return normalizeNumber(dialed) ?? dialed.slice(0, 64)
}

const bareName = (name: string) => (normalizeNumber(name) ?? name).replace(/^\+/, '')

/** The user parts of Request-URI and To. */
function namesIn(request: SipRequest): ReadonlySet<string> {
  const uris = [request.uri, parseNameAddr(request.headers.get('to') ?? '')?.uri]
  return new Set(uris.map((uri) => bareName(numberIn(uri))).filter((name) => name !== ''))
}

/** The called number: the Request-URI, or P-Called-Party-ID or To where that holds our registered Contact. */
function calledOf(request: SipRequest, isOurs: (user: string) => boolean): string {
  const user = numberIn(request.uri)
  const isNumber = normalizeNumber(user) !== null
  if (isNumber && !isOurs(user)) return user
  const others = ['p-called-party-id', 'to'].map((name) =>
    numberIn(parseNameAddr(request.headers.get(name) ?? '')?.uri),
  )
  const other = others.find((each) => normalizeNumber(each) !== null && !isOurs(each))
  return other ?? (user || others.at(-1) || '')
}

/** A local number with a global phone-context (RFC 3966 section 5.1.4) is a full number. */
function numberIn(text: string | undefined): string {
  const uri = parseUri(text ?? '')
  const user = uri?.user ?? ''
  const context = uri?.params.get('phone-context') ?? /;phone-context=(\+[\d.()-]+)/i.exec(user)?.[1]
  const local = user.split(';')[0] as string
  return context?.startsWith('+') && !local.startsWith('+') ? `${context}${local}` : user
}

/** P-Asserted-Identity is set by the carrier (RFC 3325), From by the caller. */
function callerOf(request: SipRequest): string | null {
  for (const name of ['p-asserted-identity', 'remote-party-id', 'from']) {
    const uri = parseNameAddr(request.headers.get(name) ?? '')?.uri
    const number = uri ? normalizeNumber(parseUri(uri)?.user ?? '') : null
    if (number !== null) return number
  }
  return null
}
