// Decides when a campaign must slow down or stop by itself: a burst of failures, too many short calls, too few answers.
// Pure.
import type { AttemptOutcome, CampaignReason } from '../../base/domain/campaigns.ts'
import type { RulePack } from '../../rule-packs/pack.ts'

/** Ended attempts, newest first. */
export type RecentAttempt = { outcome: AttemptOutcome | null; talkSeconds: number | null; endedMs: number }

const BURST_MS = 120_000
const BURST_MIN = 10
const BURST_SHARE = 0.5
/** The governor looks at this many attempts at most, within one day. */
export const RECENT_ATTEMPTS = 200
export const RECENT_MS = 86_400_000
const MIN_ANSWER_RATE = 0.02
/** With fewer attempts, the pace cannot be estimated. */
const PACE_MIN = 50
const WORKING_DAY_MS = 9 * 3_600_000

export type Stop = { reason: CampaignReason; detail: string }

const percent = (share: number) => `${Math.round(share * 100)} %`

/** Circuit breaker: trips if half of at least ten attempts in the last two minutes failed. */
export function failureBurst(recent: readonly RecentAttempt[], nowMs: number): Stop | null {
  const counted = recent.filter(({ endedMs }) => endedMs > nowMs - BURST_MS)
  const failed = counted.filter(({ outcome }) => outcome === 'failed').length
  if (counted.length < BURST_MIN || failed / counted.length < BURST_SHARE) return null
  return { reason: 'failure_burst', detail: `${failed} of ${counted.length} attempts failed within two minutes` }
}

export type Pressure = { shortShare: number | null; isSlow: boolean; stop: Stop | null }

/**
 * The share of short calls among the answered ones: people who hang up at once heard no greeting, or a machine
 * answered. Regulators also count unanswered calls, but only of large callers: from a pace of `unansweredFrom` attempts
 * a day, every attempt counts. A failing trunk reaches nobody, so `failed` never counts.
 */
export function governed(recent: readonly RecentAttempt[], rule: RulePack['shortCalls']): Pressure {
  const reached = recent.filter(({ outcome }) => outcome !== 'failed')
  const isLarge = rule !== null && rule.unansweredFrom !== null && dailyPace(reached) >= rule.unansweredFrom
  const counted = isLarge ? reached : reached.filter(isAnswered)
  const shortShare = shortCallShare(counted, rule?.seconds ?? 6)
  const enough = rule !== null && counted.length >= Math.min(rule.minAttempts, RECENT_ATTEMPTS)
  if (enough && shortShare !== null && shortShare >= rule.pauseAt)
    return { shortShare, isSlow: true, stop: { reason: 'short_calls', detail: wordsOf(shortShare, counted, rule) } }
  const rate = answerRate(reached)
  if (reached.length >= RECENT_ATTEMPTS && rate !== null && rate < MIN_ANSWER_RATE)
    return {
      shortShare,
      isSlow: true,
      stop: { reason: 'low_answer_rate', detail: `${percent(rate)} of ${reached.length} attempts were answered` },
    }
  return { shortShare, isSlow: enough && shortShare !== null && shortShare >= rule.slowAt, stop: null }
}

const wordsOf = (share: number, { length }: readonly unknown[], { seconds }: { seconds: number }) =>
  `${percent(share)} of ${length} attempts lasted ${seconds} s or less`

export const shortCallShare = (recent: readonly RecentAttempt[], seconds: number): number | null =>
  recent.length === 0
    ? null
    : recent.filter(({ talkSeconds }) => talkSeconds === null || talkSeconds <= seconds).length / recent.length

/** Answered by a person or a machine. */
const isAnswered = ({ outcome }: RecentAttempt) => outcome === 'answered' || outcome === 'voicemail'

/** Attempts per working day, extrapolated from the recent ones. */
function dailyPace(recent: readonly RecentAttempt[]): number {
  const times = recent.map(({ endedMs }) => endedMs)
  const spanMs = Math.max(...times) - Math.min(...times)
  return recent.length < PACE_MIN ? 0 : (recent.length / Math.max(1000, spanMs)) * WORKING_DAY_MS
}

export const answerRate = (recent: readonly RecentAttempt[]): number | null =>
  recent.length === 0 ? null : recent.filter(isAnswered).length / recent.length
