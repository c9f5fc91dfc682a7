// API schemas of DIDs (phone numbers).
import { type Static, Type } from 'typebox'
import { E164_PATTERN } from '../../base/phone-numbers/phone-number.ts'
import {
  Body,
  Choice,
  Expected,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  SortBy,
  Timestamp,
} from '../../http/schema.ts'

export const PhoneNumber = Type.String({
  pattern: E164_PATTERN,
  description: 'Full number in E.164 format',
  examples: ['+551140028922'],
  ...Expected('a full number with + and country code, such as +5511987654321'),
})

const countryCode = Type.String({
  pattern: '^[1-9]\\d{0,2}$',
  description: 'Country calling code, without plus',
  examples: ['55'],
})
const provider = Type.String({ maxLength: 64, default: 'gateway' })
const status = Choice(['active', 'inactive'])

export const Did = Type.Object(
  {
    id: Id('did'),
    phoneNumber: PhoneNumber,
    countryCode,
    provider,
    status,
    agentId: Nullable(Id('agt', { description: 'The agent that answers this number' })),
    createdAt: Timestamp,
  },
  { title: 'Did' },
)
export type Did = Static<typeof Did>

export const DidQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('Part of the number, in any notation, or of the provider', '11 4002'),
  agentId: Type.Optional(Id('agt')),
  status: Type.Optional(status),
  sort: SortBy(['phoneNumber', 'status', 'createdAt']),
})
export type DidQuery = Static<typeof DidQuery>

export const NewDid = Body({
  phoneNumber: PhoneNumber,
  countryCode,
  provider: Maybe(provider),
  agentId: Maybe(Id('agt')),
})
export type NewDid = Static<typeof NewDid>

export const DidPatch = Body({ agentId: Maybe(Id('agt')), status: Type.Optional(status) })
export type DidPatch = Static<typeof DidPatch>
