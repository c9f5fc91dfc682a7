// API schema of the server addresses that an administrator may set in the UI.
import { type Static, Type } from 'typebox'
import { Body, Example, Expected, Maybe, Nullable } from '../../http/schema.ts'

const Address = (example: string, description: string) =>
  Type.Object(
    {
      value: Nullable(Example(example)),
      isFixed: Type.Boolean({ description: 'Set in the environment or in .env: it cannot be changed here' }),
    },
    { description },
  )

export const Addresses = Type.Object(
  {
    host: Address('0.0.0.0', 'HOST: where HTTP listens'),
    sipHost: Address('0.0.0.0', 'SIP_HOST: where SIP listens; null: where HTTP does'),
    publicUrl: Address('https://voz.example.com.br', 'PUBLIC_URL: the address that links and code show'),
    publicAddress: Address('203.0.113.7', 'PUBLIC_ADDRESS: the address in SIP and SDP behind NAT'),
    startedAt: Type.String({ format: 'date-time', description: 'When this process was started' }),
  },
  { title: 'Addresses' },
)
export type Addresses = Static<typeof Addresses>

const listener = {
  maxLength: 45,
  pattern: '^[0-9A-Fa-f:.]{2,45}$',
  ...Expected('an IP address of this machine, or 0.0.0.0 for all'),
}

export const AddressesPatch = Body({
  host: Maybe(Type.String({ examples: ['0.0.0.0'], ...listener })),
  sipHost: Maybe(Type.String({ examples: ['0.0.0.0'], ...listener })),
  publicUrl: Maybe(
    Type.String({
      examples: ['https://voz.example.com.br'],
      maxLength: 253,
      pattern: '^https?://[A-Za-z0-9.\\-\\[\\]:]+(/[A-Za-z0-9._~/\\-]*)?$',
      ...Expected('an http or https address, such as https://voice.example.com'),
    }),
  ),
  publicAddress: Maybe(
    Type.String({
      examples: ['203.0.113.7'],
      maxLength: 253,
      pattern: '^[A-Za-z0-9.:_-]+$',
      ...Expected('a host name or an IP address'),
    }),
  ),
})
export type AddressesPatch = Static<typeof AddressesPatch>
