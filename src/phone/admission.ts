// Admission control: a new call must never degrade running calls.

import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { decodeAlaw, encodeAlaw } from '../audio/g711.ts'
import { monotonicMs } from '../base/clock.ts'

/** The media clock ticks every 20 ms: beyond these limits delays become audible. */
const MAX_LATE_MS = 20
const MAX_BUSY = 0.75
const MAX_LOOP_DELAY_MS = 150
/** With fewer calls than this, something else loads the machine, and refusing a call would not help. */
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
 * Measured with whole conversations: on an x86 core of 2.5 GHz a call costs 0.0047 core, and the probe takes 1.8 ms.
 * Two such cores carry 200 calls with headroom, and no longer 250. The probe knows codecs only, so it is scaled to stay below that.
 */
const REFERENCE_MS = 1.6
const CALLS_PER_CORE = 110

/** From the time of the probe: encoding and decoding a thousand A-law frames. */
export function callsCarried({ probeMs, cores }: { probeMs: number; cores: number }): number {
  const speed = Math.min(4, REFERENCE_MS / probeMs)
  return Math.max(10, Math.round(CALLS_PER_CORE * cores * speed))
}

/** How many calls this machine carries, measured in a few milliseconds. */
export function estimateMaxCalls(): number {
  const pcm = Int16Array.from({ length: 160 }, (_, i) => 8000 * Math.sin(i / 4))
  const round = () => {
    const begin = monotonicMs()
    for (let i = 0; i < 1000; i++) decodeAlaw(encodeAlaw(pcm))
    return monotonicMs() - begin
  }
  const probeMs = Math.min(...Array.from({ length: 8 }, round))
  return callsCarried({ probeMs, cores: availableParallelism() })
}
