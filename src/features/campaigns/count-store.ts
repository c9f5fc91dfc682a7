// The number of a campaign's contacts in each status.
import { setImmediate as breathe } from 'node:timers/promises'
import { contactStatuses } from '../../base/domain/campaigns.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { ContactCounts } from './schema.ts'

/** A row with its counts, as read by lists. */
export type CountedCampaign = CampaignRow & { counts: ContactCounts }

export const noContacts: ContactCounts = {
  total: 0,
  ...(Object.fromEntries(contactStatuses.map((status) => [status, 0])) as Omit<ContactCounts, 'total'>),
}

export async function contactCounts(on: Db | Trx, { id }: Pick<CampaignRow, 'id'>): Promise<ContactCounts> {
  const groups = await on
    .selectFrom('campaignContacts')
    .select(['status', ({ fn }) => fn.countAll<number | string>().as('count')])
    .where('campaignId', '=', id) // with the status, so that the index alone answers
    .groupBy('status')
    .execute()
  const counts = { ...noContacts }
  for (const { status, count } of groups) {
    counts[status] = Number(count)
    counts.total += Number(count)
  }
  return counts
}

/** One campaign at a time: on SQLite, counting 100,000 contacts blocks this thread for some milliseconds. */
export async function withCounts(on: Db | Trx, rows: readonly CampaignRow[]): Promise<CountedCampaign[]> {
  const counted: CountedCampaign[] = []
  for (const row of rows) {
    if (counted.length > 0) await breathe()
    counted.push({ ...row, counts: await contactCounts(on, row) })
  }
  return counted
}
