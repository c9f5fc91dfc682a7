// Rule decisions per second: numbers of every Brazilian area code, with and without earlier attempts.
import { nextAttempt } from '../../src/rule-packs/next-attempt.ts'
import { calleeOf } from '../../src/rule-packs/number.ts'
import { builtInPacks } from '../../src/rule-packs/packs.ts'

export type RatePerSecond = { perSecond: readonly number[]; decisions: number }

const DECISIONS = 20_000
const START_MS = Date.UTC(2026, 10, 16, 12)
const HOUR_MS = 3_600_000

/** One number per run; no decision is cached. Throws if a result is not a decision. */
export function measureRules(repeats: number): RatePerSecond {
  const pack = builtInPacks().find(({ id }) => id === 'br-strict')
  if (!pack) throw new Error('there is no pack br-strict')
  const areas = Array.from({ length: 89 }, (_, i) => 11 + i)
  const numbers = areas.map((area) => `+55${area}987654321`).filter((number) => calleeOf(number).country === 'BR')
  const perSecond: number[] = []
  let permitted = 0
  for (let run = 0; run <= repeats; run++) {
    const startedAt = performance.now()
    for (let i = 0; i < DECISIONS; i++) {
      const number = numbers[i % numbers.length] as string
      const fromMs = START_MS + (i % 8760) * HOUR_MS // any hour of a year
      const attemptsMs = i % 3 === 0 ? [fromMs - HOUR_MS, fromMs - 30 * HOUR_MS] : []
      const question = { pack, callee: calleeOf(number), windows: null, fromMs, untilMs: null, attemptsMs }
      if ('atMs' in nextAttempt(question)) permitted++
    }
    // The first run compiles the code.
    if (run > 0) perSecond.push(DECISIONS / ((performance.now() - startedAt) / 1000))
  }
  if (permitted !== DECISIONS * (repeats + 1)) throw new Error(`only ${permitted} decisions permitted a time`)
  return { perSecond, decisions: DECISIONS }
}
