// API schema of events, and the scope and the permission each type needs.
import { type Static, Type } from 'typebox'
import { eventTypes } from '../../base/domain/event-types.ts'
import type { Permission } from '../../base/domain/organization-roles.ts'
import { Choice, FreeObject, Id, Timestamp } from '../../http/schema.ts'
import type { Scope } from '../../http/scopes.ts'

/** By the first word of the type: the scope that reads this resource elsewhere in the API. `user` needs full access. */
const scopeByWord: Readonly<Record<string, Scope>> = {
  call: 'calls',
  callback: 'calls',
  campaign: 'calls',
  suppression: 'calls',
  conversation: 'conversations',
  tool: 'conversations',
  device: 'gateway',
  trunk: 'agents',
}

/** By the first word of the type: what a member needs. */
const permissionByWord: Readonly<Record<string, Permission>> = {
  call: 'calls:read',
  callback: 'callbacks:read',
  campaign: 'campaigns:read',
  suppression: 'suppressions:read',
  conversation: 'conversations:read',
  tool: 'conversations:read',
  device: 'devices:read',
  trunk: 'trunks:read',
  user: 'members:write',
  widget: 'widgets:read',
  audit: 'audit:read',
}

type Receiver = { scopes: ReadonlySet<string> | null; may: ReadonlySet<Permission> }

export function mayReceive({ scopes, may }: Receiver, type: string): boolean {
  const word = type.split('.', 1)[0] ?? ''
  const permission = permissionByWord[word]
  if (permission === undefined || !may.has(permission)) return false
  return scopes === null || scopes.has(scopeByWord[word] ?? '')
}

export const Event = Type.Object(
  {
    id: Id('evt', { description: 'Same on every retry: use it to ignore duplicates' }),
    type: Choice([...eventTypes, 'webhook.test']),
    createdAt: Timestamp,
    sequence: Type.Integer({ description: 'Increases with each event of the user; defines their order' }),
    data: FreeObject({ description: 'callId, conversationId, agentId and the changed record' }),
  },
  { title: 'Event' },
)
export type Event = Static<typeof Event>

export const EventQuery = Type.Object({
  types: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Comma-separated types to receive',
      examples: ['call.answered,call.ended'],
    }),
  ),
})
