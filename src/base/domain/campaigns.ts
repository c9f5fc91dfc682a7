// The states and outcomes of campaigns, contacts and attempts. The API schema, the dashboard and the CLI follow these
// lists.

export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'canceled'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** Why a campaign is paused or was canceled. */
export const campaignReasons = [
  'user',
  'failure_burst', // circuit breaker
  'short_calls', // governor: too many calls of a few seconds
  'low_answer_rate', // governor
  'monthly_limit', // a threshold of the rule pack
  'daily_budget', // the operator's daily call limit for the user; resumes by itself
  'rules_unreadable',
  'no_route',
  'cannot_start', // scheduled, but a check failed at its start time
  'agent_removed',
  'trunk_removed',
  'device_removed',
] as const
export type CampaignReason = (typeof campaignReasons)[number]

export const contactStatuses = [
  'waiting', // an attempt is due at `dueAt`
  'calling', // an attempt is in progress
  'in_doubt', // unknown whether the last attempt rang: a person resolves it
  'completed', // someone was reached
  'exhausted', // the retry plan allows no further attempt
  'suppressed', // on a suppression list, opted out, or refused by the pre-dial webhook
  'canceled',
] as const
export type ContactStatus = (typeof contactStatuses)[number]

export const attemptStatuses = [
  'claimed', // decided and leased by a node; nothing sent yet
  'dialing', // its call exists
  'ended',
  'in_doubt', // its node died when an INVITE may already have been sent
  'withdrawn', // certainly not sent; does not count as a try
] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

/** How an attempt ended. `null` while it is in progress. */
export const attemptOutcomes = [
  'answered',
  'voicemail',
  'no_answer',
  'busy',
  'rejected',
  'unreachable', // the number exists but cannot be reached now
  'invalid_number',
  'failed', // a failure of the trunk or of this platform
  'not_sent', // canceled or stopped before anything was sent
  'suppressed',
  'ineligible', // the pre-dial webhook did not say `eligible`
] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** Outcomes after which a retry plan may make another attempt. */
export const retriedOutcomes = ['no_answer', 'busy', 'voicemail', 'unreachable', 'failed', 'rejected'] as const
export type RetriedOutcome = (typeof retriedOutcomes)[number]

/** The result of an imported row. */
export const rowResults = ['accepted', 'merged', 'rejected', 'suppressed'] as const
export type RowResult = (typeof rowResults)[number]

export const importStatuses = ['running', 'completed', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

export const suppressionReasons = ['opt_out', 'wrong_person', 'manual', 'imported'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]
