// Device actions of users: provision, create, link by QR code, unlink and remove.
import type { Static } from 'typebox'
import { AppError, appError, found } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { qrDataUrl, qrPng, qrSvg } from '../../base/qr.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { linkWarning } from '../../config/addresses.ts'
import type { Config } from '../../config/config.ts'
import type { DeviceRow } from '../../db/tables.ts'
import type { GatewayAccount } from './account-store.ts'
import { type DriverName, DriverTrouble, type LinkCode } from './driver-port.ts'
import { type GatewayService, toCaller } from './gateways.ts'
import type { PhoneAccount } from './linphone/config-file.ts'
import { sipText } from './linphone/driver.ts'
import type { Device, DevicePatch, NewCredentials, NewDevice, QrQuery, SipCredentials } from './schema.ts'
import type { DeviceStates } from './state-store.ts'
import type { DeviceStore } from './store.ts'

export type DeviceActionParts = {
  config: Config
  devices: DeviceStore
  states: DeviceStates
  account: GatewayAccount
  gateway: GatewayService
  /** Throws if this user may not use this driver, or it is not configured. */
  checkDriver: (userId: string, driver: DriverName) => Promise<void>
  log: Log
}

export type DeviceActions = ReturnType<typeof deviceActions>

/** Operations that involve the device's driver, not only its row. */
export function deviceActions(parts: DeviceActionParts) {
  const { config, devices, states, account, gateway, checkDriver, log } = parts
  const linking = deviceLinking(parts)
  const find = async (userId: string, id: string): Promise<DeviceRow> => found('Device', await devices.row(userId, id))

  return {
    async provision(userId: string) {
      if (!(await devices.pick(userId))) await checkDriver(userId, config.gateway.driver)
      const provisioned = await devices.provision(userId, config.gateway.driver)
      if (!provisioned.alreadyExisted) await gateway.settle(provisioned.deviceUuid)
      return provisioned
    },
    async create(userId: string, device: NewDevice) {
      await checkDriver(userId, device.driver ?? config.gateway.driver)
      const { id } = await devices.create(userId, device, config.gateway.driver)
      await gateway.settle(id)
      return linking.record(await find(userId, id))
    },
    /** Includes the QR code while the device waits for a scan. */
    get: async (userId: string, id: string) => linking.record(await find(userId, id)),
    async update(userId: string, target: Target, patch: DevicePatch) {
      const { id } = target
      await devices.update(userId, target, patch)
      if (patch.isDisabled === false || patch.phone !== undefined) await gateway.settle(id)
      const row = await find(userId, id)
      if (patch.isDisabled !== undefined) states.tell(row)
      return linking.record(row)
    },
    async remove(userId: string, target: Target, isForced: boolean) {
      const { id } = target
      const row = await find(userId, id)
      requireVersion(row.rowVersion, target.ifMatch)
      const last = await linking.record(row)
      await gateway.remove(row).catch((err) => {
        if (!isForced) throw err
        log.warn({ err, deviceId: id, externalId: row.externalId }, 'device removed here but not at its gateway')
      })
      await devices.remove(userId, target)
      return last
    },
    async unlink(userId: string, id: string) {
      await gateway.unlink(await find(userId, id))
      return linking.record(await find(userId, id))
    },
    async qr(userId: string, id: string, { format = 'png', kind = 'link' }: Static<typeof QrQuery>) {
      const row = await find(userId, id)
      const text = kind === 'sip' ? linking.sipCode(row) : (await linking.linkCode(row)).text
      if (format === 'text') return { type: 'text/plain; charset=utf-8', body: text }
      if (format === 'svg') return { type: 'image/svg+xml', body: await qrSvg(text) }
      return { type: 'image/png', body: qrPng(text) }
    },
    async saveAccount(userId: string, login: NewCredentials) {
      const { made, credentials } = await account.save(userId, login)
      const status = await gateway.checkAccount(login)
      if (!status) return { made, credentials }
      await account.checked(userId, status, credentials.updatedAt)
      return { made, credentials: await account.get(userId) }
    },
  }
}

/** Link codes of devices, and device records with the current code. */
export function deviceLinking({ config, devices, states, gateway }: DeviceActionParts) {
  return {
    /** Includes the QR code while the device waits to be linked; omits it if its gateway fails. */
    async record(row: DeviceRow): Promise<Device> {
      const device = devices.toDevice(row)
      if (row.status !== 'waiting_qr') return device
      const code = await gateway.link(row).catch((error) => {
        if (error instanceof DriverTrouble || error instanceof AppError) return null
        throw error
      })
      if (!code) return device
      const qrWarning = row.driver === 'embedded' ? linkWarning(config) : null
      const withCode = { ...device, qrCode: qrDataUrl(code.text), qrExpiresAt: code.expiresAt, qrWarning }
      return withVersion(withCode, row.rowVersion)
    },

    sipCode(row: DeviceRow): string {
      if (row.driver !== 'embedded') throw appError('device_no_phone')
      return sipText(phoneAccount(row, devices.accountOf(row)))
    },

    /** An embedded device always has a link code: another phone may replace the linked one. */
    async linkCode(row: DeviceRow): Promise<LinkCode> {
      if (row.status === 'disabled') throw appError('device_disabled')
      const code = await gateway.link(row).catch(toCaller)
      if (!code) throw appError('device_nothing_to_scan')
      if (row.driver === 'embedded') await states.change(row.id, { status: 'waiting_qr' }, ['disconnected', 'error'])
      return code
    },
  }
}

/** Over TLS if available. */
export function phoneAccount(row: DeviceRow, sip: SipCredentials): PhoneAccount {
  const { username, password, domain, expires, host, transports } = sip
  const { protocol, port } = transports.find(({ protocol }) => protocol === 'tls') ?? {
    protocol: 'udp',
    port: sip.port,
  }
  const displayName = row.displayName ?? row.name ?? row.deviceId
  return { displayName, username, password, domain, host, port, transport: protocol, expires }
}
