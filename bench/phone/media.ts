// How many calls can one machine hold? Concurrent G.711 calls, played to, listened to and recorded, against a far end in
// another process: what they cost, and how evenly the far end gets its packets.
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
  /** How far from 20 ms two packets of a call were apart, as the far end saw it. */
  jitterMs: { p50: number; p99: number; max: number }
  /** The worker's own word on its clock and its load. */
  lateMs: number
  busy: number
  /** What each call adds to the process. */
  mbPerCall: number
  packetsPerSecond: number
  /** Of what the far end should have got in the time. */
  missingPercent: number
  /** Of what the far end said, frames that had to be made up, in all calls. */
  concealed: number
}

/** The first seconds belong to the compiler. */
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
