// What visitors do with a widget, counted in the database for all processes: daily budgets, and sessions at the same time.
import { sql } from 'kysely'
import { liveStatuses } from '../../base/call-statuses.ts'
import { DAY_MS, now, nowMs, toIso } from '../../base/clock.ts'
import { type AppError, appError, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { WidgetUsageRow } from '../../db/widget-rows.ts'
import { eventWriter } from '../events/store.ts'
import type { Widget, WidgetUsage } from './schema.ts'
import type { OwnedWidget } from './store.ts'

export type WidgetSessions = ReturnType<typeof widgetSessions>
type Budget = WidgetUsageRow['kind']

const KEPT_MS = 35 * DAY_MS
/** No call is longer (schema.ts). */
const LONGEST_MS = DAY_MS
/** A session whose call or conversation is about to be written. */
const OPENING_MS = 30_000
/** A chat without a message for this long no longer counts as a session. */
const CHAT_QUIET_MS = 300_000

const limitOf = { calls: 'callsPerDay', messages: 'messagesPerDay' } as const
const today = () => now().slice(0, 10)
const ago = (ms: number) => toIso(nowMs() - ms)

export function widgetSessions(db: Db) {
  const writeEvent = eventWriter(db)

  /** Counts one use, or throws 429 and counts nothing. */
  async function spend(trx: Trx, { id, userId, agentId, name, limits }: OwnedWidget, kind: Budget): Promise<void> {
    const [day, limit] = [today(), limits[limitOf[kind]]]
    const counted = await trx
      .insertInto('widgetUsages')
      .values({ widgetId: id, day, kind, amount: 1 })
      .onConflict((c) =>
        c
          .columns(['widgetId', 'day', 'kind'])
          .doUpdateSet({ amount: sql<number>`${sql.ref('widgetUsages.amount')} + 1` })
          .where('widgetUsages.amount', '<', limit),
      )
      .returning('amount')
      .executeTakeFirst()
    if (!counted) throw usedUp(kind)
    if (counted.amount !== limit) return
    const data = { widgetId: id, name, kind, limit, day }
    await writeEvent(trx, { userId, agentId, type: 'widget.limit_reached', data })
  }

  async function concurrent(trx: Db | Trx, widgetId: string): Promise<number> {
    const { count } = await trx
      .selectFrom('widgetSessions as s')
      .leftJoin('calls as c', 'c.id', 's.id')
      .leftJoin('conversations as v', 'v.id', 's.id')
      .select((e) => e.fn.countAll().as('count'))
      .where('s.widgetId', '=', widgetId)
      .where('s.createdAt', '>', ago(LONGEST_MS))
      .where((e) =>
        e.or([
          e('c.status', 'in', liveStatuses),
          e.and([
            e('v.status', '=', 'active'),
            e(e.fn.coalesce('v.lastMessageAt', 'v.startedAt'), '>', ago(CHAT_QUIET_MS)),
          ]),
          e.and([e('c.id', 'is', null), e('v.id', 'is', null), e('s.createdAt', '>', ago(OPENING_MS))]),
        ]),
      )
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Under the lock of the widget's row, so that parallel sessions cannot exceed the limit together. */
  const open = (widget: OwnedWidget, id: string, kind: 'call' | 'chat'): Promise<void> =>
    db.inTransaction(async (trx) => {
      const { id: widgetId, userId, limits } = widget
      if (!(await lockRow(trx, 'widgets', { userId, id: widgetId }))) throw notFound('Widget')
      if ((await concurrent(trx, widgetId)) >= limits.maxConcurrent) throw busy()
      await trx.insertInto('widgetSessions').values({ id, widgetId, kind, createdAt: now() }).execute()
    })

  async function close(id: string): Promise<void> {
    await db.deleteFrom('widgetSessions').where('id', '=', id).execute()
  }

  return {
    /** Opens the session of a call; throws 429 when the widget has no room. */
    openCall: (widget: OwnedWidget, callId: string) => open(widget, callId, 'call'),
    /** The call did not start after all. */
    closeCall: close,
    spendCall: (widget: OwnedWidget) => db.inTransaction((trx) => spend(trx, widget, 'calls')),

    /** Opens the session of a chat around `start`, which returns the id of its conversation. */
    async openChat(widget: OwnedWidget, start: () => Promise<string>): Promise<string> {
      const place = newId('wss')
      await open(widget, place, 'chat')
      try {
        const id = await start()
        await db.updateTable('widgetSessions').set({ id }).where('id', '=', place).execute()
        return id
      } catch (error) {
        await close(place)
        throw error
      }
    },

    spendMessage: (widget: OwnedWidget) => db.inTransaction((trx) => spend(trx, widget, 'messages')),

    /** Throws when a call could not be opened now; nothing is counted. */
    async checkCall({ id, limits }: OwnedWidget): Promise<void> {
      if ((await usedToday(db, id)).calls >= limits.callsPerDay) throw usedUp('calls')
      if ((await concurrent(db, id)) >= limits.maxConcurrent) throw busy()
    },

    async usageOf({ id, limits }: Widget): Promise<WidgetUsage> {
      const used = await usedToday(db, id)
      return {
        day: today(),
        calls: { used: used.calls, limit: limits.callsPerDay },
        messages: { used: used.messages, limit: limits.messagesPerDay },
        concurrent: { used: await concurrent(db, id), limit: limits.maxConcurrent },
      }
    },

    /** Chats of visitors who have not written since then. */
    async idleChats(quietMs: number, limit: number): Promise<{ id: string; userId: string }[]> {
      return db
        .selectFrom('widgetSessions as s')
        .innerJoin('conversations as v', 'v.id', 's.id')
        .select(['v.id', 'v.userId'])
        .where('s.kind', '=', 'chat')
        .where('v.status', '=', 'active')
        .where((e) => e(e.fn.coalesce('v.lastMessageAt', 'v.startedAt'), '<', ago(quietMs)))
        .limit(limit)
        .execute()
    },

    /** How much a chat holds. */
    async sizeOf(conversationId: string): Promise<{ messages: number; letters: number }> {
      const { messages, letters } = await db
        .selectFrom('messages')
        .select((e) => [e.fn.countAll().as('messages'), e.fn.sum(sql<number>`length(content)`).as('letters')])
        .where('conversationId', '=', conversationId)
        .executeTakeFirstOrThrow()
      return { messages: Number(messages), letters: Number(letters ?? 0) }
    },

    async removeOld(): Promise<void> {
      await db.deleteFrom('widgetUsages').where('day', '<', ago(KEPT_MS).slice(0, 10)).execute()
      await db.deleteFrom('widgetSessions').where('createdAt', '<', ago(KEPT_MS)).execute()
    },
  }
}

async function usedToday(db: Db, widgetId: string): Promise<Record<Budget, number>> {
  const rows = await db
    .selectFrom('widgetUsages')
    .select(['kind', 'amount'])
    .where('widgetId', '=', widgetId)
    .where('day', '=', today())
    .execute()
  const of = (kind: Budget) => rows.find((row) => row.kind === kind)?.amount ?? 0
  return { calls: of('calls'), messages: of('messages') }
}

const busy = () => appError('widget_busy', {}, { headers: { 'retry-after': '30' } })

function usedUp(kind: Budget): AppError {
  const seconds = Math.max(1, Math.ceil((DAY_MS - (nowMs() % DAY_MS)) / 1000))
  const code = kind === 'calls' ? 'widget_calls_used_up' : 'widget_messages_used_up'
  return appError(code, {}, { headers: { 'retry-after': String(seconds) } })
}
