// Daily budgets of members for what the operator pays for: texts, outbound calls, speech, language models and
// embeddings. Counted in the database across all processes, per UTC day.
import { sql } from 'kysely'
import { type AppError, appError } from '../../base/errors/errors.ts'
import { type BudgetKind, budgetKinds } from '../../base/meter.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { FindUserIdentity } from '../users/rows.ts'

/** Per day; null means unlimited. */
export type BudgetLimits = Readonly<Record<BudgetKind, number | null>>
export type Budgets = ReturnType<typeof memberBudgets>

const KEPT_DAYS = 35
const once = ['userId', 'day', 'kind'] as const
const codeOf = {
  texts: 'budget_texts_used_up',
  calls: 'budget_calls_used_up',
  ttsCharacters: 'budget_speech_used_up',
  llmTokens: 'budget_model_used_up',
  sttSeconds: 'budget_recognition_used_up',
  embeddings: 'budget_embeddings_used_up',
} as const satisfies Readonly<Record<BudgetKind, string>>

const today = () => toIso(nowMs()).slice(0, 10)

export function memberBudgets(db: Db, standing: FindUserIdentity, limits: BudgetLimits) {
  const isLimited = async (userId: string) => (await standing(userId))?.role !== 'admin'
  const isLimitedIn = async (trx: Trx, id: string) =>
    (await trx.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst())?.role !== 'admin'

  const counting = (userId: string, kind: BudgetKind, amount: number, on: Db | Trx = db) =>
    on.insertInto('usages').values({ userId, day: today(), kind, amount })
  const sum = (amount: number) => ({ amount: sql<number>`${sql.ref('usages.amount')} + ${amount}` })

  return {
    /**
     * Counts the use atomically, or throws 429 and counts nothing. Within a transaction, it is rolled back along with
     * it.
     */
    async spend(userId: string, kind: BudgetKind, amount = 1, trx?: Trx): Promise<void> {
      const limit = limits[kind]
      if (limit === null || !(await (trx ? isLimitedIn(trx, userId) : isLimited(userId)))) return
      if (amount > limit) throw refusal(kind, limit)
      const counted = await counting(userId, kind, amount, trx)
        .onConflict((c) =>
          c
            .columns(once)
            .doUpdateSet(sum(amount))
            .where('usages.amount', '<=', limit - amount),
        )
        .returning('amount')
        .executeTakeFirst()
      if (!counted) throw refusal(kind, limit)
    },

    /** What is left of today's budget; null means unlimited. */
    async leftIn(trx: Trx, userId: string, kind: BudgetKind): Promise<{ left: number; limit: number } | null> {
      const limit = limits[kind]
      if (limit === null || !(await isLimitedIn(trx, userId))) return null
      const row = await trx
        .selectFrom('usages')
        .select('amount')
        .where('userId', '=', userId)
        .where('day', '=', today())
        .where('kind', '=', kind)
        .executeTakeFirst()
      return { left: Math.max(0, limit - (row?.amount ?? 0)), limit }
    },

    /** Counts use that has already happened, even beyond the limit. */
    async add(userId: string, kind: BudgetKind, amount: number): Promise<void> {
      if (limits[kind] === null || !(await isLimited(userId))) return
      await counting(userId, kind, amount)
        .onConflict((c) => c.columns(once).doUpdateSet(sum(amount)))
        .execute()
    },

    isLimited,

    /** Today's use and limits; null means unlimited. */
    async of(userId: string): Promise<Record<BudgetKind, { limit: number | null; used: number }>> {
      const [hasLimits, rows] = [
        await isLimited(userId),
        await db
          .selectFrom('usages')
          .select(['kind', 'amount'])
          .where('userId', '=', userId)
          .where('day', '=', today())
          .execute(),
      ]
      const one = (kind: BudgetKind) => ({
        limit: hasLimits ? limits[kind] : null,
        used: rows.find((row) => row.kind === kind)?.amount ?? 0,
      })
      return Object.fromEntries(budgetKinds.map((kind) => [kind, one(kind)])) as Record<
        BudgetKind,
        ReturnType<typeof one>
      >
    },

    async removeOld(): Promise<void> {
      await db
        .deleteFrom('usages')
        .where('day', '<', toIso(nowMs() - KEPT_DAYS * DAY_MS).slice(0, 10))
        .execute()
    },
  }
}

function refusal(kind: BudgetKind, limit: number): AppError {
  const seconds = Math.max(1, Math.ceil((DAY_MS - (nowMs() % DAY_MS)) / 1000))
  const shown = kind === 'sttSeconds' ? limit / 60 : limit // the setting is in minutes
  return appError(codeOf[kind], { limit: shown }, { headers: { 'retry-after': String(seconds) } })
}
