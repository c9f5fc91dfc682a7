// Admission control: a new call must never degrade running calls.
import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { mediaMsPerSecond } from '../rtp/media-cost.ts'

/** The media clock ticks every 20 ms: beyond these limits delays become audible. */
const MAX_LATE_MS = 20
const MAX_BUSY = 0.75
const MAX_LOOP_DELAY_MS = 150
/** With fewer calls, something else loads the machine, and refusing calls would not help. */
const FEW_CALLS = 8

export type Load = { lateMs: number; busy: number; freePorts: number }

export function createAdmission(mediaLoad: () => Load) {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  let recentLoopMs = 0
  const timer = setInterval(() => {
    recentLoopMs = loop.percentile(90) / 1e6
    loop.reset()
  }, 1000)
  timer.unref()

  return {
    /** Why a new call must be refused now, or undefined. */
    refusal(calls: number): string | undefined {
      const { lateMs, busy, freePorts } = mediaLoad()
      if (freePorts <= 0) return 'All RTP ports are in use'
      if (calls < FEW_CALLS) return undefined
      if (lateMs > MAX_LATE_MS) return 'The media clock is late'
      if (busy > MAX_BUSY) return 'The media threads are overloaded'
      if (recentLoopMs > MAX_LOOP_DELAY_MS) return 'The server is overloaded'
      return undefined
    },
    close(): void {
      clearInterval(timer)
      loop.disable()
    },
  }
}

/**
 * Measured with whole conversations on two x86 cores of 2.5 GHz: 200 calls run well, 250 do not, and the media of a call takes this long.
 * Recognition, rows and events scale with it.
 */
const REFERENCE_MS = 0.38
const CALLS_PER_CORE = 95
const MAX_SPEED = 4

/** `mediaMs`: CPU time that the media of a call takes per second. */
export function callsCarried({ mediaMs, cores }: { mediaMs: number; cores: number }): number {
  const speed = Math.min(MAX_SPEED, REFERENCE_MS / mediaMs)
  return Math.max(10, Math.round(CALLS_PER_CORE * cores * speed))
}

/** How many calls this machine carries, estimated from the media path of a call, which is measured in about 75 ms. */
export const estimateMaxCalls = (): number =>
  callsCarried({ mediaMs: mediaMsPerSecond(), cores: availableParallelism() })
