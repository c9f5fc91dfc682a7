// Progress of a campaign: contacts by status, attempts by outcome, and rates over the recent attempts.
import { sql } from 'kysely'
import type { AttemptOutcome } from '../../base/domain/campaigns.ts'
import { nowMs, toIso } from '../../base/time/clock.ts'
import type { CampaignAttemptRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db } from '../../db/database.ts'
import type { Progress } from './contact-schema.ts'
import { contactCounts } from './count-store.ts'

const HOUR_MS = 3_600_000
const HOURS = 72
/** Number of attempts that the rates are based on. */
const RECENT = 200
/** Calls up to this length count as short; an unanswered call has no length at all. */
const SHORT_SECONDS = 6
const unsent: readonly (AttemptOutcome | null)[] = ['not_sent', 'suppressed', 'ineligible', null]

type Recent = Pick<CampaignAttemptRow, 'outcome' | 'talkSeconds'>

/**
 * The share answered by a person or a machine, and the share of short calls among those. Null if there is nothing to
 * count.
 */
function ratesOf(attempts: readonly Recent[]): Pick<Progress, 'answerRate' | 'shortCallShare'> {
  const dialed = attempts.filter(({ outcome }) => !unsent.includes(outcome))
  if (dialed.length === 0) return { answerRate: null, shortCallShare: null }
  const answered = dialed.filter(({ outcome }) => outcome === 'answered' || outcome === 'voicemail')
  const short = answered.filter(({ talkSeconds }) => (talkSeconds ?? 0) <= SHORT_SECONDS)
  const share = (some: readonly Recent[], all: readonly Recent[]) =>
    all.length === 0 ? null : Math.round((some.length / all.length) * 1000) / 1000
  return { answerRate: share(answered, dialed), shortCallShare: share(short, answered) }
}

export async function campaignProgress(db: Db, campaign: CampaignRow): Promise<Progress> {
  const { id, userId } = campaign
  const ended = () =>
    db
      .selectFrom('campaignAttempts')
      .where('campaignId', '=', id)
      .where('userId', '=', userId)
      .where('outcome', 'is not', null)
  const totals = await db
    .selectFrom('campaignAttempts')
    .select(['outcome', ({ fn }) => fn.countAll<number | string>().as('count')])
    .where('campaignId', '=', id) // answered by the index alone
    .where('outcome', 'is not', null)
    .groupBy('outcome')
    .execute()
  const recent = await ended()
    .select(['outcome', 'talkSeconds'])
    .where('endedAt', 'is not', null)
    .orderBy('endedAt', 'desc')
    .limit(RECENT)
    .execute()
  const live = await db
    .selectFrom('campaignAttempts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('campaignId', '=', id)
    .where('status', '=', 'dialing')
    .executeTakeFirstOrThrow()
  return {
    contacts: await contactCounts(db, campaign),
    outcomes: Object.fromEntries(totals.map(({ outcome, count }) => [outcome, Number(count)])),
    ...ratesOf(recent),
    hours: await hourly(db, id),
    liveCalls: Number(live.count),
  }
}

/** The last 72 hours, oldest first; hours without attempts are left out. */
async function hourly(db: Db, campaignId: string): Promise<Progress['hours']> {
  const from = toIso((Math.floor(nowMs() / HOUR_MS) - HOURS + 1) * HOUR_MS)
  const hour = sql<string>`substr(${sql.ref('endedAt')}, 1, 13)`
  const groups = await db
    .selectFrom('campaignAttempts')
    .select([hour.as('hour'), 'outcome', ({ fn }) => fn.countAll<number | string>().as('count')])
    .where('campaignId', '=', campaignId)
    .where('endedAt', '>=', from)
    .where('outcome', 'is not', null)
    .groupBy([hour, 'outcome'])
    .orderBy(hour)
    .execute()
  return [...Map.groupBy(groups, (group) => group.hour)].map(([at, rows]) => ({
    at: `${at}:00:00.000Z`,
    outcomes: Object.fromEntries(rows.map(({ outcome, count }) => [outcome, Number(count)])),
  }))
}
