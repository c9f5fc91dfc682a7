// The report as Markdown, each target beside its result. A missed target is reported and fails nothing: a busy machine
// is no bug.
import { cpus, loadavg, totalmem } from 'node:os'
import type { Row } from './ours.ts'
import { expectedMs, terms } from './terms.ts'

const BUSY = 0.5
/** By concurrent calls: p95 of the overhead in milliseconds. */
const aims: readonly (readonly [calls: number, p95Ms: number])[] = [
  [1, 40],
  [100, 60],
  [300, 100],
]
const CORE_AIM = 0.005
const MB_AIM = 1
/** With fewer, the process itself needs more than its calls. */
const MANY = 100

export const print = (text: string) => void process.stdout.write(`${text}\n`)
const line = (cells: readonly (string | number)[]) => print(`| ${cells.join(' | ')} |`)
const ms = (n: number) => (Number.isFinite(n) ? n.toFixed(0) : '-')

export function overheadMs({ tally }: Row, part: number): number {
  const sorted = tally.answeredMs.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) - expectedMs
}

export function printMachine(): void {
  const processors = cpus()
  const [lastMinute = 0] = loadavg()
  print('# Voice benchmark\n')
  print(
    `Node ${process.version}, ${processors.length} cores (${processors[0]?.model.trim()}), ` +
      `${Math.round(totalmem() / 1e9)} GB. Load average before it began: ${lastMinute.toFixed(2)}.`,
  )
  if (lastMinute > BUSY) print('**The machine was busy before this began: do not trust these numbers.**')
  const { pauseMs, recognitionMs, modelMs, voiceMs } = terms
  print(
    `\nFakes: recognition ${recognitionMs} ms (within the pause), model ${modelMs} ms, voice ${voiceMs} ms; pause ${pauseMs} ms. Overhead is the time from the\n` +
      `last voiced frame to the first sound of the agent, less ${expectedMs} ms. Nobody guesses ahead of the pause. Ramal: RTP over loopback from another process,\n` +
      'G.711, jitter buffer, recording; @livekit/agents: sound handed over in memory, its bundled voice activity, no RTP, codec or recording.\n',
  )
}

export function printHead(): void {
  line(['', 'calls', 'overhead p50', 'p95', 'worst', 'turns', 'lost', 'early, stray', 'core a call', 'MB a call', 'callers late p99']) // biome-ignore format: one row
  print(`|---|${'---:|'.repeat(10)}`)
}

export function printRow(row: Row): void {
  const { who, calls, tally, corePerCall, mbPerCall, callersLateMs, notes } = row
  const cost = [corePerCall.toFixed(4), mbPerCall.toFixed(2)]
  const times = [0.5, 0.95, 1].map((part) => `${ms(overheadMs(row, part))} ms`)
  const turns = [tally.answeredMs.length + tally.lost, tally.lost, `${tally.early}, ${tally.stray}`]
  line([who, calls, ...times, ...turns, ...cost, `${callersLateMs.toFixed(1)} ms`])
  if (notes !== '') process.stderr.write(`  ${who}, ${calls}: ${notes}; ${row.residentMb.toFixed(0)} MB in all\n`)
}

export function printAims(rows: readonly Row[]): void {
  print('')
  const ours = rows.filter(({ who }) => who === 'Ramal')
  const aim = (what: string, found: string, isMet: boolean) =>
    print(`Aim: ${what}: ${found}, ${isMet ? 'met' : '**missed**'}.`)
  for (const [calls, most] of aims) {
    const row = ours.find((one) => one.calls === calls)
    if (row) aim(`p95 under ${most} ms at ${calls}`, `${ms(overheadMs(row, 0.95))} ms`, overheadMs(row, 0.95) < most)
  }
  const lost = ours.reduce((sum, { tally }) => sum + tally.lost, 0)
  if (ours.length > 0) aim('no turn lost', `${lost}`, lost === 0)
  for (const row of ours.filter(({ calls }) => calls >= MANY)) {
    aim(`${CORE_AIM} core a call at ${row.calls}`, row.corePerCall.toFixed(4), row.corePerCall <= CORE_AIM)
    aim(`${MB_AIM} MB a call at ${row.calls}`, row.mbPerCall.toFixed(2), row.mbPerCall <= MB_AIM)
  }
}
