// API schemas of SIP trunks and their links to agents. The password is write-only.
import { type Static, type TProperties, Type } from 'typebox'
import {
  CALL_HEADER,
  FREE_HEADER,
  HEADER_VALUE,
  MAX_HEADER_NAME,
  MAX_HEADER_VALUE,
  MAX_HEADERS,
  READABLE_HEADER,
} from '../../base/network/sip-headers.ts'
import {
  Body,
  Choice,
  Example,
  Expected,
  exampleId,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  SortBy,
  Strict,
  Text,
  Timestamp,
} from '../../http/schema.ts'

import { PhoneNumber } from '../numbers/schema.ts'

const word = (maxLength = 255, example = '', description = '') =>
  Type.String({
    maxLength,
    pattern: '^[^\\s<>"\\x00-\\x1f]*$',
    ...(example ? { examples: [example] } : {}),
    ...(description ? { description } : {}),
  })
const list = <T extends ReturnType<typeof Type.String>>(item: T) => Type.Array(item, { maxItems: 500 })
const name = Text(255, { examples: ['Operadora São Paulo'] })
const headerNames = (pattern: string, expected: string, description: string) =>
  Type.Array(Type.String({ maxLength: MAX_HEADER_NAME, pattern, ...Expected(expected), examples: ['X-Customer-Id'] }), {
    maxItems: MAX_HEADERS,
    description,
    examples: [['X-Customer-Id']],
  })
const host = Type.String({
  maxLength: 255,
  pattern: '^[A-Za-z0-9.:_\\[\\]-]+$',
  description: 'Host name or IP address of the carrier',
  examples: ['sip.operadora.example.br'],
})
const password = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Write-only',
  examples: ['troque-esta-senha'],
})

/** Settings that no query filters by, stored together in one column. Each has a default. */
export const settings = {
  directions: Type.Array(Choice(['inbound', 'outbound']), { maxItems: 2 }),
  provider: Nullable(Type.String({ maxLength: 64, examples: ['operadora'] })),
  port: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'null: from DNS, or 5060 (5061 for TLS)',
      examples: [5060],
    }),
  ),
  transport: Choice(['udp', 'tcp', 'tls']),
  authMode: Choice(['ip', 'digest', 'register'], {
    description: 'ip: by source address; digest: by user name and password; register: digest with registration',
  }),
  username: Nullable(word(255, '551140028922')),
  realm: Nullable(word(255, 'operadora.example.br', 'Digest realm; null: any')),
  fromUser: Nullable(word(255, '551140028922', 'User part of the From header; null: the caller id')),
  fromDomain: Nullable(word(255, 'operadora.example.br', 'Host part of the From header; null: our address')),
  outboundProxy: Nullable(word(255, 'proxy.operadora.example.br:5060')),
  registerExpires: Type.Integer({ minimum: 30, maximum: 86_400, description: 'Seconds', examples: [300] }),
  allowedAddresses: list(word(64, '203.0.113.0/24', 'Address or range; 200 in all trunks together')),
  allowedNumbers: list(word(32, '+5511987654321', 'Caller allowed on inbound calls')),
  numbers: list(word(32, '+551140028922', 'Number that the carrier routes to this trunk')),
  callerId: Nullable(word(32, '+551140028922', 'Number shown on outbound calls')),
  codecs: Type.Array(Choice(['PCMA', 'PCMU', 'G722', 'opus']), { minItems: 1, maxItems: 4 }),
  mediaEncryption: Choice(['disabled', 'allowed', 'required']),
  dtmfMode: Choice(['auto', 'rfc4733', 'info', 'inband']),
  numberFormat: Strict({
    leadingPlus: Maybe(Type.Boolean()),
    prefix: Maybe(word(16, '0', 'Added before the number')),
    stripPrefix: Maybe(word(16, '55', 'Removed from the number')),
  }),
  sessionTimers: Type.Boolean(),
  optionsPing: Type.Boolean(),
  priority: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Lower is tried first', examples: [0] }),
  weight: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    description: 'Share of the calls among trunks of one priority',
    examples: [1],
  }),
  maxConcurrentCalls: Nullable(Type.Integer({ minimum: 1, maximum: 100_000, examples: [30] })),
  headers: Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: {
      pattern: FREE_HEADER,
      maxLength: MAX_HEADER_NAME,
      description:
        'cannot be set: allowed are X-*, P-*, User-to-User, Call-Info, Alert-Info, Diversion, Subject and Priority',
    },
    additionalProperties: { type: 'string', maxLength: MAX_HEADER_VALUE, pattern: HEADER_VALUE },
    description: 'SIP headers added to outbound INVITEs',
    examples: [{ 'X-Account': '42' }],
  }),
  headerVariables: headerNames(
    READABLE_HEADER,
    'X-*, P-*, Diversion, History-Info, User-to-User, Call-Info, Alert-Info, Subject or Priority',
    'Headers of inbound INVITEs that become variables of the call: X-Customer-Id is {{sip_x_customer_id}}',
  ),
  outboundHeaders: headerNames(
    CALL_HEADER,
    'X-*, P-* other than an identity, User-to-User, Call-Info, Alert-Info, Diversion, Subject or Priority',
    'Headers that an outbound call may be given',
  ),
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
  headerVariables: [],
  outboundHeaders: [],
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
const status = Type.Unsafe<string>({ type: 'string', enum: statuses, examples: ['registered'] })

export const Trunk = Type.Object(
  {
    id: Id('trk'),
    name,
    host: Nullable(host),
    hasPassword: Type.Boolean(),
    ...settings,
    status,
    statusDetail: Nullable(Example('Registered for 300 s')),
    lastSeenAt: Nullable(Timestamp),
    isActive: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Trunk' },
)
export type Trunk = Static<typeof Trunk>

/** Every field may be omitted or null, which means its default. */
const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Maybe(schema)])) as {
    [K in keyof P]: ReturnType<typeof Maybe<P[K]>>
  }

export const NewTrunk = Body(
  {
    name,
    host: Maybe(host),
    password: Maybe(password),
    isActive: Maybe(Type.Boolean()),
    ...optional(settings),
  },
  {
    examples: [
      {
        name: 'Operadora São Paulo',
        host: 'sip.operadora.example.br',
        authMode: 'register',
        username: '551140028922',
        password: 'troque-esta-senha',
        callerId: '+551140028922',
      },
    ],
  },
)
export type NewTrunk = Static<typeof NewTrunk>

/** In a PATCH, null clears a field, but an enum or a boolean cannot be cleared. */
const clearable = <P extends TProperties>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const { type, enum: values } = schema as { type?: unknown; enum?: unknown }
      return [key, values || type === 'boolean' ? Type.Optional(schema) : Maybe(schema)]
    }),
  ) as ReturnType<typeof optional<P>>

export const TrunkPatch = Body(
  {
    name: Type.Optional(name),
    host: Maybe(host),
    password: Maybe(password),
    isActive: Type.Optional(Type.Boolean()),
    ...clearable(settings),
  },
  { examples: [{ transport: 'tls', mediaEncryption: 'required' }] },
)
export type TrunkPatch = Static<typeof TrunkPatch>

export const TrunkAgent = Type.Object(
  {
    id: Id('agt'),
    name: Example('Recepção da Clínica Aurora'),
    trunkTypes: Type.Array(Choice(['inbound', 'outbound'])),
    phoneNumbers: Type.Array(Example('+551140028922'), { description: 'Numbers of its links' }),
  },
  { title: 'TrunkAgent' },
)
export type TrunkAgent = Static<typeof TrunkAgent>

export const LinkedTrunk = Type.Object(
  {
    trunkId: Id('trk'),
    trunkType: Choice(['inbound', 'outbound']),
    phoneNumber: Nullable(Example('+551140028922', { description: 'Most recent number of this link' })),
    phoneNumbers: Type.Array(Example('+551140028922')),
    createdAt: Timestamp,
    trunk: Type.Object({
      id: Id('trk'),
      name: Example('Operadora São Paulo'),
      host: Nullable(Example('sip.operadora.example.br')),
      status,
    }),
  },
  { title: 'LinkedTrunk' },
)
export type LinkedTrunk = Static<typeof LinkedTrunk>

export const TrunkQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('Words of the name or the host', 'operadora'),
  sort: SortBy(['name', 'createdAt']),
})
export type TrunkQuery = Static<typeof TrunkQuery>

export const TrunkLink = Type.Object(
  {
    id: Id('lnk'),
    agentId: Id('agt'),
    trunkId: Id('trk'),
    trunkType: Choice(['inbound', 'outbound']),
    phoneNumbers: Type.Array(Example('+551140028922'), { description: 'Numbers of this link, the latest last' }),
    createdAt: Timestamp,
  },
  { title: 'TrunkLink' },
)
export type TrunkLink = Static<typeof TrunkLink>

export const LinkTrunk = Body({
  trunkId: Text(255, { examples: [exampleId('trk')] }),
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
    remote: Example('203.0.113.10:5060', { description: 'Remote address and port' }),
    summary: Example('OPTIONS sip:sip.operadora.example.br'),
    message: Example(
      'OPTIONS sip:sip.operadora.example.br SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.7:5060;branch=z9hG4bK1\r\n…',
      {
        description: 'The raw message, with secrets masked',
      },
    ),
  },
  { title: 'SipEntry' },
)
export type SipEntry = Static<typeof SipEntry>

/** A phone number, or a short code of the carrier. */
export const Examination = Body({
  echoNumber: Maybe(
    Type.String({
      pattern: '^[+*#]?[A-Za-z0-9._*#-]{1,63}$',
      description: 'An echo-test number at the carrier; a test call is placed to it',
      examples: ['*43'],
    }),
  ),
})
export type Examination = Static<typeof Examination>

export const TrunkReport = Type.Object(
  {
    trunkId: Id('trk'),
    ok: Type.Boolean({ examples: [false] }),
    cause: Nullable(
      Example('wrong_password', { description: 'Such as wrong_password or one_way_audio; null if no fault was found' }),
    ),
    sentence: Example('The carrier rejects the password (403): enter the password of the account again.', {
      description: 'The fault and its fix',
    }),
    checks: Type.Array(
      Type.Object({
        name: Example('registration'),
        status: Choice(['ok', 'warning', 'failed', 'skipped'], { examples: ['failed'] }),
        detail: Example('403 Forbidden'),
      }),
    ),
    entries: Type.Array(SipEntry),
    ladder: Example('us -> 203.0.113.10  OPTIONS\n203.0.113.10 -> us  200 OK', {
      description: 'The SIP messages as a text diagram',
    }),
  },
  { title: 'TrunkReport' },
)
export type TrunkReport = Static<typeof TrunkReport>
