// What callers heard before, during and after an outage.
import { largest, ms, percentile } from '../report/figures.ts'
import type { Report } from '../report/report.ts'
import type { Turn } from './caller.ts'

/** The longest silence of a turn in which the caller waits for the agent; null: no reply came. */
export const silenceOf = ({ firstMs, gapMs }: Turn): number | null =>
  firstMs === null ? null : Math.max(firstMs, gapMs)

export const silencesOf = (turns: readonly Turn[]): number[] => turns.map(silenceOf).filter((each) => each !== null)

export const openTable = (report: Report, first: string, more: readonly string[] = []) =>
  report.table([first, 'turns', 'silence p50', 'p95', 'longest', 'without a reply', ...more])

export function turnCells(name: string, turns: readonly Turn[]): (string | number)[] {
  const heard = silencesOf(turns)
  return [
    ...[name, turns.length, ms(percentile(heard, 0.5)), ms(percentile(heard, 0.95)), ms(largest(heard))],
    turns.length - heard.length,
  ]
}
