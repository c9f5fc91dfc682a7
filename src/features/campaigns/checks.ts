// Validates a campaign against its owner's agents, trunks, devices and calling rules: what a change may set, and what a
// start requires.

import { type AppError, appError, notFound } from '../../base/errors/errors.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { Callee, NeverReason, Question, RuleDecision } from '../../rule-packs/decision.ts'
import { exampleNumber, isCountry } from '../../rule-packs/number.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import { hasRoute, outboundDevice, outboundTrunk } from './routes-of-agent.ts'
import type { CampaignPatch, Disclosure, Schedule } from './schema.ts'
import type { CheckCampaign } from './store.ts'

export type PackOf = (
  userId: string,
  rulesId: string,
  on?: Db | Trx,
) => Promise<{ pack: RulePack } | { problem: string }>

export type RuleParts = {
  packOf: PackOf
  nextAttempt(question: Question): RuleDecision
  calleeOf(number: string): Callee
}
export type CheckParts = {
  rules: RuleParts
  /** Why this URL can never be called; null if only a request can tell. */
  refusalFor(url: string): string | null
}

/** What is wrong, and the field responsible. */
export type CampaignProblem = { field: string; error: AppError }

type Field = keyof CampaignPatch
/** `fields`: the changed ones. A start checks all fields, plus what only a start requires. */
type Asked = { campaign: CampaignRow; has: (...fields: Field[]) => boolean; isStart: boolean }
type Check = (on: Db | Trx, asked: Asked) => Promise<CampaignProblem | null>

/** Number of regions tried for a permitted minute; a pack may have more than a check should spend time on. */
const MAX_REGIONS = 60

const problem = (field: string, error: AppError): CampaignProblem => ({ field, error })
const scheduleOf = ({ schedule }: CampaignRow) => JSON.parse(schedule) as Schedule

export type CampaignChecks = ReturnType<typeof campaignChecks>

export function campaignChecks({ rules, refusalFor }: CheckParts) {
  const pack: Check = async (on, { campaign, has, isStart }) => {
    if (!isStart && !has('rulesId', 'schedule', 'defaultCountry', 'disclosure')) return null
    const { userId, rulesId, defaultCountry } = campaign
    const read = await rules.packOf(userId, rulesId, on)
    if ('problem' in read) return problem('rulesId', appError('campaign_rules_unknown', { id: rulesId }))
    const { isOn } = JSON.parse(campaign.disclosure) as Disclosure
    if (!isOn && read.pack.disclosure.isRequired)
      return problem('disclosure.isOn', appError('campaign_disclosure_required'))
    const never = neverInCountry(rules, read.pack, campaign)
    if (never === 'country_not_covered')
      return problem('rulesId', appError('campaign_rules_country', { id: rulesId, country: defaultCountry }))
    return never === null ? null : problem('schedule', appError('campaign_no_window'))
  }

  const predial: Check = async (_, { campaign: { predialUrl }, has, isStart }) => {
    if (predialUrl === null || !(isStart || has('predial'))) return null
    if (!URL.canParse(predialUrl)) return problem('predial.url', appError('webhook_url_invalid'))
    const reason = refusalFor(predialUrl)
    return reason === null ? null : problem('predial.url', appError('campaign_predial_refused', { reason }))
  }

  const checks = [agent, identity, country, times, pack, predial, contacts]

  /** Everything that keeps a campaign from starting, one problem of each kind. */
  async function startProblems(on: Db | Trx, campaign: CampaignRow): Promise<CampaignProblem[]> {
    const problems: CampaignProblem[] = []
    for (const check of checks) {
      const found = await check(on, { campaign, has: () => true, isStart: true })
      if (found) problems.push(found)
    }
    return problems
  }

  const checkChange: CheckCampaign = async (on, campaign, fields) => {
    const changed = new Set(fields)
    const has = (...names: Field[]) => names.some((name) => changed.has(name))
    for (const check of checks) {
      const found = await check(on, { campaign, has, isStart: false })
      if (found) throw found.error
    }
  }

  return { startProblems, checkChange }
}

const identity: Check = async (on, { campaign, has, isStart }) => {
  const { userId, trunkId, deviceId, callerId } = campaign
  if (!isStart && !has('trunkId', 'deviceId', 'callerId')) return null
  if (trunkId !== null && deviceId !== null) return problem('deviceId', appError('campaign_one_identity'))
  if (deviceId !== null && callerId !== null) return problem('callerId', appError('campaign_device_caller_id'))
  if (trunkId !== null && (isStart || has('trunkId'))) {
    const found = await outboundTrunk(on, userId, trunkId)
    if (found === undefined) return problem('trunkId', notFound('Trunk'))
    if (!(isStart ? found.canCall : found.isOutbound)) return problem('trunkId', appError('campaign_trunk_outbound'))
  }
  if (deviceId !== null && (isStart || has('deviceId'))) {
    const found = await outboundDevice(on, userId, deviceId)
    if (found === undefined) return problem('deviceId', notFound('Device'))
    if (!(isStart ? found.canCall : found.isOutbound)) return problem('deviceId', appError('campaign_device_outbound'))
  }
  return null
}

const country: Check = async (_, { campaign: { defaultCountry }, has, isStart }) =>
  (isStart || has('defaultCountry')) && !isCountry(defaultCountry)
    ? problem('defaultCountry', appError('campaign_country', { country: defaultCountry }))
    : null

/** Checks only the times, not the rules. */
const times: Check = async (_, { campaign, has, isStart }) => {
  if (!isStart && !has('schedule')) return null
  const { startAt, endAt, windows } = scheduleOf(campaign)
  if (windows?.some(({ from, to }) => from >= to)) return problem('schedule.windows', appError('campaign_window_order'))
  if (endAt === null || endAt === undefined) return null
  if (Date.parse(endAt) <= nowMs()) return problem('schedule.endAt', appError('campaign_end_past'))
  return startAt && Date.parse(startAt) >= Date.parse(endAt)
    ? problem('schedule.endAt', appError('campaign_end_before_start'))
    : null
}

const agent: Check = async (on, { campaign, isStart }) => {
  const { userId, agentId } = campaign
  const stored = await on
    .selectFrom('agents')
    .select(['isActive', 'direction'])
    .where('userId', '=', userId)
    .where('id', '=', agentId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (!stored) return problem('agentId', notFound('Agent'))
  if (!isStart) return null
  if (!stored.isActive) return problem('agentId', appError('agent_inactive'))
  if (stored.direction === 'inbound') return problem('agentId', appError('agent_inbound_only'))
  if (campaign.trunkId !== null || campaign.deviceId !== null) return null
  return (await hasRoute(on, userId, agentId ?? '')) ? null : problem('agentId', appError('campaign_no_route'))
}

/** There must be waiting contacts, and no list still being imported. */
const contacts: Check = async (on, { campaign: { userId, id }, isStart }) => {
  if (!isStart) return null
  const running = on.selectFrom('campaignImports').select('id').where('userId', '=', userId)
  const importing = await running.where('campaignId', '=', id).where('status', '=', 'running').executeTakeFirst()
  if (importing) return problem('contacts', appError('campaign_import_running'))
  const open = on.selectFrom('campaignContacts').select('id').where('campaignId', '=', id)
  const waiting = await open
    .where('status', 'in', ['waiting', 'calling'])
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return waiting ? null : problem('contacts', appError('campaign_no_contacts'))
}

/**
 * Why no number of the country can ever be called; null if some can. Regions have rules of their own: one with a
 * permitted minute is enough, and the preview shows contacts elsewhere.
 */
function neverInCountry(
  { nextAttempt, calleeOf }: RuleParts,
  pack: RulePack,
  campaign: CampaignRow,
): NeverReason | null {
  const { startAt, endAt, windows } = scheduleOf(campaign)
  const { defaultCountry } = campaign
  const example = exampleNumber(defaultCountry)
  if (!example) return null // the country itself is refused, or has no numbering plan of its own
  const callee = calleeOf(example)
  const named = pack.windows.flatMap(({ regions }) => regions ?? [])
  const regions = [...new Set(named)].filter((region) => region.startsWith(`${defaultCountry}-`))
  const others = regions.slice(0, MAX_REGIONS).map((region) => ({ ...callee, regions: [region] }))
  const question = {
    pack,
    windows: windows ?? null,
    fromMs: Math.max(nowMs(), startAt ? Date.parse(startAt) : 0),
    untilMs: endAt ? Date.parse(endAt) : null,
    attemptsMs: [],
  }
  let never: NeverReason | null = null
  for (const each of [callee, ...others]) {
    const decision = nextAttempt({ ...question, callee: each })
    if ('atMs' in decision) return null
    never ??= decision.never
    if (never === 'country_not_covered') return never
  }
  return never
}
