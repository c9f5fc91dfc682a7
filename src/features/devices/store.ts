// Gateway devices: each is a SIP account with inbound and outbound routes. Their status is written by state-store.ts.
import { randomBytes, randomInt } from 'node:crypto'
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { newUuid } from '../../base/ids.ts'
import { now, nowAfter, nowMs, toIso } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter } from '../../db/outbox.ts'
import { ownedPage, ownedRow, requireOwned } from '../../db/owned.ts'
import { bit, type DeviceRow } from '../../db/tables.ts'
import { markWritten } from '../../db/write-once.ts'
import { cancelCampaignsWith } from '../campaigns/rows.ts'
import { deviceWebhooks } from '../webhooks/rows.ts'
import type { Device, DevicePatch, DeviceStatus, NewDevice, Provisioned, SipCredentials } from './schema.ts'
import { deviceEvent } from './state-store.ts'

/** The process that created the device provisions it; after a crash another does so after this long. */
const PROVISION_TIMEOUT_MS = 15_000

type GatewayTrunk = Pick<SipCredentials, 'host' | 'transport' | 'codecs'> & {
  port: number | null
  username: string | null
  password: string | null
  realm: string | null
}

/** Where a device registers. */
export type SipAddress = { domain: string; host: string; port: number; tlsPort: number | null }

export type DeviceStore = ReturnType<typeof deviceStore>

const readable = '23456789abcdefghjkmnpqrstuvwxyz' // no look-alikes
const readableText = (length: number) => Array.from({ length }, () => readable[randomInt(readable.length)]).join('')

export function deviceStore(db: Db, secrets: KeyRing, sip: SipAddress) {
  const row = ownedRow(db, 'devices')
  const writeEvent = eventWriter(db)
  const hooks = deviceWebhooks(secrets)
  const cancelCampaigns = cancelCampaignsWith(db, 'deviceId')
  const place = (device: { id: string; userId: string }) => ({
    table: 'devices',
    row: device.id,
    column: 'sipPasswordSealed',
    userId: device.userId,
  })
  const newPassword = (device: { id: string; userId: string }) =>
    secrets.seal(randomBytes(18).toString('base64url'), place(device))

  function fresh(userId: string, device: NewDevice, driver: DeviceRow['driver'], provisioned: boolean): DeviceRow {
    const id = newUuid()
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
      dueAt: toIso(nowMs() + PROVISION_TIMEOUT_MS),
      provisioned: bit(provisioned),
      agentId: device.agentId ?? null,
      inboundEnabled: bit(device.inboundEnabled ?? true),
      outboundEnabled: bit(device.outboundEnabled ?? true),
      maxConcurrentCalls: device.maxConcurrentCalls ?? null,
      recordCalls: bit(device.recordCalls ?? true),
      webhookUrl: device.webhookUrl ?? null,
      sipUsername: `d${readableText(12)}`,
      sipPasswordSealed: newPassword({ id, userId }),
      lastSeenAt: null,
      lastError: null,
      createdAt,
      updatedAt: createdAt,
    }
  }

  /** The provisioned device, or else the oldest; a disabled one only by name. */
  async function pick(from: Db | Trx, userId: string, name?: string): Promise<DeviceRow | undefined> {
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

  const store = {
    page: ownedPage(db, 'devices'),
    row,

    /** One device per user, also under concurrent requests: the user's row is the lock. */
    provision: (userId: string, driver: DeviceRow['driver']): Promise<Provisioned> =>
      db.inTransaction(async (trx) => {
        await lockRow(trx, 'users', { id: userId })
        const existing = await pick(trx, userId)
        const device = existing ?? fresh(userId, {}, driver, true)
        if (!existing) await trx.insertInto('devices').values(device).execute()
        return { deviceUuid: device.id, deviceId: device.deviceId, alreadyExisted: existing !== undefined }
      }),

    async status(userId: string, name?: string): Promise<DeviceStatus> {
      const device = await pick(db, userId, name)
      if (name !== undefined) found('Device', device)
      if (!device) return { hasDevice: false, connected: false, phone: null, deviceId: null, status: 'none' }
      const { phone, deviceId, status } = device
      return { hasDevice: true, connected: status === 'connected', phone, deviceId, status }
    },

    async get(userId: string, id: string): Promise<Device> {
      return toDevice(found('Device', await row(userId, id)))
    },

    /** The devices of all users, for the phone only. */
    async all(): Promise<(DeviceRow & { password: string })[]> {
      const rows = await db.selectFrom('devices').selectAll().execute()
      return rows.map((device) => ({ ...device, password: secrets.open(device.sipPasswordSealed, place(device)) }))
    },

    async create(userId: string, device: NewDevice, driver: DeviceRow['driver']): Promise<Device> {
      await requireOwned(db, 'agents', userId, device.agentId, 'Agent')
      const stored = fresh(userId, device, driver, false)
      await db.inTransaction(async (trx) => {
        await markWritten(trx)
        await trx.insertInto('devices').values(stored).execute()
        if (stored.webhookUrl !== null) await hooks.follow(trx, stored)
      })
      return toDevice(stored)
    },

    async update(userId: string, { id, ifMatch }: Target, patch: DevicePatch): Promise<Device> {
      const { inboundEnabled, outboundEnabled, recordCalls, isDisabled, ...plain } = patch
      return db.inTransaction(async (trx) => {
        await requireOwned(trx, 'agents', userId, patch.agentId, 'Agent')
        const before = found('Device', await lockRow(trx, 'devices', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toDevice(before)
        const rowVersion = (before.rowVersion ?? 1) + 1
        const set: Partial<DeviceRow> = { ...plain, updatedAt: nowAfter(before.updatedAt), rowVersion }
        if (inboundEnabled !== undefined) set.inboundEnabled = bit(inboundEnabled)
        if (outboundEnabled !== undefined) set.outboundEnabled = bit(outboundEnabled)
        if (recordCalls !== undefined) set.recordCalls = bit(recordCalls)
        if (isDisabled === true) set.status = 'disabled'
        // A refused device is provisioned again only when its owner enables it or changes the number.
        const isRefused = before.status === 'error' && before.externalId === null && before.driver !== 'embedded'
        const isAskedAgain = isDisabled === false || (plain.phone !== undefined && plain.phone !== before.phone)
        if ((isDisabled === false && before.status === 'disabled') || (isRefused && isAskedAgain && !isDisabled))
          Object.assign(set, { status: 'provisioning', tries: 0, dueAt: toIso(nowMs() + PROVISION_TIMEOUT_MS) })
        if (set.status !== undefined && set.status !== before.status) set.statusAt = nowAfter(before.statusAt)
        const own = trx.updateTable('devices').set(set).where('userId', '=', userId).where('id', '=', id)
        const after = await own.returningAll().executeTakeFirstOrThrow()
        if (after.webhookUrl !== before.webhookUrl) await hooks.follow(trx, after)
        if (after.status !== before.status) await writeEvent(trx, deviceEvent(after, before.status))
        return toDevice(after)
      })
    },

    remove: (userId: string, { id, ifMatch }: Target): Promise<Device> =>
      db.inTransaction(async (trx) => {
        const device = found('Device', await lockRow(trx, 'devices', { userId, id }))
        requireVersion(device.rowVersion, ifMatch)
        await trx.deleteFrom('devices').where('userId', '=', userId).where('id', '=', id).execute()
        await cancelCampaigns(trx, { userId, id })
        return toDevice(device)
      }),

    /** By id or deviceId; without a name the default one. */
    pick: (userId: string, name?: string): Promise<DeviceRow | undefined> => pick(db, userId, name),

    async sipCredentials(userId: string, name?: string): Promise<SipCredentials> {
      const device = found('Device', await pick(db, userId, name))
      if (device.driver !== 'embedded') return gatewayCredentials(device)
      return store.accountOf(device)
    },

    /** What a phone needs to register here. */
    accountOf: (device: DeviceRow): SipCredentials =>
      toSipCredentials(device, secrets.open(device.sipPasswordSealed, place(device))),

    /** A new password; the old one stops working. */
    async rotateSipPassword(userId: string, name?: string): Promise<SipCredentials> {
      const device = found('Device', await pick(db, userId, name))
      if (device.driver !== 'embedded') throw appError('device_password_external')
      await db
        .updateTable('devices')
        .set({ sipPasswordSealed: newPassword(device), updatedAt: nowAfter(device.updatedAt) })
        .where('userId', '=', userId)
        .where('id', '=', device.id)
        .execute()
      return store.sipCredentials(userId, device.id)
    },

    toDevice,
  }
  return store

  /** Of a device at a remote gateway: the credentials of that gateway. */
  function gatewayCredentials(device: DeviceRow): SipCredentials {
    const trunk = device.trunkSealed && secrets.open(device.trunkSealed, { ...place(device), column: 'trunkSealed' })
    if (!trunk) throw appError('device_no_credentials')
    const gateway = JSON.parse(trunk) as GatewayTrunk
    const port = gateway.port ?? (gateway.transport === 'tls' ? 5061 : 5060)
    return {
      ...toSipCredentials(device, gateway.password ?? ''),
      username: gateway.username ?? '',
      domain: gateway.host,
      realm: gateway.realm ?? gateway.host,
      host: gateway.host,
      port,
      transport: gateway.transport,
      transports: [{ protocol: gateway.transport, host: gateway.host, port }],
      uri: `sip:${gateway.username ?? ''}@${gateway.host}`,
      codecs: [...gateway.codecs],
    }
  }

  function toDevice(row: DeviceRow): Device {
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
      sip: { username: sipUsername, domain: sip.domain },
    }
    return withVersion(record, rowVersion)
  }

  function toSipCredentials({ sipUsername: username }: DeviceRow, password: string): SipCredentials {
    const { domain, host, port, tlsPort } = sip
    return {
      username,
      password,
      domain,
      realm: domain,
      host,
      port,
      transport: 'udp',
      transports: [
        { protocol: 'udp', host, port },
        { protocol: 'tcp', host, port },
        ...(tlsPort === null ? [] : [{ protocol: 'tls' as const, host, port: tlsPort }]),
      ],
      wsUri: null,
      proxy: null,
      expires: 300,
      uri: `sip:${username}@${domain}`,
      codecs: ['opus', 'G722', 'PCMA', 'PCMU'],
      iceServers: [],
    }
  }
}
