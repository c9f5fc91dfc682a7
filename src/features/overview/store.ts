// The figures of the overview, in few queries: live calls, calls by day and response times (both without test calls),
// and which resources exist.
import { setImmediate as breathe } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { liveStatuses } from '../../base/domain/call-statuses.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { medianResponseMs } from '../calls/response-time-rows.ts'
import type { AgentCalls } from './schema.ts'

/** A median covers at most this many of the latest calls, to bound the cost of busy days. */
const MEDIAN_CALLS = 200
const PAST_MEDIAN_CALLS = 50

/** Medians of past days hardly change, so they are cached: a page that polls every few seconds stays cheap. */
const KEPT_MEDIANS = 5000
const KEPT_MS = 3_600_000

/** From `fromMs` until before `toMs`. */
export type Range = { fromMs: number; toMs: number }
export type DayCount = {
  calls: number
  answered: number
  /** Ended with an error, answered or not. */
  failed: number
  seconds: number
  notAnswered: { failed: number; busy: number; unanswered: number }
}
/** Ended unanswered, without an error. */
const unansweredStatuses = ['no_answer', 'canceled', 'completed'] as const

export type Things = { agent: boolean; way: boolean; number: boolean; call: boolean }
export type OverviewStore = ReturnType<typeof overviewStore>

export function overviewStore(db: Db) {
  const keptMedians = new LruCache<string, { ms: number | null; untilMs: number }>(KEPT_MEDIANS)

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

    async byAgent(userId: string, fromMs: number): Promise<AgentCalls[]> {
      const rows = await db
        .selectFrom('calls')
        .select([
          'agentId',
          sql<number>`count(*)`.as('calls'),
          sql<number>`count(${sql.ref('answeredAt')})`.as('answered'),
          sql<string>`max(${sql.ref('startedAt')})`.as('lastCallAt'),
        ])
        .where('userId', '=', userId)
        .where('startedAt', '>=', toIso(fromMs))
        .where('agentId', 'is not', null)
        .where('isTest', '=', 0)
        .where(agentNotRemoved())
        .groupBy('agentId')
        .execute()
      return rows.map(({ agentId, calls, answered, lastCallAt }) => ({
        agentId: agentId ?? '',
        lastCallAt,
        calls: Number(calls),
        answered: Number(answered),
      }))
    },

    /** One per range, in order. The queries run one at a time, so that other work gets in between. */
    async counts(userId: string, ranges: readonly Range[], nowMs: number): Promise<DayCount[]> {
      const counts: DayCount[] = []
      for (const range of ranges) {
        counts.push(await count(db, userId, range, nowMs))
        await breathe()
      }
      return counts
    },

    medianResponseMs: (userId: string, range: Range) => median(db, userId, range, MEDIAN_CALLS),

    /** One per range, in order, for ranges that are over. */
    async pastMedians(userId: string, ranges: readonly Range[], nowMs: number): Promise<(number | null)[]> {
      const medians: (number | null)[] = []
      for (const range of ranges) {
        const key = `${userId} ${range.fromMs} ${range.toMs}`
        const kept = keptMedians.get(key)
        if (kept && kept.untilMs > nowMs) {
          medians.push(kept.ms)
          continue
        }
        const ms = await median(db, userId, range, PAST_MEDIAN_CALLS)
        keptMedians.set(key, { ms, untilMs: nowMs + KEPT_MS })
        medians.push(ms)
        await breathe()
      }
      return medians
    },

    /** Whether the user has at least one of each. */
    things: (userId: string): Promise<Things> => thingsOf(db, userId),
  }
}

async function thingsOf(db: Db, userId: string): Promise<Things> {
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
}

async function count(db: Db, userId: string, range: Range, nowMs: number): Promise<DayCount> {
  const [status, answeredAt] = [sql.ref('status'), sql.ref('answeredAt')]
  const end = sql`coalesce(${sql.ref('endedAt')}, ${toIso(nowMs)})`
  const seconds = (time: RawBuilder<unknown>) =>
    isPostgres(db) ? sql<number>`extract(epoch from ${time}::timestamptz)` : sql<number>`unixepoch(${time})`
  const spoken = sql`${seconds(end)} - ${seconds(answeredAt)}`
  const countIf = (condition: RawBuilder<unknown>) => sql<number>`count(case when ${condition} then 1 end)`
  const row = await callsIn(db, userId, range)
    .select([
      sql<number>`count(*)`.as('calls'),
      sql<number>`count(${answeredAt})`.as('answered'),
      countIf(sql`${status} = 'failed'`).as('failed'),
      countIf(sql`${status} = 'failed' and ${answeredAt} is null`).as('failedUnanswered'),
      countIf(sql`${status} = 'busy' and ${answeredAt} is null`).as('busy'),
      countIf(sql`${status} in (${sql.join(unansweredStatuses)}) and ${answeredAt} is null`).as('unanswered'),
      sql<number>`sum(case when ${answeredAt} is not null then ${spoken} end)`.as('seconds'),
    ])
    .executeTakeFirstOrThrow()
  return {
    calls: Number(row.calls),
    answered: Number(row.answered),
    failed: Number(row.failed),
    // Never negative: a clock may have been set back.
    seconds: Math.max(0, Number(row.seconds)),
    notAnswered: {
      failed: Number(row.failedUnanswered),
      busy: Number(row.busy),
      unanswered: Number(row.unanswered),
    },
  }
}

const callsIn = (db: Db, userId: string, { fromMs, toMs }: Range) =>
  db
    .selectFrom('calls')
    .where('calls.userId', '=', userId)
    .where('calls.startedAt', '>=', toIso(fromMs))
    .where('calls.startedAt', '<', toIso(toMs))
    .where('calls.isTest', '=', 0)
    .where(agentNotRemoved('calls.agentId'))

async function median(db: Db, userId: string, range: Range, most: number): Promise<number | null> {
  const rows = await callsIn(db, userId, range)
    .innerJoin('callTurns', 'callTurns.callId', 'calls.id')
    .select('callTurns.turns')
    .orderBy('calls.startedAt', 'desc')
    .orderBy('calls.id', 'desc')
    .limit(most)
    .execute()
  return medianResponseMs(rows.map(({ turns }) => turns))
}
