// Starts, pauses, resumes and cancels campaigns. Each runs all checks and the transition in one transaction with the
// campaign locked: no half-started campaign, and no change made twice by concurrent requests or nodes.
import type { CampaignReason, CampaignStatus } from '../../base/domain/campaigns.ts'
import type { ErrorCode } from '../../base/errors/error-codes.ts'
import { appError } from '../../base/errors/errors.ts'
import { audit } from '../../db/audit.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter } from '../../db/outbox.ts'
import { readDbClock } from '../../db/time.ts'
import type { Job } from '../service.ts'
import type { CallBudget } from './call-budget.ts'
import type { CampaignChecks, CampaignProblem } from './checks.ts'
import { cancelWaiting } from './completion-store.ts'
import { contactCounts } from './count-store.ts'
import type { CampaignActions } from './routes.ts'
import { cancelOrphans } from './rows.ts'
import type { Campaign, Schedule } from './schema.ts'
import { type StatusChange, setCampaignStatus } from './status-store.ts'
import { lockCampaign, toCampaign } from './store.ts'

export type TransitionParts = {
  db: Db
  checks: Pick<CampaignChecks, 'startProblems'>
  callBudget: Pick<CallBudget, 'leftIn'>
  /** Tells the runner that there may be something to dial. */
  wake: (campaignId: string) => void
  signal?: AbortSignal
}

const DUE_MS = 2000
const BUDGET_MS = 30_000
const CANCELED_MS = 10_000

const startAtOf = ({ schedule }: CampaignRow): number => {
  const { startAt } = JSON.parse(schedule) as Schedule
  return startAt ? Date.parse(startAt) : 0
}

export function campaignTransitions({ db, checks, callBudget, wake, signal }: TransitionParts) {
  const writeEvent = eventWriter(db)

  const change = (userId: string, id: string, decide: (trx: Trx, campaign: CampaignRow) => Promise<StatusChange>) =>
    db.inTransaction(async (trx): Promise<Campaign> => {
      const campaign = await lockCampaign(trx, userId, id)
      const next = await decide(trx, campaign)
      const counts = await contactCounts(trx, campaign)
      const stored = await setCampaignStatus(trx, writeEvent, { ...next, campaign })
      await audit(trx, { kind: 'campaign', before: campaign, after: stored })
      if (next.to === 'running') trx.afterCommit(() => wake(id))
      return toCampaign({ ...stored, counts })
    })

  /** Allowed from these states only, and only if every check of a start passes: runs now, or waits for its time. */
  const go = (from: CampaignStatus) => async (trx: Trx, campaign: CampaignRow) => {
    if (campaign.status !== from) throw appError('campaign_status', { status: campaign.status })
    const [problem] = await checks.startProblems(trx, campaign)
    if (problem) throw problem.error
    return { to: startAtOf(campaign) > (await readDbClock(trx)) ? ('scheduled' as const) : ('running' as const) }
  }

  /** Runs a campaign if `isDue`. One that cannot start is paused with the reason recorded. */
  const startIf = (userId: string, id: string, isDue: (trx: Trx, campaign: CampaignRow) => Promise<boolean>) =>
    db.inTransaction(async (trx) => {
      const campaign = await lockRow(trx, 'campaigns', { userId, id })
      if (!campaign || !(await isDue(trx, campaign))) return
      const [problem] = await checks.startProblems(trx, campaign)
      const next: StatusChange = problem ? refused(problem) : { to: 'running' }
      await setCampaignStatus(trx, writeEvent, { ...next, campaign })
      if (!problem) trx.afterCommit(() => wake(id))
    })

  async function startDue(): Promise<void> {
    const scheduled = await db.selectFrom('campaigns').selectAll().where('status', '=', 'scheduled').execute()
    if (scheduled.length === 0) return
    const atMs = await readDbClock(db)
    for (const { userId, id } of scheduled.filter((campaign) => startAtOf(campaign) <= atMs))
      await startIf(
        userId,
        id,
        async (trx, campaign) => campaign.status === 'scheduled' && startAtOf(campaign) <= (await readDbClock(trx)),
      )
  }

  /** Resumes campaigns paused by the daily budget once the user has calls left, when the next day's budget begins. */
  async function resumeBudgeted(): Promise<void> {
    const paused = db.selectFrom('campaigns').select(['id', 'userId']).where('status', '=', 'paused')
    for (const { id, userId } of await paused.where('statusReason', '=', 'daily_budget').execute())
      await startIf(
        userId,
        id,
        async (trx, { status, statusReason }) =>
          status === 'paused' && statusReason === 'daily_budget' && (await callBudget.leftIn(trx, userId))?.left !== 0,
      )
  }

  const actions: Pick<CampaignActions, 'start' | 'pause' | 'resume' | 'cancel'> = {
    start: (userId, id) => change(userId, id, go('draft')),
    resume: (userId, id) => change(userId, id, go('paused')),
    pause: (userId, id) =>
      change(userId, id, async (_, { status, statusReason }) => {
        const resumesItself = status === 'paused' && statusReason === 'daily_budget'
        if (status !== 'running' && status !== 'scheduled' && !resumesItself)
          throw appError('campaign_status', { status })
        return { to: 'paused', reason: 'user' }
      }),
    cancel: (userId, id) => change(userId, id, async () => ({ to: 'canceled', reason: 'user' })),
  }
  const jobs: readonly Job[] = [
    { name: 'campaigns that are due', everyMs: DUE_MS, task: startDue },
    { name: 'campaigns whose daily budget is back', everyMs: BUDGET_MS, task: resumeBudgeted },
    { name: 'campaigns without agent or trunk', everyMs: CANCELED_MS, task: () => cancelOrphans(db) },
    { name: 'campaign sweep', everyMs: CANCELED_MS, task: () => cancelWaiting(db, signal) },
  ]
  return { actions, jobs, resumeBudgeted }
}

/** The status reason of a campaign that could not start at its time. */
function refused({ error }: CampaignProblem): StatusChange {
  const reasons: Partial<Record<ErrorCode, CampaignReason>> = {
    campaign_no_route: 'no_route',
    campaign_rules_unknown: 'rules_unreadable',
  }
  return { to: 'paused', reason: reasons[error.code] ?? 'cannot_start', detail: error.message }
}
