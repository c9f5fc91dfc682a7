// The report as Markdown, each number beside its target. A missed target is reported and fails nothing: a busy machine
// is no bug.
import { cpus, loadavg, totalmem } from 'node:os'
import type { Comparison, Figures } from './compare.ts'
import type { LoopDelay } from './loop-delay.ts'

export const aims = { ofBare: 0.6, neverUnder: 0.45, timesExpress: 3, startSeconds: 1, memoryMb: 150, loopDelayMs: 20 }

export const print = (text: string) => void process.stdout.write(`${text}\n`)

const whole = (n: number) => Math.round(n).toLocaleString('en-US')
const percent = (share: number) => `${Math.round(share * 100)} %`
const ms = (n: number) => (n < 10 ? n.toFixed(2) : n.toFixed(1))
const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**')

const BUSY = 0.5

export function printMachine(options: { seconds: number; rounds: number }): void {
  const processors = cpus()
  print('# API benchmark\n')
  print(
    `Node ${process.version}, ${processors.length} cores (${processors[0]?.model.trim()}), ` +
      `${Math.round(totalmem() / 1e9)} GB, ${process.platform} ${process.arch}.`,
  )
  print(
    `Each number is the median of ${options.rounds} rounds of ${options.seconds} s; the servers take turns, after one round to warm up. ` +
      'CPU is user and system time of the server process alone (not of PostgreSQL).',
  )
  const [lastMinute = 0] = loadavg()
  if (lastMinute > BUSY)
    print(
      `**The machine was busy before this began (load average ${lastMinute.toFixed(2)}): do not trust these numbers.**`,
    )
}

const LIMITED = 0.9 // of a core

export function printComparison(title: string, connections: number, { real, bare, express }: Comparison): void {
  print(`\n## ${title} (${connections} connections)\n`)
  print('| server | requests/s | of bare | CPU per request | CPU against bare | p50 | p99 | client CPU |')
  print('|---|---:|---:|---:|---:|---:|---:|---:|')
  const line = (name: string, f: Figures) =>
    print(
      `| ${name} | ${whole(f.perSecond)} | ${percent(f.perSecond / bare.perSecond)} | ${whole(f.cpuMicroseconds)} µs | ` +
        `${(f.cpuMicroseconds / bare.cpuMicroseconds).toFixed(2)} | ${ms(f.p50Ms)} ms | ${ms(f.p99Ms)} ms | ${percent(f.clientShare)} |`,
    )
  line('Ramal', real)
  line('bare node:http', bare)
  line('Express 5', express)
  print(
    `\nRamal answers ${(real.perSecond / express.perSecond).toFixed(2)} times as many requests as Express, ` +
      `and Express uses ${(express.cpuMicroseconds / real.cpuMicroseconds).toFixed(2)} times as much CPU for each.`,
  )
  if ([real, bare, express].some((f) => f.clientShare > LIMITED))
    print('Where the client used a whole core, the server could have answered more: compare the CPU there.')
}

export function printGetAgentAims({ real, bare, express }: Comparison): void {
  const ofBare = real.perSecond / bare.perSecond
  const timesExpress = real.perSecond / express.perSecond
  const floor = ofBare < aims.neverUnder ? ` (and under the ${percent(aims.neverUnder)} it must never go under)` : ''
  print(`Aim: ${percent(aims.ofBare)} of bare: ${percent(ofBare)}, ${verdict(ofBare >= aims.ofBare)}${floor}.`)
  print(
    `Aim: ${aims.timesExpress} times Express: ${timesExpress.toFixed(2)}, ${verdict(timesExpress >= aims.timesExpress)}.`,
  )
}

export type AtRest = {
  database: string
  firstSeconds: number
  secondSeconds: number
  memoryMb: number
  memoryAfterMb: number | null
}

export function printAtRest(rows: AtRest[]): void {
  print('\n## Start and memory\n')
  print('| database | first start | second start | memory at rest | memory after the load above |')
  print('|---|---:|---:|---:|---:|')
  for (const row of rows) {
    const after = row.memoryAfterMb === null ? '-' : `${whole(row.memoryAfterMb)} MB`
    const starts = `${row.firstSeconds.toFixed(2)} s | ${row.secondSeconds.toFixed(2)} s`
    print(`| ${row.database} | ${starts} | ${whole(row.memoryMb)} MB | ${after} |`)
  }
  const slowest = Math.max(...rows.map((row) => row.secondSeconds))
  const largest = Math.max(...rows.map((row) => row.memoryMb))
  print('\nFrom `npm start` to the first 200 on /healthz; the second start has a compile cache and a database.')
  print('Memory: resident, after a second start with the flags of `npm start` and `EMBEDDED_VOICE=off`.')
  print(
    `Aim: a second start under ${aims.startSeconds} s: ${slowest.toFixed(2)} s, ${verdict(slowest < aims.startSeconds)}.`,
  )
  print(`Aim: at rest under ${aims.memoryMb} MB: ${whole(largest)} MB, ${verdict(largest < aims.memoryMb)}.`)
}

export type LoopDelayRow = { database: string; connections: number; delay: LoopDelay }

export function printLoopDelays(rows: LoopDelayRow[]): void {
  print('\n## Event-loop delay of Ramal while lists of 10,000 conversations are sent\n')
  print('| database | connections | p50 | p99 | longest |')
  print('|---|---:|---:|---:|---:|')
  for (const { database, connections, delay } of rows)
    print(`| ${database} | ${connections} | ${ms(delay.p50Ms)} ms | ${ms(delay.p99Ms)} ms | ${ms(delay.maxMs)} ms |`)
  const p99 = Math.max(...rows.map(({ delay }) => delay.p99Ms))
  const longest = Math.max(...rows.map(({ delay }) => delay.maxMs))
  const sentence = `Aim: under ${aims.loopDelayMs} ms: p99 ${ms(p99)} ms, ${verdict(p99 < aims.loopDelayMs)}`
  print(`\n${sentence}; longest ${ms(longest)} ms, ${verdict(longest < aims.loopDelayMs)}.`)
}
