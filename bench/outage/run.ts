// Outage benchmark: a vendor dies during 100 concurrent calls with a second one in the chain; and calls on the embedded
// engines alone. The whole platform in a process of its own, real SIP and RTP, and vendors with their real protocols
// behind a proxy that cuts them off.
//
// npm run bench:outage -- [--calls 100] [--only tts,llm,stt,embedded] [--outage silence] [--embedded 1,2,4,8,16]
// [--short]
//
// About eight minutes in full; --short: two. Each call is a repetition: the figures cover the turns of all calls.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { AIM_MS } from '../../test/outage/judge.ts'
import { type ChainKind, chainKinds, STORY, startVendors, type Vendors } from '../../test/outage/vendors.ts'
import { type Outage, outages } from '../../test/vendors/faults.ts'
import { LETTER_MS } from '../../test/vendors/spelled-tone.ts'
import { ask, nextMessage, own } from '../report/child.ts'
import { ms, percentile } from '../report/figures.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'
import { sayQuestions } from '../voice/questions.ts'
import type { Turn } from './caller.ts'
import type { CallersReport, ToCallers } from './callers.ts'
import { NUMBER, type Platform, startPlatform } from './platform.ts'
import { openTable, silenceOf, silencesOf, turnCells } from './report.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    calls: { type: 'string' },
    only: { type: 'string' },
    outage: { type: 'string', default: 'silence' },
    embedded: { type: 'string', default: '1,2,4,8,16' },
  },
})
const allCalls = Number(values.calls ?? (values.short ? 10 : 100))
const parts = (values.only ?? (values.short ? 'tts' : 'tts,llm,stt,embedded')).split(',')
const outage = outages.find((each) => each === values.outage) as Outage
const kinds = chainKinds.filter((kind) => parts.includes(kind))

const WARM_UP_MS = 14_000
const OUTAGE_MS = 20_000
/** The circuit breaker retries after 5, 10 and 20 s. */
const RECOVERY_MS = 45_000
const EMBEDDED_MS = 30_000
const PER_SECOND = 10
const DIAL_LIMIT_MS = 120_000
const replyMs = STORY.join(' ').length * LETTER_MS
const nowMs = () => Number(process.hrtime.bigint() / 1000n) / 1000

const folder = mkdtempSync(join(tmpdir(), 'outage-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'questions')

async function startCallers(platform: Platform, calls: number) {
  const child = own(fork(fileURLToPath(new URL('./callers.ts', import.meta.url))))
  await nextMessage(child)
  const tell = (wish: ToCallers): Promise<CallersReport> => ask(child, wish, DIAL_LIMIT_MS)
  const { sipPort, trunkPort: port } = platform
  const common = { perSecond: PER_SECOND, port, sipPort, number: NUMBER, file, replyMs }
  const { failed } = await tell({ do: 'dial', calls, ...common })
  if (failed === calls) throw new Error('no call could be set up')
  return {
    failed,
    report: () => tell({ do: 'report' }),
    async hangUp(): Promise<void> {
      await tell({ do: 'hang-up' })
      child.kill()
    },
  }
}

/** The turns of all calls between two moments. */
const turnsIn = (turns: readonly Turn[][], fromMs: number, toMs: number): Turn[] =>
  turns.flat().filter(({ askedAtMs }) => askedAtMs >= fromMs && askedAtMs < toMs)

/** The first turn of each call that was still open when the vendor died. */
const struck = (turns: readonly Turn[][], cutMs: number): Turn[] =>
  turns.flatMap((all) => all.find(({ overAtMs }) => overAtMs > cutMs) ?? [])

type On = { platform: Platform; vendors: Vendors }

async function measureDeath(report: Report, kind: ChainKind, { platform, vendors }: On): Promise<void> {
  const callers = await startCallers(platform, allCalls)
  const startMs = nowMs()
  await sleep(WARM_UP_MS)
  const { proxy } = vendors.of[kind]
  const cutMs = nowMs()
  const cutAt = performance.now()
  await vendors.cut(kind, outage)
  await sleep(OUTAGE_MS)
  const healMs = nowMs()
  const healAt = performance.now()
  await vendors.cut(kind, null)
  await sleep(RECOVERY_MS)
  const { turns, over, lateMs } = await callers.report()
  await callers.hangUp()
  const dead = proxy.requests
    .filter(({ atMs }) => atMs >= cutAt && atMs < healAt)
    .map(({ atMs }) => (atMs - cutAt) / 1000)
  const back = proxy.requests.find(({ atMs }) => atMs >= healAt)
  const lost = over.filter(Boolean).length
  report.heading(`${kind} dies (${outage}) in ${over.length} calls`)
  const hit = struck(turns, cutMs)
  const table = openTable(report, '')
  table.row(turnCells('before', turnsIn(turns, startMs, cutMs - 5000)))
  table.row(turnCells('the turn in which it dies', hit))
  table.row(turnCells('later, while it is dead', turnsIn(turns, cutMs + 5000, healMs)))
  table.row(turnCells('after it has returned', turnsIn(turns, healMs + 15_000, Number.POSITIVE_INFINITY)))
  const waves = [0, 2.5, 5, 10, 15].map((from, i, all) => {
    const to = all[i + 1] ?? OUTAGE_MS / 1000
    return `${dead.filter((at) => at >= from && at < to).length} within ${from} to ${to} s`
  })
  const asked = back ? `${((back.atMs - healAt) / 1000).toFixed(1)} s` : `more than ${RECOVERY_MS / 1000} s`
  report.text(
    `${callers.failed} of ${allCalls} calls could not be set up. Requests that the dead vendor got: ${waves.join(', ')}; it was asked again ${asked} after it had ` +
      `returned. Callers' own clock late by ${ms(lateMs)} (p99).`,
  )
  report.aim(`${kind} dies: no call lost`, `${lost} of ${over.length}`, lost === 0)
  const p95 = percentile(silencesOf(hit), 0.95)
  report.under(`${kind} dies: silence under 2 s (p95)`, p95, AIM_MS, ms)
  const late = dead.filter((at) => at >= 5).length
  report.aim(`${kind} dies: no second wave, at most one trial at a time after 5 s`, `${late} requests`, late <= 3)
}

async function measureEmbedded(report: Report, { platform, vendors }: On): Promise<void> {
  report.heading('The embedded engines alone')
  report.text('No vendor answers: Whisper, the natural voice where it has room, else the small one.')
  const table = openTable(report, 'calls', ['calls with all silences under 2 s', 'not set up', 'lost'])
  let most = 0
  await vendors.cut('all', 'refuse')
  for (const calls of values.embedded.split(',').map(Number)) {
    const callers = await startCallers(platform, calls)
    await sleep(EMBEDDED_MS)
    const { turns, over } = await callers.report()
    await callers.hangUp()
    const good = turns.filter((all) => all.length > 0 && all.every((turn) => (silenceOf(turn) ?? AIM_MS) < AIM_MS))
    const lost = over.filter(Boolean).length
    table.row([...turnCells(String(calls), turns.flat()), `${good.length} of ${calls}`, callers.failed, lost])
    if (good.length === calls) most = calls
  }
  report.text(
    `In up to ${most} calls every silence is under 2 s. How calls ended: ${JSON.stringify(await platform.ends())}.`,
  )
}

await benchmark({ name: 'outage', title: 'Outage benchmark' }, values, async (report) => {
  if (!outage) throw new Error(`--outage is one of ${outages.join(', ')}`)
  await sayQuestions(file)
  const [first, second] = [await startVendors(), await startVendors('second')]
  if (kinds.length > 0) {
    const platform = await startPlatform({ voice: 'small', vendors: [first, second] })
    try {
      for (const kind of kinds) await measureDeath(report, kind, { platform, vendors: first })
      report.text(`How calls ended: ${JSON.stringify(await platform.ends())}.`)
    } finally {
      platform.stop()
    }
  }
  if (parts.includes('embedded')) {
    const platform = await startPlatform({ voice: 'natural', vendors: [first] })
    try {
      await measureEmbedded(report, { platform, vendors: first })
    } finally {
      platform.stop()
    }
  }
})
