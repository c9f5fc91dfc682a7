// Concurrent sessions of @livekit/agents in one process; the package is installed on first use.
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ask, nextMessage } from '../report/child.ts'
import { nowUs } from '../report/cpu-profile.ts'
import { type Row, SPREAD_MS, start, type Wish } from './ours.ts'
import type { RivalReport, ToRival } from './rival-host.ts'

const own = fileURLToPath(new URL('./rival', import.meta.url))
const folder = fileURLToPath(new URL('../../node_modules/.cache/voice-bench-rival', import.meta.url))
const INSTALL_MS = 300_000

/** Installs into a folder of its own: the package is large and nothing else needs it. */
export async function installRival(tell: (text: string) => void): Promise<string> {
  const lock = (place: string) => readFileSync(join(place, 'package-lock.json'), 'utf8')
  const isThere = existsSync(join(folder, 'node_modules/@livekit/agents')) && lock(folder) === lock(own)
  if (isThere) return folder
  tell('Installing @livekit/agents (290 MB) into node_modules/.cache …')
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(own, name), join(folder, name))
  const options = { cwd: folder, timeout: INSTALL_MS }
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options)
  return folder
}

/** `isInstant`: its best case, with fakes without delay and preemptive generation. */
export async function measureRival(place: string, wish: Wish): Promise<Row> {
  const { calls, seconds, warmUpSeconds, file, isInstant } = wish
  const host = start('./rival-host.ts', { args: [place], execArgv: ['--expose-gc'], isInstant })
  const tell = <T>(message: ToRival) => ask<T>(host, message)
  try {
    await nextMessage(host)
    const { residentMb: emptyMb } = await tell<{ residentMb: number }>({ do: 'open', calls, file, spreadMs: SPREAD_MS })
    await sleep(warmUpSeconds * 1000)
    await tell({ do: 'measure' })
    const fromUs = nowUs()
    await sleep(seconds * 1000)
    const window = { fromUs, untilUs: nowUs() }
    const { cpuSeconds, seconds: tookSeconds, residentMb, lateMs, ...tally } = await tell<RivalReport>({ do: 'report' })
    return {
      calls,
      tally,
      window,
      corePerCall: cpuSeconds / tookSeconds / calls,
      mbPerCall: (residentMb - emptyMb) / calls,
      residentMb,
      clockLateMs: null,
      callersLateMs: lateMs,
      notes: '',
    }
  } finally {
    host.kill('SIGKILL')
  }
}
