// The state of an expectation: passed, failed, or still open while the rehearsal runs. Pure.
import type { Rehearsal } from '../../../../client/paths.ts'
import type { Expectation } from './script-form.ts'

export type CheckState = 'passed' | 'failed' | 'open'
export type Check = Rehearsal['checks'][number]

/**
 * During the run, the server evaluates what has happened so far. A required event that occurred stays passed, and a
 * forbidden event that occurred stays failed; everything else is open until the end.
 */
export function checkState(
  check: Check | undefined,
  expected: Expectation | undefined,
  isRunning: boolean,
): CheckState {
  if (!check) return 'open'
  if (!isRunning) return check.passed ? 'passed' : 'failed'
  if (!expected) return 'open'
  const { said, heard, toolRan, times, toolNotRan, turnUnderMs, interrupted } = expected
  const words = said ?? heard
  const hasNot = words?.not !== undefined && words?.not !== null
  const settles =
    (words && !hasNot) || (typeof toolRan === 'string' && typeof times !== 'number') || typeof interrupted === 'number'
  if (settles) return check.passed ? 'passed' : 'open'
  const mustNot = typeof toolNotRan === 'string' || (hasNot && !words?.contains && !words?.matches)
  if (mustNot) return check.passed ? 'open' : 'failed'
  // A latency check without a measured answer is reported as failed, but is still open.
  if (typeof turnUnderMs === 'number') return !check.passed && /\d/.test(check.detail) ? 'failed' : 'open'
  return 'open'
}

export const stateCounts = (states: readonly CheckState[]) => ({
  passed: states.filter((state) => state === 'passed').length,
  failed: states.filter((state) => state === 'failed').length,
  open: states.filter((state) => state === 'open').length,
})
