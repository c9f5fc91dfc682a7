// Trunks, devices, DIDs and agents from the stores, in the shapes the phone uses.
import { freeHeadersOf } from '../../base/network/sip-headers.ts'
import type { Db } from '../../db/database.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { deviceTrunkId } from '../../phone/directory.ts'
import type { PhoneRepository, Trunk } from '../../phone/ports.ts'
import type { DeviceTrunk } from '../devices/driver-port.ts'
import type { DeviceStates } from '../devices/state-store.ts'
import type { DeviceStore } from '../devices/store.ts'
import type { DidStore } from '../numbers/store.ts'
import type { TrunkLinks } from '../trunks/link-store.ts'
import { isRegistered } from '../trunks/rows.ts'
import type { TrunkStore } from '../trunks/store.ts'
import type { AgentInCalls } from './agent-in-calls.ts'
import { bindingStore } from './binding-store.ts'
import { type PhoneNode, trunkLeases } from './trunk-leases.ts'

export type PhoneRepositoryParts = {
  db: Db
  /** This node and its process. */
  node: PhoneNode
  agentInCalls: AgentInCalls
  dids: DidStore
  trunks: TrunkStore
  links: TrunkLinks
  devices: DeviceStore
  states: Pick<DeviceStates, 'seen' | 'trunkOf'>
}

export function phoneRepository({
  db,
  node,
  agentInCalls,
  dids,
  trunks,
  links,
  devices,
  states,
}: PhoneRepositoryParts): PhoneRepository {
  const administrators = async () => {
    const admins = db.selectFrom('users').select('id').where('role', '=', 'admin')
    return (await admins.orderBy('id').execute()).map(({ id }) => id)
  }
  /** Trunks and devices of disabled organizations count as switched off. */
  const disabledUsers = async () => {
    const disabled = db.selectFrom('organizations').select('id').where('disabledAt', 'is not', null)
    return new Set((await disabled.execute()).map(({ id }) => id))
  }
  return {
    administrators,
    saveAddressClaims: trunks.claimed,
    saveAddressProof: trunks.proved,
    async version() {
      const counter = db.selectFrom('changeCounters').select('value').where('name', '=', 'phone')
      return String((await counter.executeTakeFirstOrThrow()).value)
    },
    async trunks() {
      const remote = await db
        .selectFrom('devices')
        .selectAll()
        .where('driver', '!=', 'embedded')
        .orderBy('id')
        .execute()
      const routes = remote.flatMap((device) => {
        const way = states.trunkOf(device)
        return way === null ? [] : [trunkTo(device, JSON.parse(way) as DeviceTrunk)]
      })
      const admins = new Set(await administrators())
      const disabled = await disabledUsers()
      return [...(await trunks.all()).map(trunkForPhone), ...routes].map((trunk) => ({
        ...trunk,
        isActive: trunk.isActive && !disabled.has(trunk.userId),
        isOwnedByAdmin: admins.has(trunk.userId),
      }))
    },
    async devices() {
      const disabled = await disabledUsers()
      return (await devices.all()).map((device) => ({
        ...device,
        username: device.sipUsername,
        inboundEnabled: device.inboundEnabled === 1,
        outboundEnabled: device.outboundEnabled === 1,
        recordCalls: device.recordCalls === 1,
        isDisabled: device.status === 'disabled' || disabled.has(device.userId),
        shortId: device.deviceId,
        ...(device.driver === 'embedded' ? {} : { remote: remoteState(device) }),
      }))
    },
    async did(userId, dialed, trunkIds) {
      const did = await dids.dialed(userId, dialed, trunkIds)
      if (!did) return undefined
      const { id, phoneNumber, status, agentId } = did
      return { id, phoneNumber, isActive: status === 'active', agentId, isFull: isWhole(phoneNumber, dialed) }
    },
    agent: (userId, agentId) => agentInCalls({ userId, agentId }),
    outboundTrunks: (userId, agentId) => links.outboundOf(userId, agentId),
    saveTrunkState: (userId, trunkId, state) => trunks.found(userId, trunkId, state),
    ...trunkLeases(db, node),
    ...bindingStore({ db, node }, (device) => devices.accountOf(device).password),
    saveDeviceState: (deviceId, isRegistered) => states.seen(deviceId, isRegistered),
  }
}

/** Whether the dialed digits are the complete number. */
const isWhole = (phoneNumber: string, dialed: string) => phoneNumber === `+${dialed.replace(/\D/g, '')}`

const remoteState = ({ driver, status, lastError }: DeviceRow) => ({
  channel: driver === 'whatsapp' ? ('whatsapp' as const) : ('sip' as const),
  isConnected: status === 'connected',
  trouble: lastError,
})

/** The trunk for a device that does not register with us, with the device's limits and agent. */
function trunkTo(device: DeviceRow, way: DeviceTrunk): Trunk {
  const { host, port, transport, username, password, realm, codecs, mediaEncryption, sessionTimers } = way
  return {
    userId: device.userId,
    id: deviceTrunkId(device.id),
    deviceId: device.id,
    name: device.name ?? device.phone ?? device.deviceId,
    host,
    port,
    transport,
    directions: ['inbound', 'outbound'],
    authMode: way.allowedAddresses.length === 0 ? 'digest' : 'ip',
    username,
    password,
    realm,
    fromUser: way.fromUser ?? null,
    fromDomain: way.fromDomain ?? null,
    outboundProxy: null,
    registerExpires: 300,
    allowedAddresses: way.allowedAddresses,
    allowedNumbers: [],
    callerId: way.fromUser ?? device.phone,
    codecs,
    mediaEncryption,
    dtmfMode: 'auto',
    numberFormat: {},
    sessionTimers,
    optionsPing: false,
    priority: 0,
    weight: 1,
    maxConcurrentCalls: null,
    headers: {},
    isActive: true,
  }
}

/** Leaves out status and last-seen fields: otherwise every registration would look like a trunk change. */
function trunkForPhone(trunk: Awaited<ReturnType<TrunkStore['all']>>[number]): Trunk {
  const { status, statusDetail, lastSeenAt, createdAt, updatedAt, hasPassword, provider, ...settings } = trunk
  return { ...settings, headers: freeHeadersOf(settings.headers), isRegistered: isRegistered({ status, lastSeenAt }) } // the row may predate the allow-list
}
