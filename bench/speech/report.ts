// The report as Markdown, each number beside its target. A missed target is reported and fails nothing: a busy machine
// is no bug.
import { cpus, loadavg, totalmem } from 'node:os'
import type { LoopRow } from './all-at-once.ts'
import type { HeardRow, VadRow } from './ears.ts'
import type { MemoryRow } from './memory.ts'
import type { VoiceRow } from './voices.ts'

const aims = {
  clauseMs: 180,
  sentenceMs: 350,
  voicesWithoutGap: 6,
  smallMs: 50,
  cacheMs: 5,
  threeSecondsMs: 250,
  vadPerCent: 0.3,
  loopP99Ms: 20,
}
const BUSY = 0.5

export const print = (text: string) => void process.stdout.write(`${text}\n`)

const ms = (n: number | undefined) => (n === undefined ? '-' : `${n < 10 ? n.toFixed(1) : Math.round(n)} ms`)
const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**')
const aim = (what: string, found: string, isMet: boolean) => print(`Aim: ${what}: ${found}, ${verdict(isMet)}.`)

const line = (cells: readonly (string | number)[]) => print(`| ${cells.join(' | ')} |`)

function heading(heads: readonly string[]): void {
  line(heads)
  print(`|${heads.map((_, i) => (i === 0 ? '---' : '---:')).join('|')}|`)
}

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  heading(heads)
  rows.forEach(line)
  print('')
}

export function printMachine(seconds: number): void {
  const processors = cpus()
  print('# Speech benchmark\n')
  print(
    `Node ${process.version}, ${processors.length} cores (${processors[0]?.model.trim()}), ` +
      `${Math.round(totalmem() / 1e9)} GB, ${process.platform} ${process.arch}. About ${seconds} s of speech for each stream.`,
  )
  const [lastMinute = 0] = loadavg()
  if (lastMinute > BUSY)
    print(
      `**The machine was busy before this began (load average ${lastMinute.toFixed(2)}): do not trust these numbers.**`,
    )
}

export function printVoicesHead(): void {
  print('\n## Voices\n')
  const firsts = ['first sound: clause', 'sentence', 'long text, median', 'slowest']
  heading(['engine', 'streams', 'real-time factor', ...firsts, 'gaps'])
}

export function printVoice({ engine, clauseMs, sentenceMs, together }: VoiceRow): void {
  for (const [i, t] of together.entries())
    line([
      engine,
      t.streams,
      t.factor.toFixed(3),
      ms(i === 0 ? clauseMs : undefined),
      ms(i === 0 ? sentenceMs : undefined),
      ms(t.firstMs),
      ms(t.slowestFirstMs),
      t.gaps === 0 ? 'none' : `${t.gaps} (${ms(t.gapMs)})`,
    ])
}

export function printVoiceAims(rows: readonly VoiceRow[], hasProgram: boolean): void {
  print('')
  print(
    'The factor is time over sound of all streams together. All streams begin at the same moment; a gap is sound that',
  )
  print('came more than 5 ms later than the end of what was there to play.\n')
  if (!hasProgram)
    print("espeak-ng's own program is not installed (Debian: apt-get install espeak-ng): not compared.\n")

  const of = (engine: string) => rows.find((row) => row.engine === engine)
  const fast = of('natural, fast way')
  if (fast) {
    const { clauseMs = Number.NaN, sentenceMs = Number.NaN } = fast
    aim(`natural voice, short clause under ${aims.clauseMs} ms`, ms(clauseMs), clauseMs < aims.clauseMs)
    aim(`natural voice, any sentence under ${aims.sentenceMs} ms`, ms(sentenceMs), sentenceMs < aims.sentenceMs)
    const six = fast.together.find(({ streams }) => streams === aims.voicesWithoutGap)
    if (six) aim(`${aims.voicesWithoutGap} natural voices without a gap`, `${six.gaps} gaps`, six.gaps === 0)
  }
  for (const [engine, most] of [
    ['small voice', aims.smallMs],
    ['cache', aims.cacheMs],
  ] as const) {
    const slowest = Math.max(of(engine)?.clauseMs ?? Number.NaN, of(engine)?.sentenceMs ?? Number.NaN)
    if (slowest >= 0) aim(`${engine} under ${most} ms`, ms(slowest), slowest < most)
  }
}

export function printEars(rows: readonly HeardRow[]): void {
  print('\n## Recognition: text after the last word\n')
  table(
    ['utterance', 'median', 'best', 'heard'],
    rows.map((row) => [`${row.seconds.toFixed(1)} s`, ms(row.medianMs), ms(row.bestMs), row.text]),
  )
  const three = rows.find(({ aboutSeconds }) => aboutSeconds === 3)
  if (three) aim(`3 s within ${aims.threeSecondsMs} ms`, ms(three.medianMs), three.medianMs < aims.threeSecondsMs)
}

export function printVad({ baselinePerCent, rows }: { baselinePerCent: number; rows: readonly VadRow[] }): void {
  print('\n## Voice activity\n')
  const percent = (n: number) => `${n.toFixed(2)} %`
  const callsOf = ({ streams, silent }: VadRow) =>
    `${streams}${silent > 0 ? `, ${silent} of them silent` : streams > 1 ? ', all speaking' : ''}`
  table(
    ['calls', 'of a core', 'of a core per call', 'longest answer'],
    rows.map((row) => [callsOf(row), percent(row.corePerCent), percent(row.perCallPerCent), ms(row.longestMs)]),
  )
  print(`The benchmark's own clock, ${percent(baselinePerCent)}, is taken off.`)
  for (const row of rows)
    aim(
      `under ${aims.vadPerCent} % of a core per call, ${callsOf(row)}`,
      percent(row.perCallPerCent),
      row.perCallPerCent < aims.vadPerCent,
    )
}

export function printLoop(rows: readonly LoopRow[]): void {
  print('\n## Event-loop delay of the main thread while all of it runs\n')
  table(
    ['while', 'p50', 'p99', 'longest', 'gaps in the voices', 'text of 3 s after'],
    rows.map((row) => [row.while, ms(row.p50Ms), ms(row.p99Ms), ms(row.maxMs), row.gaps ?? '-', ms(row.hearingMs)]),
  )
  const p99 = Math.max(...rows.map((row) => row.p99Ms))
  aim(`p99 under ${aims.loopP99Ms} ms`, ms(p99), p99 < aims.loopP99Ms)
}

export function printMemory(rows: readonly MemoryRow[]): void {
  print('\n## Memory, each engine in a process of its own after its first use, the natural voice with all its voices\n')
  const mb = (n: number) => `${Math.round(n)} MB`
  table(
    ['engine', 'opened in', 'resident', 'proportional', 'highest'],
    rows.map((row) => [row.engine, ms(row.openMs), mb(row.residentMb), mb(row.proportionalMb), mb(row.peakMb)]),
  )
}
