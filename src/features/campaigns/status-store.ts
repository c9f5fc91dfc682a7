// Campaign status transitions: which are allowed, and the event each one writes.
import type { CampaignReason, CampaignStatus } from '../../base/domain/campaigns.ts'
import { appError } from '../../base/errors/errors.ts'
import { nowAfter } from '../../base/time/clock.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import type { WriteEvent } from '../../db/outbox.ts'

const transitions: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['scheduled', 'running', 'canceled'],
  scheduled: ['running', 'paused', 'canceled', 'draft'],
  running: ['paused', 'completed', 'canceled'],
  paused: ['running', 'scheduled', 'paused', 'completed', 'canceled'],
  completed: [],
  canceled: [],
}
const eventOf = {
  draft: 'campaign.updated',
  scheduled: 'campaign.scheduled',
  running: 'campaign.started',
  paused: 'campaign.paused',
  completed: 'campaign.completed',
  canceled: 'campaign.canceled',
} as const

export type StatusChange = { to: CampaignStatus; reason?: CampaignReason | null; detail?: string | null }

const mayBecome = (from: CampaignStatus, to: CampaignStatus): boolean => transitions[from].includes(to)

/** `campaign` is locked by the transaction. Throws `campaign_status` if the transition is not allowed. */
export async function setCampaignStatus(
  trx: Trx,
  writeEvent: WriteEvent,
  { campaign, to, reason = null, detail = null }: StatusChange & { campaign: CampaignRow },
): Promise<CampaignRow> {
  if (!mayBecome(campaign.status, to)) throw appError('campaign_status', { status: campaign.status })
  const updatedAt = nowAfter(campaign.updatedAt)
  const isOver = to === 'completed' || to === 'canceled'
  const stored = await trx
    .updateTable('campaigns')
    .set({
      status: to,
      statusReason: reason,
      statusDetail: detail,
      updatedAt,
      rowVersion: increment('rowVersion'),
      ...(to === 'running' ? { startedAt: campaign.startedAt ?? updatedAt, resumedAt: updatedAt } : {}),
      ...(isOver ? { endedAt: updatedAt } : {}),
    })
    .where('userId', '=', campaign.userId)
    .where('id', '=', campaign.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const type = to === 'running' && campaign.startedAt !== null ? 'campaign.resumed' : eventOf[to]
  const { id, name, status, statusReason, statusDetail, agentId, userId } = stored
  const data = { campaign: { id, name, agentId, status, statusReason, statusDetail } }
  // Events about a removed agent are hidden with it; this one is about the campaign, which stays.
  const about = reason === 'agent_removed' ? null : agentId
  await writeEvent(trx, { userId, type, agentId: about, data })
  return stored
}
