// What members use of the operator's accounts: texts, calls and a vendor's voice, counted against their budgets in one place.
import { testRuns } from '../../api/tools/test-runs.ts'
import { memberBudgets } from '../../api/users/budgets.ts'
import { userIdentities } from '../../api/users/identity.ts'
import { DAY_MS } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import { meteredSlots } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'

const TESTS_KEPT_MS = 30 * DAY_MS

export function openMetering(db: Db, { budgets: limits }: Pick<Config, 'budgets'>, speech: SpeechService) {
  const budgets = memberBudgets(db, userIdentities(db), limits)
  const runs = testRuns(db)
  return {
    /** Each throws a 429 where it is one too many for today. */
    spendText: (userId: string) => budgets.spend(userId, 'texts'),
    spendCall: (userId: string) => budgets.spend(userId, 'calls'),
    slotsFor: meteredSlots(speech, (userId, characters) => budgets.spend(userId, 'ttsCharacters', characters)),
    budgetsOf: budgets.of,
    testRuns: runs,
    async removeOld(): Promise<void> {
      await budgets.removeOld()
      await runs.removeOlderThan(TESTS_KEPT_MS)
    },
  }
}
