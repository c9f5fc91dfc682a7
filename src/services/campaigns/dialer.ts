// From a claimed attempt to a queued call: the pre-dial webhook, the user's budget, the monthly threshold, and the transaction that creates
// the call. Whatever fails before that withdraws the attempt: nothing was sent.
import type { DialQueue } from '../../api/calls/dial-queue.ts'
import type { CallStore } from '../../api/calls/store.ts'
import { countAttempt } from '../../api/campaigns/caller-months.ts'
import { dueReasonOf, endContact, startDialing, withdraw, withdrawClaim } from '../../api/campaigns/ledger.ts'
import { warning } from '../../api/campaigns/settlement.ts'
import { setCampaignStatus } from '../../api/campaigns/status.ts'
import { eventWriter } from '../../api/events/store.ts'
import { toIso } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { RulePack } from '../../calling-rules/pack.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { CallRow } from '../../db/tables.ts'
import type { GuardedHttp } from '../../tools/ports.ts'
import type { Claimed, RuleParts } from './claim.ts'
import { askPredial } from './predial.ts'

export type DialerParts = {
  db: Db
  http: Pick<GuardedHttp, 'request'>
  queue: Pick<DialQueue, 'add'>
  insertCall: CallStore['insertOutbound']
  spendCall: (userId: string) => Promise<void>
  packOf: RuleParts['packOf']
  predialSecret: (campaign: CampaignRow) => string | null
  signal: AbortSignal
}

/** A webhook that does not answer is asked again for the same contact after this, later each time. */
const HOOK_FIRST_MS = 300_000
const HOOK_MOST_MS = 3_600_000

class NotDialled extends Error {}

export function dialer(parts: DialerParts) {
  const { db, http, queue, insertCall, spendCall, signal } = parts
  const writeEvent = eventWriter(db)

  /** True: it may leave. */
  async function isEligible({ campaign, attempt }: Claimed): Promise<boolean> {
    if (campaign.predialUrl === null) return true
    const contact = await db
      .selectFrom('campaignContacts')
      .selectAll()
      .where('userId', '=', attempt.userId)
      .where('id', '=', attempt.contactId)
      .executeTakeFirstOrThrow()
    const variables = JSON.parse(contact.variables) as Record<string, string>
    const secret = parts.predialSecret(campaign)
    const answer = await askPredial(http, { campaign, attempt, variables, secret }, signal)
    if ('problem' in answer) {
      const failures = dueReasonOf(contact).withdrawals ?? 0
      const afterMs = Math.min(HOOK_MOST_MS, HOOK_FIRST_MS * 2 ** Math.min(10, failures))
      await withdrawClaim(db, attempt, { detail: `Pre-dial webhook: ${answer.problem}`, afterMs })
      return false
    }
    if (!answer.isEligible) await refuse({ campaign, attempt })
    return answer.isEligible
  }

  const refuse = ({ attempt }: Pick<Claimed, 'campaign' | 'attempt'>): Promise<void> =>
    db.inTransaction(async (trx) => {
      const { userId, campaignId, contactId } = attempt
      const campaign = await lockRow(trx, 'campaigns', { userId, id: campaignId })
      const own = await lockRow(trx, 'campaignAttempts', { userId, id: attempt.id })
      if (!campaign || own?.status !== 'claimed') return
      await withdraw(trx, campaign, { attempt: own, outcome: 'ineligible', detail: 'The pre-dial webhook refused it' })
      const contact = await lockRow(trx, 'campaignContacts', { userId, id: contactId })
      if (contact?.status === 'waiting')
        await endContact(trx, writeEvent, { campaign, contact, set: { status: 'suppressed', outcome: 'ineligible' } })
    })

  /** The call of the attempt; throws where none is created. */
  const createCall = ({ campaign: claimed, attempt, untilMs }: Claimed, pack: RulePack): Promise<CallRow> =>
    db.inTransaction(async (trx) => {
      const { userId, campaignId } = attempt
      const campaign = await lockRow(trx, 'campaigns', { userId, id: campaignId })
      if (!campaign) throw new NotDialled('The campaign was deleted')
      const month = await countAttempt(trx, campaign, pack.monthly)
      if (month.isOver) throw new MonthIsOver(month.detail)
      const { trunkId, deviceId, callerId } = claimed
      const via = { trunkId, deviceId, callerId, until: toIso(untilMs) }
      const call = await startDialing(trx, campaign, { attempt, via, insertCall })
      if (!call) throw new NotDialled(`The campaign is ${campaign.status}`)
      if (month.warning) await writeEvent(trx, warning(campaign, month.warning))
      return call
    })

  const pauseForMonth = ({ userId, id }: CampaignRow, detail: string): Promise<void> =>
    db.inTransaction(async (trx) => {
      const campaign = await lockRow(trx, 'campaigns', { userId, id })
      if (campaign?.status === 'running')
        await setCampaignStatus(trx, writeEvent, { campaign, to: 'paused', reason: 'monthly_limit', detail })
    })

  /** Resolves when the call is queued, or the attempt was withdrawn. Throws when the database is away: the claim then expires. */
  return async (claimed: Claimed): Promise<void> => {
    const { campaign, attempt } = claimed
    const { userId } = attempt
    try {
      if (!(await isEligible(claimed))) return
      const read = await parts.packOf(userId, campaign.rulesId)
      if ('problem' in read) throw new NotDialled(read.problem)
      await queue.add(userId, async () => {
        await spendCall(userId)
        return createCall(claimed, read.pack)
      })
    } catch (error) {
      // A commit of which we do not know is safe: then the attempt is no longer claimed, and its call is adopted when its lease expires.
      if (error instanceof MonthIsOver) await pauseForMonth(campaign, error.message)
      const isKnown = error instanceof NotDialled || error instanceof AppError
      await withdrawClaim(db, attempt, { detail: isKnown ? error.message : 'The call could not be created' })
      if (!isKnown) throw error
    }
  }
}

class MonthIsOver extends NotDialled {}
