// The figures of the overview, in few queries: live calls, calls by day, response times, and which resources exist.
import { setImmediate as breathe } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { toIso } from '../../base/clock.ts'
import type { Db } from '../../db/database.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { liveStatuses } from '../../db/tables.ts'
import type { Turn } from '../calls/schema.ts'
import type { Day } from './days.ts'

/** Today's median covers at most this many calls, the latest: a bound for busy days. */
const MEDIAN_CALLS = 200

export type DayCount = { calls: number; answered: number; failed: number; seconds: number }
export type Things = { agent: boolean; way: boolean; number: boolean; call: boolean }
export type OverviewStore = ReturnType<typeof overviewStore>

export function overviewStore(db: Db, isPostgres: boolean) {
  const seconds = (time: RawBuilder<unknown>) =>
    isPostgres ? sql<number>`extract(epoch from ${time}::timestamptz)` : sql<number>`unixepoch(${time})`

  return {
    async live(userId: string): Promise<{ now: number; waiting: number }> {
      const rows = await db
        .selectFrom('calls')
        .select(['status', (count) => count.fn.countAll().as('calls')])
        .where('userId', '=', userId)
        .where('status', 'in', liveStatuses)
        .where(agentNotRemoved())
        .groupBy('status')
        .execute()
      const of = (isAsked: (status: string) => boolean) =>
        rows.filter(({ status }) => isAsked(status)).reduce((sum, { calls }) => sum + Number(calls), 0)
      return { now: of((status) => status !== 'initiating'), waiting: of((status) => status === 'initiating') }
    },

    /** One per day, in order. Queried a day at a time, so that other work runs in between. */
    async byDay(userId: string, days: readonly Day[], nowMs: number): Promise<DayCount[]> {
      const end = sql`coalesce(${sql.ref('endedAt')}, ${toIso(nowMs)})`
      const spoken = sql`${seconds(end)} - ${seconds(sql.ref('answeredAt'))}`
      const counts: DayCount[] = []
      for (const [i, { startMs }] of days.entries()) {
        const next = days[i + 1]
        let query = db
          .selectFrom('calls')
          .select([
            sql<number>`count(*)`.as('calls'),
            sql<number>`count(${sql.ref('answeredAt')})`.as('answered'),
            sql<number>`count(case when ${sql.ref('status')} = 'failed' then 1 end)`.as('failed'),
            sql<number>`sum(case when ${sql.ref('answeredAt')} is not null then ${spoken} end)`.as('seconds'),
          ])
          .where('userId', '=', userId)
          .where('startedAt', '>=', toIso(startMs))
          .where(agentNotRemoved())
        if (next) query = query.where('startedAt', '<', toIso(next.startMs))
        const { calls, answered, failed, seconds } = await query.executeTakeFirstOrThrow()
        // Never negative: a clock may have been set back.
        const all = { calls: Number(calls), answered: Number(answered), failed: Number(failed) }
        counts.push({ ...all, seconds: Math.max(0, Number(seconds)) })
        await breathe()
      }
      return counts
    },

    async medianResponseMs(userId: string, since: Day): Promise<number | null> {
      const rows = await db
        .selectFrom('calls')
        .innerJoin('callTurns', 'callTurns.callId', 'calls.id')
        .select('callTurns.turns')
        .where('calls.userId', '=', userId)
        .where('calls.startedAt', '>=', toIso(since.startMs))
        .where(agentNotRemoved('calls.agentId'))
        .orderBy('calls.startedAt', 'desc')
        .orderBy('calls.id', 'desc')
        .limit(MEDIAN_CALLS)
        .execute()
      const times = rows
        .flatMap(({ turns }) => (JSON.parse(turns) as Turn[]).flatMap(({ latency }) => latency?.totalMs ?? []))
        .sort((a, b) => a - b)
      return times[Math.floor((times.length - 1) / 2)] ?? null
    },

    /** Whether the user has at least one of each. */
    async things(userId: string): Promise<Things> {
      const one = (table: 'agents' | 'trunks' | 'devices' | 'dids' | 'trunkLinks' | 'calls') =>
        db.selectFrom(table).select(sql<number>`1`.as('one')).where('userId', '=', userId).limit(1)
      const [agents, trunks, devices, dids, links, boundDevices, calls] = await Promise.all([
        one('agents')
          .where(sql<boolean>`${sql.ref('removedAt')} is null`)
          .executeTakeFirst(),
        one('trunks').where(sql<boolean>`status in ('registered', 'reachable')`).executeTakeFirst(),
        one('devices').where(sql<boolean>`status = 'connected'`).executeTakeFirst(),
        one('dids').where(sql.ref('agentId'), 'is not', null).executeTakeFirst(),
        one('trunkLinks').executeTakeFirst(),
        one('devices').where(sql.ref('agentId'), 'is not', null).executeTakeFirst(),
        one('calls').where(agentNotRemoved()).executeTakeFirst(),
      ])
      const is = (...rows: unknown[]) => rows.some((row) => row !== undefined)
      return {
        agent: is(agents),
        way: is(trunks, devices),
        number: is(dids, links, boundDevices),
        call: is(calls),
      }
    },
  }
}
