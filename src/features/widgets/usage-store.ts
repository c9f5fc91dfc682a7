// Daily budgets of a widget, and the share that one visitor may use of them, counted in the database across all
// processes.
import { sql } from 'kysely'
import { type AppError, appError } from '../../base/errors/errors.ts'
import { DAY_MS, now, nowMs } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { eventWriter } from '../../db/outbox.ts'
import type { WidgetUsageKind, WidgetUsageRow } from '../../db/widget-rows.ts'
import type { OwnedWidget } from './store.ts'

type Budget = WidgetUsageKind

/** Share of a day's budget that one address may use, at least one; an office shares an address. */
const SHARE_OF_DAY = 0.25
const shareOfDay = (limit: number) => Math.max(1, Math.ceil(limit * SHARE_OF_DAY))

const limitOf = { calls: 'callsPerDay', messages: 'messagesPerDay' } as const
export const today = () => now().slice(0, 10)

export function widgetUsage(db: Db) {
  const writeEvent = eventWriter(db)
  return {
    /** Counts one use for the widget and the visitor's share, or throws 429 and counts nothing. */
    async spend(trx: Trx, widget: OwnedWidget, kind: Budget, visitor: string | null): Promise<void> {
      const { id: widgetId, userId, agentId, name, limits } = widget
      const limit = limits[limitOf[kind]]
      const amount = await increase(trx, widgetId, kind, limit)
      if (amount === undefined) throw usedUp(kind)
      if (visitor !== null && !(await increase(trx, widgetId, `${kind} ${visitor}`, shareOfDay(limit))))
        throw shareUsedUp()
      if (amount !== limit) return
      const data = { widgetId, name, kind, limit, day: today() }
      await writeEvent(trx, { userId, agentId, type: 'widget.limit_reached', data })
    },

    /** Throws if no call could be counted now; counts nothing. */
    async checkCall({ id, limits }: OwnedWidget, visitor: string): Promise<void> {
      const { calls, ofVisitor } = await usedToday(db, id, visitor)
      if (calls >= limits.callsPerDay) throw usedUp('calls')
      if (ofVisitor >= shareOfDay(limits.callsPerDay)) throw shareUsedUp()
    },

    today: (widgetId: string): Promise<Record<Budget, number>> => usedToday(db, widgetId),

    /** Visitor data is needed for only a day; the totals are kept from `firstDay` on. */
    async removeOld(firstDay: string): Promise<void> {
      const old = db.deleteFrom('widgetUsages').where('day', '<', today())
      await old.where('kind', 'not in', ['calls', 'messages']).execute()
      await db.deleteFrom('widgetUsages').where('day', '<', firstDay).execute()
    },
  }
}

/** Increments a counter of the day and returns it; undefined at the limit. */
async function increase(trx: Trx, widgetId: string, kind: WidgetUsageRow['kind'], limit: number) {
  const counted = await trx
    .insertInto('widgetUsages')
    .values({ widgetId, day: today(), kind, amount: 1 })
    .onConflict((c) =>
      c
        .columns(['widgetId', 'day', 'kind'])
        .doUpdateSet({ amount: sql<number>`${sql.ref('widgetUsages.amount')} + 1` })
        .where('widgetUsages.amount', '<', limit),
    )
    .returning('amount')
    .executeTakeFirst()
  return counted?.amount
}

async function usedToday(db: Db, widgetId: string, visitor = ''): Promise<Record<Budget | 'ofVisitor', number>> {
  const rows = await db
    .selectFrom('widgetUsages')
    .select(['kind', 'amount'])
    .where('widgetId', '=', widgetId)
    .where('day', '=', today())
    .where('kind', 'in', ['calls', 'messages', `calls ${visitor}`])
    .execute()
  const of = (kind: WidgetUsageRow['kind']) => rows.find((row) => row.kind === kind)?.amount ?? 0
  return { calls: of('calls'), messages: of('messages'), ofVisitor: of(`calls ${visitor}`) }
}

const untilMidnight = () => ({
  headers: { 'retry-after': String(Math.max(1, Math.ceil((DAY_MS - (nowMs() % DAY_MS)) / 1000))) },
})

const usedUp = (kind: Budget): AppError =>
  appError(kind === 'calls' ? 'widget_calls_used_up' : 'widget_messages_used_up', {}, untilMidnight())

const shareUsedUp = (): AppError => appError('widget_share_used_up', {}, untilMidnight())
