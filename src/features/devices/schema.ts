// API schema of the gateway: devices, the saved account, SIP credentials.
import { type Static, Type } from 'typebox'
import { Body, Choice, Example, Expected, HttpUrl, Id, Maybe, Nullable, Timestamp } from '../../http/schema.ts'
import { PhoneNumber } from '../numbers/schema.ts'

const exampleUuid = '019a8c1e-7d3f-7b20-9c41-5e6f7a8b9c0d'

export const Provisioned = Type.Object(
  {
    deviceUuid: Example(exampleUuid),
    deviceId: Example('dev-7qm2xv'),
    alreadyExisted: Type.Boolean({ examples: [false] }),
  },
  { title: 'ProvisionedDevice' },
)
export type Provisioned = Static<typeof Provisioned>

const statuses = ['provisioning', 'waiting_qr', 'connected', 'disconnected', 'error', 'disabled'] as const

export const DeviceStatus = Type.Object(
  {
    hasDevice: Type.Boolean(),
    connected: Type.Boolean(),
    phone: Nullable(Example('+5511987654321')),
    deviceId: Nullable(Example('dev-7qm2xv')),
    status: Choice([...statuses, 'none'], { examples: ['connected'] }),
  },
  { title: 'DeviceStatus' },
)
export type DeviceStatus = Static<typeof DeviceStatus>

const name = Type.String({ maxLength: 255, examples: ['Ramal da recepção'] })
const displayName = Type.String({ maxLength: 255, examples: ['Clínica Aurora'] })
const webhookUrl = Type.String({ ...HttpUrl, examples: ['https://crm.example.com.br/ramal'] })
const maxConcurrentCalls = Type.Integer({ minimum: 1, maximum: 1000, examples: [2] })

const driver = Choice(['embedded', 'whatsapp', 'remote'], {
  description: 'How the device is connected: this server, WhatsApp, or a remote gateway',
})

export const Device = Type.Object(
  {
    id: Example(exampleUuid),
    deviceUuid: Example(exampleUuid, { description: 'Same as id' }),
    deviceId: Example('dev-7qm2xv', { description: 'Short, readable identifier' }),
    name: Nullable(name),
    token: Example('gw_7Qm2xV9c', {
      description: 'Selects the device for outbound calls of this account; not a secret',
    }),
    phone: Nullable(Example('+5511987654321')),
    displayName: Nullable(displayName),
    driver,
    status: Choice([...statuses], { examples: ['connected'] }),
    connected: Type.Boolean(),
    qrCode: Nullable(
      Example('data:image/png;base64,iVBORw0KGgo…', {
        examples: [null],
        description: 'PNG data URL while the device waits to be linked; null in lists, see /qr',
      }),
    ),
    qrExpiresAt: Nullable({ ...Timestamp, examples: [null] }),
    qrWarning: Nullable(
      Example('', {
        examples: [null],
        description: 'Why the code may not work on a phone, such as a loopback address',
      }),
    ),
    agentId: Nullable(Id('agt')),
    inboundEnabled: Type.Boolean(),
    outboundEnabled: Type.Boolean(),
    maxConcurrentCalls: Nullable(maxConcurrentCalls),
    recordCalls: Type.Boolean(),
    webhookUrl: Nullable(webhookUrl),
    sip: Type.Object({ username: Example('dev-7qm2xv'), domain: Example('voz.example.com.br') }),
    lastSeenAt: Nullable(Timestamp),
    lastError: Nullable(Example('', { examples: [null] })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Device' },
)
export type Device = Static<typeof Device>

const settings = {
  name: Maybe(name),
  displayName: Maybe(displayName),
  agentId: Maybe(Id('agt')),
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
  deviceId: Type.Optional(
    Example('dev-7qm2xv', { description: 'Device by id or deviceId; the default device if omitted' }),
  ),
})

export const DeviceChoice = Body({
  deviceId: Maybe(Example('dev-7qm2xv', { description: 'Device by id or deviceId; the default device if omitted' })),
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
  email: Type.String({
    maxLength: 320,
    pattern: '^[^@\\s]+@[^@\\s]+$',
    ...Expected('an e-mail address'),
    examples: ['ana@example.com.br'],
  }),
  password: Type.String({ minLength: 1, maxLength: 1024, description: 'Write-only', examples: ['troque-esta-senha'] }),
})
export type NewCredentials = Static<typeof NewCredentials>

export const Credentials = Type.Object(
  {
    email: Example('ana@example.com.br'),
    hasPassword: Type.Boolean(),
    status: Choice(['unverified', 'valid', 'invalid'], { examples: ['valid'] }),
    lastVerifiedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'GatewayCredentials' },
)
export type Credentials = Static<typeof Credentials>

export const SipCredentials = Type.Object(
  {
    username: Example('dev-7qm2xv'),
    password: Example('kP3vXw9rT2mQ8sLz'),
    domain: Example('voz.example.com.br'),
    realm: Example('ramal'),
    host: Example('voz.example.com.br'),
    port: Type.Integer({ examples: [5060] }),
    transport: Choice(['udp', 'tcp', 'tls']),
    transports: Type.Array(
      Type.Object({
        protocol: Choice(['udp', 'tcp', 'tls']),
        host: Example('voz.example.com.br'),
        port: Type.Integer({ examples: [5060] }),
      }),
    ),
    wsUri: Nullable(Example('', { examples: [null] })),
    proxy: Nullable(Example('', { examples: [null] })),
    expires: Type.Integer({ description: 'Registration lifetime in seconds', examples: [300] }),
    uri: Example('sip:dev-7qm2xv@voz.example.com.br'),
    codecs: Type.Array(Example('PCMA')),
    iceServers: Type.Array(Type.Object({ urls: Example('stun:voz.example.com.br:3478') })),
  },
  { title: 'SipCredentials' },
)
export type SipCredentials = Static<typeof SipCredentials>
