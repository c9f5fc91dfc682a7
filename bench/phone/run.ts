// Telephony benchmark: call rate and cost per call, next to npm's `sip` and sipp's own server, in one run.
//
// npm run bench:phone -- [--seconds 8] [--rounds 3] [--only set-up,platform,media,codecs] [--calls 100,200,300]
// [--short]
//
// About six minutes; --short: one.
import { parseArgs } from 'node:util'
import { ensurePrograms } from '../../test/servers.ts'
import { count, type Figure, largest, median, ms, percentile, spread, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'
import { type MediaRow, measureMedia } from './media.ts'
import { firstAudioMs, measurePlatform, memoryPerCall, startPlatform } from './platform.ts'
import { measureProgram, measureSipp, type SetUpRow } from './set-up.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string', default: 'set-up,platform,media,codecs' },
    calls: { type: 'string' },
  },
})
const seconds = Number(values.seconds ?? (values.short ? 3 : 8))
const rounds = Number(values.rounds ?? (values.short ? 1 : 3))
const parts = values.only.split(',')
const SET_UP_AIM = 300
const PLATFORM_AIM = 50
const FIRST_SOUND_AIM_MS = 200
const MB_AIM = 1
const MEDIA_AIM = { calls: 300, ms: 5 }
const FIRST_SOUNDS = 20
/** For Opus, as many calls as two cores carry with the far end on the same machine. */
const CODEC_CALLS = { PCMU: 100, PCMA: 100, G722: 100, opus: 50 } as const

const heads = ['', 'calls a second', 'calls', 'failed', 'repeats', 'CPU a call']
const cellsOf = (all: readonly SetUpRow[]) => {
  const [first] = all
  const sum = (of: (row: SetUpRow) => number) => all.reduce((total, row) => total + of(row), 0)
  return [
    ...[first?.name ?? '', first?.perSecond ?? 0, sum((row) => row.calls), sum((row) => row.failed)],
    ...[sum((row) => row.repeats), spread(all.map((row) => row.cpuMsPerCall), withUnit('ms', 2))], // biome-ignore format: one line
  ]
}
async function repeat<T>(measure: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  while (all.length < rounds) all.push(await measure())
  return all
}
const failedText = (all: readonly SetUpRow[]) =>
  `${all.reduce((sum, { failed }) => sum + failed, 0)} of ${all.reduce((sum, { calls }) => sum + calls, 0)} failed`
const areAllDone = (all: readonly SetUpRow[]) => all.every(({ failed }) => failed === 0)

async function setUp(report: Report): Promise<void> {
  report.heading('Calls set up: INVITE, 200, ACK, BYE')
  const table = report.table(heads)
  for (const perSecond of [SET_UP_AIM, 1000]) {
    const wish = { perSecond, seconds }
    const ours = await repeat(() => measureProgram('our SIP stack', 'answering-stack.ts', wish))
    table.row(cellsOf(ours))
    if (perSecond === SET_UP_AIM)
      report.aim(`${SET_UP_AIM} calls a second set up without a failure`, failedText(ours), areAllDone(ours))
    table.row(cellsOf(await repeat(() => measureProgram("npm's sip", 'answering-npm-sip.ts', wish))))
    table.row(cellsOf(await repeat(() => measureSipp(wish))))
  }
}

async function wholePlatform(report: Report): Promise<void> {
  report.heading('The whole platform: row, agent, recording; 1 s of call each')
  const platform = await startPlatform()
  try {
    await measurePlatform(platform, 20, 4, 500) // JIT warm-up
    const all = await repeat(() => measurePlatform(platform, PLATFORM_AIM, seconds, 1000))
    report.table(heads).row(cellsOf(all))
    report.aim(`${PLATFORM_AIM} calls a second with row and agent, none failed`, failedText(all), areAllDone(all))
    const first: Figure[] = []
    while (first.length < FIRST_SOUNDS) first.push(await firstAudioMs(platform))
    const heard = first.filter((each) => each !== null)
    const p95 = heard.length < first.length ? null : percentile(heard, 0.95)
    report.text(
      `INVITE to the first sound of the agent, ${first.length} calls: p50 ${ms(percentile(heard, 0.5))}, p95 ${ms(p95)}, longest ${ms(largest(heard))}; ` +
        `${first.length - heard.length} without a sound within 5 s.`,
    )
    report.under(`INVITE to first sound under ${FIRST_SOUND_AIM_MS} ms (p95)`, p95, FIRST_SOUND_AIM_MS, ms)
    const mb = await memoryPerCall(platform, 150)
    report.text(`Memory of one more call, with 150 at once: ${withUnit('MB', 2)(mb)}.`)
    report.atMost(`at most ${MB_AIM} MB a call`, mb, MB_AIM, withUnit('MB', 2))
  } finally {
    platform.stop()
  }
}

async function media(report: Report): Promise<void> {
  report.heading('Calls at once, G.711, recorded, as their far end hears them')
  const table = report.table(['calls', 'of a core', 'jitter p50', 'p99', 'longest', 'MB a call', 'packets missing', 'frames concealed']) // biome-ignore format: one row
  for (const calls of (values.calls ?? (values.short ? '20' : '100,200,300')).split(',').map(Number)) {
    const all = await repeat(() => measureMedia(calls, seconds))
    const of = (figure: (row: MediaRow) => Figure, show: (n: Figure) => string) => spread(all.map(figure), show)
    table.row([
      ...[calls, of((row) => row.cpuPercent, withUnit('%')), of((row) => row.jitterMs.p50, ms)],
      ...[of((row) => row.jitterMs.p99, ms), of((row) => row.jitterMs.max, ms), of((row) => row.mbPerCall, withUnit('', 2))], // biome-ignore format: one line
      ...[of((row) => row.missingPercent, withUnit('%', 2)), of((row) => row.concealed, count)],
    ])
    if (calls !== MEDIA_AIM.calls) continue
    const p99 = median(all.map((row) => row.jitterMs.p99))
    report.under(`jitter under ${MEDIA_AIM.ms} ms (p99) at ${calls} calls`, p99, MEDIA_AIM.ms, ms)
  }
}

/** Each call has playout, listening with VAD, and recording. */
async function codecs(report: Report): Promise<void> {
  report.heading('By codec, calls at once, recorded')
  const table = report.table(['codec', 'calls', 'core a call', 'MB a call', 'jitter p99', 'packets missing', 'frames concealed']) // biome-ignore format: one row
  for (const codec of ['PCMU', 'PCMA', 'G722', 'opus'] as const) {
    const calls = values.short ? 20 : CODEC_CALLS[codec]
    const all = await repeat(() => measureMedia(calls, seconds, codec))
    const of = (figure: (row: MediaRow) => Figure, show: (n: Figure) => string) => spread(all.map(figure), show)
    table.row([
      ...[codec, calls, of((row) => row.cpuPercent / 100 / calls, withUnit('', 4)), of((row) => row.mbPerCall, withUnit('', 2))], // biome-ignore format: one line
      ...[of((row) => row.jitterMs.p99, ms), of((row) => row.missingPercent, withUnit('%', 2)), of((row) => row.concealed, count)], // biome-ignore format: one line
    ])
  }
}

await benchmark({ name: 'phone', title: 'Telephony benchmark' }, values, async (report) => {
  if (!(seconds > 0) || !(rounds > 0)) throw new Error('--seconds and --rounds must be numbers above 0')
  if (parts.some((part) => part !== 'media' && part !== 'codecs')) ensurePrograms('sipp')
  report.text(`${rounds} rounds of ${seconds} s: median and range; calls, failures and repeats are sums.`)
  if (parts.includes('set-up')) await setUp(report)
  if (parts.includes('platform')) await wholePlatform(report)
  if (parts.includes('media')) await media(report)
  if (parts.includes('codecs')) await codecs(report)
})
