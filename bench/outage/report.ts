// The report: what callers heard before, during and after an outage. A missed aim is reported and fails nothing.
import { cpus, loadavg, totalmem } from 'node:os'
import type { Turn } from './caller.ts'

const BUSY = 0.5

export const print = (text: string) => void process.stdout.write(`${text}\n`)
const line = (cells: readonly (string | number)[]) => print(`| ${cells.join(' | ')} |`)

export function printMachine(title: string): void {
  const [lastMinute = 0] = loadavg()
  const processors = cpus()
  print(`# ${title}\n`)
  print(
    `Node ${process.version}, ${processors.length} cores (${processors[0]?.model.trim()}), ${Math.round(totalmem() / 1e9)} GB. ` +
      `Load average before it began: ${lastMinute.toFixed(2)}.`,
  )
  if (lastMinute > BUSY) print('**The machine was busy before this began: do not trust these numbers.**')
}

/** The longest silence of a turn in which the caller waits for the agent; null: no reply came. */
export const silenceOf = ({ firstMs, gapMs }: Turn): number | null =>
  firstMs === null ? null : Math.max(firstMs, gapMs)

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
const ms = (n: number) => (Number.isFinite(n) ? `${n.toFixed(0)} ms` : '-')

export function printHead(first: string): void {
  line([first, 'turns', 'silence p50', 'p95', 'max', 'without a reply'])
  print(`|---|${'---:|'.repeat(5)}`)
}

export function printTurns(name: string, turns: readonly Turn[]): void {
  const silences = turns.map(silenceOf)
  const heard = silences.filter((each) => each !== null)
  line([
    name,
    turns.length,
    ms(percentile(heard, 0.5)),
    ms(percentile(heard, 0.95)),
    ms(percentile(heard, 1)),
    silences.length - heard.length,
  ])
}

export const aim = (what: string, found: string, isMet: boolean) =>
  print(`Aim: ${what}: ${found}, ${isMet ? 'met' : '**missed**'}.`)
