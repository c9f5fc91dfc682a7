// Calls and API in one process: how long API clients wait while 300 calls are active, and how long callers wait while
// the API is in use.
//
// npm run bench:busy -- [--calls 300] [--seconds 12] [--rounds 3] [--rate 500] [--short]
//
// About two and a half minutes; --short: half a minute.
import { type ChildProcess, fork } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cleanEnv, newFolder, newPlace, type Place } from '../api/servers.ts'
import { ask, nextMessage, own } from '../report/child.ts'
import { type Figure, median, ms, percentile, type Show, spread, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, note, type Report } from '../report/report.ts'
import { asStarted, measureCalls, type Row } from '../voice/ours.ts'
import { sayQuestions } from '../voice/questions.ts'
import { overheadMs } from '../voice/report.ts'
import { type Data, makeData } from './data.ts'
import type { Job, Reply, Result } from './load.ts'
import type { Listening } from './platform.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    calls: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    rate: { type: 'string', default: '500' },
  },
})
const calls = Number(values.calls ?? (values.short ? 20 : 300))
const seconds = Number(values.seconds ?? (values.short ? 8 : 12))
const rounds = Number(values.rounds ?? (values.short ? 1 : 3))
const perSecond = Number(values.rate)
const warmUpSeconds = values.short ? 2 : 6
const API_AIM_MS = 50
const CALL_AIM_MS = 100
const START_MS = 60_000
const MARGIN_MS = 40_000

type Round = { api: Result | null; voice: Row | null }
type Bench = { place: Place; data: Data; file: string; load: ChildProcess }

/** `hasCalls`, `hasLoad`: what runs in this round. */
async function round(bench: Bench, hasCalls: boolean, hasLoad: boolean): Promise<Round> {
  const log = openSync(join(newFolder(), 'log'), 'a')
  const platform = fork(join(import.meta.dirname, 'platform.ts'), {
    execArgv: [...asStarted],
    env: cleanEnv(bench.place),
    stdio: ['ignore', log, 'inherit', 'ipc'],
  })
  own(platform)
  try {
    await nextMessage(platform, START_MS) // the calls are ready
    const { url } = await nextMessage<Listening>(platform, START_MS)
    const port = Number(new URL(url).port)
    const send = async (forSeconds: number): Promise<Result> => {
      const job: Job = { port, seconds: forSeconds, perSecond, ...bench.data }
      const reply = await ask<Reply>(bench.load, job, forSeconds * 1000 + MARGIN_MS)
      if ('failure' in reply) throw new Error(`The load failed: ${reply.failure}`)
      return reply.result
    }
    if (hasLoad) await send(warmUpSeconds / 2)
    const during = async () => (hasLoad ? send(seconds) : pause())
    if (!hasCalls) return { api: await during(), voice: null }
    const { row, found } = await measureCalls(platform, { calls, warmUpSeconds, file: bench.file }, during)
    note(`  ${row.notes}; ${row.residentMb.toFixed(0)} MB in all; callers' clock late by ${ms(row.callersLateMs)}`)
    return { api: found, voice: row }
  } finally {
    platform.kill('SIGKILL')
  }
}

const pause = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), seconds * 1000))

async function times(howOften: number, run: () => Promise<Round>): Promise<Round[]> {
  const all: Round[] = []
  while (all.length < howOften) all.push(await run())
  return all
}

const apiMs = (all: readonly Round[], share: number): Figure[] =>
  all.map(({ api }) => (api === null ? null : percentile(api.tookMs, share)))
const overhead = (all: readonly Round[], share: number): Figure =>
  overheadMs(all.flatMap(({ voice }) => voice?.tally.answeredMs ?? []), share, false) // biome-ignore format: one line

function cellsOf(name: string, all: readonly Round[]): (string | number)[] {
  const loads = all.flatMap(({ api }) => (api === null ? [] : [api]))
  const voices = all.flatMap(({ voice }) => (voice === null ? [] : [voice]))
  const sum = <T>(of: readonly T[], figure: (one: T) => number) => of.reduce((total, one) => total + figure(one), 0)
  const api = (figure: (one: Result) => Figure, show: Show) =>
    loads.length === 0 ? '-' : spread(loads.map(figure), show)
  const call = (text: () => string | number) => (voices.length === 0 ? '-' : text())
  const requests = sum(loads, (one) => one.tookMs.length + one.failed)
  const turns = sum(voices, ({ tally }) => tally.answeredMs.length + tally.lost)
  return [
    name,
    api((one) => one.tookMs.length / one.seconds, withUnit('')),
    api((one) => percentile(one.tookMs, 0.5), ms),
    api((one) => percentile(one.tookMs, 0.99), ms),
    api((one) => percentile(one.tookMs, 1), ms),
    loads.length === 0 ? '-' : `${sum(loads, (one) => one.failed)} of ${requests}`,
    api((one) => one.downloadedBytes / one.seconds / 1e6, withUnit('MB/s', 1)),
    loads.length === 0 ? '-' : `${sum(loads, (one) => one.rangesFailed)} of ${sum(loads, (one) => one.ranges)}`,
    call(() => ms(overhead(all, 0.5))),
    call(() => ms(overhead(all, 0.95))),
    call(() => `${sum(voices, ({ tally }) => tally.lost)} of ${turns}`),
    call(() => spread(voices.map(({ clockLateMs }) => clockLateMs), ms)), // biome-ignore format: one line
  ]
}

async function measure(report: Report): Promise<void> {
  if (![calls, seconds, rounds, perSecond].every((each) => each > 0))
    throw new Error('--calls, --seconds, --rounds and --rate are numbers above 0')
  const place = await newPlace(null, 'busy')
  const file = join(newFolder(), 'questions')
  await sayQuestions(file)
  const data = await makeData(place)
  const load = own(fork(join(import.meta.dirname, 'load.ts'), { execArgv: [] }))
  await nextMessage(load)
  const bench = { place, data, file, load }
  report.text(
    `${calls} calls, ${perSecond} requests a second and ${data.downloads.length} downloads, for ${seconds} s. Together: median and range of ${rounds} rounds; each alone: one round.`,
  )
  const heads = ['', 'requests answered a second', 'API p50', 'p99', 'longest', 'failed', 'downloads', 'ranges failed', 'overhead of calls p50', 'p95', 'turns lost', 'media clock late p99'] // biome-ignore format: one row
  const table = report.table(heads)
  table.row(cellsOf('API alone', await times(1, () => round(bench, false, true))))
  table.row(cellsOf('calls alone', await times(1, () => round(bench, true, false))))
  const both = await times(rounds, () => round(bench, true, true))
  table.row(cellsOf('together', both))
  const failed = both.reduce((sum, { api }) => sum + (api?.failed ?? 0) + (api?.rangesFailed ?? 0), 0)
  const lost = both.reduce((sum, { voice }) => sum + (voice?.tally.lost ?? 0), 0)
  const what = `beside ${calls} calls`
  report.under(`API p99 under ${API_AIM_MS} ms ${what}`, median(apiMs(both, 0.99)), API_AIM_MS, ms)
  report.aim(`no request failed ${what}`, String(failed), failed === 0)
  report.atMost(`p95 of the overhead at most ${CALL_AIM_MS} ms ${what} and API`, overhead(both, 0.95), CALL_AIM_MS, ms)
  const turns = both.reduce((sum, { voice }) => sum + (voice?.tally.answeredMs.length ?? 0), lost)
  report.aim(`no turn lost ${what} and API`, turns === 0 ? null : `${lost} of ${turns}`, lost === 0)
}

await benchmark({ name: 'busy', title: 'Calls and API together' }, values, measure)
