// API schema of webhooks and their deliveries.
import { type Static, Type } from 'typebox'
import { eventTypes } from '../../base/domain/event-types.ts'
import { deliveryStatuses } from '../../db/event-rows.ts'
import { Body, Choice, Example, HttpUrl, Id, Maybe, Nullable, PageQuery, Timestamp } from '../../http/schema.ts'

const url = Type.String({
  ...HttpUrl,
  description: 'URL that receives the events, http or https, without user name',
  examples: ['https://crm.example.com.br/ramal'],
})
const events = Type.Array(Choice(['*', ...eventTypes]), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types; * selects all',
  examples: [['call.answered', 'call.ended']],
})
const agentIds = Type.Array(Id('agt', { minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Only events of these agents',
})
const description = Type.String({ maxLength: 1000, examples: ['CRM'] })

export const Webhook = Type.Object(
  {
    id: Id('whk'),
    url: Example('https://crm.example.com.br/ramal'),
    events,
    agentIds: Nullable(agentIds),
    deviceId: Nullable(
      Example('', { examples: [null], description: 'Device that owns this webhook through its webhookUrl' }),
    ),
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
    secret: Example('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', {
      description: 'Signing secret (whsec_…); returned only once',
    }),
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
  examples: ['delivered'],
})

const tried = {
  statusCode: Nullable(
    Type.Integer({ examples: [200], description: 'HTTP status of the response; null: no response' }),
  ),
  error: Nullable(Example('', { examples: [null] })),
  response: Nullable(Example('ok', { description: 'Start of the response body' })),
  durationMs: Nullable(Type.Integer({ examples: [131] })),
}

export const Delivery = Type.Object(
  {
    id: Id('dlv'),
    webhookId: Id('whk'),
    eventId: Id('evt', { description: 'Sent in the webhook-id header' }),
    eventType: Example('call.ended'),
    status,
    attempts: Type.Integer({ examples: [1] }),
    nextAttemptAt: Nullable({ ...Timestamp, examples: [null] }),
    ...tried,
    createdAt: Timestamp,
    lastAttemptAt: Nullable(Timestamp),
    deliveredAt: Nullable(Timestamp),
  },
  { title: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

export const TestedWebhook = Type.Object(
  { isDelivered: Type.Boolean(), eventId: Id('evt'), ...tried },
  { title: 'TestedWebhook' },
)
export type TestedWebhook = Static<typeof TestedWebhook>

export const DeliveryQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(status) })
export const ByDelivery = Type.Object({ id: Type.String(), deliveryId: Type.String() })
