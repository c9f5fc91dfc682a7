// Counts what users spend on the operator's accounts: an estimate before the use, corrected afterwards.
import { waitAtMost } from './concurrency/abort.ts'
import { AppError } from './errors/errors.ts'

export const budgetKinds = ['texts', 'calls', 'ttsCharacters', 'llmTokens', 'sttSeconds', 'embeddings'] as const
export type BudgetKind = (typeof budgetKinds)[number]

export type Meter = {
  /** Throws a 429 when the budget of the day is used up. */
  spend(userId: string, kind: BudgetKind, amount: number): Promise<void>
  /** Counts usage beyond the estimate, even over the budget: work in progress is not cut off. Negative: it was less. */
  add(userId: string, kind: BudgetKind, amount: number): Promise<void>
  /** Whether budgets hold for the user: not for administrators. */
  isLimited(userId: string): Promise<boolean>
}

/** How long counting may delay a reply while the database is slow; a fraction of the time to first audio. */
const PATIENCE_MS = 300

/** For calls: a slow or failing database refuses nothing, because calls survive an outage. */
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

/** A budget of the day is used up. */
export const isBudgetRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.code.startsWith('budget_')

/** Counts nothing, and nobody is limited. */
export const noMeter: Meter = { spend: async () => {}, add: async () => {}, isLimited: async () => false }
