// Webhook deliveries: each matching event becomes one delivery per webhook, claimed under a lease and retried with
// backoff.
import { sql } from 'kysely'
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { DeliveryStatus, EventRow, WebhookDeliveryRow, WebhookRow } from '../../db/event-rows.ts'
import { type Claimed, leasedQueue } from '../../db/leased-queue.ts'
import { lockRow } from '../../db/lock-row.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import { fromJson } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { Delivery } from './schema.ts'

export type DeliveryStore = ReturnType<typeof deliveryStore>
export type ClaimedDelivery = Claimed<'webhookDeliveries'>

/** The outcome of one HTTP request. */
export type AttemptResult = Pick<WebhookDeliveryRow, 'statusCode' | 'error' | 'response' | 'durationMs'>
type TestResult = AttemptResult & { isDelivered: boolean }
export type DeliveryDecision = {
  status: Extract<DeliveryStatus, 'delivered' | 'failed' | 'dead'>
  retryAfterMs: number | null
}

const PAGE = 200
const unfinished = ['pending', 'failed', 'delivering'] as const

export function deliveryStore(db: Db) {
  const queue = leasedQueue(db, {
    table: 'webhookDeliveries',
    dueAt: 'dueAt',
    status: { column: 'status', waiting: 'pending', claimed: 'delivering', claimable: unfinished },
    attempts: 'attempts',
    leaseMs: 60_000,
  })

  return {
    createDeliveries: () => createDeliveries(db),
    webhooksDue: () => webhooksDue(db),

    /**
     * Deliveries of one call or conversation go in order, except that a failed one does not hold up those behind it.
     */
    claim: (webhookId: string, leaseMs: number): Promise<ClaimedDelivery | undefined> =>
      queue.claim({
        leaseMs,
        orderBy: 'id',
        set: { lastAttemptAt: now() },
        where: sql<boolean>`${sql.ref('candidate.webhookId')} = ${webhookId} and not exists (
          select 1 from ${sql.table('webhookDeliveries')} as earlier
          where ${sql.ref('earlier.webhookId')} = ${webhookId}
            and ${sql.ref('earlier.orderKey')} = ${sql.ref('candidate.orderKey')}
            and earlier.id < candidate.id and earlier.status in ('pending', 'delivering'))`,
      }),

    /** A test is sent at once and never retried; it is listed along with the other deliveries. */
    async recordTest(hook: WebhookRow, eventId: string, tried: TestResult): Promise<void> {
      await db
        .insertInto('webhookDeliveries')
        .values(testDelivery(hook, eventId, tried))
        .execute()
    },

    async finish(
      delivery: ClaimedDelivery,
      { status, retryAfterMs }: DeliveryDecision,
      result: AttemptResult,
    ): Promise<void> {
      await queue.finish(delivery, {
        ...result,
        status,
        dueAt: retryAfterMs === null ? null : dbTime(db, retryAfterMs),
        deliveredAt: status === 'delivered' ? now() : null,
      })
    },

    /** Releases it unsent. */
    async release(delivery: ClaimedDelivery): Promise<void> {
      await queue.release(delivery, { status: delivery.attempts > 1 ? 'failed' : 'pending' })
    },

    redeliver: (userId: string, webhookId: string, id: string) => redeliver(db, userId, webhookId, id),

    /** Newest first. */
    page(userId: string, webhookId: string, { limit, after }: PageRequest, status?: DeliveryStatus) {
      let rows = ownDeliveries(db, userId, webhookId)
      if (status !== undefined) rows = rows.where('status', '=', status)
      if (after) rows = rows.where(olderThan('createdAt', after.at, after.id))
      return rows.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },
  }
}

const ownDeliveries = (db: Db, userId: string, webhookId: string) =>
  db.selectFrom('webhookDeliveries').selectAll().where('userId', '=', userId).where('webhookId', '=', webhookId)

/** Sends it again with all its attempts, whatever its status. */
async function redeliver(db: Db, userId: string, webhookId: string, id: string): Promise<Delivery> {
  const stored = found('Delivery', await ownDeliveries(db, userId, webhookId).where('id', '=', id).executeTakeFirst())
  const event = await db
    .selectFrom('events')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', stored.eventId)
    .executeTakeFirst()
  if (!event) throw appError('webhook_event_gone')
  const queued = await db
    .updateTable('webhookDeliveries')
    .set({ status: 'pending', dueAt: dbTime(db), attempts: 0, deliveredAt: null, error: null })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where((where) => where.or([where('status', '!=', 'delivering'), where('dueAt', '<', dbTime(db))]))
    .returningAll()
    .executeTakeFirst()
  if (!queued) throw appError('webhook_delivery_running')
  return toDelivery(queued)
}

/** Creates deliveries for new events. */
async function createDeliveries(db: Db): Promise<void> {
  const behind = await db
    .selectFrom('webhooks')
    .innerJoin('eventCounters', 'eventCounters.userId', 'webhooks.userId')
    .select('webhooks.id')
    .where('webhooks.isActive', '=', 1)
    .whereRef('eventCounters.last', '>', 'webhooks.readUpTo')
    .execute()
  for (const { id } of behind) while (await createPage(db, id));
}

/** Creates the deliveries for one page of a webhook's new events; true if there are more. */
const createPage = (db: Db, webhookId: string): Promise<boolean> =>
  db.inTransaction(async (trx) => {
    const hook = await lockRow(trx, 'webhooks', { id: webhookId })
    if (!hook?.isActive) return false
    const { userId } = hook
    const counter = await trx.selectFrom('eventCounters').select('last').where('userId', '=', userId).executeTakeFirst()
    const events = await trx
      .selectFrom('events')
      .selectAll()
      .where('userId', '=', userId)
      .where('sequence', '>', hook.readUpTo)
      .orderBy('sequence')
      .limit(PAGE)
      .execute()
    const wanted = events.filter((event) => matches(hook, event))
    if (wanted.length > 0)
      await trx
        .insertInto('webhookDeliveries')
        .values(wanted.map((event) => ({ ...newDelivery(hook.id, event), dueAt: dbTime(trx) })))
        .execute()
    const hasMore = events.length === PAGE
    // The last page also skips events that were deleted before they were read.
    const last = events.at(-1)?.sequence ?? 0
    const readUpTo = hasMore ? last : Math.max(last, counter?.last ?? 0)
    await trx.updateTable('webhooks').set({ readUpTo }).where('id', '=', hook.id).execute()
    return hasMore
  })

/** Whether the webhook subscribes to this event; one with `agentIds` gets events of these agents only. */
export function matches(hook: Pick<WebhookRow, 'events' | 'agentIds' | 'deviceId'>, event: EventRow): boolean {
  const types = JSON.parse(hook.events) as string[]
  const agentIds = fromJson<string[]>(hook.agentIds)
  if (!types.includes('*') && !types.includes(event.type)) return false
  if (hook.deviceId !== null && (JSON.parse(event.data) as { deviceId?: string }).deviceId !== hook.deviceId)
    return false
  return agentIds === null || (event.agentId !== null && agentIds.includes(event.agentId))
}

/** 2xx means delivered; 410 and the last attempt are final; anything else is retried. */
export function decide({ statusCode }: AttemptResult, attempts: number, delaysMs: readonly number[]): DeliveryDecision {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { status: 'delivered', retryAfterMs: null }
  const retryAfterMs = delaysMs[attempts - 1]
  return statusCode === 410 || retryAfterMs === undefined
    ? { status: 'dead', retryAfterMs: null }
    : { status: 'failed', retryAfterMs }
}

/** Webhooks that have a delivery due. */
async function webhooksDue(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhookDeliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhookDeliveries.webhookId')
    .select('webhookDeliveries.webhookId')
    .distinct()
    .where('webhookDeliveries.status', 'in', unfinished)
    .where('webhookDeliveries.dueAt', '<=', dbTime(db))
    .where('webhooks.isActive', '=', 1)
    .execute()
  return rows.map(({ webhookId }) => webhookId)
}

function testDelivery({ id: webhookId, userId }: WebhookRow, eventId: string, tried: TestResult): WebhookDeliveryRow {
  const { isDelivered, ...result } = tried
  const at = now()
  return {
    id: newId('dlv'),
    userId,
    webhookId,
    eventId,
    eventType: 'webhook.test',
    orderKey: null,
    status: isDelivered ? 'delivered' : 'dead',
    attempts: 1,
    dueAt: null,
    ...result,
    lastAttemptAt: at,
    deliveredAt: isDelivered ? at : null,
    createdAt: at,
  }
}

const newDelivery = (webhookId: string, event: EventRow): Omit<WebhookDeliveryRow, 'dueAt'> => ({
  id: newId('dlv'),
  userId: event.userId,
  webhookId,
  eventId: event.id,
  eventType: event.type,
  orderKey: event.callId ?? event.conversationId,
  status: 'pending',
  attempts: 0,
  statusCode: null,
  error: null,
  response: null,
  durationMs: null,
  createdAt: now(),
  lastAttemptAt: null,
  deliveredAt: null,
})

export function toDelivery({ userId, orderKey, dueAt, ...row }: WebhookDeliveryRow): Delivery {
  const isWaiting = row.status === 'pending' || row.status === 'failed'
  return { ...row, nextAttemptAt: isWaiting ? dueAt : null }
}
