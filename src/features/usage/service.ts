// Budgets: counts members' use of the operator's accounts.

import { patientMeter } from '../../base/meter.ts'
import type { Trx } from '../../db/database.ts'
import type { ServiceContext } from '../service.ts'
import { userIdentities } from '../users/rows.ts'
import { memberBudgets } from './budget-store.ts'

const HOUR_MS = 3_600_000

export function usageService({ db, config }: Pick<ServiceContext, 'db' | 'config'>) {
  const budgets = memberBudgets(db, userIdentities(db), config.budgets)
  return {
    /** Both throw a 429 if today's budget is used up. */
    spendText: (userId: string) => budgets.spend(userId, 'texts'),
    spendCall: (userId: string) => budgets.spend(userId, 'calls'),
    /** The call budget, within a transaction. */
    callBudget: {
      leftIn: (trx: Trx, userId: string) => budgets.leftIn(trx, userId, 'calls'),
      spendIn: (trx: Trx, userId: string) => budgets.spend(userId, 'calls', 1, trx),
    },
    /** Meters speech, language models and embeddings. */
    meter: patientMeter(budgets),
    budgetsOf: budgets.of,
    jobs: [{ name: 'old usage', everyMs: HOUR_MS, task: budgets.removeOld }],
  }
}
