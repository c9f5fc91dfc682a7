// A member's daily call budget, checked before an attempt is claimed, so that the pre-dial webhook is not called for an
// attempt that cannot leave.
import { appError } from '../../base/errors/errors.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Trx } from '../../db/database.ts'

/** Today's budget of outbound calls; null means unlimited. */
export type CallBudget = {
  leftIn(trx: Trx, userId: string): Promise<{ left: number; limit: number } | null>
  /** Throws `budget_calls_used_up`. */
  spendIn(trx: Trx, userId: string): Promise<void>
}

/** `reserved`: what is left of the budget belongs to attempts that are claimed but not dialed yet. */
export type BudgetState = { is: 'free' | 'reserved' } | { is: 'used_up'; detail: string }

/** `campaign` and its user are locked, so no other attempt of the user is claimed meanwhile. */
export async function budgetStateIn(
  trx: Trx,
  callBudget: Pick<CallBudget, 'leftIn'>,
  { userId }: CampaignRow,
): Promise<BudgetState> {
  const budget = await callBudget.leftIn(trx, userId)
  if (budget === null) return { is: 'free' }
  const { left, limit } = budget
  if (left === 0) return { is: 'used_up', detail: appError('budget_calls_used_up', { limit }).message }
  const { count } = await trx
    .selectFrom('campaignAttempts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('userId', '=', userId)
    .where('status', '=', 'claimed')
    .executeTakeFirstOrThrow()
  return { is: Number(count) < left ? 'free' : 'reserved' }
}
