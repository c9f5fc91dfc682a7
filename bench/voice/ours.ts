// A number of concurrent calls on the platform: their cost, and the reply latency at the caller's phone.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask, exited, nextMessage, own } from '../report/child.ts'
import { nowUs, profileArgs, type Window } from '../report/cpu-profile.ts'
import type { Figure } from '../report/figures.ts'
import type { FarEndReport, ToFarEnd } from './far-end.ts'
import type { PlatformReport, ToPlatform } from './platform.ts'
import { NO_DELAYS, type Tally } from './terms.ts'

/** One round with a given number of calls. */
export type Row = {
  calls: number
  tally: Tally
  corePerCall: number
  mbPerCall: number
  /** Memory of the whole process including its calls. */
  residentMb: number
  /** Lateness of the media clock (p99); null if there is none. */
  clockLateMs: Figure
  /** Lateness of the callers' own clock (p99): the maximum error of the measurement. */
  callersLateMs: Figure
  notes: string
  /** The window of the measurement. */
  window: Window
}
/** `profileFolder`: where V8 CPU profiles are written. */
export type Wish = {
  calls: number
  seconds: number
  warmUpSeconds: number
  file: string
  isInstant?: boolean
  profileFolder?: string | undefined
}

/** The flags of `npm start`, plus --expose-gc so that garbage does not count as a call's memory. */
export const asStarted = ['--max-semi-space-size=4', '--heap-growing-percent=200', '--expose-gc']

/** Approximate duration of one question and its reply: calls start evenly spread over it. */
export const SPREAD_MS = 4000

type Start = { args?: string[]; execArgv?: string[]; isInstant?: boolean | undefined }
export const start = (file: string, { args = [], execArgv = [], isInstant = false }: Start = {}): ChildProcess =>
  own(
    fork(fileURLToPath(new URL(file, import.meta.url)), args, {
      execArgv,
      env: { ...process.env, [NO_DELAYS]: isInstant ? '1' : '' },
    }),
  )

export async function measureOurs(wish: Wish): Promise<Row> {
  const profile = wish.profileFolder === undefined ? [] : profileArgs(wish.profileFolder)
  const platform = start('./platform.ts', { execArgv: [...asStarted, ...profile], isInstant: wish.isInstant })
  try {
    await nextMessage(platform)
    return (await measureCalls(platform, wish, () => sleep(wish.seconds * 1000))).row
  } finally {
    platform.kill('SIGKILL')
  }
}

type Calls = Pick<Wish, 'calls' | 'warmUpSeconds' | 'file'>

/** Starts calls on a platform that is ready and measures them while `during` runs. */
export async function measureCalls<T>(
  platform: ChildProcess,
  { calls, warmUpSeconds, file }: Calls,
  during: () => Promise<T>,
): Promise<{ row: Row; found: T }> {
  const folder = mkdtempSync(join(tmpdir(), 'voice-bench-'))
  const farEnd = start('./far-end.ts')
  const tell = <A>(wish: ToPlatform) => ask<A>(platform, wish)
  const tellCallers = <A>(wish: ToFarEnd) => ask<A>(farEnd, wish)
  try {
    await nextMessage(farEnd)
    const { ports, residentMb: emptyMb } = await tell<{ ports: number[]; residentMb: number }>({ do: 'open', calls })
    const { port } = await tellCallers<{ port: number }>({ do: 'begin', ports, file, spreadMs: SPREAD_MS })
    await tell({ do: 'talk', port, folder })
    await sleep(warmUpSeconds * 1000)
    await tell({ do: 'measure' })
    await tellCallers({ do: 'measure' })
    const fromUs = nowUs()
    const found = await during()
    const window = { fromUs, untilUs: nowUs() }
    const { lateMs, ...tally } = await tellCallers<FarEndReport>({ do: 'report' })
    const used = await tell<PlatformReport>({ do: 'report' })
    await tell({ do: 'close' })
    await exited(platform)
    const row = {
      calls,
      tally,
      window,
      corePerCall: used.cpuSeconds / used.seconds / calls,
      mbPerCall: (used.residentMb - emptyMb) / calls,
      residentMb: used.residentMb,
      clockLateMs: used.clockLateMs,
      callersLateMs: lateMs,
      notes: notesOf(used),
    }
    return { row, found }
  } finally {
    farEnd.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

function notesOf({ busy, troubles, ended }: PlatformReport): string {
  const media = `media thread ${Math.round(busy * 100)} % busy`
  return `${media}${troubles > 0 ? `, ${troubles} errors` : ''}${ended > 0 ? `, ${ended} calls ended` : ''}`
}
