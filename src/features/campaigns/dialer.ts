// Turns a claimed attempt into a queued call: the pre-dial webhook, then the transaction that creates the call within
// the user's budget and the monthly threshold. Any failure before that withdraws the attempt, since nothing was sent.
import { backoffMs } from '../../base/concurrency/backoff.ts'
import type { CampaignReason } from '../../base/domain/campaigns.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { GuardedHttp } from '../../base/outside/http-port.ts'
import { toIso } from '../../base/time/clock.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import type { CallRow } from '../../db/tables.ts'
import { readDbClock } from '../../db/time.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import type { DialQueue } from '../calls/dial-queue.ts'
import type { CallStore } from '../calls/store.ts'
import type { CallBudget } from './call-budget.ts'
import { countAttempt } from './caller-month-store.ts'
import type { Claimed, RuleParts } from './claim.ts'
import { dueReasonOf, endContact, startDialing, withdraw, withdrawClaim } from './ledger-store.ts'
import { askPredial } from './predial.ts'
import { warning } from './settlement-store.ts'
import { setCampaignStatus } from './status-store.ts'

export type DialerParts = {
  db: Db
  http: Pick<GuardedHttp, 'request'>
  queue: Pick<DialQueue, 'add'>
  insertCall: CallStore['insertOutbound']
  callBudget: Pick<CallBudget, 'spendIn'>
  packOf: RuleParts['packOf']
  predialSecret: (campaign: CampaignRow) => string | null
  signal: AbortSignal
}

/** Backoff before a webhook that did not answer is asked again for the same contact. */
const predialPauses = { firstMs: 300_000, maxMs: 3_600_000 }

class NotDialed extends Error {}

class LimitReached extends NotDialed {
  readonly reason: CampaignReason
  constructor(reason: CampaignReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** Another call of the user took the last unit after the attempt was claimed. */
const isBudgetUsedUp = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'budget_calls_used_up'

export function dialer(parts: DialerParts) {
  const { db, http, queue, insertCall, callBudget, signal } = parts
  const writeEvent = eventWriter(db)

  /** Whether the attempt may leave. */
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
      const afterMs = backoffMs(failures + 1, predialPauses)
      await withdrawClaim(db, attempt, { detail: `Pre-dial webhook: ${answer.problem}`, afterMs })
      return false
    }
    if (!answer.isEligible) await db.inTransaction((trx) => refuse(trx, writeEvent, attempt))
    return answer.isEligible
  }

  /** Creates the attempt's call; throws if it cannot. */
  const createCall = ({ campaign: claimed, attempt, untilMs }: Claimed, pack: RulePack): Promise<CallRow> =>
    db.inTransaction(async (trx) => {
      const { userId, campaignId } = attempt
      const campaign = await lockRow(trx, 'campaigns', { userId, id: campaignId })
      if (!campaign) throw new NotDialed('The campaign was deleted')
      await callBudget.spendIn(trx, userId)
      const atMs = await readDbClock(trx)
      const month = await countAttempt(trx, { userId, by: claimed, atMs }, pack.monthly)
      if (month.isOver) throw new LimitReached('monthly_limit', month.detail)
      const { trunkId, deviceId, callerId } = claimed
      const via = { trunkId, deviceId, callerId, until: toIso(untilMs) }
      const call = await startDialing(trx, campaign, { attempt, atMs, via, insertCall })
      if (!call) throw new NotDialed(`The campaign is ${campaign.status}`)
      if (month.warning) await writeEvent(trx, warning(campaign, month.warning))
      return call
    })

  const pause = ({ userId, id }: CampaignRow, { reason, message: detail }: LimitReached): Promise<void> =>
    db.inTransaction(async (trx) => {
      const campaign = await lockRow(trx, 'campaigns', { userId, id })
      if (campaign?.status === 'running')
        await setCampaignStatus(trx, writeEvent, { campaign, to: 'paused', reason, detail })
    })

  /**
   * Resolves when the call is queued or the attempt was withdrawn. Throws if the database is down; the claim then
   * expires.
   */
  return async (claimed: Claimed): Promise<void> => {
    const { campaign, attempt } = claimed
    const { userId } = attempt
    try {
      if (!(await isEligible(claimed))) return
      const read = await parts.packOf(userId, campaign.rulesId)
      if ('problem' in read) throw new NotDialed(read.problem)
      await queue.add(userId, () => createCall(claimed, read.pack))
    } catch (thrown) {
      const error = isBudgetUsedUp(thrown) ? new LimitReached('daily_budget', thrown.message) : thrown
      // Safe even if the commit succeeded without our knowing: the attempt is then no longer claimed, and its call is
      // adopted when its lease expires.
      if (error instanceof LimitReached) await pause(campaign, error)
      const isKnown = error instanceof NotDialed || error instanceof AppError
      await withdrawClaim(db, attempt, { detail: isKnown ? error.message : 'The call could not be created' })
      if (!isKnown) throw error
    }
  }
}

/** The webhook said not to call this contact. */
async function refuse(trx: Trx, writeEvent: WriteEvent, attempt: Claimed['attempt']): Promise<void> {
  const { userId, campaignId, contactId } = attempt
  const campaign = await lockRow(trx, 'campaigns', { userId, id: campaignId })
  const own = await lockRow(trx, 'campaignAttempts', { userId, id: attempt.id })
  if (!campaign || own?.status !== 'claimed') return
  await withdraw(trx, campaign, { attempt: own, outcome: 'ineligible', detail: 'The pre-dial webhook refused it' })
  const contact = await lockRow(trx, 'campaignContacts', { userId, id: contactId })
  if (contact?.status === 'waiting')
    await endContact(trx, writeEvent, { campaign, contact, set: { status: 'suppressed', outcome: 'ineligible' } })
}
