// DIDs (telephone numbers) on the wire.
import { type Static, Type } from 'typebox'
import { E164 } from '../../base/phone-number.ts'
import { Body, Choice, Expected, Maybe, Nullable, Timestamp } from '../../http/schema.ts'

export const PhoneNumber = Type.String({
  pattern: E164,
  description: 'Full number in E.164 format',
  ...Expected('a full number with + and country code, such as +5511987654321'),
})

const countryCode = Type.String({ pattern: '^[1-9]\\d{0,2}$', description: 'Country calling code, without plus' })
const provider = Type.String({ maxLength: 64, default: 'gateway' })
const status = Choice(['active', 'inactive'])

export const Did = Type.Object(
  {
    id: Type.String(),
    phoneNumber: PhoneNumber,
    countryCode,
    provider,
    status,
    agentId: Nullable(Type.String({ description: 'The agent that answers this number' })),
    createdAt: Timestamp,
  },
  { title: 'Did' },
)
export type Did = Static<typeof Did>

export const NewDid = Body({
  phoneNumber: PhoneNumber,
  countryCode,
  provider: Maybe(provider),
  agentId: Maybe(Type.String()),
})
export type NewDid = Static<typeof NewDid>

export const DidPatch = Body({ agentId: Maybe(Type.String()), status: Type.Optional(status) })
export type DidPatch = Static<typeof DidPatch>
