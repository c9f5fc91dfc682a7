// Webhooks and their deliveries on the wire.
import { type Static, Type } from 'typebox'
import { deliveryStatuses } from '../../db/event-rows.ts'
import { Body, Choice, HttpUrl, Maybe, Nullable, PageQuery, Timestamp } from '../../http/schema.ts'
import { eventTypes } from '../events/schema.ts'

const url = Type.String({
  ...HttpUrl,
  description: 'Where events are posted: http or https, no user name in it',
})
const events = Type.Array(Choice(['*', ...eventTypes]), {
  minItems: 1,
  maxItems: 50,
  description: 'Which types; * is all of them',
})
const agentIds = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Only what concerns these agents',
})
const description = Type.String({ maxLength: 1000 })

export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events,
    agentIds: Nullable(agentIds),
    deviceId: Nullable(Type.String({ description: 'The device whose webhookUrl this is; it changes with the device' })),
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
    secret: Type.String({ description: 'whsec_… It is told this once: it verifies the signatures' }),
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
  description: 'pending: not sent yet. failed: will be tried again. dead: will not',
})

const tried = {
  statusCode: Nullable(Type.Integer({ description: 'What the far side answered; null: it did not' })),
  error: Nullable(Type.String()),
  response: Nullable(Type.String({ description: 'The beginning of its answer' })),
  durationMs: Nullable(Type.Integer()),
}

export const Delivery = Type.Object(
  {
    id: Type.String(),
    webhookId: Type.String(),
    eventId: Type.String({ description: 'Sent as webhook-id' }),
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
