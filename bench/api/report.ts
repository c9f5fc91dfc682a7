// The tables of the API benchmark, each figure next to its target.
import {
  type Figure,
  largest,
  median,
  megabytes,
  ms,
  percent,
  ratio,
  spread,
  times,
  withUnit,
} from '../report/figures.ts'
import type { Report } from '../report/report.ts'
import type { Comparison, Figures } from './compare.ts'
import type { LoopDelay } from './loop-delay.ts'

export const aims = {
  ofBare: 0.6,
  neverUnder: 0.45,
  listTimesExpress: 3,
  messageTimesExpress: 2,
  warmStartSeconds: 1,
  memoryMb: 150,
  loopDelayMs: 20,
}

export function introduce(
  report: Report,
  options: { seconds: number; rounds: number; expressRemembersKeys: boolean },
): void {
  const keys = options.expressRemembersKeys
    ? 'Express remembers a key for 250 ms, as Ramal does.'
    : 'Express looks a key up for each request; Ramal remembers it for 250 ms.'
  report.text(
    `Median and range of ${options.rounds} rounds of ${options.seconds} s; the servers take turns, after at least 3 s to warm up. A response other than the expected ` +
      `one stops the benchmark, so none failed. CPU is user and system time of the server process alone (not of PostgreSQL). ${keys}`,
  )
}

const LIMITED = 0.9 // share of a core
const perSecond = withUnit('')
const seconds = withUnit('s', 2)
const of = (rounds: readonly Figures[], name: keyof Figures): Figure[] => rounds.map((one) => one[name])
const middle = (rounds: readonly Figures[], name: keyof Figures): Figure => median(of(rounds, name))

export function addComparison(
  report: Report,
  { title, connections }: { title: string; connections: number },
  { real, bare, express }: Comparison,
): void {
  report.heading(`${title} (${connections} connections)`)
  const table = report.table(['server', 'requests/s', 'of bare', 'CPU per request', 'CPU against bare', 'p50', 'p99', 'client CPU']) // biome-ignore format: one row
  const row = (name: string, rounds: readonly Figures[]) =>
    table.row([
      name,
      spread(of(rounds, 'perSecond'), perSecond),
      percent(ratio(middle(rounds, 'perSecond'), middle(bare, 'perSecond'))),
      spread(of(rounds, 'cpuMicroseconds'), withUnit('µs')),
      withUnit('', 2)(ratio(middle(rounds, 'cpuMicroseconds'), middle(bare, 'cpuMicroseconds'))),
      spread(of(rounds, 'p50Ms'), ms),
      spread(of(rounds, 'p99Ms'), ms),
      percent(middle(rounds, 'clientShare')),
    ])
  row('Ramal', real)
  row('bare node:http', bare)
  row('Express 5', express)
  const faster = ratio(middle(real, 'perSecond'), middle(express, 'perSecond'))
  const cheaper = ratio(middle(express, 'cpuMicroseconds'), middle(real, 'cpuMicroseconds'))
  const limited = [real, bare, express].some((rounds) => (middle(rounds, 'clientShare') ?? 0) > LIMITED)
  report.text(
    `Ramal answers ${times(faster)} as many requests as Express, and Express uses ${times(cheaper)} as much CPU for each.` +
      (limited
        ? ' Where the client used a whole core, the server could have answered more: compare the CPU there.'
        : ''),
  )
}

/** `name`: the name of the scenario. */
export function addAims(
  report: Report,
  { name, database }: { name: string; database: string },
  { real, bare, express }: Comparison,
): void {
  const rate = (rounds: readonly Figures[]) => middle(rounds, 'perSecond')
  const timesExpress = ratio(rate(real), rate(express))
  if (name === 'get-agent') {
    const ofBare = ratio(rate(real), rate(bare))
    report.atLeast(`GET one agent at least ${percent(aims.ofBare)} of bare node:http, ${database}`, ofBare, aims.ofBare, percent) // biome-ignore format: one line
    report.atLeast(`GET one agent never under ${percent(aims.neverUnder)} of bare, ${database}`, ofBare, aims.neverUnder, percent) // biome-ignore format: one line
  }
  if (name === 'list-100')
    report.atLeast(`lists of 100 at least ${aims.listTimesExpress} times Express, ${database}`, timesExpress, aims.listTimesExpress, times) // biome-ignore format: one line
  if (name === 'post-message-event')
    report.atLeast(`storing a message with its event at least ${aims.messageTimesExpress} times Express, ${database}`, timesExpress, aims.messageTimesExpress, times) // biome-ignore format: one line
}

export type AtRest = {
  database: string
  firstSeconds: readonly number[]
  secondSeconds: readonly number[]
  memoryMb: readonly number[]
  memoryAfterMb: number | null
}

export function addAtRest(report: Report, rows: readonly AtRest[]): void {
  report.heading('Start and memory')
  const table = report.table([
    'database',
    'first start',
    'second start',
    'memory at rest',
    'memory after the load above',
  ])
  for (const { database, firstSeconds, secondSeconds, memoryMb, memoryAfterMb } of rows) {
    table.row([
      ...[database, spread(firstSeconds, seconds), spread(secondSeconds, seconds), spread(memoryMb, megabytes)],
      memoryAfterMb === null ? '-' : megabytes(memoryAfterMb),
    ])
    report.under(`warm start under ${aims.warmStartSeconds} s, ${database}`, median(secondSeconds), aims.warmStartSeconds, seconds) // biome-ignore format: one line
    report.under(`at rest under ${aims.memoryMb} MB without embedded voice, ${database}`, median(memoryMb), aims.memoryMb, megabytes) // biome-ignore format: one line
  }
  report.text(
    'From `npm start` to the first 200 on /healthz, with EMBEDDED_VOICE=off: with an empty data folder, and again with its data. Memory is resident, after a second start.',
  )
}

export type LoopDelayRow = { database: string; connections: number; delay: LoopDelay }

export function addLoopDelays(report: Report, rows: readonly LoopDelayRow[]): void {
  report.heading('Event-loop delay of Ramal while lists of 10,000 conversations are sent')
  const table = report.table(['database', 'connections', 'p50', 'p99', 'longest'])
  for (const { database, connections, delay } of rows)
    table.row([database, connections, ms(delay.p50Ms), ms(delay.p99Ms), ms(delay.maxMs)])
  const p99 = largest(rows.map(({ delay }) => delay.p99Ms))
  report.under(`event-loop delay under ${aims.loopDelayMs} ms (p99) during lists of 10,000`, p99, aims.loopDelayMs, ms)
}
