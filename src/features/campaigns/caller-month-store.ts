// Counts a caller's attempts per calendar month (UTC) against a regulator's threshold.
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import type { RulePack } from '../../rule-packs/pack.ts'

/** Who makes an attempt: taken from its campaign at first and from its call later, because a campaign may change. */
export type Identity = Pick<CampaignRow, 'callerId' | 'trunkId' | 'deviceId'>

/** The displayed number, or the line used. Empty for the routes of the agent. */
export const callerOf = ({ callerId, trunkId, deviceId }: Identity): string => callerId ?? trunkId ?? deviceId ?? ''
export const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 7)

export type MonthlyCount =
  | { isOver: true; detail: string }
  | { isOver: false; warning: { reason: string; [field: string]: unknown } | null }

/** `atMs`: the dial time recorded in its attempt. */
export type CountedAttempt = { userId: string; by: Identity; atMs: number }

/**
 * Counts an attempt that is about to leave. If `isOver`, roll back the transaction. Each share triggers one warning per
 * month.
 */
export async function countAttempt(
  trx: Trx,
  { userId, by, atMs }: CountedAttempt,
  rule: RulePack['monthly'],
): Promise<MonthlyCount> {
  const [callerId, month] = [callerOf(by), monthOf(atMs)]
  const { attempts, warnedAt } = await trx
    .insertInto('callerMonths')
    .values({ userId, callerId, month, attempts: 1, warnedAt: 0 })
    .onConflict((c) =>
      c.columns(['userId', 'callerId', 'month']).doUpdateSet({ attempts: increment('callerMonths.attempts') }),
    )
    .returning(['attempts', 'warnedAt'])
    .executeTakeFirstOrThrow()
  if (!rule) return { isOver: false, warning: null }
  const { threshold, warnAt, stops } = rule
  if (stops && attempts > threshold)
    return { isOver: true, detail: `${threshold} attempts of this caller in ${month}: no more are allowed` }
  const shares = warnAt.filter((share) => attempts >= share * threshold).map((share) => Math.round(share * 100))
  const share = Math.max(0, ...shares)
  if (share <= warnedAt) return { isOver: false, warning: null }
  await trx
    .updateTable('callerMonths')
    .set({ warnedAt: share })
    .where('userId', '=', userId)
    .where('callerId', '=', callerId)
    .where('month', '=', month)
    .execute()
  return {
    isOver: false,
    warning: { reason: 'monthly_attempts', month, callerId, attempts, threshold, percent: share },
  }
}

/** Takes an attempt that was certainly not sent off the count. A warning that it triggered stays. */
export async function uncountAttempt(trx: Trx, { userId, by, atMs }: CountedAttempt): Promise<void> {
  await trx
    .updateTable('callerMonths')
    .set({ attempts: increment('callerMonths.attempts', -1) })
    .where('userId', '=', userId)
    .where('callerId', '=', callerOf(by))
    .where('month', '=', monthOf(atMs))
    .where('attempts', '>', 0)
    .execute()
}
