// Claims the contact of a campaign that may be called now. A single transaction, with the campaign and its user locked,
// decides by schedule, pace, suppression lists and calling rules, and writes the attempt. Contacts that may not be
// called now are moved or ended in the same transaction.
import type { CampaignReason } from '../../base/domain/campaigns.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { now, toIso } from '../../base/time/clock.ts'
import type { CampaignAttemptRow, CampaignContactRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { takePermits } from '../../db/pace.ts'
import { readDbClock } from '../../db/time.ts'
import type { Callee, Question, RuleDecision } from '../../rule-packs/decision.ts'
import type { PackWindow, RulePack } from '../../rule-packs/pack.ts'
import type { SuppressionStore } from '../suppressions/store.ts'
import { attemptHistory, type PastAttempt } from './attempt-history.ts'
import { budgetStateIn, type CallBudget } from './call-budget.ts'
import { callbackAllows } from './callback-due-store.ts'
import { completeIfDone } from './completion-store.ts'
import { LEAVES_WITHIN_MS } from './gate-rows.ts'
import { claimAttempt, endContact, keptReason } from './ledger-store.ts'
import { pacesOf, roomFor, type UserPace } from './pacing-store.ts'
import type { Pacing, RetryPlan, Schedule } from './schema.ts'
import { setCampaignStatus } from './status-store.ts'

export type RuleParts = {
  packOf(userId: string, rulesId: string, on?: Db | Trx): Promise<{ pack: RulePack } | { problem: string }>
  nextAttempt(question: Question): RuleDecision
  calleeOf(number: string): Callee
  /** Freephone, premium rate, emergency and the like: not a person's number. */
  isService(number: string): boolean
  partOfDay(atMs: number, callee: Callee): Question['avoidPartOf']
}

export type ClaimParts = {
  db: Db
  nodeId: string
  rules: RuleParts
  suppressions: Pick<SuppressionStore, 'find' | 'versions'>
  dialPolicy: { allows(number: string): boolean }
  callBudget: Pick<CallBudget, 'leftIn'>
  /** Pace of all the user's campaigns together. */
  userPace: UserPace
  /** Share of the limits of trunks and devices. */
  share: number
}

export type Claimed = { campaign: CampaignRow; attempt: CampaignAttemptRow; untilMs: number }
/** `waitMs`: nothing can be claimed before that; null: wait until a call ends or something changes. */
export type ClaimResult = Claimed | { waitMs: number | null }

type Verdict =
  | { now: RuleDecision & { atMs: number }; untilMs: number }
  | { later: number; why: object }
  | { end: Pick<CampaignContactRow, 'status' | 'outcome' | 'dueReason'> }

/** Contacts examined in one transaction: few at first, more while all of them are moved. */
const FIRST_BATCH = 3
const BATCHES = [FIRST_BATCH, 40, 200]
/** Delay while another campaign is calling the same number. */
const BUSY_MS = 600_000
/** How long an attempt has to leave; shorter options for a window that closes sooner. */
const LEAVES_MS = [LEAVES_WITHIN_MS, 10_000, 3000]

const isClaimed = (verdict: Verdict) => 'now' in verdict

type Claiming = ClaimParts & { writeEvent: WriteEvent; scheduleOf(campaign: CampaignRow): Schedule }

export function claimer(given: ClaimParts) {
  const { db } = given
  /** The rules cache their results by window list, so the same text must give the same object. */
  const schedules = new LruCache<string, Schedule>(500)

  function scheduleOf({ schedule }: CampaignRow): Schedule {
    const known = schedules.get(schedule)
    if (known) return known
    const read = JSON.parse(schedule) as Schedule
    schedules.set(schedule, read)
    return read
  }

  const parts: Claiming = { ...given, writeEvent: eventWriter(db), scheduleOf }
  return (userId: string, campaignId: string): Promise<ClaimResult> =>
    db.inTransaction((trx) => claim(parts, trx, userId, campaignId))
}

const pause = (parts: Claiming, trx: Trx, campaign: CampaignRow, why: { reason: CampaignReason; detail: string }) =>
  setCampaignStatus(trx, parts.writeEvent, { campaign, to: 'paused', ...why })

async function claim(parts: Claiming, trx: Trx, userId: string, campaignId: string): Promise<ClaimResult> {
  const campaign = await lockRow(trx, 'campaigns', { userId, id: campaignId })
  if (campaign?.status !== 'running') return { waitMs: null }
  await lockRow(trx, 'users', { id: userId })
  const atMs = await readDbClock(trx)
  const { startAt } = parts.scheduleOf(campaign)
  if (startAt && Date.parse(startAt) > atMs) return { waitMs: Date.parse(startAt) - atMs }
  const paced = { campaign: await withinLines(trx, campaign, parts.share), user: parts.userPace, atMs }
  const paces = await pacesOf(trx, paced)
  const room = await roomFor(trx, paced, paces)
  if (!room.isFree) return { waitMs: room.waitMs }
  const read = await parts.rules.packOf(userId, campaign.rulesId, trx)
  if ('problem' in read) {
    await pause(parts, trx, campaign, { reason: 'rules_unreadable', detail: read.problem })
    return { waitMs: null }
  }
  for (const size of BATCHES) {
    const contacts = await dueContacts(trx, campaign, { at: toIso(atMs), size })
    if (contacts.length === 0) break
    const verdicts = await judge(parts, trx, { campaign, pack: read.pack, atMs }, contacts)
    if (typeof verdicts === 'string') {
      await pause(parts, trx, campaign, { reason: 'rules_unreadable', detail: verdicts })
      return { waitMs: null }
    }
    const found = [...verdicts].find(([, verdict]) => isClaimed(verdict))
    const budget = found && (await budgetStateIn(trx, parts.callBudget, campaign))
    const claimed = budget?.is === 'free' && found && (await store(parts, trx, { campaign, found, pack: read.pack }))
    if (claimed) await takePermits(trx, paces, atMs)
    await move(trx, verdicts)
    await end(parts, trx, campaign, verdicts)
    if (claimed) return { campaign, ...claimed }
    if (budget?.is === 'used_up') await pause(parts, trx, campaign, { reason: 'daily_budget', detail: budget.detail })
    if (budget && budget.is !== 'free') return { waitMs: null }
  }
  return { waitMs: await untilNext(parts, trx, campaign, atMs) }
}

/** Contacts in order up to the first that may be called, or the reason why the rules cannot be applied. */
async function judge(
  parts: Claiming,
  trx: Trx,
  { campaign, pack, atMs }: { campaign: CampaignRow; pack: RulePack; atMs: number },
  contacts: readonly CampaignContactRow[],
): Promise<Map<CampaignContactRow, Verdict> | string> {
  const hashes = contacts.map(({ numberHash }) => numberHash)
  const suppressed = await parts.suppressions.find(campaign.userId, hashes, trx)
  const attemptsTo = await attemptHistory(trx, { userId: campaign.userId, hashes, atMs })
  const verdicts = new Map<CampaignContactRow, Verdict>()
  try {
    for (const contact of contacts) {
      const attempts = await attemptsTo(contact.numberHash)
      const isSuppressed = suppressed.has(contact.numberHash)
      const isWanted = await callbackAllows(trx, contact)
      const verdict: Verdict = isWanted
        ? decide(parts, { campaign, pack, atMs, contact, attempts, isSuppressed })
        : { end: { status: 'completed', outcome: contact.outcome, dueReason: null } }
      verdicts.set(contact, verdict)
      if (isClaimed(verdict)) break
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error) // without a decision there is no call
  }
  return verdicts
}

type Case = {
  campaign: CampaignRow
  pack: RulePack
  atMs: number
  contact: CampaignContactRow
  attempts: readonly PastAttempt[]
  isSuppressed: boolean
}

function decide(parts: Claiming, { campaign, pack, atMs, contact, attempts, isSuppressed }: Case): Verdict {
  if (isSuppressed) return { end: { status: 'suppressed', outcome: 'suppressed', dueReason: null } }
  const never = (reason: string): Verdict => ({
    end: { status: 'exhausted', outcome: contact.outcome, dueReason: JSON.stringify({ never: reason }) },
  })
  if (contact.phoneNumber === '' || !parts.dialPolicy.allows(contact.phoneNumber)) return never('number_forbidden')
  if (parts.rules.isService(contact.phoneNumber)) return never('number_not_callable')
  if (attempts.some(({ isOpen }) => isOpen)) return { later: atMs + BUSY_MS, why: { movedBy: ['call-in-progress'] } }
  const { windows = null, endAt } = parts.scheduleOf(campaign)
  const callee = parts.rules.calleeOf(contact.phoneNumber)
  const question: Question = {
    pack,
    callee,
    windows: windows as readonly PackWindow[] | null,
    fromMs: atMs,
    untilMs: endAt ? Date.parse(endAt) : null,
    attemptsMs: attempts.map((attempt) => attempt.atMs),
  }
  const { otherTimeOfDay } = JSON.parse(campaign.retries) as RetryPlan
  const last = attempts.filter(({ contactId }) => contactId === contact.id).at(-1)
  const avoidPartOf = otherTimeOfDay && last ? parts.rules.partOfDay(last.atMs, callee) : null
  const decision = parts.rules.nextAttempt({ ...question, avoidPartOf: avoidPartOf ?? null })
  if ('never' in decision) return never(decision.never)
  const { movedBy, window, zones } = decision.trace
  if (decision.atMs > atMs) return { later: decision.atMs, why: { movedBy, window, zones } }
  const isOpenAt = (ms: number) => {
    const then = parts.rules.nextAttempt({ ...question, fromMs: ms })
    return 'atMs' in then && then.atMs <= ms
  }
  const leavesMs = LEAVES_MS.find((ms) => isOpenAt(atMs + ms))
  // The window is about to close: try the next one.
  if (leavesMs === undefined) return { later: atMs + 5000, why: { movedBy: ['window-closes'], window, zones } }
  return { now: decision, untilMs: atMs + leavesMs }
}

async function store(
  parts: Claiming,
  trx: Trx,
  { campaign, found, pack }: { campaign: CampaignRow; found: [CampaignContactRow, Verdict]; pack: RulePack },
): Promise<Omit<Claimed, 'campaign'> | undefined> {
  const [contact, verdict] = found
  if (!('now' in verdict)) return undefined
  const lists = await parts.suppressions.versions(campaign.userId, trx)
  const decision = { ...verdict.now.trace, rulesId: campaign.rulesId, packDate: pack.date, lists, at: now() }
  const attempt = await claimAttempt(trx, { campaign, contact, decision, nodeId: parts.nodeId })
  return { attempt, untilMs: verdict.untilMs }
}

async function end(
  parts: Claiming,
  trx: Trx,
  campaign: CampaignRow,
  verdicts: ReadonlyMap<CampaignContactRow, Verdict>,
): Promise<void> {
  for (const [contact, verdict] of verdicts)
    if ('end' in verdict) await endContact(trx, parts.writeEvent, { campaign, contact, set: verdict.end })
}

/** Nothing is due: when the next contact is, or the end of the campaign. */
async function untilNext(parts: Claiming, trx: Trx, campaign: CampaignRow, atMs: number): Promise<number | null> {
  const [next] = await dueContacts(trx, campaign, { at: null, size: 1 })
  if (next?.dueAt) return Math.max(0, Date.parse(next.dueAt) - atMs)
  await completeIfDone(trx, parts.writeEvent, campaign)
  return null
}

/** One update for all contacts that move to the same time for the same reason, so that a closed window costs little. */
async function move(trx: Trx, verdicts: ReadonlyMap<CampaignContactRow, Verdict>): Promise<void> {
  const moves = [...verdicts].flatMap(([contact, verdict]) =>
    'later' in verdict
      ? [
          {
            contact,
            dueAt: toIso(verdict.later),
            dueReason: JSON.stringify({ ...keptReason(contact), ...verdict.why }),
          },
        ]
      : [],
  )
  const groups = Map.groupBy(moves, ({ dueAt, dueReason }) => `${dueAt} ${dueReason}`)
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const { dueAt, dueReason, contact } = first
    await trx
      .updateTable('campaignContacts')
      .set({ dueAt, dueReason })
      .where('userId', '=', contact.userId)
      .where(
        'id',
        'in',
        group.map((each) => each.contact.id),
      )
      .where('status', '=', 'waiting')
      .execute()
  }
}

const dueContacts = (trx: Trx, { id, userId }: CampaignRow, { at, size }: { at: string | null; size: number }) =>
  trx
    .selectFrom('campaignContacts')
    .selectAll()
    .where('campaignId', '=', id)
    .where('userId', '=', userId)
    .where('status', '=', 'waiting')
    .$if(at !== null, (query) => query.where('dueAt', '<=', at))
    .orderBy('dueAt')
    .orderBy('id')
    .limit(size)
    .execute()

/** Limits calls to what the campaign's trunk or device can take; more would only wait for a line. */
async function withinLines(trx: Trx, campaign: CampaignRow, share: number): Promise<CampaignRow> {
  const { trunkId, deviceId, userId } = campaign
  if (trunkId === null && deviceId === null) return campaign
  const device = deviceId && (await lines(trx, userId, deviceId))
  const trunk =
    trunkId &&
    (await trx
      .selectFrom('trunks')
      .select('settings')
      .where('userId', '=', userId)
      .where('id', '=', trunkId)
      .executeTakeFirst())
  const cap = device
    ? device.maxConcurrentCalls
    : trunk
      ? (JSON.parse(trunk.settings).maxConcurrentCalls as number | null)
      : null
  if (typeof cap !== 'number') return campaign
  const pacing = JSON.parse(campaign.pacing) as Pacing
  const most = Math.max(1, Math.floor(cap * share))
  return {
    ...campaign,
    pacing: JSON.stringify({ ...pacing, maxConcurrentCalls: Math.min(pacing.maxConcurrentCalls, most) }),
  }
}

const lines = (trx: Trx, userId: string, deviceId: string) =>
  trx
    .selectFrom('devices')
    .select('maxConcurrentCalls')
    .where('userId', '=', userId)
    .where('id', '=', deviceId)
    .executeTakeFirst()
