// API schema of keys. The secret is returned only on creation.
import { type Static, Type } from 'typebox'
import { Body, Choice, Example, Id, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'
import { scopeNames } from '../../http/scopes.ts'

const fields = {
  id: Id('key'),
  name: Text(255, { examples: ['Integração CRM'] }),
  prefix: Example('rml_8fK2', { description: 'First characters of the key; all that is shown after creation' }),
  scopes: Nullable(Type.Array(Choice([...scopeNames]), { minItems: 1, description: 'null: full access' })),
  rateLimit: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Requests per minute', examples: [60] }),
  expiresAt: Nullable({ ...Timestamp, examples: ['2026-12-31T23:59:59.000Z'] }),
  createdAt: Timestamp,
}

export const ApiKey = Type.Object(
  { ...fields, lastUsedAt: Nullable(Timestamp), isActive: Type.Boolean() },
  { title: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = Type.Object(
  {
    ...fields,
    key: Example('rml_8fK2mQ7vXw3rT9sLz5cB1nD6hJ4pG0yE', { description: 'The full key; returned only once' }),
  },
  { title: 'CreatedApiKey' },
)
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const NewApiKey = Body({
  name: fields.name,
  scopes: Type.Optional(fields.scopes),
  rateLimit: Maybe(Type.Integer({ minimum: 1, maximum: 100_000, default: 60 })),
  expiresInDays: Maybe(
    Type.Number({ exclusiveMinimum: 0, maximum: 36_500, description: 'Omitted: never expires', examples: [90] }),
  ),
})
export type NewApiKey = Static<typeof NewApiKey>

/** Beside the key's own record, whose fields are fixed. */
export const KeyMakerRecord = Type.Object(
  {
    keyId: Id('key'),
    personId: Id('usr', { description: 'The key has no more rights than this person has when it is used' }),
    name: Nullable(Example('Bia Nunes')),
    isMember: Type.Boolean({ description: 'false: the key does not work until an owner adopts it' }),
  },
  { title: 'KeyMaker' },
)
export type KeyMakerRecord = Static<typeof KeyMakerRecord>
