// The gateway as a whole: drivers, service, devices and texts, joined and handed to the house as one. Only app.ts and the command line build it.
import type { AddressInfo } from 'node:net'
import type { FindAnswerer } from '../../api/conversations/reply.ts'
import type { ConversationStore } from '../../api/conversations/store.ts'
import { gatewayAccount } from '../../api/gateway/account.ts'
import { deviceEvents } from '../../api/gateway/device-events.ts'
import { deviceStates } from '../../api/gateway/device-states.ts'
import { deviceTexts } from '../../api/gateway/device-texts.ts'
import { deviceStore } from '../../api/gateway/devices.ts'
import { provisioningLinks } from '../../api/gateway/provisioning-links.ts'
import { publicGatewayRoutes } from '../../api/gateway/public-routes.ts'
import { type GatewayActions, gatewayRoutes } from '../../api/gateway/routes.ts'
import type { Device, SipCredentials } from '../../api/gateway/schema.ts'
import { isAdminOrListed, userIdentities } from '../../api/users/identity.ts'
import { now } from '../../base/clock.ts'
import { AppError, found } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { KeyRing } from '../../base/secrets.ts'
import { linkWarning, publicUrl, sipAddress } from '../../config/addresses.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { embeddedDriver, sipText } from '../../gateway/embedded.ts'
import type { PhoneAccount } from '../../gateway/linphone-config.ts'
import {
  type DriverHost,
  type DriverName,
  DriverTrouble,
  driverNames,
  type GatewayDriver,
  type LinkCode,
} from '../../gateway/ports.ts'
import { linkTokens } from '../../gateway/provisioning-link.ts'
import { qrDataUrl, qrPng, qrSvg } from '../../gateway/qr.ts'
import { gatewayService, type Paces, toCaller } from '../../gateway/service.ts'
import { FORBIDDEN } from '../../gateway/whatsapp.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Phone } from '../../phone/phone.ts'
import type { OnMessage } from '../../phone/ports.ts'
import { farDrivers } from './drivers.ts'
import { deviceMessaging } from './messaging.ts'

export type GatewayDeskParts = {
  config: Config
  db: Db
  secrets: KeyRing
  masterKey: string
  limiter: RateLimiter
  conversations: ConversationStore
  answererOf: FindAnswerer
  spendText: (userId: string) => Promise<void>
  /** Null: it is switched off. Asked for when it is needed: it is built later. */
  phone: () => Pick<Phone, 'sendMessage' | 'registrar' | 'directory' | 'refresh'> | null
  /** Of our HTTP server; null before it listens. */
  address: () => AddressInfo | string | null
  log: Log
  times?: GatewayTimes
}
export type GatewayTimes = Partial<Paces> & { linkLifeMs?: number; heartbeatMs?: number; textPauseMs?: number }

/** A device that nobody has named for so long is not registered any more, whatever its row says. */
const LOST_MS = 30_000
const STILL_THERE_MS = 10_000

export type Gateway = ReturnType<typeof openGateway>

export function openGateway(parts: GatewayDeskParts) {
  const { config, db, secrets, log, phone, times = {} } = parts
  const sip = sipAddress(config)
  const devices = deviceStore(db, secrets, sip)
  const states = deviceStates(db, secrets)
  const account = gatewayAccount(db, secrets)
  const links = provisioningLinks(db)
  const drivers = new Map<DriverName, GatewayDriver>()
  const service = gatewayService({ drivers, states, log, paces: times })
  const events = deviceEvents(states, times.heartbeatMs)
  const texts = deviceMessaging({
    ...parts,
    states,
    texts: deviceTexts(db),
    service,
    ...(times.textPauseMs === undefined ? {} : { pauseMs: times.textPauseMs }),
  })
  const desk: DriverHost = {
    device: states.byExternalId,
    claim: states.claim,
    release: states.release,
    told: service.told,
    received: texts.received,
    account: account.account,
    accountChecked: account.checked,
  }

  const standing = userIdentities(db)
  const mayUse = async (userId: string) => isAdminOrListed(await standing(userId), config.gateway.whatsapp?.users ?? [])

  /** Throws where this user makes no device of this kind here. */
  async function mustHave(userId: string, driver: DriverName): Promise<void> {
    service.mustHave(driver)
    if (driver === 'whatsapp' && !(await mayUse(userId))) throw new AppError('forbidden', FORBIDDEN)
  }

  const ownUrl = () => publicUrl(config, parts.address())
  const embedded = embeddedDriver({
    links: {
      ...links,
      async take(hash) {
        const device = await links.take(hash)
        return device && phoneAccount(device, devices.accountOf(device))
      },
    },
    tokens: linkTokens(parts.masterKey),
    publicUrl: ownUrl,
    isRegistered: ({ id }) => registeredIds().includes(id),
    async shutOut({ userId, id }) {
      await devices.rotateSipPassword(userId, id)
      await phone()?.refresh()
    },
    sendMessage: async (text) =>
      (await phone()?.sendMessage(text)) ?? { ok: false, detail: 'the telephone is switched off' },
    log,
    ...(times.linkLifeMs === undefined ? {} : { linkLifeMs: times.linkLifeMs }),
  })
  const far = farDrivers({ config, db, desk, sip, mayUse, publicUrl: ownUrl, log })
  for (const driver of [embedded.driver, ...far]) drivers.set(driver.name, driver)

  function registeredIds(): string[] {
    const on = phone()
    if (!on || on.registrar.size === 0) return []
    return on.directory.devices().flatMap(({ id, username }) => (on.registrar.lookup(username).length > 0 ? [id] : []))
  }

  const own = async (userId: string, id: string): Promise<DeviceRow> => found('Device', await devices.row(userId, id))

  /** With its QR code while it waits; what its far side cannot say now is left out. */
  async function record(row: DeviceRow): Promise<Device> {
    const device = devices.toDevice(row)
    if (row.status !== 'waiting_qr') return device
    const code = await service.link(row).catch((error) => {
      if (error instanceof DriverTrouble || error instanceof AppError) return null
      throw error
    })
    if (!code) return device
    const qrWarning = row.driver === 'embedded' ? linkWarning(config) : null
    return { ...device, qrCode: qrDataUrl(code.text), qrExpiresAt: code.expiresAt, qrWarning }
  }

  function sipCode(row: DeviceRow): string {
    if (row.driver !== 'embedded') throw new AppError('conflict', 'No phone registers with this device')
    return sipText(phoneAccount(row, devices.accountOf(row)))
  }

  /** One is always to be had of a device of ours: another phone may take its place. */
  async function linkCode(row: DeviceRow): Promise<LinkCode> {
    if (row.status === 'disabled') throw new AppError('conflict', 'This device is disabled')
    const code = await service.link(row).catch(toCaller)
    if (!code)
      throw new AppError('conflict', 'There is nothing to scan: the device is linked, or is not linked by a code')
    if (row.driver === 'embedded') await states.change(row.id, { status: 'waiting_qr' }, ['disconnected', 'error'])
    return code
  }

  const actions: GatewayActions = {
    async provision(userId) {
      if (!(await devices.pick(userId))) await mustHave(userId, config.gateway.driver)
      const provisioned = await devices.provision(userId, config.gateway.driver)
      if (!provisioned.alreadyExisted) await service.settle(provisioned.deviceUuid)
      return provisioned
    },
    async create(userId, device) {
      await mustHave(userId, device.driver ?? config.gateway.driver)
      const { id } = await devices.create(userId, device, config.gateway.driver)
      await service.settle(id)
      return record(await own(userId, id))
    },
    get: async (userId, id) => record(await own(userId, id)),
    async update(userId, id, patch) {
      await devices.update(userId, id, patch)
      if (patch.isDisabled === false || patch.phone !== undefined) await service.settle(id)
      const row = await own(userId, id)
      if (patch.isDisabled !== undefined) states.tell(row)
      return record(row)
    },
    async remove(userId, id, isForced) {
      const row = await own(userId, id)
      const last = await record(row)
      await service.remove(row).catch((error) => {
        if (!isForced) throw error
        log.warn({ err: error, deviceId: id, externalId: row.externalId }, 'a device is removed here alone')
      })
      await devices.remove(userId, id)
      return last
    },
    async unlink(userId, id) {
      await service.unlink(await own(userId, id))
      return record(await own(userId, id))
    },
    async qr(userId, id, { format = 'png', kind = 'link' }) {
      const row = await own(userId, id)
      const text = kind === 'sip' ? sipCode(row) : (await linkCode(row)).text
      if (format === 'text') return { type: 'text/plain; charset=utf-8', body: text }
      if (format === 'svg') return { type: 'image/svg+xml', body: await qrSvg(text) }
      return { type: 'image/png', body: qrPng(text) }
    },
    async saveAccount(userId, given) {
      const { made, credentials } = await account.save(userId, given)
      const status = await service.checkAccount(given)
      if (!status) return { made, credentials }
      await account.checked(userId, status, credentials.updatedAt)
      return { made, credentials: await account.get(userId) }
    },
  }

  /** A phone of ours says something: it is kept before it is told so. */
  const onMessage: OnMessage = ({ deviceId, from, to, text, key }) =>
    texts.received({ deviceId, from: embedded.senderOf(from), to, text, key, at: now() })

  const driverNamed = (name: string) =>
    driverNames.includes(name as DriverName) ? drivers.get(name as DriverName) : undefined

  return {
    sip,
    devices,
    states,
    routes: gatewayRoutes({ devices, account, events, actions }),
    outside: publicGatewayRoutes({
      limiter: parts.limiter,
      configOf: embedded.configOf,
      hook: async (name, request) => driverNamed(name)?.hook?.(request),
    }),
    actions,
    /** The kinds of devices that this user may make. */
    async driversFor(userId: string): Promise<DriverName[]> {
      const names = driverNames.filter((name) => drivers.has(name))
      return (await mayUse(userId)) ? names : names.filter((name) => name !== 'whatsapp')
    },
    linkCode,
    service,
    onMessage,
    sendText: texts.send,
    /** What comes round, and how often. */
    rounds: [
      { everyMs: 1000, task: () => service.work() },
      { everyMs: 1000, task: async () => texts.wake() },
      { everyMs: STILL_THERE_MS, task: () => texts.tick() },
      { everyMs: STILL_THERE_MS, task: () => states.stillThere(registeredIds(), LOST_MS) },
    ],
    start(): void {
      for (const driver of drivers.values()) driver.start?.()
    },
    async close(): Promise<void> {
      events.close()
      service.close()
      await texts.close()
      for (const driver of drivers.values()) await driver.close?.()
    },
  }
}

export function phoneAccount(row: DeviceRow, sip: SipCredentials): PhoneAccount {
  const { username, password, domain, expires, host, transports } = sip
  // Encrypted where there is such a way.
  const { protocol, port } = transports.find(({ protocol }) => protocol === 'tls') ?? {
    protocol: 'udp',
    port: sip.port,
  }
  const displayName = row.displayName ?? row.name ?? row.deviceId
  return { displayName, username, password, domain, host, port, transport: protocol, expires }
}
