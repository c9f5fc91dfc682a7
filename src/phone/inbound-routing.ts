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

const refusal = (call: NewInboundCall, sipCode: number, endReason: EndReason, endDetail: string): InboundRefusal => ({
  call,
  sipCode,
  end: { status: 'failed', endReason, endDetail, sipCode, hangupBy: 'system' },
})

export function createInboundRouter(repository: PhoneRepository, directory: Directory) {
  /** Why this agent does not take inbound calls, or undefined. Contract 78 and 102. */
  function agentProblem(agent: Agent | undefined): string | undefined {
    if (!agent) return 'The agent is gone'
    if (!agent.isActive) return 'The agent is not active'
    if (agent.direction === 'outbound') return 'The agent only makes outbound calls'
    return undefined
  }

  /** Through a trunk of the number's owner. */
  async function throughTrunk({ trunk, did }: Match, request: SipRequest): Promise<InboundRoute | InboundRefusal> {
    const fromNumber = callerOf(request)
    const call: NewInboundCall = {
      userId: trunk.userId,
      agentId: null,
      fromNumber,
      toNumber: did.phoneNumber,
      trunkId: trunk.id,
      deviceId: null,
    }
    const no = (...why: [sipCode: number, endReason: EndReason, endDetail: string]) => refusal(call, ...why)
    if (!trunk.isActive) return no(403, 'trunk_unavailable', `Trunk ${trunk.name} is switched off`)
    if (!trunk.directions.includes('inbound'))
      return no(403, 'trunk_unavailable', `Trunk ${trunk.name} is not for inbound calls`)
    if (!isListed(fromNumber, trunk.allowedNumbers))
      return no(403, 'rejected', `Trunk ${trunk.name} does not take calls from this number`)
    if (!did.isActive) return no(404, 'invalid_number', `The DID ${did.phoneNumber} is inactive`)
    if (did.agentId === null) return no(404, 'invalid_number', `The DID ${did.phoneNumber} is bound to no agent`)
    const agent = await repository.agent(trunk.userId, did.agentId)
    const why = agentProblem(agent)
    call.agentId = agent?.id ?? null
    if (!agent || why) return no(480, 'agent_inactive', why ?? '')
    return { call, agent, trunk, device: null, didId: did.id }
  }

  /** The trunks whose user owns the dialed number: one query for each user, however many trunks they have there. */
  async function matchesOf(trunks: readonly Trunk[], request: SipRequest): Promise<Match[]> {
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
   * A number without its country code may be one of several users: those who have proved the address come first, then those who own it as a full
   * number. Empty when it still is anybody's.
   */
  function ofOneUser(matches: readonly Match[], address: string): readonly Match[] {
    const proved = directory.provedUsers(address)
    const stronger = (some: readonly Match[], isStrong: (match: Match) => boolean) =>
      some.some(isStrong) ? some.filter(isStrong) : some
    const best = stronger(
      stronger(matches, ({ trunk }) => proved.has(trunk.userId)),
      ({ did }) => did.isFull,
    )
    return new Set(best.map(({ trunk }) => trunk.userId)).size === 1 ? best : []
  }

  async function toBoundAgent(
    device: Device,
    trunk: Trunk | null,
    call: NewInboundCall,
  ): Promise<InboundRoute | InboundRefusal> {
    if (device.isDisabled) return refusal(call, 403, 'rejected', 'This device is disabled')
    if (!device.inboundEnabled) return refusal(call, 403, 'rejected', 'This device does not take its calls to an agent')
    if (device.agentId === null) return refusal(call, 404, 'invalid_number', 'No agent is bound to this device')
    const agent = await repository.agent(device.userId, device.agentId)
    const why = agentProblem(agent)
    call.agentId = agent?.id ?? null
    if (!agent || why) return refusal(call, 480, 'agent_inactive', why ?? '')
    return { call, agent, trunk, device }
  }

  /** The device whose trunk the call came through. It needs no DID: all its calls go to its agent. */
  function deviceAt(trunks: readonly Trunk[], request: SipRequest): { trunk: Trunk; device: Device } | undefined {
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

  return {
    /** Users may share a carrier: the owner of the called number gets the call. Null: nobody owns it, and nobody sees it. */
    async forTrunks(
      all: readonly Trunk[],
      request: SipRequest,
      address: string,
    ): Promise<InboundRoute | InboundRefusal | null> {
      const found = deviceAt(all, request)
      if (found) return toBoundAgent(found.device, found.trunk, remoteDeviceCall(found.device, request))
      const trunks = all.filter(({ deviceId }) => deviceId === undefined)
      let refused: InboundRefusal | null = null
      for (const match of ofOneUser(await matchesOf(trunks, request), address)) {
        const plan = await throughTrunk(match, request)
        if ('agent' in plan) return plan
        refused ??= plan
      }
      return refused
    },

    /** For the log: never our secret Contact. */
    calledNumber: (request: SipRequest): string | null => normalizeNumber(calledOf(request, directory.isContact)),

    async forDevice(device: Device, request: SipRequest): Promise<InboundRoute | InboundRefusal> {
      const dialed = calledOf(request, () => false)
      const call: NewInboundCall = {
        userId: device.userId,
        agentId: null,
        fromNumber: device.phone,
        toNumber: normalizeNumber(dialed) ?? dialed.slice(0, 64),
        trunkId: null,
        deviceId: device.id,
      }
      return toBoundAgent(device, null, call)
    },
  }
}

/** The caller is in the device's network; the device is the called number. */
function remoteDeviceCall(device: Device, request: SipRequest): NewInboundCall {
  const dialed = calledOf(request, () => false)
  return {
    userId: device.userId,
    agentId: null,
    fromNumber: callerOf(request),
    toNumber: device.phone ?? normalizeNumber(dialed) ?? dialed.slice(0, 64),
    trunkId: null,
    deviceId: device.id,
    ...(device.remote ? { channel: device.remote.channel } : {}),
  }
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
