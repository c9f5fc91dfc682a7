// The event of a contact for which no further attempt follows.
import type { CampaignContactRow } from '../../db/campaign-rows.ts'
import type { NewEvent } from '../../db/outbox.ts'

export function contactCompleted(contact: CampaignContactRow, agentId: string | null): NewEvent {
  const { id, userId, campaignId, phoneNumber, status, outcome, tries } = contact
  const data = {
    contact: { id, campaignId, phoneNumber, variables: JSON.parse(contact.variables), status, outcome, tries },
  }
  return { userId, type: 'campaign.contact.completed', callId: null, conversationId: null, agentId, data }
}
