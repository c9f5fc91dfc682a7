// Pacing across all nodes: how many attempts are under way, and when the next may leave. Everything is counted in the
// database under the locks of the claiming transaction (campaign, then user), so that two nodes together cannot exceed
// a limit.
import { toIso } from '../../base/time/clock.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { type Pace, permitWaitMs } from '../../db/pace.ts'
import { dbTime, readDbClock } from '../../db/time.ts'
import type { Pacing } from './schema.ts'

/** Pace of all the user's campaigns together. */
export type UserPace = { maxConcurrentCalls: number; callsPerSecond: number }

/** A null `waitMs` means until a call ends. */
export type Room = { isFree: true } | { isFree: false; waitMs: number | null }

export type PaceQuestion = { campaign: CampaignRow; user: UserPace; atMs: number }

/** How long a campaign stays slow after the governor last requested it. */
const SLOW_MS = 600_000
const OLD_MS = 86_400_000

const slowOf = ({ id }: CampaignRow) => `slow:${id}`

/** The time until which a campaign is slow. */
async function slowUntilMs(trx: Trx, campaign: CampaignRow): Promise<number> {
  const slow = trx.selectFrom('paces').select('nextAt').where('name', '=', slowOf(campaign))
  return Date.parse((await slow.executeTakeFirst())?.nextAt ?? '1970-01-01')
}

/** The paces of a campaign and its user; a slow campaign runs at half its rate. */
export async function pacesOf(trx: Trx, { campaign, user, atMs }: PaceQuestion): Promise<Pace[]> {
  const { callsPerSecond } = JSON.parse(campaign.pacing) as Pacing
  const slowness = (await slowUntilMs(trx, campaign)) > atMs ? 2 : 1
  return [
    { name: `campaign:${campaign.id}`, gapMs: (1000 / callsPerSecond) * slowness },
    { name: `user:${campaign.userId}`, gapMs: 1000 / user.callsPerSecond },
  ]
}

/** Whether one more attempt may be claimed now. */
export async function roomFor(trx: Trx, { campaign, user, atMs }: PaceQuestion, paces: readonly Pace[]): Promise<Room> {
  const open = await trx
    .selectFrom('campaignAttempts')
    .select(['campaignId', ({ fn }) => fn.countAll<number | string>().as('count')])
    .where('userId', '=', campaign.userId)
    .where('status', 'in', ['claimed', 'dialing'])
    .groupBy('campaignId')
    .execute()
  const own = Number(open.find(({ campaignId }) => campaignId === campaign.id)?.count ?? 0)
  const all = open.reduce((sum, { count }) => sum + Number(count), 0)
  const { maxConcurrentCalls } = JSON.parse(campaign.pacing) as Pacing
  if (own >= maxConcurrentCalls || all >= user.maxConcurrentCalls) return { isFree: false, waitMs: null }
  const waitMs = await permitWaitMs(trx, paces, atMs)
  return waitMs > 0 ? { isFree: false, waitMs } : { isFree: true }
}

/** Halves the rate from now on; false if it was already slow. `campaign` is locked. */
export async function slowDown(trx: Trx, campaign: CampaignRow): Promise<boolean> {
  const untilMs = await slowUntilMs(trx, campaign)
  const atMs = await readDbClock(trx)
  const nextAt = toIso(atMs + SLOW_MS)
  await trx
    .insertInto('paces')
    .values({ name: slowOf(campaign), nextAt })
    .onConflict((c) => c.column('name').doUpdateSet({ nextAt }))
    .execute()
  return untilMs <= atMs
}

/** Removes rows that no longer delay anything. */
export const removeOldPaces = async (db: Db): Promise<void> =>
  void (await db.deleteFrom('paces').where('nextAt', '<', dbTime(db, -OLD_MS)).execute())
