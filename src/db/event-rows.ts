// The rows of events and webhooks; part of tables.ts.

type Row = { id: string; userId: string; createdAt: string }

/** The sequence of a user's last event. Writers lock this row until they commit, so events become visible in order. */
export type EventCounterRow = { userId: string; last: number }

export type EventRow = Row & {
  sequence: number // 1, 2, 3 … per user
  type: string
  callId: string | null
  conversationId: string | null
  agentId: string | null
  data: string // JSON, without the three ids
}

export type WebhookRow = Row & {
  rowVersion?: number // see VersionedRow in tables.ts
  url: string
  events: string // JSON: types, or *
  agentIds: string | null // JSON
  deviceId: string | null // the device whose webhookUrl it is
  description: string | null
  isActive: 0 | 1
  secretSealed: string
  oldSecretSealed: string | null // also signs until then
  oldSecretUntil: string | null
  readUpTo: number // sequence up to which events have become deliveries
  updatedAt: string
}

/** An event on its way to a webhook. */
export type WebhookDeliveryRow = Row & {
  webhookId: string
  eventId: string // no foreign key, because events are deleted earlier
  eventType: string
  orderKey: string | null // deliveries of one call or conversation are sent in order
  status: DeliveryStatus
  attempts: number
  dueAt: string | null // for pending and failed: not before this; for delivering: end of the lease
  statusCode: number | null
  error: string | null
  response: string | null // truncated
  durationMs: number | null
  lastAttemptAt: string | null
  deliveredAt: string | null
}
export type DeliveryStatus = (typeof deliveryStatuses)[number]
/** failed: will be retried; dead: will not. */
export const deliveryStatuses = ['pending', 'delivering', 'delivered', 'failed', 'dead'] as const
