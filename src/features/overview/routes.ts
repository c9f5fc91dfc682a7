// /api/overview
import { Type } from 'typebox'
import type { Role } from '../../base/domain/role.ts'
import { DAY_MS, nowMs } from '../../base/time/clock.ts'
import type { Routes } from '../../http/server.ts'
import { lastDays, rangesOf } from './days.ts'
import { AgentCalls, AgentCallsQuery, Overview, OverviewQuery, type ServiceNode } from './schema.ts'
import { type Platform, setupSteps } from './setup.ts'
import type { DayCount, OverviewStore } from './store.ts'

const DAYS = 14

export type OverviewParts = {
  overview: OverviewStore
  platform: (userId: string) => Promise<Platform>
  /** The nodes, for administrators; empty for others. */
  nodesFor: (role: Role) => Promise<ServiceNode[]>
}

export const overviewRoutes =
  ({ overview, platform, nodesFor }: OverviewParts): Routes =>
  (api) => {
    api.get(
      '/overview/agents',
      {
        schema: {
          summary: 'Count the calls of each agent in the last days; agents without calls are left out',
          querystring: AgentCallsQuery,
          response: { 200: Type.Array(AgentCalls) },
        },
      },
      ({ userId, query: { days = 7 } }) => overview.byAgent(userId, nowMs() - days * DAY_MS),
    )

    api.get(
      '/overview',
      {
        schema: {
          summary: 'Get live, daily and 14-day call figures and the setup checklist',
          querystring: OverviewQuery,
          response: { 200: Overview },
        },
      },
      async ({ userId, grant, query: { timeZone = 'UTC' } }) => {
        const at = nowMs()
        const ranges = rangesOf(lastDays(at, timeZone, DAYS), at)
        const [
          live,
          [yesterday = noCalls, ...counts],
          medianResponseMs,
          yesterdayMedian,
          past,
          things,
          platformState,
          nodes,
        ] = await Promise.all([
          overview.live(userId),
          overview.counts(userId, [ranges.yesterday, ...ranges.days], at),
          overview.medianResponseMs(userId, ranges.today),
          overview.medianResponseMs(userId, ranges.yesterday),
          overview.pastMedians(userId, ranges.days.slice(0, -1), at),
          overview.things(userId),
          platform(userId),
          nodesFor(grant?.role ?? 'member'),
        ])
        const now = counts.at(-1) ?? noCalls
        return {
          callsNow: live.now,
          waitingCalls: live.waiting,
          today: {
            calls: now.calls,
            answered: now.answered,
            failed: now.failed,
            minutes: minutes(now),
            averageSeconds: now.answered === 0 ? null : Math.round(now.seconds / now.answered),
            medianResponseMs,
          },
          yesterday: {
            calls: yesterday.calls,
            answered: yesterday.answered,
            minutes: minutes(yesterday),
            medianResponseMs: yesterdayMedian,
          },
          days: counts.map((count, i) => ({
            date: ranges.days[i]?.date ?? '',
            calls: count.calls,
            answered: count.answered,
            minutes: minutes(count),
            notAnswered: count.notAnswered,
            medianResponseMs: i === counts.length - 1 ? medianResponseMs : (past[i] ?? null),
          })),
          setup: setupSteps(things, platformState),
          nodes,
        }
      },
    )
  }

const noCalls: DayCount = {
  calls: 0,
  answered: 0,
  failed: 0,
  seconds: 0,
  notAnswered: { failed: 0, busy: 0, unanswered: 0 },
}
const minutes = ({ seconds }: DayCount) => Math.round(seconds / 6) / 10
