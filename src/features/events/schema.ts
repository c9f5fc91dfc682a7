// API schema of events, and the scope each type needs.
import { type Static, Type } from 'typebox'
import { eventTypes } from '../../base/domain/event-types.ts'
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

export const mayReceive = (scopes: ReadonlySet<string> | null, type: string): boolean =>
  scopes === null || scopes.has(scopeByWord[type.split('.', 1)[0] ?? ''] ?? '')

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
