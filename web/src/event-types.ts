// Event types, grouped by subject.
import type { Webhook } from '../../client/paths.ts'

type EventType = Exclude<Webhook['events'][number], '*'>

export const eventGroups = {
  call: [
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
  ],
  callback: ['callback.requested', 'callback.updated'],
  conversation: ['conversation.started', 'conversation.message', 'conversation.ended', 'conversation.hook'],
  tool: ['tool.called', 'tool.completed', 'tool.failed'],
  phone: ['device.status_changed', 'device.text_received', 'trunk.status_changed'],
  user: [
    'user.invited',
    'user.invitation_revoked',
    'user.joined',
    'user.role_changed',
    'user.disabled',
    'user.enabled',
    'user.password_link_created',
    'user.password_reset',
    'user.second_factor_removed',
    'audit.chained',
  ],
  widget: ['widget.limit_reached'],
  campaign: [
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
  ],
} as const satisfies Readonly<Record<string, readonly EventType[]>>
export type EventGroup = keyof typeof eventGroups
export type EventName = (typeof eventGroups)[EventGroup][number]

/** Fails to compile when an event type of the server is missing above. */
export const eventNames: readonly (EventType extends EventName ? EventName : never)[] =
  Object.values(eventGroups).flat()
