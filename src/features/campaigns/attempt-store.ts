// Reads a campaign's attempts for its owner; ledger-store.ts writes them.
import type { CampaignAttemptRow } from '../../db/campaign-rows.ts'
import type { Db } from '../../db/database.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { ContactParts } from './contact-routes.ts'

export function attemptReader(db: Db): ContactParts['attempts'] {
  return {
    page(userId, campaignId, { contactId, status, outcome }, { limit, after }: PageRequest) {
      let query = db
        .selectFrom('campaignAttempts')
        .selectAll()
        .where('userId', '=', userId)
        .where('campaignId', '=', campaignId)
      if (contactId !== undefined) query = query.where('contactId', '=', contactId)
      if (status !== undefined) query = query.where('status', '=', status)
      if (outcome !== undefined) query = query.where('outcome', '=', outcome)
      if (after) query = query.where(olderThan('createdAt', after.at, after.id))
      return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },

    toRecord({ userId, numberHash, nodeId, leaseUntil, decision, ...row }: CampaignAttemptRow) {
      return { ...row, decision: JSON.parse(decision) }
    },
  }
}
