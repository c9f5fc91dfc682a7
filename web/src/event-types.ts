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
  ],
  conversation: ['conversation.started', 'conversation.message', 'conversation.ended'],
  tool: ['tool.called', 'tool.completed', 'tool.failed'],
  phone: ['device.status_changed', 'device.text_received', 'trunk.status_changed'],
} as const satisfies Readonly<Record<string, readonly EventType[]>>
export type EventGroup = keyof typeof eventGroups
export type EventName = (typeof eventGroups)[EventGroup][number]

/** Fails to compile when an event type of the server is missing above. */
export const eventNames: readonly (EventType extends EventName ? EventName : never)[] =
  Object.values(eventGroups).flat()
