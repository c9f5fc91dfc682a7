// Media capacity: concurrent calls of one codec with playout, listening and recording, against a remote end in another
// process. Reports their cost, and the jitter of the packets that the remote end receives.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CodecName } from '../../src/rtp/leg.ts'
import { cpuSeconds, residentMb } from '../api/proc.ts'
import { ask, nextMessage, own } from '../report/child.ts'
import type { Figure } from '../report/figures.ts'
import type { FarEndReport, ToFarEnd } from './media-far-end.ts'
import type { HostReport, ToHost } from './media-host.ts'
import { payloadTypes } from './payload-types.ts'

export type MediaRow = {
  calls: number
  seconds: number
  /** Percent of one core: main thread and worker together. */
  cpuPercent: number
  /** Deviation from 20 ms between two packets of a call, measured at the remote end. */
  jitterMs: { p50: Figure; p99: Figure; max: Figure }
  /** The worker's own figures for clock lateness and load. */
  lateMs: number
  busy: number
  /** Memory that each call adds to the process. */
  mbPerCall: number
  packetsPerSecond: number
  /** Share of the packets expected at the remote end that did not arrive. */
  missingPercent: number
  /** Frames of the remote end's audio that had to be concealed, over all calls. */
  concealed: number
}

/** JIT warm-up. */
const WARM_UP_MS = 4000

const start = (file: string): ChildProcess => own(fork(fileURLToPath(new URL(file, import.meta.url))))

export async function measureMedia(calls: number, seconds: number, codec: CodecName = 'PCMU'): Promise<MediaRow> {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'))
  const host = start('./media-host.ts')
  const farEnd = start('./media-far-end.ts')
  try {
    const [, { port }] = await Promise.all([nextMessage(host), nextMessage<{ port: number }>(farEnd)])
    const pid = host.pid ?? 0
    const emptyMb = residentMb(pid)
    const legs = { calls, port, codec, payloadType: payloadTypes[codec] }
    const { ports } = await ask<{ ports: number[] }>(host, { do: 'open', ...legs } satisfies ToHost)
    await ask(farEnd, { do: 'begin', ports, codec } satisfies ToFarEnd)
    await ask(host, { do: 'talk', folder } satisfies ToHost)
    await sleep(WARM_UP_MS)
    await ask(farEnd, { do: 'measure' })
    const before = cpuSeconds(pid)
    await sleep(seconds * 1000)
    const cpu = cpuSeconds(pid) - before
    const seen = await ask<FarEndReport>(farEnd, { do: 'report' } satisfies ToFarEnd)
    const mbPerCall = (residentMb(pid) - emptyMb) / calls
    const { load, concealed } = await ask<HostReport>(host, { do: 'close' } satisfies ToHost)
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
