// Gateway devices: each is a SIP account with inbound and outbound routes. state-store.ts writes their status.
import { randomBytes, randomInt } from 'node:crypto'
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { found } from '../../base/errors/errors.ts'
import { newUuid } from '../../base/ids.ts'
import { now, nowAfter, nowMs, toIso } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter } from '../../db/outbox.ts'
import { ownedPage, ownedRow, requireOwned } from '../../db/owned.ts'
import { bit, type DeviceRow } from '../../db/tables.ts'
import { markWritten } from '../../db/write-once.ts'
import { cancelCampaignsWith, type OnRemoved } from '../campaigns/rows.ts'
import { deviceWebhooks } from '../webhooks/rows.ts'
import type { Device, DevicePatch, DeviceStatus, NewDevice, Provisioned, SipCredentials } from './schema.ts'
import { type SipAddress, sipAccounts } from './sip-account-store.ts'
import { deviceEvent } from './state-store.ts'

/** The process that created the device provisions it; after a crash another process does so once this has passed. */
const PROVISION_TIMEOUT_MS = 15_000
const provisionedBy = () => toIso(nowMs() + PROVISION_TIMEOUT_MS)

export type DeviceStore = ReturnType<typeof deviceStore>
/** A device to store; `driver` is used if the request does not name one. */
type Creation = { userId: string; device: NewDevice; driver: DeviceRow['driver']; provisioned: boolean }

export function deviceStore(db: Db, secrets: KeyRing, sip: SipAddress) {
  const row = ownedRow(db, 'devices')
  const writeEvent = eventWriter(db)
  const hooks = deviceWebhooks(secrets)
  const cancelCampaigns = cancelCampaignsWith(db, 'deviceId')
  const accounts = sipAccounts(db, secrets, sip)
  const toDevice = (device: DeviceRow) => deviceRecord(device, sip.domain)
  const picked = async (userId: string, name?: string) => found('Device', await pickDevice(db, userId, name))

  async function insert(trx: Trx, creation: Creation): Promise<DeviceRow> {
    const key = { id: newUuid(), userId: creation.userId }
    const device = newDevice(key.id, creation, accounts.newPassword(key))
    await trx.insertInto('devices').values(device).execute()
    await audit(trx, { kind: 'device', after: device })
    return device
  }

  return {
    page: ownedPage(db, 'devices'),
    row,
    toDevice,

    /** One device per user, even with concurrent requests: the user's row is the lock. */
    provision: (userId: string, driver: DeviceRow['driver']): Promise<Provisioned> =>
      db.inTransaction(async (trx) => {
        await lockRow(trx, 'users', { id: userId })
        const existing = await pickDevice(trx, userId)
        const device = existing ?? (await insert(trx, { userId, device: {}, driver, provisioned: true }))
        return { deviceUuid: device.id, deviceId: device.deviceId, alreadyExisted: existing !== undefined }
      }),

    async status(userId: string, name?: string): Promise<DeviceStatus> {
      const device = await pickDevice(db, userId, name)
      if (name !== undefined) found('Device', device)
      return statusOf(device)
    },

    /** Devices of all users, for the phone only. */
    async all(): Promise<(DeviceRow & { password: string })[]> {
      const rows = await db.selectFrom('devices').selectAll().execute()
      return rows.map((device) => ({ ...device, password: accounts.passwordOf(device) }))
    },

    async create(userId: string, device: NewDevice, driver: DeviceRow['driver']): Promise<Device> {
      await requireOwned(db, 'agents', userId, device.agentId, 'Agent')
      return db.inTransaction(async (trx) => {
        await markWritten(trx)
        const stored = await insert(trx, { userId, device, driver, provisioned: false })
        if (stored.webhookUrl !== null) await hooks.follow(trx, stored)
        return toDevice(stored)
      })
    },

    update: (userId: string, { id, ifMatch }: Target, patch: DevicePatch): Promise<Device> =>
      db.inTransaction(async (trx) => {
        await requireOwned(trx, 'agents', userId, patch.agentId, 'Agent')
        const before = found('Device', await lockRow(trx, 'devices', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toDevice(before)
        const own = trx.updateTable('devices').where('userId', '=', userId).where('id', '=', id)
        const after = await own.set(changesBy(patch, before)).returningAll().executeTakeFirstOrThrow()
        if (after.webhookUrl !== before.webhookUrl) await hooks.follow(trx, after)
        await audit(trx, { kind: 'device', before, after })
        if (after.status !== before.status) await writeEvent(trx, deviceEvent(after, before.status))
        return toDevice(after)
      }),

    remove: async (userId: string, target: Target): Promise<Device> =>
      toDevice(await removeDevice(db, userId, target, cancelCampaigns)),

    /** By id or deviceId; without a name, the default device. */
    pick: (userId: string, name?: string): Promise<DeviceRow | undefined> => pickDevice(db, userId, name),

    accountOf: accounts.accountOf,
    sipCredentials: async (userId: string, name?: string): Promise<SipCredentials> =>
      accounts.credentialsOf(await picked(userId, name)),
    rotateSipPassword: async (userId: string, name?: string): Promise<SipCredentials> =>
      accounts.rotatePassword(await picked(userId, name)),
  }
}

/** The provisioned device, otherwise the oldest; a disabled one only if named. */
function pickDevice(from: Db | Trx, userId: string, name?: string): Promise<DeviceRow | undefined> {
  const own = from.selectFrom('devices').selectAll().where('userId', '=', userId)
  if (name !== undefined)
    return own.where((where) => where.or([where('id', '=', name), where('deviceId', '=', name)])).executeTakeFirst()
  return own
    .where('status', '!=', 'disabled')
    .orderBy('provisioned', 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .executeTakeFirst()
}

const removeDevice = (db: Db, userId: string, { id, ifMatch }: Target, onRemoved: OnRemoved): Promise<DeviceRow> =>
  db.inTransaction(async (trx) => {
    const device = found('Device', await lockRow(trx, 'devices', { userId, id }))
    requireVersion(device.rowVersion, ifMatch)
    await trx.deleteFrom('devices').where('userId', '=', userId).where('id', '=', id).execute()
    await audit(trx, { kind: 'device', before: device })
    await onRemoved(trx, { userId, id })
    return device
  })

function statusOf(device: DeviceRow | undefined): DeviceStatus {
  if (!device) return { hasDevice: false, connected: false, phone: null, deviceId: null, status: 'none' }
  const { phone, deviceId, status } = device
  return { hasDevice: true, connected: status === 'connected', phone, deviceId, status }
}

const readable = '23456789abcdefghjkmnpqrstuvwxyz' // no look-alike characters
const readableText = (length: number) => Array.from({ length }, () => readable[randomInt(readable.length)]).join('')

function newDevice(
  id: string,
  { userId, device, driver, provisioned }: Creation,
  sipPasswordSealed: string,
): DeviceRow {
  const createdAt = now()
  return {
    id,
    userId,
    deviceId: `dev-${readableText(8)}`,
    name: device.name ?? null,
    token: `dvt_${randomBytes(15).toString('base64url')}`,
    phone: device.phone ?? null,
    displayName: device.displayName ?? null,
    status: 'provisioning', // until its driver handles it
    driver: device.driver ?? driver,
    externalId: null,
    trunkSealed: null,
    statusAt: createdAt,
    tries: 0,
    dueAt: provisionedBy(),
    provisioned: bit(provisioned),
    agentId: device.agentId ?? null,
    inboundEnabled: bit(device.inboundEnabled ?? true),
    outboundEnabled: bit(device.outboundEnabled ?? true),
    maxConcurrentCalls: device.maxConcurrentCalls ?? null,
    recordCalls: bit(device.recordCalls ?? true),
    webhookUrl: device.webhookUrl ?? null,
    sipUsername: `d${readableText(12)}`,
    sipPasswordSealed,
    lastSeenAt: null,
    lastError: null,
    createdAt,
    updatedAt: createdAt,
  }
}

function changesBy(patch: DevicePatch, before: DeviceRow): Partial<DeviceRow> {
  const { inboundEnabled, outboundEnabled, recordCalls, isDisabled, ...plain } = patch
  const rowVersion = (before.rowVersion ?? 1) + 1
  const set: Partial<DeviceRow> = { ...plain, updatedAt: nowAfter(before.updatedAt), rowVersion }
  if (inboundEnabled !== undefined) set.inboundEnabled = bit(inboundEnabled)
  if (outboundEnabled !== undefined) set.outboundEnabled = bit(outboundEnabled)
  if (recordCalls !== undefined) set.recordCalls = bit(recordCalls)
  if (isDisabled === true) set.status = 'disabled'
  // A rejected device is provisioned again only when its owner enables it or changes the number.
  const isRefused = before.status === 'error' && before.externalId === null && before.driver !== 'embedded'
  const isRetried = isDisabled === false || (plain.phone !== undefined && plain.phone !== before.phone)
  if ((isDisabled === false && before.status === 'disabled') || (isRefused && isRetried && !isDisabled))
    Object.assign(set, { status: 'provisioning', tries: 0, dueAt: provisionedBy() })
  if (set.status !== undefined && set.status !== before.status) set.statusAt = nowAfter(before.statusAt)
  return set
}

function deviceRecord(row: DeviceRow, domain: string): Device {
  const { userId, provisioned, sipUsername, sipPasswordSealed, ...rest } = row
  const { externalId, trunkSealed, statusAt, tries, dueAt, rowVersion, ...device } = rest
  const record: Device = {
    ...device,
    deviceUuid: device.id,
    connected: device.status === 'connected',
    qrCode: null,
    qrExpiresAt: null,
    qrWarning: null,
    inboundEnabled: device.inboundEnabled === 1,
    outboundEnabled: device.outboundEnabled === 1,
    recordCalls: device.recordCalls === 1,
    sip: { username: sipUsername, domain },
  }
  return withVersion(record, rowVersion)
}
