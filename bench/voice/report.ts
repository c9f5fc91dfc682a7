// The table of the voice benchmark and its targets.
import { type Figure, largest, median, ms, percentile, spread, withUnit } from '../report/figures.ts'
import { note, type Report } from '../report/report.ts'
import type { Row } from './ours.ts'
import { expectedInstantMs, expectedMs, terms } from './terms.ts'

/** All rounds with one number of calls. */
export type Measured = { who: string; isOurs: boolean; isInstant: boolean; calls: number; rounds: readonly Row[] }

/** Targets by concurrent calls: p95 of the overhead in milliseconds. */
const aims: readonly (readonly [calls: number, p95Ms: number])[] = [
  [1, 40],
  [100, 60],
  [300, 100],
  [400, 150],
]
const CORE_AIM = 0.004
const MB_AIM = 0.6
/** With fewer calls the process itself dominates. */
const MANY = 100
const CLOCK_AIM = { calls: 300, ms: 5 }

const core = withUnit('', 4)
const mb = withUnit('', 2)

const answeredMs = ({ rounds }: Measured) => rounds.flatMap(({ tally }) => tally.answeredMs)
const sum = ({ rounds }: Measured, of: (row: Row) => number) => rounds.reduce((total, row) => total + of(row), 0)

/** Null if there are too few turns. */
export function overheadMs(answered: readonly number[], share: number, isInstant: boolean): Figure {
  const found = percentile(answered, share)
  return found === null ? null : found - (isInstant ? expectedInstantMs : expectedMs)
}

export function introduce(report: Report): void {
  const { pauseMs, recognitionMs, modelMs, voiceMs } = terms
  report.text(
    `Recognition ${recognitionMs} ms (within the pause), model ${modelMs} ms and voice ${voiceMs} ms are fakes; the endpointing delay is ${pauseMs} ms. ` +
      `Overhead is the time from the last voiced frame to the first sound of the agent, less ${expectedMs} ms; in rows without delays, less ${expectedInstantMs} ms. ` +
      'p50 is the median of the rounds and their range; p95 and the longest are of all turns.',
  )
}

const heads = ['', 'calls', 'overhead p50', 'p95', 'longest', 'turns', 'lost', 'early, stray', 'core a call', 'MB a call', 'media clock late p99', 'callers late p99'] // biome-ignore format: one row

export const openTable = (report: Report) => report.table(heads)

export function cellsOf(measured: Measured): (string | number)[] {
  const { who, calls, rounds, isInstant } = measured
  const all = answeredMs(measured)
  const [early, stray] = [sum(measured, ({ tally }) => tally.early), sum(measured, ({ tally }) => tally.stray)]
  const lost = sum(measured, ({ tally }) => tally.lost)
  const late = rounds.map(({ clockLateMs }) => clockLateMs)
  return [
    who,
    calls,
    spread(
      rounds.map(({ tally }) => overheadMs(tally.answeredMs, 0.5, isInstant)),
      ms,
    ),
    ms(overheadMs(all, 0.95, isInstant)),
    ms(overheadMs(all, 1, isInstant)),
    all.length + lost,
    lost,
    `${early}, ${stray}`,
    spread(
      rounds.map(({ corePerCall }) => corePerCall),
      core,
    ),
    spread(
      rounds.map(({ mbPerCall }) => mbPerCall),
      mb,
    ),
    late.every((each) => each === null) ? '-' : spread(late, ms),
    ms(largest(rounds.map(({ callersLateMs }) => callersLateMs))),
  ]
}

export function noteRow({ who, calls, rounds }: Measured): void {
  for (const { notes, residentMb } of rounds)
    note(
      `  ${who}, ${calls}: ${[notes, `${residentMb.toFixed(0)} MB in all`].filter((part) => part !== '').join('; ')}`,
    )
}

export function addAims(report: Report, all: readonly Measured[]): void {
  const ours = all.filter(({ isOurs, isInstant }) => isOurs && !isInstant)
  if (ours.length === 0) return
  const of = (calls: number) => ours.find((one) => one.calls === calls)
  for (const [calls, most] of aims) {
    const row = of(calls)
    const found = row ? overheadMs(answeredMs(row), 0.95, false) : null
    report.atMost(`p95 of the overhead at most ${most} ms at ${calls} call${calls > 1 ? 's' : ''}`, found, most, ms)
  }
  const lost = ours.reduce((total, one) => total + sum(one, ({ tally }) => tally.lost), 0)
  const turns = ours.reduce((total, one) => total + answeredMs(one).length, 0) + lost
  report.aim('no turn lost', turns === 0 ? null : `${lost} of ${turns}`, lost === 0)
  for (const { calls, rounds } of ours.filter((one) => one.calls >= MANY)) {
    const middle = (figure: (row: Row) => number) => median(rounds.map(figure))
    report.atMost(`at most ${CORE_AIM} core a call at ${calls}`, middle(({ corePerCall }) => corePerCall), CORE_AIM, core) // biome-ignore format: one line
    report.atMost(`at most ${MB_AIM} MB a call at ${calls}`, middle(({ mbPerCall }) => mbPerCall), MB_AIM, withUnit('MB', 2)) // biome-ignore format: one line
  }
  const clock = of(CLOCK_AIM.calls)
  const lateMs = clock ? median(clock.rounds.map(({ clockLateMs }) => clockLateMs)) : null
  report.under(
    `media clock late by under ${CLOCK_AIM.ms} ms (p99) at ${CLOCK_AIM.calls} calls`,
    lateMs,
    CLOCK_AIM.ms,
    ms,
  )
}
