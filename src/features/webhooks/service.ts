// The webhook service: deliveries of events and their HTTP requests. Only app.ts builds it.

import { coalesced } from '../../base/concurrency/coalesced.ts'
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { signedHeaders } from '../../base/crypto/webhook-signature.ts'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { GuardedClient } from '../../base/outside/guarded-http.ts'
import { HttpError } from '../../base/outside/http-error.ts'
import type { Log } from '../../base/process/log.ts'
import { monotonicMs, now, nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { WebhookRow } from '../../db/event-rows.ts'
import { onEvent } from '../../db/outbox.ts'
import { version } from '../../version.ts'
import type { Event } from '../events/schema.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  type DeliveryStore,
  decide,
  deliveryStore,
} from './delivery-queue.ts'
import { webhookRoutes } from './routes.ts'
import { deviceWebhooks } from './rows.ts'
import type { TestedWebhook } from './schema.ts'
import { type WebhookStore, webhookStore } from './store.ts'

export type WebhookTimes = { delaysMs?: readonly number[]; timeoutMs?: number; leaseMs?: number }
export type EventDeskParts = {
  db: Db
  secrets: KeyRing
  http: Pick<GuardedClient, 'fetch' | 'refusalFor'>
  log: Log
  times?: WebhookTimes | undefined
  /** Undefined if no longer stored. */
  eventOf: (userId: string, id: string) => Promise<Event | undefined>
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 360 * MINUTE]
const TIMEOUT_MS = 10 * SECOND
const LEASE_MS = 60 * SECOND
/** Concurrent deliveries per webhook; a failing webhook gets one at a time. */
const OF_ONE = 4
const AT_ONCE = 200
const MAX_RESPONSE = 1000
const LAST_MS = 2000

export function webhookService(parts: EventDeskParts) {
  const { db, log, times = {} } = parts
  const { delaysMs = DELAYS_MS, timeoutMs = TIMEOUT_MS, leaseMs = LEASE_MS } = times
  const webhooks = webhookStore(db, parts.secrets, parts.http.refusalFor)
  const deliveries = deliveryStore(db)
  const stop = new AbortController()
  const closing = stop.signal
  const post = webhookSender({ http: parts.http, secretsOf: webhooks.secretsOf, timeoutMs, closing })
  const attempts = webhookAttempts({ webhooks, deliveries, post, eventOf: parts.eventOf, delaysMs, closing })
  const underWay = new Map<string, number>()
  const sending = new Set<Promise<void>>()

  function begin(taken: ClaimedDelivery): void {
    const { webhookId } = taken
    underWay.set(webhookId, (underWay.get(webhookId) ?? 0) + 1)
    const one = attempts
      .deliver(taken)
      .catch((err) => log.warn({ err, deliveryId: taken.id }, 'webhook delivery failed internally; retrying'))
      .finally(() => {
        const left = (underWay.get(webhookId) ?? 1) - 1
        if (left > 0) underWay.set(webhookId, left)
        else underWay.delete(webhookId)
        sending.delete(one)
        wake()
      })
    sending.add(one)
  }

  let isAdopted = false
  async function round(): Promise<void> {
    if (!isAdopted) await deviceWebhooks(parts.secrets).createMissing(db)
    isAdopted = true
    await deliveries.createDeliveries()
    for (const id of await deliveries.webhooksDue()) {
      const room = () => (attempts.isUnwell(id) ? 1 : OF_ONE) - (underWay.get(id) ?? 0)
      while (room() > 0 && sending.size < AT_ONCE && !closing.aborted && !isClosing) {
        const taken = await deliveries.claim(id, leaseMs)
        if (!taken) break
        begin(taken)
      }
    }
  }

  let isClosing = false
  const rounds = coalesced(async () => {
    if (!isClosing) await round()
  })
  const wake = () => void rounds.run().catch((err) => log.warn({ err }, 'webhook round failed; retrying'))
  const stopHearing = onEvent(db, wake)

  return {
    routes: [webhookRoutes({ webhooks, deliveries, test: attempts.test, wake })],
    jobs: [{ name: 'webhooks', everyMs: 1000, task: rounds.run }],
    /** Deliveries in progress get a moment to finish; the rest continue in the next process. */
    async [Symbol.asyncDispose](): Promise<void> {
      isClosing = true
      stopHearing()
      await rounds.idle()
      const all = Promise.all(sending)
      const timer = setTimeout(() => stop.abort(), LAST_MS)
      await all
      clearTimeout(timer)
    },
  }
}

type AttemptParts = {
  webhooks: WebhookStore
  deliveries: DeliveryStore
  post: ReturnType<typeof webhookSender>
  eventOf: EventDeskParts['eventOf']
  delaysMs: readonly number[]
  closing: AbortSignal
}

/** Sends deliveries and test events, and stores the outcome. */
function webhookAttempts({ webhooks, deliveries, post, eventOf, delaysMs, closing }: AttemptParts) {
  /** Bounded, because it also holds webhooks that no longer exist. */
  const unwell = new LruCache<string, true>(10_000)

  return {
    /** Whether its last delivery failed. */
    isUnwell: (webhookId: string): boolean => unwell.get(webhookId) === true,

    async deliver(taken: ClaimedDelivery): Promise<void> {
      const hook = await webhooks.row(taken.userId, taken.webhookId)
      const event = await eventOf(taken.userId, taken.eventId)
      if (!hook) return // deleted, along with its deliveries
      if (!event) {
        const gone = { statusCode: null, error: 'The event is no longer stored', response: null, durationMs: null }
        return deliveries.finish(taken, { status: 'dead', retryAfterMs: null }, gone)
      }
      const tried = await post(hook, event.id, JSON.stringify(event))
      if (closing.aborted && tried.statusCode === null) return deliveries.release(taken)
      const verdict = decide(tried, taken.attempts, delaysMs)
      if (tried.statusCode === 410) await webhooks.deactivate(hook.userId, hook.id)
      if (verdict.status === 'delivered') unwell.delete(hook.id)
      else unwell.set(hook.id, true)
      await deliveries.finish(taken, verdict, tried)
    },

    async test(userId: string, id: string): Promise<TestedWebhook> {
      const hook = found('Webhook', await webhooks.row(userId, id))
      const eventId = newId('evt')
      const event = {
        id: eventId,
        type: 'webhook.test',
        createdAt: now(),
        sequence: 0,
        data: { callId: null, conversationId: null, agentId: null, webhookId: id },
      }
      const tried = await post(hook, eventId, JSON.stringify(event))
      const isDelivered = decide(tried, 1, []).status === 'delivered'
      await deliveries.recordTest(hook, eventId, { ...tried, isDelivered })
      return { isDelivered, eventId, ...tried }
    },
  }
}

/** The part of a response that is stored; the rest is not read. */
async function beginningOf(answer: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true })
      if (text.length >= MAX_RESPONSE) break // leaving the loop closes the connection
    }
  } catch {
    // The status has arrived; the body is optional.
  }
  return text.slice(0, MAX_RESPONSE)
}

/** Masks our secrets in a response, and removes characters that databases reject. */
const masked = (text: string, secrets: readonly string[]) =>
  secrets
    .reduce((told, secret) => told.replaceAll(secret, '***'), text)
    .replaceAll('\0', '')
    .toWellFormed()

type SenderParts = {
  http: Pick<GuardedClient, 'fetch'>
  secretsOf: (hook: WebhookRow) => string[]
  timeoutMs: number
  closing: AbortSignal
}

/** The body is the same on every attempt; the timestamp is that of the attempt. */
function webhookSender({ http, secretsOf, timeoutMs, closing }: SenderParts) {
  return async (hook: WebhookRow, id: string, body: string): Promise<AttemptResult> => {
    const startedMs = monotonicMs()
    const secrets = secretsOf(hook)
    const late = AbortSignal.timeout(timeoutMs)
    const took = () => Math.round(monotonicMs() - startedMs)
    try {
      const answer = await http.fetch(hook.url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'user-agent': `Ramal/${version}`,
          ...signedHeaders(secrets, { id, timestampSeconds: Math.floor(nowMs() / 1000), body }),
        },
        body,
        signal: AbortSignal.any([late, closing]),
      })
      const response = masked(await beginningOf(answer), secrets)
      const error = answer.ok ? null : `It answered ${answer.status}`
      return { statusCode: answer.status, error, response, durationMs: took() }
    } catch (cause) {
      // The URL may contain a secret, so messages name at most its host.
      const why = cause instanceof HttpError ? cause.message : 'it could not be sent'
      const error = late.aborted ? 'It did not answer in time' : why
      return { statusCode: null, error, response: null, durationMs: took() }
    }
  }
}
