// /api/overview
import { nowMs } from '../../base/clock.ts'
import type { Routes } from '../../http/server.ts'
import { lastDays } from './days.ts'
import { Overview, OverviewQuery } from './schema.ts'
import { type Platform, setupSteps } from './setup.ts'
import type { DayCount, OverviewStore } from './store.ts'

const DAYS = 14

export type OverviewParts = { overview: OverviewStore; platform: () => Platform }

export const overviewRoutes =
  ({ overview, platform }: OverviewParts): Routes =>
  (api) => {
    api.get(
      '/overview',
      {
        schema: {
          summary: 'Get live, daily and 14-day call figures and the setup checklist',
          querystring: OverviewQuery,
          response: { 200: Overview },
        },
      },
      async ({ userId, query: { timeZone = 'UTC' } }) => {
        const at = nowMs()
        const days = lastDays(at, timeZone, DAYS)
        const today = days[DAYS - 1] ?? { date: '', startMs: at }
        const [live, counts, medianResponseMs, things] = await Promise.all([
          overview.live(userId),
          overview.byDay(userId, days, at),
          overview.medianResponseMs(userId, today),
          overview.things(userId),
        ])
        const now = counts[DAYS - 1] ?? { calls: 0, answered: 0, failed: 0, seconds: 0 }
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
          days: days.map(({ date }, i) => {
            const count = counts[i] as DayCount
            return { date, calls: count.calls, answered: count.answered, minutes: minutes(count) }
          }),
          setup: setupSteps(things, platform()),
        }
      },
    )
  }

const minutes = ({ seconds }: DayCount) => Math.round(seconds / 6) / 10
