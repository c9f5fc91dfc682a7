// Ends a campaign: it completes by itself, or is canceled along with its waiting contacts.
import { now } from '../../base/time/clock.ts'
import { inBatches } from '../../db/batches.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { WriteEvent } from '../../db/outbox.ts'
import { setCampaignStatus } from './status-store.ts'

/**
 * Completes a running campaign if no contact is waiting, being called or in doubt, and no list is being imported. A
 * contact in doubt keeps it running: a person may decide to call again, and a completed campaign calls nobody.
 * `campaign` is locked. Null if the campaign goes on.
 */
export async function completeIfDone(
  trx: Trx,
  writeEvent: WriteEvent,
  campaign: CampaignRow,
): Promise<CampaignRow | null> {
  if (campaign.status !== 'running') return null
  const { id, userId } = campaign
  for (const status of ['waiting', 'calling', 'in_doubt'] as const) {
    const contacts = trx.selectFrom('campaignContacts').select('id').where('campaignId', '=', id)
    const open = contacts.where('userId', '=', userId).where('status', '=', status).limit(1)
    if (await open.executeTakeFirst()) return null
  }
  const imports = trx.selectFrom('campaignImports').select('id').where('userId', '=', userId)
  if (await imports.where('campaignId', '=', id).where('status', '=', 'running').executeTakeFirst()) return null
  return setCampaignStatus(trx, writeEvent, { campaign, to: 'completed' })
}

/**
 * Cancels the waiting contacts of canceled campaigns, in batches. Also picks up what a crash left behind, and contacts
 * that returned from their last call. They are not dialed meanwhile, because attempts are claimed only in running
 * campaigns.
 */
export async function cancelWaiting(db: Db, signal?: AbortSignal): Promise<void> {
  const canceled = await db
    .selectFrom('campaigns')
    .select(['id', 'userId'])
    .where('status', '=', 'canceled')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('campaignContacts')
          .select('campaignContacts.id')
          .whereRef('campaignContacts.campaignId', '=', 'campaigns.id')
          .where('campaignContacts.status', '=', 'waiting'),
      ),
    )
    .execute()
  for (const { id, userId } of canceled)
    await inBatches(async (limit) => {
      const waiting = db
        .selectFrom('campaignContacts')
        .select('id')
        .where('campaignId', '=', id)
        .where('status', '=', 'waiting')
        .limit(limit)
      const changed = await db
        .updateTable('campaignContacts')
        .set({ status: 'canceled', dueAt: null, dueReason: null, updatedAt: now() })
        .where('userId', '=', userId)
        .where('status', '=', 'waiting')
        .where('id', 'in', waiting)
        .returning('id')
        .execute()
      return changed.length
    }, signal)
}
