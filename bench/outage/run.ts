// Outage benchmark: 100 calls at once when a vendor dies, with a second one in the chain; and calls on the embedded engines alone. The whole
// platform in a process of its own, real SIP and RTP, vendors over their real protocols behind a proxy that cuts them off.
//
//   npm run bench:outage -- [--calls 100] [--only tts,llm,stt,embedded] [--outage silence] [--embedded 1,2,4,8,16]
//
// About eight minutes in full.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ChainKind, chainKinds, STORY, startVendors, type Vendors } from '../../test/outage/vendors.ts'
import { type Outage, outages } from '../../test/vendors/faults.ts'
import { LETTER_MS } from '../../test/vendors/spelled-tone.ts'
import { sayQuestions } from '../voice/questions.ts'
import type { Turn } from './caller.ts'
import type { CallersReport, ToCallers } from './callers.ts'
import { NUMBER, type Platform, startPlatform } from './platform.ts'
import { aim, percentile, print, printHead, printMachine, printTurns, silenceOf } from './report.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100' },
    only: { type: 'string', default: 'tts,llm,stt,embedded' },
    outage: { type: 'string', default: 'silence' },
    embedded: { type: 'string', default: '1,2,4,8,16' },
  },
})
const parts = values.only.split(',')
const outage = outages.find((each) => each === values.outage) as Outage
if (!outage) throw new Error(`--outage is one of ${outages.join(', ')}`)
const kinds = chainKinds.filter((kind) => parts.includes(kind))

const WARM_UP_MS = 14_000
const OUTAGE_MS = 20_000
/** Trials come after 5, 10 and 20 s. */
const RECOVERY_MS = 45_000
const EMBEDDED_MS = 30_000
const PER_SECOND = 10
const AIM_MS = 2000
const replyMs = STORY.join(' ').length * LETTER_MS
const nowMs = () => Number(process.hrtime.bigint() / 1000n) / 1000

const folder = mkdtempSync(join(tmpdir(), 'outage-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'questions')

async function startCallers(platform: Platform, calls: number) {
  const child = fork(fileURLToPath(new URL('./callers.ts', import.meta.url)))
  await once(child, 'message')
  const tell = async (wish: ToCallers): Promise<CallersReport> => {
    child.send(wish)
    return ((await once(child, 'message')) as [CallersReport])[0]
  }
  const { sipPort, trunkPort: port } = platform
  const { failed } = await tell({
    do: 'dial',
    calls,
    perSecond: PER_SECOND,
    port,
    sipPort,
    number: NUMBER,
    file,
    replyMs,
  })
  if (failed > 0) print(`${failed} of ${calls} calls could not be set up.`)
  return {
    report: () => tell({ do: 'report' }),
    async hangUp(): Promise<void> {
      await tell({ do: 'hang-up' })
      child.kill()
    },
  }
}

/** Turns between two moments, of all calls. */
const turnsIn = (turns: readonly Turn[][], fromMs: number, toMs: number): Turn[] =>
  turns.flat().filter(({ askedAtMs }) => askedAtMs >= fromMs && askedAtMs < toMs)

/** The first turn of each call that was not over when the vendor died. */
const struck = (turns: readonly Turn[][], cutMs: number): Turn[] =>
  turns.flatMap((all) => all.find(({ overAtMs }) => overAtMs > cutMs) ?? [])

async function measureDeath(kind: ChainKind, platform: Platform, vendors: Vendors): Promise<void> {
  const calls = Number(values.calls)
  const callers = await startCallers(platform, calls)
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
  print(`\n## ${kind} dies (${outage}) in ${over.length} calls\n`)
  printHead('')
  printTurns('before', turnsIn(turns, startMs, cutMs - 5000))
  const hit = struck(turns, cutMs)
  printTurns('the turn in which it dies', hit)
  printTurns('later, while it is dead', turnsIn(turns, cutMs + 5000, healMs))
  printTurns('after it has returned', turnsIn(turns, healMs + 15_000, Number.POSITIVE_INFINITY))
  const waves = [0, 2.5, 5, 10, 15].map((from, i, all) => {
    const to = all[i + 1] ?? OUTAGE_MS / 1000
    return `${dead.filter((at) => at >= from && at < to).length} within ${from} to ${to} s`
  })
  print(
    `\nRequests that the dead vendor got: ${waves.join(', ')}. Callers' own clock late by ${lateMs.toFixed(1)} ms (p99).`,
  )
  print(
    `After it had returned it was asked again after ${back ? `${((back.atMs - healAt) / 1000).toFixed(1)} s` : 'more than 45 s'}.`,
  )
  const silences = hit.map(silenceOf).filter((each) => each !== null)
  aim('no call lost', `${lost} of ${over.length}`, lost === 0)
  aim(
    'p95 of the silence under 2 s',
    `${percentile(silences, 0.95).toFixed(0)} ms`,
    percentile(silences, 0.95) < AIM_MS,
  )
  const late = dead.filter((at) => at >= 5).length
  aim('no second wave: at most one trial at a time after 5 s', `${late} requests`, late <= 3)
}

async function measureEmbedded(platform: Platform, vendors: Vendors): Promise<void> {
  print(
    '\n## The embedded engines alone\n\nNo vendor answers: Whisper, the natural voice where it has room, else the small one.\n',
  )
  printHead('calls')
  let most = 0
  await vendors.cut('all', 'refuse')
  for (const calls of values.embedded.split(',').map(Number)) {
    const callers = await startCallers(platform, calls)
    await sleep(EMBEDDED_MS)
    const { turns, over } = await callers.report()
    await callers.hangUp()
    printTurns(`${calls} calls`, turns.flat())
    const good = turns.filter(
      (all) =>
        all.length > 0 &&
        percentile(
          all.map((turn) => silenceOf(turn) ?? 1e6),
          0.95,
        ) < AIM_MS,
    )
    const lost = over.filter(Boolean).length
    print(`| | | ${good.length} of ${calls} calls keep p95 under 2 s | ${lost} lost | | |`)
    if (good.length === calls) most = calls
  }
  print(`\nUp to ${most} calls all keep p95 under 2 s. How calls ended: ${JSON.stringify(await platform.ends())}.`)
}

printMachine('Outage benchmark')
await sayQuestions(file)
const [first, second] = [await startVendors(), await startVendors('second')]
if (kinds.length > 0) {
  const platform = await startPlatform({ voice: 'small', vendors: [first, second] })
  try {
    for (const kind of kinds) await measureDeath(kind, platform, first)
    print(`\nHow calls ended: ${JSON.stringify(await platform.ends())}.`)
  } finally {
    platform.stop()
  }
}
if (parts.includes('embedded')) {
  const platform = await startPlatform({ voice: 'natural', vendors: [first] })
  try {
    await measureEmbedded(platform, first)
  } finally {
    platform.stop()
  }
}
process.exit(0)
