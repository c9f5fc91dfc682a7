// Counts users' spending on the operator's accounts: an estimate before the use, corrected afterwards.
import { waitAtMost } from './concurrency/abort.ts'
import { AppError } from './errors/errors.ts'

export const budgetKinds = ['texts', 'calls', 'ttsCharacters', 'llmTokens', 'sttSeconds', 'embeddings'] as const
export type BudgetKind = (typeof budgetKinds)[number]

export type Meter = {
  /** Throws a 429 if the daily budget is used up. */
  spend(userId: string, kind: BudgetKind, amount: number): Promise<void>
  /**
   * Counts usage beyond the estimate, even over the budget, since work in progress is not cut off. Negative if it was
   * less.
   */
  add(userId: string, kind: BudgetKind, amount: number): Promise<void>
  /** Whether budgets apply to the user; not to administrators. */
  isLimited(userId: string): Promise<boolean>
}

/** How long counting may delay a reply while the database is slow: a fraction of the time to first audio. */
const PATIENCE_MS = 300

/** For calls: a slow or failing database rejects nothing, because calls survive an outage. */
export const patientMeter = ({ spend, add, isLimited }: Meter): Meter => ({
  async spend(userId, kind, amount) {
    const counted = spend(userId, kind, amount).catch((error) => {
      if (error instanceof AppError) throw error
    })
    counted.catch(() => {})
    await waitAtMost(PATIENCE_MS, counted)
  },
  add: (userId, kind, amount) => add(userId, kind, amount).catch(() => {}),
  isLimited,
})

/** Whether the error means that a daily budget is used up. */
export const isBudgetRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.code.startsWith('budget_')

/** Counts nothing and limits no one. */
export const noMeter: Meter = { spend: async () => {}, add: async () => {}, isLimited: async () => false }
