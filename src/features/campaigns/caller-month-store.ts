// Attempts of a caller in a calendar month (UTC), against the threshold of a regulator.
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import type { RulePack } from '../../rule-packs/pack.ts'

/** By whom an attempt is made: as its campaign says, and later as its call does, because a campaign may change. */
export type Identity = Pick<CampaignRow, 'callerId' | 'trunkId' | 'deviceId'>

/** The number that is shown, or the line that is used. Empty: the routes of the agent. */
export const callerOf = ({ callerId, trunkId, deviceId }: Identity): string => callerId ?? trunkId ?? deviceId ?? ''
export const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 7)

export type MonthlyCount =
  | { isOver: true; detail: string }
  | { isOver: false; warning: { reason: string; [field: string]: unknown } | null }

/** `atMs`: when it is dialed, as its attempt says. */
export type CountedAttempt = { userId: string; by: Identity; atMs: number }

/** Counts an attempt that is about to leave. `isOver`: roll the transaction back. A warning is given once for each share and month. */
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

/** An attempt that was counted and certainly not sent. A warning that it caused is not taken back. */
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
