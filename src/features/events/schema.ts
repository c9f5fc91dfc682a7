// API schema of events, and the scope each type needs.
import { type Static, Type } from 'typebox'
import { Choice, FreeObject, Id, Timestamp } from '../../http/schema.ts'
import type { Scope } from '../../http/scopes.ts'

export const eventTypes = [
  'call.initiated',
  'call.ringing',
  'call.answered',
  'call.ended',
  'call.failed',
  'call.analyzed',
  'call.recording_ready',
  'call.recording_failed',
  'call.transfer_started',
  'call.transfer_completed',
  'call.transfer_failed',
  'call.voicemail',
  'call.dtmf',
  'call.hook',
  'call.degraded',
  'call.recovered',
  'conversation.started',
  'conversation.message',
  'conversation.ended',
  'conversation.hook',
  'tool.called',
  'tool.completed',
  'tool.failed',
  'device.status_changed',
  'device.text_received',
  'trunk.status_changed',
  'user.invited',
  'user.invitation_revoked',
  'user.joined',
  'user.role_changed',
  'user.disabled',
  'user.enabled',
  'user.password_link_created',
  'user.password_reset',
  'user.second_factor_removed',
  'callback.requested',
  'callback.updated',
  'widget.limit_reached',
  'campaign.created',
  'campaign.updated',
  'campaign.scheduled',
  'campaign.started',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'campaign.canceled',
  'campaign.warning',
  'campaign.import.completed',
  'campaign.contact.completed',
  'campaign.attempt.in_doubt',
  'suppression.created',
  'suppression.removed',
] as const
export type EventType = (typeof eventTypes)[number]

/** By the first word of the type: the scope that reads the same resource elsewhere in the API. `user` needs full access. */
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
