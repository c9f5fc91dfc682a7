// A number of concurrent calls on the platform: their cost, and the reply latency at the caller's phone.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FarEndReport, ToFarEnd } from './far-end.ts'
import type { PlatformReport, ToPlatform } from './platform.ts'
import type { Tally } from './terms.ts'

export type Row = {
  who: string
  calls: number
  tally: Tally
  corePerCall: number
  mbPerCall: number
  /** Of the whole process with its calls. */
  residentMb: number
  /** How late the callers' own clock was (p99): the maximum error of the measurement. */
  callersLateMs: number
  notes: string
}
export type Wish = { calls: number; seconds: number; warmUpSeconds: number; file: string; execArgv?: string[] }

/** Started as by `npm start`; garbage does not count as a call's memory. */
const asStarted = ['--max-semi-space-size=8', '--expose-gc']

/** One question and its reply take about this long: calls start evenly within it. */
export const SPREAD_MS = 4000

export const start = (file: string, args: string[] = [], execArgv: string[] = []): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv })

export async function answer<T>(child: ChildProcess, wish: object): Promise<T> {
  child.send(wish)
  const [told] = (await once(child, 'message')) as [T]
  return told
}

export async function measureOurs({ calls, seconds, warmUpSeconds, file, execArgv }: Wish): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'voice-bench-'))
  const platform = start('./platform.ts', [], [...asStarted, ...(execArgv ?? [])])
  const farEnd = start('./far-end.ts')
  const tell = <T>(wish: ToPlatform) => answer<T>(platform, wish)
  const ask = <T>(wish: ToFarEnd) => answer<T>(farEnd, wish)
  try {
    await Promise.all([once(platform, 'message'), once(farEnd, 'message')])
    const { ports, residentMb: emptyMb } = await tell<{ ports: number[]; residentMb: number }>({ do: 'open', calls })
    const { port } = await ask<{ port: number }>({ do: 'begin', ports, file, spreadMs: SPREAD_MS })
    await tell({ do: 'talk', port, folder })
    await sleep(warmUpSeconds * 1000)
    await tell({ do: 'measure' })
    await ask({ do: 'measure' })
    await sleep(seconds * 1000)
    const { lateMs, ...tally } = await ask<FarEndReport>({ do: 'report' })
    const used = await tell<PlatformReport>({ do: 'report' })
    const ended = once(platform, 'exit')
    await tell({ do: 'close' })
    await ended
    return {
      who: 'Ramal',
      calls,
      tally,
      corePerCall: used.cpuSeconds / used.seconds / calls,
      mbPerCall: (used.residentMb - emptyMb) / calls,
      residentMb: used.residentMb,
      callersLateMs: lateMs,
      notes: notesOf(used),
    }
  } finally {
    platform.kill()
    farEnd.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function notesOf({ busy, clockLateMs, troubles, ended }: PlatformReport): string {
  const media = `media thread ${Math.round(busy * 100)} % busy, its clock ${clockLateMs.toFixed(1)} ms late (p99)`
  return `${media}${troubles > 0 ? `, ${troubles} troubles` : ''}${ended > 0 ? `, ${ended} calls ended` : ''}`
}
