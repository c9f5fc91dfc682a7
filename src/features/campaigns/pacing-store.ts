// Pacing over all nodes: how many attempts are under way, and when the next may leave. Everything is counted in the database, under the locks
// of the claiming transaction (campaign, then user), so that no two nodes exceed a limit together. Another counter can stand in for it.
import { toIso } from '../../base/time/clock.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { dbTime, readDbClock } from '../../db/time.ts'
import type { Pacing } from './schema.ts'

/** Of all campaigns of a user together. */
export type UserPace = { maxConcurrentCalls: number; callsPerSecond: number }

export type Room = { isFree: true } | { isFree: false; limit: 'calls' | 'pace'; waitMs: number | null }

export type PaceQuestion = { campaign: CampaignRow; user: UserPace; atMs: number }

/** A claim that comes this late is made up for, so that the rate is met although rounds take time. */
const SLACK_MS = 50
/** How long a campaign stays slow after the governor has last asked for it. */
const SLOW_MS = 600_000
const OLD_MS = 86_400_000

const nameOf = {
  campaign: (id: string) => `campaign:${id}`,
  user: (id: string) => `user:${id}`,
  slow: (id: string) => `slow:${id}`,
}

type Bucket = { name: string; gapMs: number; nextMs: number }

/** The buckets of a campaign and its user; a campaign that is slow has half its rate. */
async function bucketsOf(trx: Trx, { campaign, user, atMs }: PaceQuestion): Promise<Bucket[]> {
  const { callsPerSecond } = JSON.parse(campaign.pacing) as Pacing
  const [own, all, slow] = [nameOf.campaign(campaign.id), nameOf.user(campaign.userId), nameOf.slow(campaign.id)]
  const rows = await trx.selectFrom('paces').selectAll().where('name', 'in', [own, all, slow]).execute()
  const at = new Map(rows.map(({ name, nextAt }) => [name, Date.parse(nextAt)]))
  const isSlow = (at.get(slow) ?? 0) > atMs
  const bucket = (name: string, perSecond: number): Bucket => {
    const gapMs = 1000 / perSecond
    const nextMs = at.get(name) ?? 0
    // Further ahead than one gap: the database's clock was set back.
    return { name, gapMs, nextMs: nextMs > atMs + gapMs + 1000 ? 0 : nextMs }
  }
  return [bucket(own, isSlow ? callsPerSecond / 2 : callsPerSecond), bucket(all, user.callsPerSecond)]
}

/** Whether one more attempt may be claimed now. */
export async function roomFor(trx: Trx, question: PaceQuestion): Promise<Room> {
  const { campaign, user, atMs } = question
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
  if (own >= maxConcurrentCalls || all >= user.maxConcurrentCalls)
    return { isFree: false, limit: 'calls', waitMs: null }
  const waitMs = Math.max(...(await bucketsOf(trx, question)).map(({ nextMs }) => nextMs - atMs))
  return waitMs > 0 ? { isFree: false, limit: 'pace', waitMs } : { isFree: true }
}

/** Takes the turn of one attempt. */
export async function takeTurn(trx: Trx, question: PaceQuestion): Promise<void> {
  for (const { name, gapMs, nextMs } of await bucketsOf(trx, question)) {
    const nextAt = toIso(Math.max(nextMs, question.atMs - Math.min(SLACK_MS, gapMs)) + gapMs)
    await trx
      .insertInto('paces')
      .values({ name, nextAt })
      .onConflict((c) => c.column('name').doUpdateSet({ nextAt }))
      .execute()
  }
}

/** Half the rate from now on; false when it was slow already. `campaign` is locked. */
export async function slowDown(trx: Trx, campaign: CampaignRow): Promise<boolean> {
  const name = nameOf.slow(campaign.id)
  const before = await trx.selectFrom('paces').select('nextAt').where('name', '=', name).executeTakeFirst()
  const atMs = await readDbClock(trx)
  const nextAt = toIso(atMs + SLOW_MS)
  await trx
    .insertInto('paces')
    .values({ name, nextAt })
    .onConflict((c) => c.column('name').doUpdateSet({ nextAt }))
    .execute()
  return before === undefined || Date.parse(before.nextAt) <= atMs
}

/** Rows that nothing waits for any more. */
export const removeOldPaces = async (db: Db): Promise<void> =>
  void (await db.deleteFrom('paces').where('nextAt', '<', dbTime(db, -OLD_MS)).execute())
