// SIP accounts of devices: those of our own registrar, and those that a remote gateway assigned.
import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { nowAfter } from '../../base/time/clock.ts'
import { audited } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { DeviceRow } from '../../db/tables.ts'
import type { DeviceTrunk } from './driver-port.ts'
import type { SipCredentials } from './schema.ts'

/** Where a device registers. */
export type SipAddress = { domain: string; host: string; port: number; tlsPort: number | null }
type DeviceKey = Pick<DeviceRow, 'id' | 'userId'>

export function sipAccounts(db: Db, secrets: KeyRing, sip: SipAddress) {
  const place = ({ id, userId }: DeviceKey, column = 'sipPasswordSealed') => ({
    table: 'devices',
    row: id,
    column,
    userId,
  })
  const newPassword = (device: DeviceKey) => secrets.seal(randomBytes(18).toString('base64url'), place(device))
  const passwordOf = (device: DeviceRow) => secrets.open(device.sipPasswordSealed, place(device))
  /** What a phone needs to register here. */
  const accountOf = (device: DeviceRow) => registrarAccount(device.sipUsername, passwordOf(device), sip)

  return {
    newPassword,
    passwordOf,
    accountOf,

    /** For a device at a remote gateway, the account at that gateway. */
    credentialsOf(device: DeviceRow): SipCredentials {
      if (device.driver === 'embedded') return accountOf(device)
      if (!device.trunkSealed) throw appError('device_no_credentials')
      const trunk = JSON.parse(secrets.open(device.trunkSealed, place(device, 'trunkSealed'))) as DeviceTrunk
      return gatewayAccount(registrarAccount('', '', sip), trunk)
    },

    /** The old password stops working. */
    async rotatePassword(device: DeviceRow): Promise<SipCredentials> {
      if (device.driver !== 'embedded') throw appError('device_password_external')
      const write = (on: Db | Trx) =>
        on
          .updateTable('devices')
          .set({ sipPasswordSealed: newPassword(device), updatedAt: nowAfter(device.updatedAt) })
          .where('userId', '=', device.userId)
          .where('id', '=', device.id)
          .returningAll()
          .executeTakeFirst()
      const { id, userId } = device
      const rotated = await audited(db, write, () => ({ kind: 'device', action: 'password_rotated', id, userId }))
      return accountOf(found('Device', rotated))
    },
  }
}

function registrarAccount(username: string, password: string, sip: SipAddress): SipCredentials {
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

function gatewayAccount(account: SipCredentials, gateway: DeviceTrunk): SipCredentials {
  const { host, transport } = gateway
  const port = gateway.port ?? (transport === 'tls' ? 5061 : 5060)
  const username = gateway.username ?? ''
  return {
    ...account,
    username,
    password: gateway.password ?? '',
    domain: host,
    realm: gateway.realm ?? host,
    host,
    port,
    transport,
    transports: [{ protocol: transport, host, port }],
    uri: `sip:${username}@${host}`,
    codecs: [...gateway.codecs],
  }
}
