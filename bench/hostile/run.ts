// Hostile-load benchmark: attacks by unknown peers and by a member, one after another, each with the longest /healthz
// latency and the memory growth.
// `node bench/hostile/run.ts [CHECKOUT]`: of another version, for comparison.
import { join, resolve } from 'node:path'
import { type Attack, attacks } from './attacks.ts'
import { type Platform, startPlatform } from './platform.ts'

const AIM_WAIT_MS = 50
const AIM_GROWTH_MB = 50
const GIVE_UP_MS = 20_000

const print = (line: string) => process.stdout.write(`${line}\n`)
const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))

type Measured = { what: string; waitMs: number; growthMb: number; hung: boolean }

async function measure(platform: Platform, attack: Attack): Promise<Measured> {
  await platform.longestWait()
  const before = platform.memoryMb()
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), GIVE_UP_MS)
  const outcome = await Promise.race([
    attack.run(platform).catch((error: Error) => `failed: ${error.message}`),
    late.promise,
  ])
  clearTimeout(timer)
  const hung = outcome === 'late'
  const waitMs = hung ? GIVE_UP_MS : (await platform.longestWait()).longestMs
  const growthMb = platform.memoryMb() - before
  const told = hung ? `not over after ${GIVE_UP_MS / 1000} s` : outcome
  print(`${attack.name.padEnd(58)} ${waitMs.toFixed(0).padStart(6)} ms ${growthMb.toFixed(0).padStart(6)} MB  ${told}`)
  return { what: attack.name, waitMs, growthMb, hung }
}

let platform = await startPlatform(root)
const all: Measured[] = []
let beganMb = 0
try {
  for (const attack of attacks) {
    const measured = await measure(platform, attack)
    if (attack.isControl) {
      beganMb = platform.memoryMb()
      print(`${'-'.repeat(58)} what follows is hostile; memory so far ${beganMb.toFixed(0)} MB`)
      continue
    }
    all.push(measured)
    if (!measured.hung) continue
    await platform.stop()
    platform = await startPlatform(root)
  }
  const worst = all.reduce((a, b) => (b.waitMs > a.waitMs ? b : a))
  const grown = platform.memoryMb() - beganMb
  print('')
  print(`longest wait of others: ${worst.waitMs.toFixed(0)} ms (${worst.what}); aim ${AIM_WAIT_MS}`)
  if (all.every(({ hung }) => !hung)) print(`memory after all of it: ${grown.toFixed(0)} MB more; aim ${AIM_GROWTH_MB}`)
} finally {
  await platform.stop()
}
