// Answers whether a number may be called now, from the calling rules and the attempts made so far.

import { appError } from '../../base/errors/errors.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import { nextAttempt } from '../../rule-packs/next-attempt.ts'
import { calleeOf, parseNumber } from '../../rule-packs/number.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import type { RuleAnswer, RuleQuestion } from './schema.ts'

const HOUR_MS = 3_600_000
/** A pack's frequency and spacing rules look back up to 31 days. */
const HISTORY_MS = 744 * HOUR_MS
/** The highest count that a frequency rule can name. */
const MAX_ATTEMPTS = 1000
const DEFAULT_COUNTRY = 'BR'

export const askRules =
  (db: Db, hashNumber: HashNumber) =>
  async (userId: string, pack: RulePack, { phoneNumber, at }: RuleQuestion): Promise<RuleAnswer> => {
    const fromMs = at ? Date.parse(at) : nowMs()
    const parsed = parseNumber(phoneNumber, pack.countries?.[0] ?? DEFAULT_COUNTRY)
    if ('problem' in parsed) throw appError('rules_number', { number: phoneNumber })
    const attempts = await db
      .selectFrom('campaignAttempts')
      .select('createdAt')
      .where('userId', '=', userId)
      .where('numberHash', '=', hashNumber(parsed.number))
      .where('createdAt', '>', new Date(nowMs() - HISTORY_MS).toISOString())
      .where('status', '!=', 'withdrawn')
      .orderBy('createdAt', 'desc')
      .limit(MAX_ATTEMPTS)
      .execute()
    const decision = nextAttempt({
      pack,
      callee: calleeOf(parsed.number),
      windows: null,
      fromMs,
      untilMs: null,
      attemptsMs: attempts.map(({ createdAt }) => Date.parse(createdAt)),
    })
    const { trace } = decision
    if ('never' in decision) return { result: 'never', at: null, reason: decision.never, decision: trace }
    const { atMs } = decision
    return {
      result: atMs > fromMs ? 'later' : 'now',
      at: new Date(atMs).toISOString(),
      reason: trace.movedBy[0] ?? null,
      decision: trace,
    }
  }
