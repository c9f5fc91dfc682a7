// /api/webhooks
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { type DeliveryStore, toDelivery } from './delivery-queue.ts'
import {
  ByDelivery,
  CreatedWebhook,
  Delivery,
  DeliveryQuery,
  NewWebhook,
  TestedWebhook,
  Webhook,
  WebhookPatch,
} from './schema.ts'
import { toWebhook, type WebhookStore } from './store.ts'

export type WebhookParts = {
  webhooks: WebhookStore
  deliveries: DeliveryStore
  /** Sends a webhook.test event now and returns the response. */
  test: (userId: string, id: string) => Promise<TestedWebhook>
  /** Call when a delivery has been queued. */
  wake: () => void
}

export const webhookRoutes =
  (parts: WebhookParts): Routes =>
  (api) => {
    addWebhooks(api, parts)
    addDeliveries(api, parts)
  }

function addWebhooks(api: Api, { webhooks, test }: WebhookParts): void {
  const one = { params: ById, response: { 200: Webhook } }

  addList(api, '/webhooks', {
    summary: 'List webhooks',
    record: Webhook,
    page: (req, page) => webhooks.page(req.userId, page),
    at: (row) => row.createdAt,
    toRecord: toWebhook,
  })

  api.get('/webhooks/:id', { ...versioned, schema: { summary: 'Get a webhook', ...one } }, (req) =>
    webhooks.get(req.userId, req.params.id),
  )

  api.post(
    '/webhooks',
    {
      ...versioned,
      schema: {
        summary: 'Create a webhook; its secret is returned only once',
        body: NewWebhook,
        response: { 201: CreatedWebhook },
      },
    },
    async (req, reply) => reply.code(201).send(await webhooks.create(req.userId, req.body)),
  )

  api.patch(
    '/webhooks/:id',
    { ...versioned, schema: { summary: 'Update a webhook', body: WebhookPatch, ...one } },
    (req) => webhooks.update(req.userId, targetOf(req), req.body),
  )

  api.delete(
    '/webhooks/:id',
    { ...versioned, schema: { summary: 'Delete a webhook and its deliveries', ...one } },
    (req) => webhooks.remove(req.userId, targetOf(req)),
  )

  api.post(
    '/webhooks/:id/rotate-secret',
    {
      schema: {
        summary: "Rotate a webhook's secret; the old one keeps signing for a day",
        params: ById,
        response: { 200: CreatedWebhook },
      },
    },
    (req) => webhooks.rotateSecret(req.userId, req.params.id),
  )

  api.post(
    '/webhooks/:id/test',
    {
      schema: {
        summary: 'Send a webhook.test event now and return the response',
        params: ById,
        response: { 200: TestedWebhook },
      },
    },
    (req) => test(req.userId, req.params.id),
  )
}

function addDeliveries(api: Api, { webhooks, deliveries, wake }: WebhookParts): void {
  addList(api, '/webhooks/:id/deliveries', {
    summary: "List a webhook's deliveries, newest first",
    params: ById,
    query: DeliveryQuery,
    check: (req) => webhooks.get(req.userId, req.params.id),
    record: Delivery,
    page: (req, page) => deliveries.page(req.userId, req.params.id, page, req.query.status),
    at: (row) => row.createdAt,
    toRecord: toDelivery,
  })

  api.post(
    '/webhooks/:id/deliveries/:deliveryId/redeliver',
    {
      schema: {
        summary: 'Send an event again under the same id',
        params: ByDelivery,
        response: { 200: Delivery },
      },
    },
    async (req) => {
      const { id, deliveryId } = req.params
      await webhooks.get(req.userId, id)
      const delivery = await deliveries.redeliver(req.userId, id, deliveryId)
      wake()
      return delivery
    },
  )
}
