// What follows an attempt, given its outcome, the retry plan and the attempts so far. Pure. The calling rules may move
// the time further.
import {
  type AttemptOutcome,
  type ContactStatus,
  type RetriedOutcome,
  retriedOutcomes,
} from '../../base/domain/campaigns.ts'
import type { RetryPlan } from './schema.ts'

export type PlannedStep =
  | { status: Extract<ContactStatus, 'completed' | 'exhausted'> }
  | { status: 'waiting'; afterMs: number }

const MINUTE_MS = 60_000
const isRetried = (outcome: AttemptOutcome): outcome is RetriedOutcome =>
  (retriedOutcomes as readonly string[]).includes(outcome)

/**
 * `earlier`: the outcomes of all counting attempts of this contact, including this one, in any order; null for one in
 * doubt.
 */
export function nextStep(
  plan: RetryPlan,
  outcome: AttemptOutcome,
  earlier: readonly (AttemptOutcome | null)[],
): PlannedStep {
  if (outcome === 'answered') return { status: 'completed' }
  const rule = isRetried(outcome) ? plan.rules.find((each) => each.outcome === outcome) : undefined
  const sameOutcome = earlier.filter((each) => each === outcome).length
  // `times` further attempts: after the first, the second and so on of this outcome.
  if (!rule || sameOutcome > rule.times || earlier.length >= plan.maxAttempts) return { status: 'exhausted' }
  return { status: 'waiting', afterMs: rule.afterMinutes * MINUTE_MS }
}
