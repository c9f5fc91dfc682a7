// The event for a contact that gets no further attempt.
import type { CampaignContactRow } from '../../db/campaign-rows.ts'
import type { NewEvent } from '../../db/outbox.ts'

export function contactCompleted(contact: CampaignContactRow, agentId: string | null): NewEvent {
  const { id, userId, campaignId, phoneNumber, status, outcome, tries } = contact
  const data = {
    contact: { id, campaignId, phoneNumber, variables: JSON.parse(contact.variables), status, outcome, tries },
  }
  return { userId, type: 'campaign.contact.completed', callId: null, conversationId: null, agentId, data }
}
