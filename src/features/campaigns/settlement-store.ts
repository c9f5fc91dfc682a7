// Settlement: decides what became of attempts whose calls have ended, what follows for their contacts, and whether the
// campaign continues. Works by polling, because calls know nothing about campaigns. Also applies a person's decision
// about an attempt in doubt.
import { liveStatuses } from '../../base/domain/call-statuses.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { monotonicMs, now, toIso } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { CampaignAttemptRow, CampaignContactRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { fromJson } from '../../db/tables.ts'
import { readDbClock } from '../../db/time.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import type { CallbackStore } from '../callbacks/store.ts'
import type { SuppressionStore } from '../suppressions/store.ts'
import { dueCallback, finishCallback } from './callback-due-store.ts'
import { type Identity, uncountAttempt } from './caller-month-store.ts'
import { completeIfDone } from './completion-store.ts'
import type { Resolution } from './contact-schema.ts'
import { failureBurst, governed, RECENT_ATTEMPTS, RECENT_MS, type RecentAttempt, type Stop } from './governor.ts'
import { contactOf, endContact, withdraw } from './ledger-store.ts'
import { type AttemptEnd, hasNoRoute, outcomeOf } from './outcome.ts'
import { slowDown } from './pacing-store.ts'
import { nextStep } from './retry-plan.ts'
import type { RetryPlan } from './schema.ts'
import { setCampaignStatus } from './status-store.ts'

/**
 * Consecutive attempts without any route, of one contact or of the campaign within two minutes, before the campaign is
 * paused.
 */
const MAX_WITHOUT_ROUTE = 3
const BATCH = 200
const FAILED_MS = 30_000
const MAX_FAILED = 1000

type Ended = Pick<CampaignAttemptRow, 'id' | 'userId' | 'campaignId'>

/** Must read within the transaction: SQLite has one connection, and a query outside would deadlock with itself. */
export type ShortCallsOf = (trx: Trx, campaign: CampaignRow) => Promise<RulePack['shortCalls']>

export type Settled = {
  campaignIds: string[]
  failures: { campaignId: string; err: unknown }[]
  /** False if nothing can end before another attempt is dialed. */
  isDialing: boolean
}

export type SettlementParts = {
  shortCallsOf: ShortCallsOf
  suppressions: Pick<SuppressionStore, 'find'>
  callbacks: Pick<CallbackStore, 'closeIn'>
}

type Settling = SettlementParts & { db: Db; writeEvent: WriteEvent }

export function settlement(db: Db, given: SettlementParts) {
  const parts: Settling = { ...given, db, writeEvent: eventWriter(db) }

  /**
   * Campaigns whose settlement failed, and until when they are skipped: otherwise their attempts would come first
   * again.
   */
  const failedUntil = new Map<string, number>()

  function failedRecently(): string[] {
    for (const [id, untilMs] of failedUntil) if (untilMs <= monotonicMs()) failedUntil.delete(id)
    return [...failedUntil.keys()].slice(0, MAX_FAILED)
  }

  /** Attempts whose call has ended or was deleted, by campaign. */
  async function endedAttempts(): Promise<Map<string, Ended[]>> {
    const failed = failedRecently()
    const rows = await db
      .selectFrom('campaignAttempts')
      .leftJoin('calls', 'calls.id', 'campaignAttempts.callId')
      .select(['campaignAttempts.id', 'campaignAttempts.userId', 'campaignAttempts.campaignId'])
      .where('campaignAttempts.status', '=', 'dialing')
      .where((where) => where.or([where('calls.id', 'is', null), where('calls.status', 'not in', liveStatuses)]))
      .$if(failed.length > 0, (query) => query.where('campaignAttempts.campaignId', 'not in', failed))
      .orderBy('campaignAttempts.id')
      .limit(BATCH)
      .execute()
    return Map.groupBy(rows, ({ campaignId }) => campaignId)
  }

  async function isDialing(): Promise<boolean> {
    const dialing = db.selectFrom('campaignAttempts').select('id').where('status', '=', 'dialing').limit(1)
    return (await dialing.executeTakeFirst()) !== undefined
  }

  return {
    /** Settles what has ended. A campaign that fails is retried later and does not hold up the others. */
    async settle(): Promise<Settled> {
      const ended = await endedAttempts()
      const settled: Settled = { campaignIds: [], failures: [], isDialing: ended.size > 0 || (await isDialing()) }
      for (const [campaignId, attempts] of ended)
        try {
          await settleCampaign(parts, campaignId, attempts)
          settled.campaignIds.push(campaignId)
        } catch (err) {
          failedUntil.set(campaignId, monotonicMs() + FAILED_MS)
          settled.failures.push({ campaignId, err })
        }
      return settled
    },

    /** Applies what a person found out about an attempt in doubt. */
    resolve: (userId: string, campaignId: string, resolved: { contactId: string } & Resolution): Promise<void> =>
      db.inTransaction((trx) => resolveInDoubt(trx, parts.writeEvent, { userId, campaignId, ...resolved })),
  }
}

async function settleCampaign(parts: Settling, campaignId: string, attempts: readonly Ended[]): Promise<void> {
  const userId = attempts[0]?.userId ?? ''
  await parts.db.inTransaction(async (trx) => {
    const campaign = await lockRow(trx, 'campaigns', { userId, id: campaignId })
    if (!campaign) return
    let stop: Stop | null = null
    for (const { id } of attempts) stop = (await settleOne(parts, trx, campaign, id)) ?? stop
    if (campaign.status !== 'running') return
    stop ??= await judge(parts, trx, campaign, await parts.shortCallsOf(trx, campaign))
    if (stop) await setCampaignStatus(trx, parts.writeEvent, { campaign, to: 'paused', ...stop })
    else await completeIfDone(trx, parts.writeEvent, campaign)
  })
}

/** Returns the reason if the campaign must pause. */
async function settleOne(parts: Settling, trx: Trx, campaign: CampaignRow, id: string): Promise<Stop | null> {
  const { userId } = campaign
  const attempt = await lockRow(trx, 'campaignAttempts', { userId, id })
  if (attempt?.status !== 'dialing') return null
  const call = await trx
    .selectFrom('calls')
    .selectAll()
    .where('id', '=', attempt.callId ?? '')
    .executeTakeFirst()
  const end = outcomeOf(call)
  if (end.status === 'withdrawn') {
    const { outcome, detail } = end
    const by: Identity = fromJson(call?.via ?? null) ?? campaign
    await uncountAttempt(trx, { userId, by, atMs: Date.parse(attempt.dialedAt ?? attempt.createdAt) })
    const withdrawals = await withdraw(trx, campaign, {
      attempt,
      outcome: outcome ?? 'not_sent',
      detail: detail ?? '',
    })
    return hasNoRoute(end) ? noRoute(trx, attempt, { withdrawals, detail: detail ?? '' }) : null
  }
  const ended = await trx
    .updateTable('campaignAttempts')
    .set({ ...end, endedAt: call?.endedAt ?? now(), talkSeconds: call?.talkSeconds ?? null })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const contact = await lockRow(trx, 'campaignContacts', { userId, id: attempt.contactId })
  if (contact) await follow(parts, trx, campaign, { attempt: ended, contact, end })
  return null
}

type Step = { attempt: CampaignAttemptRow; contact: CampaignContactRow; end: AttemptEnd }

async function follow(
  parts: Settling,
  trx: Trx,
  campaign: CampaignRow,
  { attempt, contact, end }: Step,
): Promise<void> {
  const { outcome } = end
  const left = outcome === 'voicemail' && (await hasSpoken(trx, attempt)) ? { hasVoicemail: 1 as const } : {}
  const tried = { tries: attempt.tryNumber, outcome, ...left, updatedAt: now() }
  // The contact stays as it is: suppressed by something said in the call, or waiting for an agreed call-back.
  if (contact.status !== 'calling') return void (await contactOf(trx, contact).set(tried).execute())
  if (outcome === null) {
    const set = { ...tried, status: 'in_doubt', dueAt: null, dueReason: null } as const
    const stored = await contactOf(trx, contact).set(set).returningAll().executeTakeFirstOrThrow()
    return parts.writeEvent(trx, inDoubt(campaign, attempt, stored))
  }
  if (outcome === 'answered') await finishCallback(trx, contact, parts.callbacks)
  // The person asked for it in this call: no further attempt, in any campaign.
  const { userId, numberHash } = contact
  if ((await parts.suppressions.find(userId, [numberHash], trx)).has(numberHash))
    return endContact(trx, parts.writeEvent, { campaign, contact, set: { ...tried, status: 'suppressed' } })
  const earlier = await trx
    .selectFrom('campaignAttempts')
    .select('outcome')
    .where('contactId', '=', contact.id)
    .where('status', 'in', ['ended', 'in_doubt'])
    .execute()
  const plan = JSON.parse(campaign.retries) as RetryPlan
  const step = nextStep(
    plan,
    outcome,
    earlier.map((each) => each.outcome),
  )
  const isOver = campaign.status === 'canceled' || campaign.status === 'completed'
  const callback = attempt.callId === null || isOver ? null : await dueCallback(trx, { userId, callId: attempt.callId })
  if (callback)
    return void (await contactOf(trx, contact)
      .set({ ...tried, ...callback, status: 'waiting' })
      .execute())
  if (step.status !== 'waiting')
    return endContact(trx, parts.writeEvent, { campaign, contact, set: { ...tried, ...step } })
  if (isOver) return endContact(trx, parts.writeEvent, { campaign, contact, set: { ...tried, status: 'canceled' } })
  const dueAt = toIso(Date.parse(attempt.endedAt ?? now()) + step.afterMs)
  const dueReason = JSON.stringify({ retry: outcome, afterMinutes: step.afterMs / 60_000 })
  await contactOf(trx, contact)
    .set({ ...tried, status: 'waiting', dueAt, dueReason })
    .execute()
}

/** Applies the circuit breaker and the governor. */
async function judge(
  parts: Settling,
  trx: Trx,
  campaign: CampaignRow,
  shortCalls: RulePack['shortCalls'],
): Promise<Stop | null> {
  const atMs = await readDbClock(trx)
  // What led to a pause does not count again once a person has resumed the campaign.
  const since = [toIso(atMs - RECENT_MS), campaign.resumedAt ?? ''].sort().at(-1) ?? ''
  const rows = await trx
    .selectFrom('campaignAttempts')
    .select(['outcome', 'talkSeconds', 'endedAt'])
    .where('campaignId', '=', campaign.id)
    .where('status', '=', 'ended')
    .where('endedAt', '>', since)
    .orderBy('endedAt', 'desc')
    .limit(RECENT_ATTEMPTS)
    .execute()
  const recent = rows.map(({ endedAt, ...row }): RecentAttempt => ({ ...row, endedMs: Date.parse(endedAt ?? '') }))
  const burst = failureBurst(recent, atMs)
  if (burst) return burst
  const { isSlow, stop, shortShare } = governed(recent, shortCalls)
  if (stop) return stop
  if (isSlow && (await slowDown(trx, campaign)))
    await parts.writeEvent(
      trx,
      warning(campaign, { reason: 'short_calls', share: shortShare, attempts: recent.length }),
    )
  return null
}

async function noRoute(
  trx: Trx,
  { campaignId }: CampaignAttemptRow,
  { withdrawals, detail }: { withdrawals: number; detail: string },
): Promise<Stop | null> {
  const { count } = await trx
    .selectFrom('campaignAttempts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'withdrawn')
    .where('outcome', '=', 'failed')
    .where('endedAt', '>', toIso(Date.parse(now()) - 120_000))
    .executeTakeFirstOrThrow()
  return Math.max(withdrawals, Number(count)) >= MAX_WITHOUT_ROUTE ? { reason: 'no_route', detail } : null
}

/** The agent spoke to a voicemail: this counts as the one message that may be left. */
async function hasSpoken(trx: Trx, { callId }: CampaignAttemptRow): Promise<boolean> {
  const said = await trx
    .selectFrom('calls')
    .innerJoin('messages', 'messages.conversationId', 'calls.conversationId')
    .select('messages.id')
    .where('calls.id', '=', callId ?? '')
    .where('messages.type', '=', 'agent')
    .limit(1)
    .executeTakeFirst()
  return said !== undefined
}

type Resolved = { userId: string; campaignId: string; contactId: string } & Resolution

async function resolveInDoubt(trx: Trx, writeEvent: WriteEvent, resolved: Resolved): Promise<void> {
  const { userId, campaignId, contactId, resolution } = resolved
  const campaign = found('Campaign', await lockRow(trx, 'campaigns', { userId, id: campaignId }))
  const contact = found(
    'Campaign contact',
    await lockRow(trx, 'campaignContacts', { userId, id: contactId, campaignId }),
  )
  if (contact.status !== 'in_doubt') throw appError('contact_not_in_doubt')
  const { status } = campaign
  if (resolution === 'retry' && (status === 'canceled' || status === 'completed'))
    throw appError('campaign_status', { status })
  await audit(trx, { kind: 'contact', action: 'resolved', userId, id: contactId, after: { resolution } })
  await trx
    .updateTable('campaignAttempts')
    .set({ status: 'ended', outcome: resolution === 'completed' ? 'answered' : null })
    .where('contactId', '=', contactId)
    .where('status', '=', 'in_doubt')
    .execute()
  if (resolution === 'retry') {
    // The try counts. A person's decision overrides the plan's limit, but not the calling rules.
    const set = { status: 'waiting', dueAt: toIso(await readDbClock(trx)), dueReason: '{"retry":"in_doubt"}' } as const
    await contactOf(trx, contact)
      .set({ ...set, updatedAt: now() })
      .execute()
    return
  }
  const outcome = resolution === 'completed' ? 'answered' : contact.outcome
  const end = resolution === 'completed' ? ('completed' as const) : ('exhausted' as const)
  await endContact(trx, writeEvent, { campaign, contact, set: { status: end, outcome } })
  await completeIfDone(trx, writeEvent, campaign)
}

/** Ids in the events of a campaign. */
const ids = ({ userId, agentId }: CampaignRow) => ({ userId, agentId, callId: null, conversationId: null })
const brief = ({ id, name, agentId, status }: CampaignRow) => ({ id, name, agentId, status })

export const warning = (campaign: CampaignRow, data: { reason: string; [field: string]: unknown }) => ({
  ...ids(campaign),
  type: 'campaign.warning' as const,
  data: { campaign: brief(campaign), warning: data },
})

const inDoubt = (campaign: CampaignRow, attempt: CampaignAttemptRow, contact: CampaignContactRow) => {
  const { id, contactId, phoneNumber, tryNumber, detail, callId } = attempt
  return {
    ...ids(campaign),
    type: 'campaign.attempt.in_doubt' as const,
    data: {
      campaign: brief(campaign),
      attempt: { id, contactId, phoneNumber, tryNumber, detail, callId },
      contact: { id: contact.id, status: contact.status },
    },
  }
}
