// Hostile-load benchmark: attacks by unknown peers and by a member, one after another, next to a call in progress.
// Reports for each the most CPU time that a single event-loop turn took, the longest /healthz latency, the memory
// growth and the ticks that the call missed.
//
// npm run bench:hostile -- [--platform CHECKOUT] [--rounds 2]   CHECKOUT: another version, for comparison
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, largest, megabytes, ms, type Show, spread } from '../report/figures.ts'
import { benchmark, commonOptions } from '../report/report.ts'
import { attacks } from './attacks.ts'
import type { Attack } from './member.ts'
import { type Platform, startPlatform } from './platform.ts'

const AIM_TURN_MS = 50
const AIM_GROWTH_MB = 50
const GIVE_UP_MS = 20_000

const { values } = parseArgs({
  options: {
    ...commonOptions,
    platform: { type: 'string', default: join(import.meta.dirname, '../..') },
    rounds: { type: 'string' },
  },
})
const rounds = Number(values.rounds ?? (values.short ? 1 : 2))

/**
 * `outcome`: the response that the attacker got; null if the attack did not finish in time and nothing was measured.
 */
type Measured = {
  turnMs: Figure
  waitMs: Figure
  growthMb: Figure
  missedTicks: Figure
  probes: number
  failed: number
  outcome: string | null
}
const nothing = { turnMs: null, waitMs: null, growthMb: null, missedTicks: null, probes: 0, failed: 0, outcome: null }

async function measure(platform: Platform, attack: Attack): Promise<Measured> {
  await Promise.all([platform.longestWait(), platform.longestTurnMs(), platform.callInProgress()])
  const before = platform.memoryMb()
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), GIVE_UP_MS)
  const attacked = attack.run(platform).catch((error: Error) => `failed: ${error.message}`)
  const outcome = await Promise.race([attacked, late.promise])
  clearTimeout(timer)
  if (outcome === null) return nothing
  const { longestMs, asked, failed } = await platform.longestWait()
  const { missedTicks, packets } = await platform.callInProgress()
  return {
    turnMs: await platform.longestTurnMs(),
    waitMs: asked === 0 ? null : longestMs,
    growthMb: platform.memoryMb() - before,
    missedTicks: packets === 0 ? null : missedTicks,
    probes: asked,
    failed,
    outcome,
  }
}

type Round = { all: Map<Attack, Measured>; growthMb: Figure }

/** Runs all attacks on one platform, which is restarted if it hangs. */
async function round(root: string): Promise<Round> {
  let platform = await startPlatform(root)
  const all = new Map<Attack, Measured>()
  let beganMb = 0
  let hasHung = false
  try {
    for (const attack of attacks) {
      const measured = await measure(platform, attack)
      all.set(attack, measured)
      if (attack.isControl) beganMb = platform.memoryMb()
      if (measured.outcome !== null) continue
      hasHung = true
      await platform.stop()
      platform = await startPlatform(root)
    }
    return { all, growthMb: hasHung ? null : platform.memoryMb() - beganMb }
  } finally {
    await platform.stop()
  }
}

await benchmark({ name: 'hostile', title: 'Hostile-load benchmark' }, values, async (report) => {
  const found: Round[] = []
  while (found.length < rounds) found.push(await round(resolve(values.platform)))
  report.text(
    `While each attack runs: the most CPU time of one turn of the event loop, the longest wait of a /healthz request (one every 5 ms), the growth of memory, and the ticks of 20 ms without a packet in a call in progress; ${rounds} rounds. The first row is harmless.`,
  )
  const table = report.table([
    'attack',
    'longest turn, CPU',
    'longest wait of others',
    'memory growth',
    'ticks missed by the call',
    'probes',
    'probes failed',
    'outcome',
  ])
  for (const attack of attacks) {
    const each = found.flatMap(({ all }) => all.get(attack) ?? [])
    const figures = (of: (one: Measured) => Figure, show: Show) => spread(each.map(of), show)
    const sum = (of: (one: Measured) => number) => each.reduce((total, one) => total + of(one), 0)
    table.row([
      attack.name,
      figures(({ turnMs }) => turnMs, ms),
      figures(({ waitMs }) => waitMs, ms),
      figures(({ growthMb }) => growthMb, megabytes),
      figures(({ missedTicks }) => missedTicks, String),
      sum(({ probes }) => probes),
      sum(({ failed }) => failed),
      (each.find(({ outcome }) => outcome === null) ? `not over after ${GIVE_UP_MS / 1000} s` : (each[0]?.outcome ?? '')).replaceAll('|', '/'), // biome-ignore format: one line
    ])
  }
  const hostile = found.flatMap(({ all }) => [...all].filter(([attack]) => !attack.isControl).map(([, one]) => one))
  const hasHung = hostile.some(({ outcome }) => outcome === null)
  const most = (of: (one: Measured) => Figure) => largest(hostile.map(of))
  report.atMost(
    `no turn of the event loop takes more than ${AIM_TURN_MS} ms of CPU`,
    hasHung ? GIVE_UP_MS : most(({ turnMs }) => turnMs),
    AIM_TURN_MS,
    ms,
  )
  report.atMost(
    `memory grows by at most ${AIM_GROWTH_MB} MB by an attack`,
    most(({ growthMb }) => growthMb),
    AIM_GROWTH_MB,
    megabytes,
  )
  report.atMost(
    'the call in progress misses no tick',
    most(({ missedTicks }) => missedTicks),
    0,
    String,
  )
})
