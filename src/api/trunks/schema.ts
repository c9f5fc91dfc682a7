// SIP trunks and their links to agents on the wire. The password goes in and never comes out.
import { type Static, type TProperties, Type } from 'typebox'
import { FREE_HEADER } from '../../base/sip-headers.ts'
import { Body, Choice, Maybe, Nullable, Strict, Text, Timestamp } from '../../http/schema.ts'
import { PhoneNumber } from '../dids/schema.ts'

const word = (maxLength = 255) => Type.String({ maxLength, pattern: '^[^\\s<>"\\x00-\\x1f]*$' })
const list = <T extends ReturnType<typeof Type.String>>(item: T) => Type.Array(item, { maxItems: 500 })
const name = Text(255)
const host = Type.String({
  maxLength: 255,
  pattern: '^[A-Za-z0-9.:_\\[\\]-]+$',
  description: 'Host name or IP address of the carrier',
})
const password = Type.String({ minLength: 1, maxLength: 1024, description: 'Write-only' })

/** Settings that no query asks for: they lie together in one column. Each has a default. */
export const settings = {
  directions: Type.Array(Choice(['inbound', 'outbound']), { maxItems: 2 }),
  provider: Nullable(Type.String({ maxLength: 64 })),
  port: Nullable(Type.Integer({ minimum: 1, maximum: 65_535 })),
  transport: Choice(['udp', 'tcp', 'tls']),
  authMode: Choice(['ip', 'digest', 'register']),
  username: Nullable(word()),
  realm: Nullable(word()),
  fromUser: Nullable(word()),
  fromDomain: Nullable(word()),
  outboundProxy: Nullable(word()),
  registerExpires: Type.Integer({ minimum: 30, maximum: 86_400 }),
  allowedAddresses: list(word(64)),
  allowedNumbers: list(word(32)),
  numbers: list(word(32)),
  callerId: Nullable(word(32)),
  codecs: Type.Array(Choice(['PCMA', 'PCMU', 'G722', 'opus']), { minItems: 1, maxItems: 4 }),
  mediaEncryption: Choice(['disabled', 'allowed', 'required']),
  dtmfMode: Choice(['auto', 'rfc4733', 'info', 'inband']),
  numberFormat: Strict({ leadingPlus: Maybe(Type.Boolean()), prefix: Maybe(word(16)), stripPrefix: Maybe(word(16)) }),
  sessionTimers: Type.Boolean(),
  optionsPing: Type.Boolean(),
  priority: Type.Integer({ minimum: 0, maximum: 65_535 }),
  weight: Type.Integer({ minimum: 0, maximum: 65_535 }),
  maxConcurrentCalls: Nullable(Type.Integer({ minimum: 1, maximum: 100_000 })),
  headers: Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: {
      pattern: FREE_HEADER,
      maxLength: 64,
      description:
        'cannot be set: allowed are X-*, P-*, User-to-User, Call-Info, Alert-Info, Diversion, Subject and Priority',
    },
    additionalProperties: { type: 'string', maxLength: 1024, pattern: '^[^\\r\\n\\x00]*$' },
  }),
}
export type TrunkSettings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }

export const defaults: TrunkSettings = {
  directions: ['inbound', 'outbound'],
  provider: null,
  port: null,
  transport: 'udp',
  authMode: 'ip',
  username: null,
  realm: null,
  fromUser: null,
  fromDomain: null,
  outboundProxy: null,
  registerExpires: 300,
  allowedAddresses: [],
  allowedNumbers: [],
  numbers: [],
  callerId: null,
  codecs: ['PCMA', 'PCMU', 'G722', 'opus'],
  mediaEncryption: 'allowed',
  dtmfMode: 'auto',
  numberFormat: { leadingPlus: true, prefix: null, stripPrefix: null },
  sessionTimers: true,
  optionsPing: true,
  priority: 0,
  weight: 1,
  maxConcurrentCalls: null,
  headers: {},
}

const statuses = [
  'unconfigured',
  'unknown',
  'registering',
  'registered',
  'reachable',
  'unreachable',
  'auth_failed',
  'disabled',
]
const status = Type.Unsafe<string>({ type: 'string', enum: statuses })

export const Trunk = Type.Object(
  {
    id: Type.String(),
    name,
    host: Nullable(host),
    hasPassword: Type.Boolean(),
    ...settings,
    status,
    statusDetail: Nullable(Type.String()),
    lastSeenAt: Nullable(Timestamp),
    isActive: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Trunk' },
)
export type Trunk = Static<typeof Trunk>

/** Every field may be left out or be null, which means its default. */
const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Maybe(schema)])) as {
    [K in keyof P]: ReturnType<typeof Maybe<P[K]>>
  }

export const NewTrunk = Body({
  name,
  host: Maybe(host),
  password: Maybe(password),
  isActive: Maybe(Type.Boolean()),
  ...optional(settings),
})
export type NewTrunk = Static<typeof NewTrunk>

/** In a change null clears, but a choice or a yes or no has nothing to be cleared to. */
const clearable = <P extends TProperties>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const { type, enum: values } = schema as { type?: unknown; enum?: unknown }
      return [key, values || type === 'boolean' ? Type.Optional(schema) : Maybe(schema)]
    }),
  ) as ReturnType<typeof optional<P>>

export const TrunkPatch = Body({
  name: Type.Optional(name),
  host: Maybe(host),
  password: Maybe(password),
  isActive: Type.Optional(Type.Boolean()),
  ...clearable(settings),
})
export type TrunkPatch = Static<typeof TrunkPatch>

export const TrunkAgent = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    trunkTypes: Type.Array(Choice(['inbound', 'outbound'])),
    phoneNumbers: Type.Array(Type.String(), { description: 'Numbers of its links' }),
  },
  { title: 'TrunkAgent' },
)
export type TrunkAgent = Static<typeof TrunkAgent>

export const LinkedTrunk = Type.Object(
  {
    trunkId: Type.String(),
    trunkType: Choice(['inbound', 'outbound']),
    phoneNumber: Nullable(Type.String({ description: 'Most recent number of this link' })),
    phoneNumbers: Type.Array(Type.String()),
    createdAt: Timestamp,
    trunk: Type.Object({ id: Type.String(), name: Type.String(), host: Nullable(Type.String()), status }),
  },
  { title: 'LinkedTrunk' },
)
export type LinkedTrunk = Static<typeof LinkedTrunk>

export const LinkTrunk = Body({
  trunkId: Text(255),
  trunkType: Choice(['inbound', 'outbound']),
  phoneNumber: Maybe(PhoneNumber),
})
export type LinkTrunk = Static<typeof LinkTrunk>

export const ByTrunk = Type.Object({ id: Type.String(), trunkId: Type.String() })

export const SipEntry = Type.Object(
  {
    at: Timestamp,
    direction: Choice(['in', 'out']),
    transport: Choice(['udp', 'tcp', 'tls']),
    remote: Type.String({ description: 'Remote address and port' }),
    summary: Type.String(),
    message: Type.String({ description: 'The raw message, with secrets masked' }),
  },
  { title: 'SipEntry' },
)
export type SipEntry = Static<typeof SipEntry>

/** A number, or a short code of the carrier. */
export const Examination = Body({
  echoNumber: Maybe(
    Type.String({
      pattern: '^[+*#]?[A-Za-z0-9._*#-]{1,63}$',
      description: 'An echo-test number at the carrier; a test call is placed to it',
    }),
  ),
})
export type Examination = Static<typeof Examination>

export const TrunkReport = Type.Object(
  {
    trunkId: Type.String(),
    ok: Type.Boolean(),
    cause: Nullable(
      Type.String({ description: 'Such as wrong_password or one_way_audio; null if no fault was found' }),
    ),
    sentence: Type.String({ description: 'The fault and its fix' }),
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Choice(['ok', 'warning', 'failed', 'skipped']),
        detail: Type.String(),
      }),
    ),
    entries: Type.Array(SipEntry),
    ladder: Type.String({ description: 'The SIP messages as a text diagram' }),
  },
  { title: 'TrunkReport' },
)
export type TrunkReport = Static<typeof TrunkReport>
