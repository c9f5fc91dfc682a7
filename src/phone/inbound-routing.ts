// Routes an inbound call to its agent, or decides the status code and reason of its refusal.
import type { EndReason } from '../base/end-reasons.ts'
import { normaliseNumber } from '../base/phone-number.ts'
import type { SipRequest } from '../sip/message/message.ts'
import { parseUri } from '../sip/message/uri.ts'
import { parseNameAddr } from '../sip/message/values.ts'
import { isListed } from './dial-string.ts'
import type { Directory } from './directory.ts'
import type { Agent, CallEnd, Device, NewInboundCall, PhoneRepository, Trunk } from './ports.ts'

export type InboundRoute = {
  call: NewInboundCall
  agent: Agent
  trunk: Trunk | null
  device: Device | null
  /** The called number; absent for a device, which has no DID. */
  didId?: string
}
/** `isOwner`: the called number belongs to the trunk's user, or the call came through a device. */
export type TrunkRouting = (InboundRoute | InboundRefusal) & { isOwner: boolean }
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

  async function forTrunk(trunk: Trunk, request: SipRequest): Promise<TrunkRouting> {
    const fromNumber = callerOf(request)
    const isOurs = (user: string) => directory.isContact(user) || user === trunk.username || user === trunk.fromUser
    const dialled = calledOf(request, isOurs)
    const digits = normaliseNumber(dialled)
    const number = digits === null ? undefined : await repository.did(trunk.userId, digits, trunk.id)
    const call: NewInboundCall = {
      userId: trunk.userId,
      agentId: null,
      fromNumber,
      toNumber: number?.phoneNumber ?? digits ?? dialled.slice(0, 64),
      trunkId: trunk.id,
      deviceId: null,
    }
    const isOwner = number !== undefined
    const no = (...why: [sipCode: number, endReason: EndReason, endDetail: string]) => ({
      ...refusal(call, ...why),
      isOwner,
    })
    if (!trunk.isActive) return no(403, 'trunk_unavailable', `Trunk ${trunk.name} is switched off`)
    if (!trunk.directions.includes('inbound'))
      return no(403, 'trunk_unavailable', `Trunk ${trunk.name} is not for inbound calls`)
    if (!isListed(fromNumber, trunk.allowedNumbers))
      return no(403, 'rejected', `Trunk ${trunk.name} does not take calls from this number`)
    if (!number) return no(404, 'invalid_number', `No DID of this account is ${call.toNumber}`)
    if (!number.isActive) return no(404, 'invalid_number', `The DID ${number.phoneNumber} is inactive`)
    if (number.agentId === null) return no(404, 'invalid_number', `The DID ${number.phoneNumber} is bound to no agent`)
    const agent = await repository.agent(trunk.userId, number.agentId)
    const why = agentProblem(agent)
    call.agentId = agent?.id ?? null
    if (!agent || why) return no(480, 'agent_inactive', why ?? '')
    return { call, agent, trunk, device: null, didId: number.id, isOwner }
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
    /** Users may share a carrier: the owner of the called number gets the call. Null: nobody owns it. */
    async forTrunks(all: readonly Trunk[], request: SipRequest, owner?: string): Promise<TrunkRouting | null> {
      const found = deviceAt(all, request)
      if (found) {
        const { device, trunk } = found
        return { ...(await toBoundAgent(device, trunk, remoteDeviceCall(device, request))), isOwner: true }
      }
      const trunks = all.filter(({ deviceId }) => deviceId === undefined)
      let refused: TrunkRouting | undefined
      for (const trunk of trunks) {
        const plan = await forTrunk(trunk, request)
        if ('agent' in plan) return plan
        // Only the owner of the number may see who called it and why it was refused.
        if (plan.isOwner ? !refused?.isOwner : !refused && trunk.userId === owner) refused = plan
      }
      return refused ?? null
    },

    async forDevice(device: Device, request: SipRequest): Promise<InboundRoute | InboundRefusal> {
      const dialled = calledOf(request, () => false)
      const call: NewInboundCall = {
        userId: device.userId,
        agentId: null,
        fromNumber: device.phone,
        toNumber: normaliseNumber(dialled) ?? dialled.slice(0, 64),
        trunkId: null,
        deviceId: device.id,
      }
      return toBoundAgent(device, null, call)
    },
  }
}

/** The caller is in the device's network; the device is the called number. */
function remoteDeviceCall(device: Device, request: SipRequest): NewInboundCall {
  const dialled = calledOf(request, () => false)
  return {
    userId: device.userId,
    agentId: null,
    fromNumber: callerOf(request),
    toNumber: device.phone ?? normaliseNumber(dialled) ?? dialled.slice(0, 64),
    trunkId: null,
    deviceId: device.id,
    ...(device.remote ? { channel: device.remote.channel } : {}),
  }
}

const bareName = (name: string) => (normaliseNumber(name) ?? name).replace(/^\+/, '')

/** The user parts of Request-URI and To. */
function namesIn(request: SipRequest): ReadonlySet<string> {
  const uris = [request.uri, parseNameAddr(request.headers.get('to') ?? '')?.uri]
  return new Set(uris.map((uri) => bareName(numberIn(uri))).filter((name) => name !== ''))
}

/** The called number: the Request-URI, or P-Called-Party-ID or To where that holds our registered Contact. */
function calledOf(request: SipRequest, isOurs: (user: string) => boolean): string {
  const user = numberIn(request.uri)
  const isNumber = normaliseNumber(user) !== null
  if (isNumber && !isOurs(user)) return user
  const others = ['p-called-party-id', 'to'].map((name) =>
    numberIn(parseNameAddr(request.headers.get(name) ?? '')?.uri),
  )
  const other = others.find((each) => normaliseNumber(each) !== null && !isOurs(each))
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
    const number = uri ? normaliseNumber(parseUri(uri)?.user ?? '') : null
    if (number !== null) return number
  }
  return null
}
