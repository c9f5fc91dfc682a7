// Daily budgets of members for what the operator pays for: texts, outbound calls and TTS characters. Counted in the database, for all
// processes, by UTC day.
import { sql } from 'kysely'
import { DAY_MS, nowMs, toIso } from '../../base/clock.ts'
import { type AppError, appError } from '../../base/errors.ts'
import type { Db } from '../../db/database.ts'
import type { UsageRow } from '../../db/usage-rows.ts'
import type { FindUserIdentity } from './identity.ts'

export type BudgetKind = UsageRow['kind']
/** Per day; null: unlimited. */
export type BudgetLimits = Readonly<Record<BudgetKind, number | null>>
export type Budgets = ReturnType<typeof memberBudgets>

const KEPT_DAYS = 35
const codeOf = {
  texts: 'budget_texts_used_up',
  calls: 'budget_calls_used_up',
  ttsCharacters: 'budget_speech_used_up',
} as const satisfies Readonly<Record<BudgetKind, string>>

export function memberBudgets(db: Db, standing: FindUserIdentity, limits: BudgetLimits) {
  const today = () => toIso(nowMs()).slice(0, 10)

  function refusal(kind: BudgetKind, limit: number): AppError {
    const seconds = Math.max(1, Math.ceil((DAY_MS - (nowMs() % DAY_MS)) / 1000))
    return appError(codeOf[kind], { limit }, { headers: { 'retry-after': String(seconds) } })
  }

  const isBound = async (userId: string) => (await standing(userId))?.role !== 'admin'

  return {
    /** Counts the use atomically, or throws 429 and counts nothing. */
    async spend(userId: string, kind: BudgetKind, amount = 1): Promise<void> {
      const limit = limits[kind]
      if (limit === null || !(await isBound(userId))) return
      if (amount > limit) throw refusal(kind, limit)
      const counted = await db
        .insertInto('usages')
        .values({ userId, day: today(), kind, amount })
        .onConflict((c) =>
          c
            .columns(['userId', 'day', 'kind'])
            .doUpdateSet({ amount: sql<number>`${sql.ref('usages.amount')} + ${amount}` })
            .where('usages.amount', '<=', limit - amount),
        )
        .returning('amount')
        .executeTakeFirst()
      if (!counted) throw refusal(kind, limit)
    },

    /** Today's use and limits; null: unlimited. */
    async of(userId: string): Promise<Record<BudgetKind, { limit: number | null; used: number }>> {
      const [isLimited, rows] = [
        await isBound(userId),
        await db
          .selectFrom('usages')
          .select(['kind', 'amount'])
          .where('userId', '=', userId)
          .where('day', '=', today())
          .execute(),
      ]
      const one = (kind: BudgetKind) => ({
        limit: isLimited ? limits[kind] : null,
        used: rows.find((row) => row.kind === kind)?.amount ?? 0,
      })
      return { texts: one('texts'), calls: one('calls'), ttsCharacters: one('ttsCharacters') }
    },

    async removeOld(): Promise<void> {
      await db
        .deleteFrom('usages')
        .where('day', '<', toIso(nowMs() - KEPT_DAYS * DAY_MS).slice(0, 10))
        .execute()
    },
  }
}
