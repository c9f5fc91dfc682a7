// The states of campaigns, contacts and attempts on the page: order, tones, and the user's actions. Pure.
import type { Campaign, CampaignAttempt, CampaignContact, CampaignImportedRow } from '../../../../client/paths.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type CampaignStatus = Campaign['status']
export type ContactStatus = CampaignContact['status']
export type Outcome = NonNullable<CampaignAttempt['outcome']>
export type RowResult = CampaignImportedRow['result']

export const campaignStates = ['draft', 'scheduled', 'running', 'paused', 'completed', 'canceled'] as const
export const contactStates = [
  'waiting',
  'calling',
  'in_doubt',
  'completed',
  'exhausted',
  'suppressed',
  'canceled',
] as const satisfies readonly ContactStatus[]
export const outcomes = [
  'answered',
  'voicemail',
  'no_answer',
  'busy',
  'rejected',
  'unreachable',
  'invalid_number',
  'failed',
  'not_sent',
  'suppressed',
  'ineligible',
] as const satisfies readonly Outcome[]
export const rowResults = ['accepted', 'merged', 'rejected', 'suppressed'] as const satisfies readonly RowResult[]

export const campaignTones: Readonly<Record<CampaignStatus, Tone>> = {
  draft: 'off',
  scheduled: 'busy',
  running: 'busy',
  paused: 'warn',
  completed: 'good',
  canceled: 'off',
}
export const contactTones: Readonly<Record<ContactStatus, Tone>> = {
  waiting: 'off',
  calling: 'busy',
  in_doubt: 'warn',
  completed: 'good',
  exhausted: 'off',
  suppressed: 'off',
  canceled: 'off',
}

/** Percentage of contacts that are finished, from 0 to 100. */
export function progressOf({ contacts: { total, waiting, calling, in_doubt } }: Pick<Campaign, 'contacts'>): number {
  if (total === 0) return 0
  return Math.floor(((total - waiting - calling - in_doubt) / total) * 100)
}

export const isOver = (status: CampaignStatus): boolean => status === 'completed' || status === 'canceled'
/** Whether every setting can be changed; a running campaign allows only name, pace, schedule and retries. */
export const isOpen = (status: CampaignStatus): boolean => status === 'draft' || status === 'paused'

/** Groups of the chart: outcomes that mean the same to the user. */
const chartGroups = {
  answered: ['answered'],
  voicemail: ['voicemail'],
  unanswered: ['no_answer', 'rejected'],
  busy: ['busy'],
  failed: ['unreachable', 'invalid_number', 'failed'],
} as const satisfies Readonly<Record<string, readonly Outcome[]>>
export type ChartGroup = keyof typeof chartGroups
export const groupNames = Object.keys(chartGroups) as ChartGroup[]

export type Counts = Readonly<Record<string, unknown>>
export const countOf = (counts: Counts, key: string): number => {
  const value = counts[key]
  return typeof value === 'number' ? value : 0
}
export const groupCount = (counts: Counts, group: ChartGroup): number =>
  chartGroups[group].reduce((sum, outcome) => sum + countOf(counts, outcome), 0)
