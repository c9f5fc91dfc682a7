// Deliveries: events become deliveries webhook by webhook, each once; whoever sends one takes it under a lease, so two processes
// never send it at the same time, and what a dead one left is sent again.
import { sql } from 'kysely'
import { now } from '../../base/clock.ts'
import { AppError, found } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../../db/database.ts'
import type { DeliveryStatus, EventRow, WebhookDeliveryRow, WebhookRow } from '../../db/event-rows.ts'
import { lockRow } from '../../db/lock-row.ts'
import { before, type PageRequest } from '../../db/owned.ts'
import { fromJson } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { Delivery } from './schema.ts'

export type DeliveryStore = ReturnType<typeof deliveryStore>

/** What came of one try. */
export type Tried = Pick<WebhookDeliveryRow, 'statusCode' | 'error' | 'response' | 'durationMs'>
export type Verdict = { status: Extract<DeliveryStatus, 'delivered' | 'failed' | 'dead'>; inMs: number | null }

const PAGE = 200
const untried = ['pending', 'failed', 'delivering'] as const

export function deliveryStore(db: Db) {
  const own = (userId: string, webhookId: string) =>
    db.selectFrom('webhookDeliveries').selectAll().where('userId', '=', userId).where('webhookId', '=', webhookId)

  /** A page of a webhook's new events; true when there are more. */
  const spreadOf = (webhookId: string): Promise<boolean> =>
    db.inTransaction(async (trx) => {
      const hook = await lockRow(trx, 'webhooks', { id: webhookId })
      if (!hook?.isActive) return false
      const { userId } = hook
      const counter = await trx
        .selectFrom('eventCounters')
        .select('last')
        .where('userId', '=', userId)
        .executeTakeFirst()
      const events = await trx
        .selectFrom('events')
        .selectAll()
        .where('userId', '=', userId)
        .where('sequence', '>', hook.readUpTo)
        .orderBy('sequence')
        .limit(PAGE)
        .execute()
      const wanted = events.filter((event) => wants(hook, event))
      if (wanted.length > 0)
        await trx
          .insertInto('webhookDeliveries')
          .values(wanted.map((event) => ({ ...newDelivery(hook.id, event), dueAt: dbTime(trx) })))
          .execute()
      const hasMore = events.length === PAGE
      // Without more, also those that were removed before anybody read them are behind us.
      const last = events.at(-1)?.sequence ?? 0
      const readUpTo = hasMore ? last : Math.max(last, counter?.last ?? 0)
      await trx.updateTable('webhooks').set({ readUpTo }).where('id', '=', hook.id).execute()
      return hasMore
    })

  return {
    /** Makes deliveries of the events that came since the last time. */
    async spread(): Promise<void> {
      const behind = await db
        .selectFrom('webhooks')
        .innerJoin('eventCounters', 'eventCounters.userId', 'webhooks.userId')
        .select('webhooks.id')
        .where('webhooks.isActive', '=', 1)
        .whereRef('eventCounters.last', '>', 'webhooks.readUpTo')
        .execute()
      for (const { id } of behind) while (await spreadOf(id));
    },

    /** The webhooks for which there is something to send now. */
    async due(): Promise<string[]> {
      const rows = await db
        .selectFrom('webhookDeliveries')
        .innerJoin('webhooks', 'webhooks.id', 'webhookDeliveries.webhookId')
        .select('webhookDeliveries.webhookId')
        .distinct()
        .where('webhookDeliveries.status', 'in', untried)
        .where('webhookDeliveries.dueAt', '<=', dbTime(db))
        .where('webhooks.isActive', '=', 1)
        .execute()
      return rows.map(({ webhookId }) => webhookId)
    },

    /** The next one, which is the caller's for so long. What belongs to one call goes in its order; what waits for another try holds up nobody. */
    async take(webhookId: string, leaseMs: number): Promise<WebhookDeliveryRow | undefined> {
      const at = dbTime(db)
      return db
        .updateTable('webhookDeliveries')
        .set({
          status: 'delivering',
          dueAt: dbTime(db, leaseMs),
          lastAttemptAt: now(),
          attempts: sql`${sql.ref('attempts')} + 1` as never,
        })
        .where('status', 'in', untried)
        .where('dueAt', '<=', at)
        .where('id', '=', (from) =>
          from
            .selectFrom('webhookDeliveries as next')
            .select('next.id')
            .where('next.webhookId', '=', webhookId)
            .where('next.status', 'in', untried)
            .where('next.dueAt', '<=', at)
            .where((where) =>
              where.not(
                where.exists(
                  where
                    .selectFrom('webhookDeliveries as first')
                    .select('first.id')
                    .where('first.webhookId', '=', webhookId)
                    .whereRef('first.orderKey', '=', 'next.orderKey')
                    .whereRef('first.id', '<', 'next.id')
                    .where('first.status', 'in', ['pending', 'delivering']),
                ),
              ),
            )
            .orderBy('next.id')
            .limit(1),
        )
        .returningAll()
        .executeTakeFirst()
    },

    /** Only while it is still ours. */
    async settle(taken: WebhookDeliveryRow, { status, inMs }: Verdict, tried: Tried): Promise<void> {
      const at = now()
      await db
        .updateTable('webhookDeliveries')
        .set({
          ...tried,
          status,
          dueAt: inMs === null ? null : dbTime(db, inMs),
          deliveredAt: status === 'delivered' ? at : null,
        })
        .where('id', '=', taken.id)
        .where('status', '=', 'delivering')
        .where('dueAt', '=', taken.dueAt)
        .execute()
    },

    /** Given back untried. */
    async release({ id, dueAt, attempts }: WebhookDeliveryRow): Promise<void> {
      await db
        .updateTable('webhookDeliveries')
        .set({ status: attempts > 1 ? 'failed' : 'pending', dueAt: dbTime(db), attempts: attempts - 1 })
        .where('id', '=', id)
        .where('status', '=', 'delivering')
        .where('dueAt', '=', dueAt)
        .execute()
    },

    /** Once more from the beginning, whatever became of it. */
    async again(userId: string, webhookId: string, id: string): Promise<Delivery> {
      const stored = found('Delivery', await own(userId, webhookId).where('id', '=', id).executeTakeFirst())
      const event = await db
        .selectFrom('events')
        .select('id')
        .where('userId', '=', userId)
        .where('id', '=', stored.eventId)
        .executeTakeFirst()
      if (!event) throw new AppError('conflict', 'The event of this delivery is not kept any more')
      const changed = await db
        .updateTable('webhookDeliveries')
        .set({ status: 'pending', dueAt: dbTime(db), attempts: 0, deliveredAt: null, error: null })
        .where('userId', '=', userId)
        .where('id', '=', id)
        .where((where) => where.or([where('status', '!=', 'delivering'), where('dueAt', '<', dbTime(db))]))
        .returningAll()
        .executeTakeFirst()
      if (!changed) throw new AppError('conflict', 'This delivery is being sent just now')
      return toDelivery(changed)
    },

    /** Newest first. */
    page(userId: string, webhookId: string, { limit, after }: PageRequest, status?: DeliveryStatus) {
      let rows = own(userId, webhookId)
      if (status !== undefined) rows = rows.where('status', '=', status)
      if (after) rows = rows.where(before('createdAt', after.at, after.id))
      return rows.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },
  }
}

/** Whether a webhook asked for this. One that is limited to agents hears only what concerns them. */
export function wants(hook: Pick<WebhookRow, 'events' | 'agentIds' | 'deviceId'>, event: EventRow): boolean {
  const types = JSON.parse(hook.events) as string[]
  const agentIds = fromJson<string[]>(hook.agentIds)
  if (!types.includes('*') && !types.includes(event.type)) return false
  if (hook.deviceId !== null && (JSON.parse(event.data) as { deviceId?: string }).deviceId !== hook.deviceId)
    return false
  return agentIds === null || (event.agentId !== null && agentIds.includes(event.agentId))
}

/** What follows from a try: done, another try after a while, or no more. */
export function verdictOf({ statusCode }: Tried, attempts: number, delaysMs: readonly number[]): Verdict {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { status: 'delivered', inMs: null }
  const inMs = delaysMs[attempts - 1]
  return statusCode === 410 || inMs === undefined ? { status: 'dead', inMs: null } : { status: 'failed', inMs }
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
