// Media capacity: concurrent G.711 calls with playout, listening and recording, against a remote end in another
// process: their cost, and the jitter of the packets that the remote end receives.
//
//   node bench/phone/media.ts [--calls 100,200,300] [--seconds 10]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cpuSeconds, residentMb } from '../api/proc.ts'
import type { FarEndReport, ToFarEnd } from './media-far-end.ts'
import type { HostReport, ToHost } from './media-host.ts'

export type MediaRow = {
  calls: number
  seconds: number
  /** Of one core: main thread and worker together. */
  cpuPercent: number
  /** Deviation from 20 ms between two packets of a call, at the remote end. */
  jitterMs: { p50: number; p99: number; max: number }
  /** The worker's own figures for its clock and load. */
  lateMs: number
  busy: number
  /** What each call adds to the process. */
  mbPerCall: number
  packetsPerSecond: number
  /** Of the packets that the remote end should have received in the time. */
  missingPercent: number
  /** Frames of the remote end's audio that had to be concealed, in all calls. */
  concealed: number
}

/** JIT warm-up. */
const WARM_UP_MS = 4000

const start = (file: string): ChildProcess => fork(fileURLToPath(new URL(file, import.meta.url)))

async function answer<T>(child: ChildProcess, wish: ToHost | ToFarEnd): Promise<T> {
  child.send(wish)
  const [told] = (await once(child, 'message')) as [T]
  return told
}

export async function measureMedia(calls: number, seconds: number): Promise<MediaRow> {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'))
  const host = start('./media-host.ts')
  const farEnd = start('./media-far-end.ts')
  try {
    await Promise.all([once(host, 'message'), once(farEnd, 'message')])
    const pid = host.pid ?? 0
    const { ports } = await answer<{ ports: number[] }>(host, { do: 'open', calls })
    const emptyMb = residentMb(pid)
    const { port } = await answer<{ port: number }>(farEnd, { do: 'begin', ports })
    await answer(host, { do: 'talk', port, folder })
    await sleep(WARM_UP_MS)
    await answer(farEnd, { do: 'measure' })
    const before = cpuSeconds(pid)
    await sleep(seconds * 1000)
    const cpu = cpuSeconds(pid) - before
    const seen = await answer<FarEndReport>(farEnd, { do: 'report' })
    const mbPerCall = (residentMb(pid) - emptyMb) / calls
    const { load, concealed } = await answer<HostReport>(host, { do: 'close' })
    return {
      calls,
      seconds,
      cpuPercent: (cpu / seconds) * 100,
      jitterMs: seen.jitterMs,
      lateMs: load.lateMs,
      busy: load.busy,
      mbPerCall,
      packetsPerSecond: seen.packets / seen.seconds,
      missingPercent: (1 - seen.packets / (seen.seconds * 50 * calls)) * 100,
      concealed,
    }
  } finally {
    host.kill()
    farEnd.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { calls: { type: 'string', default: '100,200,300' }, seconds: { type: 'string', default: '10' } },
  })
  const print = (cells: unknown[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
  print(['calls', 'CPU %', 'jitter p50', 'p99', 'max ms', 'clock late p99', 'busy', 'MB per call', 'packets/s', 'missing %', 'concealed']) // biome-ignore format: one row
  print(Array.from({ length: 11 }, () => '---:'))
  for (const calls of values.calls.split(',').map(Number)) {
    const row = await measureMedia(calls, Number(values.seconds))
    const { p50, p99, max } = row.jitterMs
    const numbers = [row.cpuPercent, p50, p99, max, row.lateMs, row.busy, row.mbPerCall, row.packetsPerSecond, row.missingPercent] // biome-ignore format: one row
    print([calls, ...numbers.map((n) => n.toFixed(2)), row.concealed])
  }
}
