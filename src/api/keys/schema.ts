// API keys on the wire. The secret itself is in the answer to its creation and nowhere else.
import { type Static, Type } from 'typebox'
import { Body, Choice, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'
import { scopeNames } from '../../http/scopes.ts'

const fields = {
  id: Type.String(),
  name: Text(255),
  prefix: Type.String({ description: 'First characters of the key; all that is shown after creation' }),
  scopes: Nullable(Type.Array(Choice([...scopeNames]), { minItems: 1, description: 'null: full access' })),
  rateLimit: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Requests per minute' }),
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
}

export const ApiKey = Type.Object(
  { ...fields, lastUsedAt: Nullable(Timestamp), isActive: Type.Boolean() },
  { title: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = Type.Object(
  { ...fields, key: Type.String({ description: 'The full key; returned only once' }) },
  { title: 'CreatedApiKey' },
)
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const NewApiKey = Body({
  name: fields.name,
  scopes: Type.Optional(fields.scopes),
  rateLimit: Maybe(Type.Integer({ minimum: 1, maximum: 100_000, default: 60 })),
  expiresInDays: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 36_500, description: 'Omitted: never expires' })),
})
export type NewApiKey = Static<typeof NewApiKey>
