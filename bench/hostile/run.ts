// Hostile-load benchmark: attacks by unknown peers and by a member, one after another, each with the longest /healthz
// latency and the memory growth.
//
//   npm run bench:hostile -- [--platform CHECKOUT] [--rounds 2]   CHECKOUT: another version, for comparison
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, largest, megabytes, ms, spread } from '../report/figures.ts'
import { benchmark, commonOptions } from '../report/report.ts'
import { attacks } from './attacks.ts'
import type { Attack } from './member.ts'
import { type Platform, startPlatform } from './platform.ts'

const AIM_WAIT_MS = 50
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

/** `outcome`: what the attacker was told; null when it was not over in time, and nothing was measured. */
type Measured = { waitMs: Figure; growthMb: number; probes: number; failed: number; outcome: string | null }

async function measure(platform: Platform, attack: Attack): Promise<Measured> {
  await platform.longestWait()
  const before = platform.memoryMb()
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), GIVE_UP_MS)
  const attacked = attack.run(platform).catch((error: Error) => `failed: ${error.message}`)
  const outcome = await Promise.race([attacked, late.promise])
  clearTimeout(timer)
  if (outcome === null) return { waitMs: null, growthMb: platform.memoryMb() - before, probes: 0, failed: 0, outcome }
  const { longestMs, asked, failed } = await platform.longestWait()
  const waitMs = asked === 0 ? null : longestMs
  return { waitMs, growthMb: platform.memoryMb() - before, probes: asked, failed, outcome }
}

type Round = { all: Map<Attack, Measured>; growthMb: Figure }

/** All attacks on one platform; one that hangs is started anew. */
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
    `The longest wait of a /healthz request, one every 5 ms, while each attack runs; ${rounds} rounds. The first row is harmless.`,
  )
  const table = report.table([
    'attack',
    'longest wait of others',
    'memory growth',
    'probes',
    'probes failed',
    'outcome',
  ])
  for (const attack of attacks) {
    const each = found.flatMap(({ all }) => all.get(attack) ?? [])
    const sum = (of: (one: Measured) => number) => each.reduce((total, one) => total + of(one), 0)
    table.row([
      ...[attack.name, spread(each.map(({ waitMs }) => waitMs), ms), spread(each.map(({ growthMb }) => growthMb), megabytes)], // biome-ignore format: one line
      ...[sum(({ probes }) => probes), sum(({ failed }) => failed)],
      (each.find(({ outcome }) => outcome === null) ? `not over after ${GIVE_UP_MS / 1000} s` : (each[0]?.outcome ?? '')).replaceAll('|', '/'), // biome-ignore format: one line
    ])
  }
  const hostile = found.flatMap(({ all }) => [...all].filter(([attack]) => !attack.isControl).map(([, one]) => one))
  const hasHung = hostile.some(({ outcome }) => outcome === null)
  const waitMs = hasHung ? GIVE_UP_MS : largest(hostile.map((one) => one.waitMs))
  report.atMost(`others wait at most ${AIM_WAIT_MS} ms`, waitMs, AIM_WAIT_MS, ms)
  report.atMost(
    `memory grows by at most ${AIM_GROWTH_MB} MB`,
    largest(found.map((one) => one.growthMb)),
    AIM_GROWTH_MB,
    megabytes,
  )
})
