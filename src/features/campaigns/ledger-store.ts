// The ledger of attempts: one row per contact and try, written before anything is dialed. Every write of an attempt,
// and of a contact on its behalf, is here or in settlement-store.ts, under the lock of its campaign. An attempt's id is
// its claim token: a withdrawn row that is claimed again gets a new id, so that a node coming back cannot dial with an
// old claim. Not a `leasedQueue`: a claim is a new row, decided together with pace and rules under the locks of
// campaign and user.
import { backoffMs } from '../../base/concurrency/backoff.ts'
import type { AttemptOutcome } from '../../base/domain/campaigns.ts'
import { newId } from '../../base/ids.ts'
import { now, toIso } from '../../base/time/clock.ts'
import type { CampaignAttemptRow, CampaignContactRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { WriteEvent } from '../../db/outbox.ts'
import { type CallRow, fromJson } from '../../db/tables.ts'
import { dbTime, readDbClock } from '../../db/time.ts'
import type { NewOutboundCall } from '../calls/store.ts'
import { contactCompleted } from './contact-rows.ts'

/** Longer than the pre-dial webhook and its surrounding writes may take. */
export const CLAIM_MS = 30_000
/** No live process writes a lease this far ahead: the database clock was set back. */
const IMPOSSIBLE_MS = 600_000

export type Claim = {
  campaign: CampaignRow
  contact: CampaignContactRow
  /** Why the attempt may leave now. */
  decision: object
  nodeId: string
}

/** Why a contact waits. `withdrawals`: consecutive attempts that did not leave. */
export type DueReason = { withdrawals?: number; detail?: string | null; [rule: string]: unknown }

/** The parts of a reason that carry over to the next one: the call-back the contact is due for, and the withdrawals. */
export const keptReason = (contact: Pick<CampaignContactRow, 'dueReason'>): DueReason => {
  const { callbackId, withdrawals } = dueReasonOf(contact)
  return { ...(callbackId === undefined ? {} : { callbackId }), ...(withdrawals === undefined ? {} : { withdrawals }) }
}

export const dueReasonOf = ({ dueReason }: Pick<CampaignContactRow, 'dueReason'>): DueReason =>
  fromJson<DueReason>(dueReason) ?? {}

/** `campaign` is locked; the contact is waiting. */
export async function claimAttempt(
  trx: Trx,
  { campaign, contact, decision, nodeId }: Claim,
): Promise<CampaignAttemptRow> {
  const { id: contactId, userId, campaignId, phoneNumber, numberHash } = contact
  const fresh = {
    id: newId('cat'),
    userId,
    campaignId,
    contactId,
    phoneNumber,
    numberHash,
    tryNumber: contact.tries + 1,
    status: 'claimed' as const,
    outcome: null,
    detail: null,
    callerId: campaign.callerId,
    callId: null,
    decision: JSON.stringify(decision),
    nodeId,
    leaseUntil: dbTime(trx, CLAIM_MS),
    talkSeconds: null,
    createdAt: now(),
    dialedAt: null,
    endedAt: null,
  }
  const attempt = await trx
    .insertInto('campaignAttempts')
    .values(fresh)
    .onConflict((c) =>
      c.columns(['contactId', 'tryNumber']).doUpdateSet(fresh).where('campaignAttempts.status', '=', 'withdrawn'),
    )
    .returningAll()
    .executeTakeFirst()
  if (!attempt) throw new Error(`try ${fresh.tryNumber} of contact ${contactId} was made before`)
  const moved = await contactOf(trx, contact)
    .set({ status: 'calling', dueAt: null, updatedAt: now() })
    .where('status', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  if (!moved) throw new Error(`contact ${contactId} does not wait`)
  return attempt
}

export const contactOf = (trx: Trx, { id, userId }: Pick<CampaignContactRow, 'id' | 'userId'>) =>
  trx.updateTable('campaignContacts').where('userId', '=', userId).where('id', '=', id)

const isOver = ({ status }: CampaignRow) => status === 'canceled' || status === 'completed'

export type Dialing = {
  attempt: CampaignAttemptRow
  /** By the database clock. */
  atMs: number
  /** Fields of the call; the ledger adds those of the attempt. */
  via: Readonly<Record<string, string | null>>
  insertCall: (trx: Trx, userId: string, call: NewOutboundCall) => Promise<CallRow>
}

/**
 * Creates the call of a claimed attempt; null if the claim was lost or the campaign no longer runs. `campaign` is
 * locked.
 */
export async function startDialing(
  trx: Trx,
  campaign: CampaignRow,
  { attempt, atMs, via, insertCall }: Dialing,
): Promise<CallRow | null> {
  const { id: attemptId, userId, contactId, campaignId, phoneNumber } = attempt
  if (campaign.status !== 'running' || campaign.agentId === null) return null
  const contact = await lockRow(trx, 'campaignContacts', { userId, id: contactId })
  if (contact?.status !== 'calling') return null
  const claimed = await trx
    .updateTable('campaignAttempts')
    .set({ status: 'dialing', dialedAt: toIso(atMs) })
    .where('userId', '=', userId)
    .where('id', '=', attemptId)
    .where('status', '=', 'claimed')
    .returning('id')
    .executeTakeFirst()
  if (!claimed) return null
  const call = await insertCall(trx, userId, {
    agentId: campaign.agentId,
    toNumber: phoneNumber,
    deviceTokens: null,
    via,
    attemptId,
    variables: JSON.parse(contact.variables),
    metadata: { campaignId, contactId, attemptId },
  })
  await trx.updateTable('campaignAttempts').set({ callId: call.id }).where('id', '=', attemptId).execute()
  return call
}

export type Withdrawal = {
  detail: string
  outcome?: AttemptOutcome
  /** When the contact is due again; by default soon, backing off with consecutive withdrawals. */
  afterMs?: number
}

/** Returns the contact to waiting; the try does not count. No-op unless the attempt is still claimed. */
export async function withdrawClaim(db: Db, attempt: CampaignAttemptRow, withdrawal: Withdrawal): Promise<boolean> {
  return db.inTransaction(async (trx) => {
    const campaign = await lockRow(trx, 'campaigns', { userId: attempt.userId, id: attempt.campaignId })
    const own = await lockRow(trx, 'campaignAttempts', { userId: attempt.userId, id: attempt.id })
    if (!campaign || own?.status !== 'claimed') return false
    await withdraw(trx, campaign, { attempt: own, ...withdrawal })
    return true
  })
}

const FIRST_MS = 1000
const laterPauses = { firstMs: 10_000, maxMs: 600_000 }
const soon = (withdrawals: number) => (withdrawals <= 1 ? FIRST_MS : backoffMs(withdrawals - 1, laterPauses))

/** Campaign and attempt are locked. Returns how many consecutive attempts of the contact were withdrawn. */
export async function withdraw(
  trx: Trx,
  campaign: CampaignRow,
  { attempt, detail, outcome = 'not_sent', afterMs }: Withdrawal & { attempt: CampaignAttemptRow },
): Promise<number> {
  const endedAt = now()
  await trx
    .updateTable('campaignAttempts')
    .set({ status: 'withdrawn', outcome, detail, endedAt })
    .where('userId', '=', attempt.userId)
    .where('id', '=', attempt.id)
    .execute()
  const contact = await lockRow(trx, 'campaignContacts', { userId: attempt.userId, id: attempt.contactId })
  if (contact?.status !== 'calling') return 0 // suppressed meanwhile
  const withdrawals = (dueReasonOf(contact).withdrawals ?? 0) + 1
  const dueAt = toIso((await readDbClock(trx)) + (afterMs ?? soon(withdrawals)))
  await contactOf(trx, contact)
    .set(
      isOver(campaign)
        ? { status: 'canceled', dueAt: null, dueReason: null, updatedAt: endedAt }
        : {
            status: 'waiting',
            dueAt,
            dueReason: JSON.stringify({ ...keptReason(contact), withdrawals, detail }),
            updatedAt: endedAt,
          },
    )
    .execute()
  return withdrawals
}

/** Ends a contact that is not dialed, or not any more. Its attempt, if any, has already ended. */
export async function endContact(
  trx: Trx,
  writeEvent: WriteEvent,
  end: {
    campaign: CampaignRow
    contact: CampaignContactRow
    set: Pick<CampaignContactRow, 'status'> & Partial<CampaignContactRow>
  },
): Promise<void> {
  const stored = await contactOf(trx, end.contact)
    .set({ dueAt: null, dueReason: null, ...end.set, updatedAt: now() })
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeEvent(trx, contactCompleted(stored, end.campaign.agentId))
}

/** Claims of dead nodes; nothing was sent for them. */
export async function expiredClaims(db: Db, limit: number): Promise<CampaignAttemptRow[]> {
  return db
    .selectFrom('campaignAttempts')
    .selectAll()
    .where('status', '=', 'claimed')
    .where((where) =>
      where.or([where('leaseUntil', '<', dbTime(db)), where('leaseUntil', '>', dbTime(db, IMPOSSIBLE_MS))]),
    )
    .limit(limit)
    .execute()
}
