// The gateway on the wire: devices, the saved account, SIP credentials.
import { type Static, Type } from 'typebox'
import { Body, Choice, Expected, HttpUrl, Maybe, Nullable, Timestamp } from '../../http/schema.ts'
import { PhoneNumber } from '../dids/schema.ts'

export const Provisioned = Type.Object(
  { deviceUuid: Type.String(), deviceId: Type.String(), alreadyExisted: Type.Boolean() },
  { title: 'ProvisionedDevice' },
)
export type Provisioned = Static<typeof Provisioned>

const statuses = ['provisioning', 'waiting_qr', 'connected', 'disconnected', 'error', 'disabled'] as const

export const DeviceStatus = Type.Object(
  {
    hasDevice: Type.Boolean(),
    connected: Type.Boolean(),
    phone: Nullable(Type.String()),
    deviceId: Nullable(Type.String()),
    status: Choice([...statuses, 'none']),
  },
  { title: 'DeviceStatus' },
)
export type DeviceStatus = Static<typeof DeviceStatus>

const name = Type.String({ maxLength: 255 })
const displayName = Type.String({ maxLength: 255 })
const webhookUrl = Type.String(HttpUrl)
const maxConcurrentCalls = Type.Integer({ minimum: 1, maximum: 1000 })

const driver = Choice(['embedded', 'whatsapp', 'remote'], {
  description: 'How the device is connected: this server, WhatsApp, or a remote gateway',
})

export const Device = Type.Object(
  {
    id: Type.String(),
    deviceUuid: Type.String({ description: 'Same as id' }),
    deviceId: Type.String({ description: 'Short, readable identifier' }),
    name: Nullable(name),
    token: Type.String({ description: 'Selects the device for outbound calls of this account; not a secret' }),
    phone: Nullable(Type.String()),
    displayName: Nullable(displayName),
    driver,
    status: Choice([...statuses]),
    connected: Type.Boolean(),
    qrCode: Nullable(
      Type.String({ description: 'PNG data URL while the device waits to be linked; null in lists, see /qr' }),
    ),
    qrExpiresAt: Nullable(Timestamp),
    qrWarning: Nullable(
      Type.String({ description: 'Why the code may not work on a phone, such as a loopback address' }),
    ),
    agentId: Nullable(Type.String()),
    inboundEnabled: Type.Boolean(),
    outboundEnabled: Type.Boolean(),
    maxConcurrentCalls: Nullable(maxConcurrentCalls),
    recordCalls: Type.Boolean(),
    webhookUrl: Nullable(webhookUrl),
    sip: Type.Object({ username: Type.String(), domain: Type.String() }),
    lastSeenAt: Nullable(Timestamp),
    lastError: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Device' },
)
export type Device = Static<typeof Device>

const settings = {
  name: Maybe(name),
  displayName: Maybe(displayName),
  agentId: Maybe(Type.String()),
  phone: Maybe(PhoneNumber),
  maxConcurrentCalls: Maybe(maxConcurrentCalls),
  webhookUrl: Maybe(webhookUrl),
}

export const NewDevice = Body({
  ...settings,
  driver: Maybe(driver),
  inboundEnabled: Maybe(Type.Boolean()),
  outboundEnabled: Maybe(Type.Boolean()),
  recordCalls: Maybe(Type.Boolean()),
})
export type NewDevice = Static<typeof NewDevice>

export const DevicePatch = Body({
  ...settings,
  inboundEnabled: Type.Optional(Type.Boolean()),
  outboundEnabled: Type.Optional(Type.Boolean()),
  recordCalls: Type.Optional(Type.Boolean()),
  isDisabled: Type.Optional(Type.Boolean({ description: 'Disable or enable the device' })),
})
export type DevicePatch = Static<typeof DevicePatch>

export const DeviceQuery = Type.Object({
  deviceId: Type.Optional(Type.String({ description: 'Device by id or deviceId; the default device if omitted' })),
})

export const DeviceChoice = Body({
  deviceId: Maybe(Type.String({ description: 'Device by id or deviceId; the default device if omitted' })),
})

export const QrQuery = Type.Object({
  format: Type.Optional(Choice(['png', 'svg', 'text'], { default: 'png', description: 'text: the encoded text' })),
  kind: Type.Optional(
    Choice(['link', 'sip'], {
      default: 'link',
      description:
        'link: a one-time URL that sets up a phone; sip: the account with its password, as sip:user:password@host',
    }),
  ),
})

export const RemoveQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ description: 'Delete even if its gateway cannot be notified' })),
})

export const NewCredentials = Body({
  email: Type.String({ maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$', ...Expected('an e-mail address') }),
  password: Type.String({ minLength: 1, maxLength: 1024, description: 'Write-only' }),
})
export type NewCredentials = Static<typeof NewCredentials>

export const Credentials = Type.Object(
  {
    email: Type.String(),
    hasPassword: Type.Boolean(),
    status: Choice(['unverified', 'valid', 'invalid']),
    lastVerifiedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'GatewayCredentials' },
)
export type Credentials = Static<typeof Credentials>

export const SipCredentials = Type.Object(
  {
    username: Type.String(),
    password: Type.String(),
    domain: Type.String(),
    realm: Type.String(),
    host: Type.String(),
    port: Type.Integer(),
    transport: Choice(['udp', 'tcp', 'tls']),
    transports: Type.Array(
      Type.Object({ protocol: Choice(['udp', 'tcp', 'tls']), host: Type.String(), port: Type.Integer() }),
    ),
    wsUri: Nullable(Type.String()),
    proxy: Nullable(Type.String()),
    expires: Type.Integer(),
    uri: Type.String(),
    codecs: Type.Array(Type.String()),
    iceServers: Type.Array(Type.Object({ urls: Type.String() })),
  },
  { title: 'SipCredentials' },
)
export type SipCredentials = Static<typeof SipCredentials>
