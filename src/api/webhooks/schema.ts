// Webhooks and their deliveries on the wire.
import { type Static, Type } from 'typebox'
import { deliveryStatuses } from '../../db/event-rows.ts'
import { Body, Choice, HttpUrl, Maybe, Nullable, PageQuery, Timestamp } from '../../http/schema.ts'
import { eventTypes } from '../events/schema.ts'

const url = Type.String({
  ...HttpUrl,
  description: 'URL that receives the events, http or https, without user name',
})
const events = Type.Array(Choice(['*', ...eventTypes]), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types; * selects all',
})
const agentIds = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Only events of these agents',
})
const description = Type.String({ maxLength: 1000 })

export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events,
    agentIds: Nullable(agentIds),
    deviceId: Nullable(Type.String({ description: 'Device that owns this webhook through its webhookUrl' })),
    description: Nullable(description),
    isActive: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const CreatedWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({ description: 'Signing secret (whsec_…); returned only once' }),
  },
  { title: 'CreatedWebhook' },
)
export type CreatedWebhook = Static<typeof CreatedWebhook>

export const NewWebhook = Body({
  url,
  events: Maybe(events),
  agentIds: Maybe(agentIds),
  description: Maybe(description),
  isActive: Type.Optional(Type.Boolean()),
})
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookPatch = Body({
  url: Type.Optional(url),
  events: Type.Optional(events),
  agentIds: Maybe(agentIds),
  description: Maybe(description),
  isActive: Type.Optional(Type.Boolean()),
})
export type WebhookPatch = Static<typeof WebhookPatch>

const status = Choice([...deliveryStatuses], {
  description: 'pending: not sent yet; failed: will be retried; dead: given up',
})

const tried = {
  statusCode: Nullable(Type.Integer({ description: 'HTTP status of the response; null: no response' })),
  error: Nullable(Type.String()),
  response: Nullable(Type.String({ description: 'Start of the response body' })),
  durationMs: Nullable(Type.Integer()),
}

export const Delivery = Type.Object(
  {
    id: Type.String(),
    webhookId: Type.String(),
    eventId: Type.String({ description: 'Sent in the webhook-id header' }),
    eventType: Type.String(),
    status,
    attempts: Type.Integer(),
    nextAttemptAt: Nullable(Timestamp),
    ...tried,
    createdAt: Timestamp,
    lastAttemptAt: Nullable(Timestamp),
    deliveredAt: Nullable(Timestamp),
  },
  { title: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

export const TestedWebhook = Type.Object(
  { isDelivered: Type.Boolean(), eventId: Type.String(), ...tried },
  { title: 'TestedWebhook' },
)
export type TestedWebhook = Static<typeof TestedWebhook>

export const DeliveryQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(status) })
export const ByDelivery = Type.Object({ id: Type.String(), deliveryId: Type.String() })
