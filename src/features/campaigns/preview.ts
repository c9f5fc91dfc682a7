// The dry run of a campaign: who would be called and when, who would not, and what they would hear. Stores and dials
// nothing.
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { DisclosureOptions } from '../../base/domain/disclosure.ts'
import { DAY_MS, monotonicMs, nowMs, toIso } from '../../base/time/clock.ts'
import type { CampaignContactRow, CampaignRow } from '../../db/campaign-rows.ts'
import type { Db } from '../../db/database.ts'
import { fillTemplate } from '../../llm/prompt.ts'
import type { RuleDecision } from '../../rule-packs/decision.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import type { SessionParts } from '../agents/port.ts'
import type { Agent } from '../agents/schema.ts'
import { callerOf, monthOf } from './caller-month-store.ts'
import type { CampaignChecks, RuleParts } from './checks.ts'
import type { Preview, PreviewOptions } from './contact-schema.ts'
import { contactCounts } from './count-store.ts'
import type { Pacing, Schedule } from './schema.ts'
import type { CampaignStore } from './store.ts'

export type PreviewParts = {
  db: Db
  campaigns: Pick<CampaignStore, 'row'>
  checks: Pick<CampaignChecks, 'startProblems'>
  rules: RuleParts & { isService(number: string): boolean }
  findSuppressed(userId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, { reason: string }>>
  /** What the agent says first in a campaign call. */
  disclosureOf(options: DisclosureOptions): string | null
  findAgent(userId: string, agentId: string): Promise<Agent | undefined>
  sessionOptions: SessionParts['sessionOptions']
}

/** Maximum number of contacts examined. For a larger list, `evaluated` is less than `total`. */
const MAX_CONTACTS = 20_000
const SLICE = 250
const SAMPLE = 20
/** The longest span of a frequency rule. */
const HISTORY_MS = 31 * DAY_MS
/** Work done between two yields to the event loop, so that other requests wait no longer than about this. */
const BREATH_MS = 4

type Result = Preview['sample'][number]['result']
type Verdict = { result: Result; atMs: number | null; decision: Record<string, unknown> }
type Contact = Pick<CampaignContactRow, 'id' | 'phoneNumber' | 'numberHash' | 'variables' | 'dueAt'>
type Rules = { pack: RulePack; schedule: Schedule; startMs: number; nowAtMs: number }

export function campaignPreview(parts: PreviewParts) {
  const { db, campaigns, checks, rules } = parts

  return async (userId: string, id: string, options: PreviewOptions): Promise<Preview> => {
    const campaign = await campaigns.row(userId, id)
    const problems = await checks.startProblems(db, campaign)
    const read = await rules.packOf(userId, campaign.rulesId)
    const pack = 'pack' in read ? read.pack : null
    // Contacts that were already suppressed, for example by the import, are not waiting.
    const { waiting, suppressed } = await contactCounts(db, campaign)
    const total = waiting + suppressed
    const counts: Record<Result, number> = { now: 0, later: 0, suppressed: pack ? suppressed : 0, never: 0 }
    const sample: Preview['sample'] = []
    let firstMs = Number.POSITIVE_INFINITY
    let lastMs = 0
    if (pack) {
      const greet = await greetings(parts, campaign)
      const schedule = JSON.parse(campaign.schedule) as Schedule
      const nowAtMs = nowMs()
      const startMs = Math.max(nowAtMs, schedule.startAt ? Date.parse(schedule.startAt) : 0)
      for await (const { contact, verdict } of verdicts(parts, campaign, { pack, schedule, startMs, nowAtMs })) {
        const { result, atMs, decision } = verdict
        counts[result]++
        firstMs = Math.min(firstMs, atMs ?? firstMs)
        lastMs = Math.max(lastMs, atMs ?? 0)
        if (sample.length >= (options.contacts ?? SAMPLE)) continue
        const at = atMs === null ? null : toIso(atMs)
        const greeting = greet(contact)
        sample.push({ contactId: contact.id, phoneNumber: contact.phoneNumber, result, at, decision, greeting })
      }
    }
    const { now: callableNow, ...others } = counts
    const evaluated = callableNow + others.later + others.suppressed + others.never
    const { callsPerSecond } = JSON.parse(campaign.pacing) as Pacing
    const pacedMs = ((callableNow + others.later) / callsPerSecond) * 1000
    return {
      canStart: problems.length === 0 && (campaign.status === 'draft' || campaign.status === 'paused'),
      problems: problems.map(({ field, error: { code, message } }) => ({ field, code, message })),
      total,
      evaluated,
      callableNow,
      ...others,
      rejected: await rejectedRows(db, campaign),
      sample,
      firstAt: lastMs === 0 ? null : toIso(firstMs),
      // Only for the whole list: a part does not tell when it ends.
      estimatedEndAt: lastMs === 0 || evaluated < total ? null : toIso(Math.max(lastMs, firstMs + pacedMs)),
      usage: await usageOf(db, campaign, pack),
    }
  }
}

async function* verdicts(
  parts: PreviewParts,
  campaign: CampaignRow,
  given: Rules,
): AsyncGenerator<{ contact: Contact; verdict: Verdict }> {
  const decide = decider(parts.rules, given)
  let breathedMs = monotonicMs()
  let after: Contact | undefined
  for (let seen = 0; seen < MAX_CONTACTS; seen += SLICE) {
    let query = parts.db
      .selectFrom('campaignContacts')
      .select(['id', 'phoneNumber', 'numberHash', 'variables', 'dueAt'])
      .where('userId', '=', campaign.userId)
      .where('campaignId', '=', campaign.id)
      .where('status', '=', 'waiting')
    if (after) query = query.where(sql<boolean>`(${sql.ref('dueAt')}, id) > (${after.dueAt}, ${after.id})`)
    const slice = await query.orderBy('dueAt').orderBy('id').limit(SLICE).execute()
    if (slice.length === 0) return
    const hashes = slice.map(({ numberHash }) => numberHash)
    const suppressed = await parts.findSuppressed(campaign.userId, hashes)
    const history = await historyOf(parts.db, campaign.userId, hashes)
    for (const contact of slice) {
      const held = suppressed.get(contact.numberHash)
      if (held) yield { contact, verdict: { result: 'suppressed', atMs: null, decision: { ...held } } }
      else yield { contact, verdict: decide(contact, history.get(contact.numberHash) ?? []) }
      if (monotonicMs() - breathedMs < BREATH_MS) continue
      await breathe()
      breathedMs = monotonicMs()
    }
    after = slice.at(-1)
    if (slice.length < SLICE) return
  }
}

/**
 * What a contact would hear first in a real call; null if the agent is gone. Leaves out words that a model would
 * generate.
 */
async function greetings(parts: PreviewParts, { userId, agentId, callerId, disclosure }: CampaignRow) {
  const agent = agentId === null ? undefined : await parts.findAgent(userId, agentId)
  if (!agent) return () => null
  const { name: agentName, language } = agent
  const first = parts.disclosureOf({ disclosure: JSON.parse(disclosure), language, agentName }) ?? ''
  return ({ variables: given, phoneNumber: toNumber }: Contact): string | null => {
    const call = { direction: 'outbound', fromNumber: callerId, toNumber } as const
    const { options, variables } = parts.sessionOptions(agent, JSON.parse(given), call)
    const opening = options.generatesOpening ? null : options.opening
    return `${fillTemplate(first, variables).text} ${opening ?? ''}`.trim() || null
  }
}

/** Contacts in the same region without earlier attempts share one decision. */
function decider(rules: PreviewParts['rules'], { pack, schedule, startMs, nowAtMs }: Rules) {
  const known = new Map<string, RuleDecision>()
  return ({ phoneNumber, dueAt }: Contact, attemptsMs: readonly number[]): Verdict => {
    if (rules.isService(phoneNumber)) return { result: 'never', atMs: null, decision: { never: 'number_not_callable' } }
    const callee = rules.calleeOf(phoneNumber)
    const fromMs = Math.max(startMs, dueAt === null ? 0 : Date.parse(dueAt))
    const key = attemptsMs.length === 0 ? JSON.stringify([callee, fromMs]) : null
    const untilMs = schedule.endAt ? Date.parse(schedule.endAt) : null
    const question = { pack, callee, windows: schedule.windows ?? null, fromMs, untilMs, attemptsMs }
    const decision = (key !== null && known.get(key)) || rules.nextAttempt(question)
    if (key !== null) known.set(key, decision)
    if ('never' in decision)
      return { result: 'never', atMs: null, decision: { never: decision.never, ...decision.trace } }
    const result = decision.atMs <= nowAtMs ? 'now' : 'later'
    return { result, atMs: decision.atMs, decision: { ...decision.trace } }
  }
}

/** Earlier attempts to these numbers, in all campaigns of the user. */
async function historyOf(db: Db, userId: string, hashes: readonly string[]): Promise<Map<string, number[]>> {
  const rows = await db
    .selectFrom('campaignAttempts')
    .select(['numberHash', 'createdAt', 'dialedAt'])
    .where('userId', '=', userId)
    .where('numberHash', 'in', hashes)
    .where('createdAt', '>', toIso(nowMs() - HISTORY_MS))
    .where('status', 'in', ['dialing', 'ended', 'in_doubt'])
    .execute()
  const history = new Map<string, number[]>()
  for (const { numberHash, createdAt, dialedAt } of rows)
    history.set(numberHash, [...(history.get(numberHash) ?? []), Date.parse(dialedAt ?? createdAt)])
  return history
}

/** Counts list rows that did not become a contact. */
async function rejectedRows(db: Db, { userId, id }: CampaignRow): Promise<number> {
  const { rejected } = await db
    .selectFrom('campaignImports')
    .select(({ fn }) => fn.sum<number | string | null>('rejected').as('rejected'))
    .where('userId', '=', userId)
    .where('campaignId', '=', id)
    .executeTakeFirstOrThrow()
  return Number(rejected ?? 0)
}

async function usageOf(db: Db, campaign: CampaignRow, pack: RulePack | null): Promise<Preview['usage']> {
  const month = monthOf(nowMs())
  const own = db.selectFrom('callerMonths').select('attempts').where('userId', '=', campaign.userId)
  const row = await own.where('callerId', '=', callerOf(campaign)).where('month', '=', month).executeTakeFirst()
  return { month, attempts: row?.attempts ?? 0, threshold: pack?.monthly?.threshold ?? null }
}
