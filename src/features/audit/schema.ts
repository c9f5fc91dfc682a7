// API schema of the audit log.
import { type Static, Type } from 'typebox'
import { auditKinds } from '../../base/domain/audit-fields.ts'
import { Choice, Example, Id, Nullable, PageQuery, Timestamp } from '../../http/schema.ts'

const FieldChange = Type.Object({
  field: Example('name'),
  from: Type.Optional(
    Type.Unknown({ description: 'Missing if the values of this field are not shown', examples: ['Ana'] }),
  ),
  to: Type.Optional(
    Type.Unknown({ description: 'A text over 300 characters is cut: text, length, sha256', examples: ['Ana Souza'] }),
  ),
})

export const AuditEntry = Type.Object(
  {
    id: Id('aud'),
    createdAt: Timestamp,
    personId: Nullable(Id('usr')),
    personName: Nullable(Example('Bia Nunes', { description: 'null: the person was removed' })),
    credentialId: Nullable(Id('key', { description: 'The API key, or the session (ses_…)' })),
    address: Nullable(Example('203.0.113.0/24', { description: 'The network that the request came from' })),
    action: Example('agent.updated'),
    kind: Choice(auditKinds),
    recordId: Nullable(Id('agt')),
    changes: Type.Array(FieldChange),
    sequence: Nullable(Type.Integer({ description: 'Place in the chain; null for up to a minute' })),
    hash: Nullable(
      Example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', {
        description: 'SHA-256 over the hash before it and this entry',
      }),
    ),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  personId: Type.Optional(Id('usr')),
  kind: Type.Optional(Choice(auditKinds)),
  recordId: Type.Optional(Id('agt')),
  action: Type.Optional(Type.String({ maxLength: 100, examples: ['agent.updated'] })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'At or after this time' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time' })),
}
export const AuditQuery = Type.Object({ ...PageQuery.properties, ...filters })
export const AuditExportQuery = Type.Object({
  ...filters,
  format: Type.Optional(Choice(['csv', 'ndjson'], { description: 'Default: csv' })),
})
const AuditFilter = Type.Object(filters)
export type AuditFilter = Static<typeof AuditFilter>
