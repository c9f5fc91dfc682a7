// The last check before a campaign call is dialed, since it may have waited in a queue or been adopted from a dead
// node.
import type { CampaignReason } from '../../base/domain/campaigns.ts'
import type { Db } from '../../db/database.ts'
import { type CallRow, fromJson } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'

/**
 * An attempt leaves within this time of its claim or not at all: windows close, campaigns are paused, people opt out.
 */
export const LEAVES_WITHIN_MS = 30_000

export type Gate = { withinMs: number } | { problem: string }

const atLimit: ReadonlySet<CampaignReason | null> = new Set(['monthly_limit', 'daily_budget'])

export async function campaignGate(db: Db, { id, userId, attemptId, via }: CallRow): Promise<Gate> {
  const attempt = await db
    .selectFrom('campaignAttempts')
    .innerJoin('campaigns', 'campaigns.id', 'campaignAttempts.campaignId')
    .innerJoin('campaignContacts', 'campaignContacts.id', 'campaignAttempts.contactId')
    .select(['campaigns.status as campaign', 'campaigns.statusReason', 'campaignContacts.status as contact'])
    .select(dbTime(db).as('at'))
    .where('campaignAttempts.userId', '=', userId)
    .where('campaignAttempts.id', '=', attemptId ?? '')
    .where('campaignAttempts.callId', '=', id)
    .where('campaignAttempts.status', '=', 'dialing')
    .executeTakeFirst()
  if (!attempt) return { problem: 'The attempt of this call was withdrawn' }
  // Paused at a call limit: attempts counted below the limit may still leave.
  const isAtLimit = attempt.campaign === 'paused' && atLimit.has(attempt.statusReason)
  if (attempt.campaign !== 'running' && !isAtLimit) return { problem: `The campaign is ${attempt.campaign}` }
  if (attempt.contact !== 'calling') return { problem: `The contact is ${attempt.contact}` }
  const { until } = fromJson<{ until?: string }>(via ?? null) ?? {}
  const withinMs = Math.min(LEAVES_WITHIN_MS, Date.parse(until ?? '') - Date.parse(attempt.at))
  return withinMs > 0 ? { withinMs } : { problem: 'The time in which this attempt was allowed has passed' }
}
